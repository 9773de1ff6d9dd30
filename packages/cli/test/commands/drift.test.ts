import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { loadTape, wireLines } from "@agentwire/fixtures"
import { afterAll, describe, expect, it } from "vitest"
import { agentwireArgs } from "../AgentwireCommand.ts"
import { run } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-drift-"))
const root = fileURLToPath(new URL("../../../..", import.meta.url))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A CLI that says these lines to every prompt. */
const fake = (name: string, lines: ReadonlyArray<string>): string => {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(
    path,
    `if (process.argv.includes("--version")) { console.log("9.9.9 (Fake)"); process.exit(0) }
     process.stdin.on("data", () => process.stdout.write(${JSON.stringify(lines.map((line) => `${line}\n`).join(""))}))
     process.stdin.on("end", () => process.exit(0))`
  )
  return path
}

const plain = wireLines("plain_text", loadTape({ scenario: "no_init", version: "2.1.325" }))
  .filter(({ from }) => from === "cli")
  .map(({ line }) => line)

describe("agentwire drift", () => {
  it("names a message that nobody knows, and a key", async () => {
    const [first = "", ...rest] = plain
    const keyed = JSON.stringify({ ...JSON.parse(first), brand_new_key: { a: 1 } })
    const cli = fake("inventive", [keyed, '{"type":"invented","uuid":"u","session_id":"s"}', ...rest])
    const { code, out } = await run(["drift", "--cli", cli, "no_init", "--json"])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      version: "9.9.9",
      unknown: ["invented"],
      drift: ['system/init $.brand_new_key = {"a":1}'],
      new: ["system/init brand_new_key", "invented"],
      gone: [],
      invalid: [],
      problems: []
    })
  })

  it("names what is gone", async () => {
    const cli = fake(
      "terse",
      plain.filter((line) => !line.includes('"type":"assistant"'))
    )
    const { code, out } = await run(["drift", "--cli", cli, "no_init"])
    expect(code).toBe(1)
    expect(out).toMatch(/Gone: in the library, not here\n +assistant\n/)
  })

  it("cannot judge a CLI that says nothing", async () => {
    const { code, err } = await run(["drift", "--cli", fake("mute", []), "resume_missing"])
    expect(code).toBe(2)
    expect(err).toContain("The CLI said nothing in any scenario")
  })

  it.each([
    [["drift"], "drift needs --cli PATH or --cli VERSION."],
    [["drift", "--cli", "/nowhere/claude"], "There is no file /nowhere/claude"],
    [["drift", "--cli", "/bin/false"], "/bin/false --version does not print a version: it failed with 1"],
    [["drift", "--cli", "/bin/true", "nonsense"], "There is no scenario nonsense."]
  ])("refuses %j", async (args, message) => {
    const { code, err } = await run(args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it("cleans up at Ctrl-C", async () => {
    const tmp = mkdtempSync(join(folder, "tmp-"))
    const child = spawn(process.execPath, [...agentwireArgs, "drift", "--cli", fake("slow", []), "no_init"], {
      cwd: root,
      env: { ...process.env, TMPDIR: tmp }
    })
    let err = ""
    child.stderr.on("data", (chunk) => {
      err += chunk
    })
    const exit = new Promise((resolve) => child.once("exit", resolve))
    const begun = () => readdirSync(tmp).some((name) => name.startsWith("agentwire-"))
    while (!begun()) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill("SIGINT")
    expect(await exit).toBe(2)
    expect(err).toBe("Stopped before it was known.\n")
    expect(readdirSync(tmp).filter((name) => name.startsWith("agentwire-"))).toEqual([])
  })
})
