import { codexDemoScenarios, codexDemoTapes, demoScenarios } from "@agentwire/fixtures"
import { describe, expect, it } from "vitest"
import { parseLine, textAt } from "../../src/demo/Line.ts"
import { chooseTurn, codexTakes, codexTurns, demoPrompts, demoTakes, demoTurns } from "../../src/demo/Turns.ts"
import { take } from "./takes.ts"

const nothing = { tools: new Set<string>(), allowed: new Set<string>() }
const withPage = { ...nothing, tools: new Set(["setAccent"]) }

describe("the turns of the demo agent", () => {
  it("are each chosen by what they suggest to type", () => {
    for (const { prompt } of demoPrompts) expect(chooseTurn(prompt, withPage).turn?.prompt).toBe(prompt)
    expect(demoPrompts).toHaveLength(demoTurns.length)
  })

  it("are each listed in the answer to all else", () => {
    expect(chooseTurn("xyzzy", withPage)).toMatchObject({ takes: ["welcome"], turn: undefined })
    const result = take("welcome").turn.flatMap((cue) => (cue._tag === "Say" ? [parseLine(cue.line)] : []))
    const said = textAt(
      result.find(({ type }) => type === "result"),
      "result"
    )
    for (const { prompt } of demoPrompts) expect(said).toContain(`**${prompt}**`)
    expect(said).toContain("demo agent")
    expect(said).toContain("npm start -- --cli claude")
  })

  it.each([
    ["please make it orange!", "page", [["teal", "orange"]]],
    ["Color: #FF0000", "page", [["teal", "#ff0000"]]],
    ["another colour", "page", []],
    ["save a poem", "approval_allow", []],
    ["delegate that", "subagents", []],
    ["what are the errors?", "error", []]
  ])("know other words: %s", (prompt, first, swaps) => {
    expect(chooseTurn(prompt, withPage)).toMatchObject({ takes: expect.arrayContaining([first]), swaps })
  })

  it("do without a tool that the page does not have", () => {
    expect(chooseTurn("Make this page teal", nothing).takes).toEqual(["page_missing"])
    expect(chooseTurn("Make this page teal", withPage).takes).toEqual(["page"])
  })

  it("ask no more once it is allowed for good", () => {
    const allowed = new Set(["Write a haiku into a file"])
    expect(chooseTurn("a haiku", { ...nothing, allowed }).takes).toEqual(["approval_always"])
  })

  it("are all recorded, and nothing is recorded for nobody", () => {
    const recorded = demoScenarios.map(({ name }) => name.replace("demo_", ""))
    expect([...recorded].sort()).toEqual([...demoTakes].sort())
  })

  it("are recorded for Codex as well, as far as it has them", () => {
    const recorded = codexDemoScenarios.map(({ name }) => name.replace("demo_", ""))
    expect([...recorded].sort()).toEqual([...codexTakes].sort())
    expect(codexDemoTapes.map(({ scenario }) => scenario.replace("demo_", "")).sort()).toEqual([...recorded].sort())
    expect(chooseTurn("Send two helpers", nothing, codexTurns).takes).toEqual(["welcome"])
    expect(chooseTurn("a haiku", nothing, codexTurns).takes).toContain("approval_session")
  })
})
