/**
 * What the recorder adds to the time a line takes from the agent to the host, beside a bare pipe: `npm run bench`.
 *
 * The agent is a small program that writes text deltas, each with the time it was written (the monotonic clock is
 * one for all processes). Rounds with and without a recorder alternate, so that a busy machine slows them alike.
 * The recorder redacts, as it does by default.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const lines = 1500
const rounds = 4
/** Lines that are not counted: Node compiles what it runs often. */
const warmup = 300
/** As a session waits for its model, so that what is measured is not the start of a process. */
const quietMs = 1500

const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-"))
const agent = join(folder, "agent.mjs")
writeFileSync(
  agent,
  `const delta = (text) => ({ type: "stream_event", event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }, session_id: "${"0".repeat(36)}", parent_tool_use_id: null, uuid: "${"1".repeat(36)}" })
let left = ${lines + warmup}
await new Promise((resolve) => setTimeout(resolve, ${quietMs}))
const timer = setInterval(() => {
  process.stdout.write(JSON.stringify({ ...delta("some twenty letters of text"), at: String(process.hrtime.bigint()) }) + "\\n")
  if (--left === 0) clearInterval(timer)
}, 1)`
)

const recorder = [
  ...[process.execPath, "--import", import.meta.resolve("tsx"), "--conditions=agentwire-source"],
  ...[fileURLToPath(new URL("../packages/cli/src/index.ts", import.meta.url)), "record"],
  ...["-o", join(folder, "bench.tape"), "--"]
]

/** Microseconds from the agent's write to the host's read, line by line. */
const measure = (prefix: ReadonlyArray<string>): Promise<ReadonlyArray<number>> =>
  new Promise((resolve, reject) => {
    const [program = "", ...args] = [...prefix, process.execPath, agent]
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] })
    const times: Array<number> = []
    let rest = ""
    child.stdout.on("data", (chunk: Buffer) => {
      const now = process.hrtime.bigint()
      const parts = (rest + chunk.toString("utf8")).split("\n")
      rest = parts.pop() ?? ""
      for (const part of parts) {
        const written = /"at":"(\d+)"/.exec(part)?.[1]
        if (written !== undefined) times.push(Number(now - BigInt(written)) / 1000)
      }
    })
    child.once("error", reject)
    child.once("close", (code) => {
      if (code === 0 && times.length === lines + warmup) resolve(times.slice(warmup))
      else reject(new Error(`ended with ${code} after ${times.length} lines`))
    })
  })

const quantile = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

const contenders = [
  { name: "bare pipe", prefix: [], times: Array.of<number>() },
  { name: "recorded", prefix: recorder, times: Array.of<number>() }
]

try {
  for (let round = 0; round < rounds; round++) {
    for (const { prefix, times } of contenders) times.push(...(await measure(prefix)))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const rows = contenders.map(({ name, times }) => {
  const sorted = times.toSorted((a, b) => a - b)
  return { name, median: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
})
const [bare, recorded] = rows
console.log(`From the agent to the host, per line, in microseconds (${rounds * lines} lines each)`)
for (const { median, name, p99 } of rows) {
  console.log(`  ${name.padEnd(12)} median ${median.toFixed(0).padStart(6)}  p99 ${p99.toFixed(0).padStart(6)}`)
}
if (bare !== undefined && recorded !== undefined) {
  const added = [recorded.median - bare.median, recorded.p99 - bare.p99].map((value) => value.toFixed(0).padStart(6))
  console.log(`  ${"added".padEnd(12)} median ${added[0]}  p99 ${added[1]}`)
}
