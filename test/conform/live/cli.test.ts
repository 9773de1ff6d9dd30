/** What is asked of a CLI of Claude Code: the recorded ones keep it, the real one does, and broken ones are found out. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findTape, loadTape, recordings, wireLines } from "@agentwire/fixtures"
import type { Tape } from "@agentwire/protocol"
import { afterAll, describe, expect, it } from "vitest"
import { representativeScenarios } from "../../../packages/cli/src/conform/live/cli/Representative.ts"
import { cliRules, cliScenarios, judgeSession, runCli } from "../../../packages/cli/src/conform/live/index.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-conform-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const names = cliScenarios("claude").map(({ id }) => id.slice("CLI-".length))

const runtime = "claude"

/** All runs of a scenario that the library has of a version. */
const taped = (scenario: string, version: string): ReadonlyArray<Tape.Tape> => {
  const found: Array<Tape.Tape> = []
  for (let run = 1; ; run++) {
    const entry = findTape({ scenario, version, run })
    if (entry === undefined) return found
    found.push(loadTape(entry))
  }
}

const sessionOf = (scenario: string, version: string) => {
  const tapes = taped(scenario, version)
  return { tapes, frames: tapes.flatMap((tape) => wireLines(scenario, tape)), problems: [] }
}

describe("the recorded CLIs", () => {
  it.each(recordings)("%s do what is known of their version, in every scenario", async (version) => {
    const played = names.filter((name) => taped(name, version).length > 0)
    expect(played.length).toBeGreaterThan(20)
    const found = played.map((name) => judgeSession({ runtime, scenario: name, version }, sessionOf(name, version)))
    expect((await Promise.all(found)).flat()).toEqual([])
  })

  it("are found out when they pass for another version", async () => {
    const rules = async (said: string, version: string) => {
      const found = names.map((name) => judgeSession({ runtime, scenario: name, version }, sessionOf(name, said)))
      return new Set((await Promise.all(found)).flat().map(({ rule }) => rule))
    }
    expect(await rules("2.1.37", "2.1.325")).toContain("CLI-FACT-001")
    expect(await rules("2.1.325", "2.1.37")).toContain("CLI-ANSWER-001")
    // A version nobody measured is compared with the one before, and only warned of.
    expect([...(await rules("2.1.37", "2.1.400"))].sort()).toEqual(["CLI-FACT-002"])
  })
})

const plain = wireLines("plain_text", loadTape({ scenario: "no_init", version: "2.1.325" }))
  .filter(({ from }) => from === "cli")
  .map(({ line }) => line)

/** A CLI that says these lines to every prompt. */
const fake = (name: string, lines: ReadonlyArray<string>): string => {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(
    path,
    `if (process.argv.includes("--version")) { console.log("2.1.325 (Fake)"); process.exit(0) }
     process.stdin.on("data", () => process.stdout.write(${JSON.stringify(lines.map((line) => `${line}\n`).join(""))}))
     process.stdin.on("end", () => process.exit(0))`
  )
  return path
}

const edited = (type: string, edit: (message: Record<string, unknown>) => Record<string, unknown>) =>
  plain.map((line) => {
    const message = JSON.parse(line) as Record<string, unknown>
    return message["type"] === type ? JSON.stringify(edit(message)) : line
  })

describe.concurrent("a CLI", () => {
  const only = ["CLI-no_init"]

  it.each([
    ["CLI-SCHEMA-001", "inventive", [...plain, '{"type":"invented","uuid":"u","session_id":"s"}']],
    ["CLI-SCHEMA-002", "wrong", edited("assistant", (message) => ({ ...message, message: 7 }))],
    ["CLI-SCHEMA-003", "chatty", edited("system", (message) => ({ ...message, brand_new_key: 1 }))],
    ["CLI-FACT-001", "old", edited("result", ({ terminal_reason: _, ...message }) => message)],
    ["CLI-PLAY-001", "terse", plain.filter((line) => !line.includes('"type":"result"'))]
  ])("is told of %s", async (rule, name, lines) => {
    // One that never ends its turn is waited for as long as this; the others take as long as they need.
    const results = await runCli(
      { path: fake(name, lines), runtime },
      { only, timeoutMs: name === "terse" ? 4000 : 100_000 }
    )
    expect(results.map(({ scenario }) => scenario)).toEqual(only)
    expect(results[0]?.findings.map((finding) => finding.rule)).toContain(rule)
    expect(results[0]?.verdict).toBe(rule === "CLI-SCHEMA-003" ? "warn" : "fail")
    expect(results[0]?.wire.some(({ dir }) => dir === "sent")).toBe(true)
  })

  it("of the official SDK has nothing to be told", async () => {
    const file = process.platform === "win32" ? "claude.exe" : "claude"
    const require = createRequire(join(import.meta.dirname, "..", "..", "package.json"))
    const path = require.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/${file}`)
    const chosen = ["CLI-plain_text", "CLI-tool_denied", "CLI-interrupt_midstream", "CLI-set_model"]
    const results = await runCli({ path, runtime }, { only: chosen, timeoutMs: 200_000 })
    expect(results.map(({ findings, scenario, verdict }) => ({ scenario, verdict, findings }))).toEqual(
      chosen.map((scenario) => ({ scenario, verdict: "pass", findings: [] }))
    )
  })

  it.each([
    ["/nowhere/claude", "There is no file /nowhere/claude."],
    ["/bin/false", "/bin/false --version does not print a version: it failed with 1"]
  ])("that is none is refused: %s", async (path, message) => {
    await expect(runCli({ path, runtime }, { only, timeoutMs: 1000 })).rejects.toThrow(message)
  })

  it("that says nothing is refused", async () => {
    await expect(runCli({ path: fake("mute", []), runtime }, { only, timeoutMs: 4000 })).rejects.toThrow(
      "said nothing in any scenario"
    )
  })

  it("is left alone once the user has stopped", async () => {
    const stop = new AbortController()
    stop.abort()
    expect(await runCli({ path: fake("idle", []), runtime }, { only, timeoutMs: 1000, signal: stop.signal })).toEqual(
      []
    )
  })

  it("is played every scenario of the set", () => {
    expect(names).toEqual(
      expect.arrayContaining([...representativeScenarios, "no_init", "control_misc", "control_read"])
    )
    expect(new Set(names).size).toBe(names.length)
  })

  it("has rules with ids of their own", () => {
    expect(Object.entries(cliRules).every(([id, rule]) => rule.id === id)).toBe(true)
  })
})
