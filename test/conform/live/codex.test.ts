/** What is asked of a CLI of Codex: the recorded ones keep it, the real one does, and broken ones are found out. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { codexTapes, installCodex, loadCodexTape, wireLines } from "@agentwire/fixtures"
import { measuredVersions, schemaVersion } from "@agentwire/protocol/codex"
import { afterAll, describe, expect, it } from "vitest"
import { representativeCodexScenarios } from "../../../packages/cli/src/conform/live/cli/Representative.ts"
import { cliScenarios, judgeSession, runCli } from "../../../packages/cli/src/conform/live/index.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-conform-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const runtime = "codex"
const names = cliScenarios(runtime).map(({ id }) => id.slice("CODEX-".length))

const sessionOf = (scenario: string, version: string) => {
  const entries = codexTapes.filter((entry) => entry.scenario === scenario && entry.version === version)
  const tapes = entries.map((entry) => loadCodexTape(entry))
  return { tapes, frames: tapes.flatMap((tape) => wireLines(scenario, tape)), problems: [] }
}

describe("the recorded Codex", () => {
  it.each(measuredVersions)("%s does what is known of its version, in every scenario", async (version) => {
    const played = names.filter((name) => sessionOf(name, version).tapes.length > 0)
    expect(played.length).toBeGreaterThan(20)
    const found = played.map((name) => judgeSession({ runtime, scenario: name, version }, sessionOf(name, version)))
    expect((await Promise.all(found)).flat()).toEqual([])
  })

  const found = async (said: string, version: string) =>
    (
      await Promise.all(names.map((name) => judgeSession({ runtime, scenario: name, version }, sessionOf(name, said))))
    ).flat()

  it("is found out when it passes for another version", async () => {
    const older = (await found("0.150.1", "0.166.0")).map(({ message, rule }) => `${rule} ${message}`)
    for (const fact of ["itemTimes", "rootTurnId", "readState", "threadModel", "unauthorizedStatus", "steerCutsText"])
      expect(older).toContainEqual(expect.stringMatching(`^CLI-FACT-001 ${fact} is false, not true `))
    expect(older).toContainEqual(expect.stringMatching("^CLI-FACT-001 namespaceTools is true, not false "))
    expect(older).toContain(
      "CLI-ANSWER-001 thread/rollback is answered; on that version it is a method that it does not know."
    )
    const newer = (await found("0.166.0", "0.150.1")).map(({ message, rule }) => `${rule} ${message}`)
    expect(newer).toContain("CLI-FACT-001 It says thread/readState/changed, which that version does not have.")
    expect(newer).toContainEqual(expect.stringMatching("^CLI-FACT-001 planToolByDefault is false, not true "))
    expect(newer).toContainEqual(expect.stringMatching("^CLI-ANSWER-001 thread/rollback is a method that it does not"))
    // A version that nobody measured is compared with the one before, and only warned of.
    expect(new Set((await found("0.150.1", "0.200.0")).map(({ rule }) => rule))).toEqual(
      new Set(["CLI-FACT-002", "CLI-ANSWER-002"])
    )
  })
})

const hello = wireLines("hello", loadCodexTape({ scenario: "hello", version: schemaVersion }))
  .filter(({ from }) => from === "cli")
  .map(({ line }) => line)

/** A Codex that has recorded answers to three requests, and what it says at the third: the turn. */
const fake = (name: string, lines: ReadonlyArray<string>): string => {
  const path = join(folder, `codex-${name}.mjs`)
  const answers = lines.map((line) => ({ line, id: (JSON.parse(line) as { readonly id?: number }).id }))
  writeFileSync(
    path,
    `import { createInterface } from "node:readline"
     if (process.argv.includes("--version")) { console.log("codex-cli ${schemaVersion}"); process.exit(0) }
     const answers = ${JSON.stringify(answers)}
     createInterface({ input: process.stdin }).on("line", (line) => {
       const { id } = JSON.parse(line)
       const from = answers.findIndex((each) => each.id === id)
       if (id === undefined || from < 0) return
       const next = answers.findIndex((each, index) => index > from && each.id !== undefined)
       for (const each of answers.slice(from, next < 0 ? undefined : next)) console.log(each.line)
     }).on("close", () => process.exit(0))`
  )
  return path
}

type Json = Record<string, unknown>

const edited = (method: string, edit: (params: Json) => Json) =>
  hello.map((line) => {
    const message = JSON.parse(line) as Json
    return message["method"] === method ? JSON.stringify({ ...message, params: edit(message["params"] as Json) }) : line
  })

const only = ["CODEX-hello"]

describe("a Codex", () => {
  it.each([
    ["no rule", "true", hello],
    ["CLI-SCHEMA-001", "inventive", hello.toSpliced(-1, 0, '{"method":"thread/dreamed","params":{},"emittedAtMs":1}')],
    ["CLI-SCHEMA-002", "wrong", edited("item/agentMessage/delta", (params) => ({ ...params, delta: 7 }))],
    ["CLI-SCHEMA-003", "chatty", edited("turn/completed", (params) => ({ ...params, brandNew: 1 }))],
    [
      "CLI-FACT-001",
      "old",
      edited("item/completed", ({ item, ...params }) => {
        const { startedAtMs: _, completedAtMs: __, ...rest } = item as Json
        return { ...params, item: rest }
      })
    ],
    ["CLI-PLAY-001", "terse", hello.filter((line) => !line.includes('"turn/completed"'))]
  ])("is told of %s", async (rule, name, lines) => {
    const [result] = await runCli({ path: fake(name, lines), runtime }, { only, timeoutMs: 4000 })
    const rules = new Set(result?.findings.map((finding) => finding.rule))
    if (rule === "no rule") expect(result).toMatchObject({ verdict: "pass", findings: [] })
    else expect([...rules]).toContain(rule)
    expect(result?.wire.some(({ dir }) => dir === "sent")).toBe(true)
  })

  it("that is real has nothing to be told", { timeout: 200_000 }, async () => {
    const { args, program } = await installCodex(schemaVersion)
    expect(args).toEqual([])
    const chosen = ["hello", "command_decline", "steer_text", "update_plan_off", "experimental_refused", "exec_command"]
    const ids = names.filter((name) => chosen.includes(name)).map((name) => `CODEX-${name}`)
    const results = await runCli({ path: program, runtime }, { only: ids, timeoutMs: 100_000 })
    expect(results.map(({ findings, scenario, verdict }) => ({ scenario, verdict, findings }))).toEqual(
      ids.map((scenario) => ({ scenario, verdict: "pass", findings: [] }))
    )
  })

  it("that is none is refused in its own words", async () => {
    await expect(runCli({ path: "/nowhere/codex", runtime }, { only, timeoutMs: 1000 })).rejects.toThrow(
      "There is no file /nowhere/codex."
    )
    await expect(runCli({ path: fake("mute", []), runtime }, { only, timeoutMs: 2000 })).rejects.toThrow(
      "said nothing in any scenario"
    )
  })

  it("is played every scenario of the set", () => {
    expect(names).toEqual(expect.arrayContaining([...representativeCodexScenarios, "fails_401", "thread_revert"]))
    expect(new Set(names).size).toBe(names.length)
  })
})
