/** What docs/conformance.md says is what the command does. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { appServerScenarios } from "../../src/conform/appserver/index.ts"
import { ExpectedFailures } from "../../src/conform/ExpectedFailures.ts"
import { cliScenarios, liveScenarios } from "../../src/conform/live/index.ts"
import { options } from "../../src/conform/Options.ts"
import { patternOf } from "../../src/conform/Pattern.ts"
import { ruleIds, staleRule } from "../../src/conform/Rules.ts"
import { runtimeKinds } from "../../src/runtime/Runtimes.ts"
import { run } from "../run.ts"
import { folder, report } from "./streams.ts"

const doc = readFileSync(new URL("../../../../docs/conformance.md", import.meta.url), "utf8")

/** The block of code after a mark. */
const example = (name: string): string => {
  const found = new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w*\\n([^]*?)\`\`\``).exec(doc)?.[1]
  if (found === undefined) throw new Error(`docs/conformance.md has no example ${name}`)
  return found
}

const { file } = folder()
const answer = file("answer.sse", example("answer.sse"))
const named = (text: string): string => text.replaceAll(answer, "answer.sse")

describe("docs/conformance.md", () => {
  it("shows what the command prints", async () => {
    const { code, out } = await run(["conform", answer])
    expect({ code, out: named(out) }).toEqual({ code: 1, out: example("report") })
    expect(named((await report([answer])).out).split("\n")).toContain(example("json").trim())
  })

  it("names every option, and none that there is not", () => {
    const own = doc.replace(/^codex .*$/gm, "")
    const described = new Set([...own.matchAll(/(?<=[\s`])--([a-z][a-z-]*)/g)].map(([, name]) => name))
    expect([...described].sort()).toEqual(Object.keys(options).sort())
  })

  it("names only rules and scenarios that exist", () => {
    const ids = [
      ...ruleIds,
      staleRule.id,
      ...[...liveScenarios, ...runtimeKinds.flatMap(cliScenarios), ...appServerScenarios].map(({ id }) => id)
    ]
    const mentioned = [...doc.matchAll(/\b(?:AGUI|APP|LIVE|CLI|CODEX|EXPECTED)-[A-Z0-9*?-]+/g)].map(([id]) => id)
    expect(mentioned.length).toBeGreaterThan(5)
    for (const id of mentioned) expect({ id, exists: ids.some(patternOf(id)) }).toEqual({ id, exists: true })
  })

  it("shows a file of expected failures that can be read", () => {
    const expected = ExpectedFailures.parse("example", example("expected-failures"))
    expect(expected.untested).toHaveLength(4)
    for (const [name, rule] of [
      ["any", "AGUI-VERSION-001"],
      ["LIVE-024", "LIVE-ABORT-001"],
      ["LIVE-031", "AGUI-TEXT-001"],
      ["recorded/old-1.sse", "AGUI-RUN-005"]
    ] as const) {
      expect(expected.has(name, { rule })).toBe(true)
    }
    expect(expected.has("LIVE-031", { rule: "AGUI-RUN-005" })).toBe(false)
  })
})
