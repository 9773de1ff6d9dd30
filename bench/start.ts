/**
 * What it costs to start the command: processor time (user and system, of all its processes) and wall time of whole
 * runs, in interleaved rounds beside Node with nothing to do, which is the floor. A server is timed until it says where
 * it listens, and is then killed.
 *
 *   npm run bench:start -- [--rounds 10] [--command "node OTHER/agentwire.mjs"]...
 *
 * Each `--command` is another agentwire to compare with, in the same rounds. Build first: what is built is measured.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { findTape } from "@agentwire/fixtures"

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "10" }, command: { type: "string", multiple: true, default: [] } }
})
const rounds = Number(values.rounds)
const own = `${process.execPath} ${fileURLToPath(new URL("../packages/cli/bin/agentwire.mjs", import.meta.url))}`
const commands = [own, ...values.command].map((text) => text.split(" "))

const folder = mkdtempSync(join(tmpdir(), "agentwire-start-"))
const policy = join(folder, "policy.json")
writeFileSync(policy, JSON.stringify({ version: 1, allow: [{ tool: "Bash", command: ["ls"] }] }))
const events = join(folder, "events.ndjson")
writeFileSync(
  events,
  ["RUN_STARTED", "RUN_FINISHED"].map((type) => `${JSON.stringify({ type, threadId: "t", runId: "r" })}\n`).join("")
)
const tape = findTape({ version: "2.1.325", scenario: "plain_text" })?.file ?? ""

interface Case {
  readonly args: ReadonlyArray<string>
  /** It never ends by itself: it is timed until it says something. */
  readonly isServer?: true
}

const cases: Readonly<Record<string, Case>> = {
  "--help": { args: ["--help"] },
  "--version": { args: ["--version"] },
  "decode TAPE": { args: ["decode", tape] },
  "translate TAPE": { args: ["translate", tape] },
  "tape info TAPE": { args: ["tape", "info", tape] },
  "conform EVENTS": { args: ["conform", events] },
  "policy test FILE": { args: ["policy", "test", policy, "--command", "ls"] },
  "serve --help": { args: ["serve", "--help"] },
  "serve --demo, until it listens": {
    args: ["serve", "--demo", "--no-data", "--port", "0", "--json", "--cwd", folder],
    isServer: true
  },
  "doctor --no-run": { args: ["doctor", "--no-run"] }
}

interface Cost {
  readonly cpu: number
  readonly wall: number
}

const seconds = (text: string): number => {
  const [, minutes = "0", rest = "0"] = /(\d+)m([\d.]+)s/.exec(text) ?? []
  return Number(minutes) * 60 + Number(rest)
}

/** Says the process's id, waits for its end, and says how it ended and what the shell's children have used. */
const script = '"$@" 2>/dev/null & echo $!; wait $!; echo "$?"; times'

const costOf = (line: ReadonlyArray<string>, isServer = false): Promise<Cost> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const shell = spawn("bash", ["-c", script, "bash", ...line], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, HOME: folder }
    })
    let text = ""
    let wall: number | undefined
    shell.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
      const [pid, said] = text.split("\n")
      if (!isServer || wall !== undefined || !said?.startsWith("{") || !text.endsWith("\n")) return
      wall = performance.now() - started
      process.kill(Number(pid), "SIGKILL")
    })
    shell.on("error", reject).on("close", () => {
      const [status, , used = ""] = text.trimEnd().split("\n").slice(-3)
      const cpu = used.split(" ").reduce((sum, part) => sum + seconds(part), 0)
      // 1 is what a command ends with that found something.
      if (cpu === 0 || !["0", "1", "137"].includes(status ?? "")) reject(new Error(`${line.join(" ")}:\n${text}`))
      else resolve({ cpu, wall: (wall ?? performance.now() - started) / 1000 })
    })
  })

const median = (all: ReadonlyArray<number>): number =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

const names = Object.keys(cases)
const measured = new Map<string, Array<Cost>>()
const measure = async (key: string, line: ReadonlyArray<string>, isServer?: true): Promise<void> => {
  const before = measured.get(key) ?? []
  measured.set(key, [...before, await costOf(line, isServer)])
}
const keyOf = (name: string, command: number): string => `${command} ${name}`

try {
  for (let round = 0; round < rounds; round++) {
    await measure("floor", [process.execPath, "-e", "0"])
    for (const name of names)
      for (const [index, command] of commands.entries())
        await measure(keyOf(name, index), [...command, ...(cases[name]?.args ?? [])], cases[name]?.isServer)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const row = (name: string, keys: ReadonlyArray<string>): string =>
  [
    name.padEnd(32),
    ...keys.map((key) => {
      const costs = measured.get(key) ?? []
      const [cpu, wall] = [median(costs.map((one) => one.cpu)), median(costs.map((one) => one.wall))]
      return `${cpu.toFixed(3)} s cpu ${wall.toFixed(3)} s wall`.padEnd(28)
    })
  ].join("  ")

console.log(`Median of ${rounds} interleaved rounds, Node ${process.versions.node}`)
for (const [index, command] of commands.entries()) console.log(`  ${index + 1}: ${command.join(" ")}`)
console.log(row("node -e 0 (the floor)", ["floor"]))
for (const name of names)
  console.log(
    row(
      name,
      commands.map((_, index) => keyOf(name, index))
    )
  )
