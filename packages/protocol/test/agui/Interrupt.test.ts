import { describe, expect, test } from "vitest"
import { Interrupt, RunFinishedOutcome, SubagentFinishedOutcome } from "../../src/agui/Interrupt.ts"
import { issues, wrongAt } from "./Decode.ts"

test("an interrupt needs an id and a reason", () => {
  expect(issues(Interrupt, { id: "i", reason: "tool_call" })).toEqual([])
  expect(wrongAt(Interrupt, {})).toEqual(["id", "reason"])
  expect(wrongAt(Interrupt, { id: "i", reason: "r", responseSchema: true })).toEqual(["responseSchema"])
})

describe("outcomes", () => {
  test.each(["success", "cancelled"])("a run may end as %s", (type) => {
    expect(issues(RunFinishedOutcome, { type })).toEqual([])
  })

  test("an interrupted run names at least one interrupt", () => {
    expect(issues(RunFinishedOutcome, { type: "interrupt", interrupts: [{ id: "i", reason: "r" }] })).toEqual([])
    expect(wrongAt(RunFinishedOutcome, { type: "interrupt", interrupts: [] })).toEqual(["interrupts"])
    expect(wrongAt(RunFinishedOutcome, { type: "interrupt" })).toEqual(["interrupts"])
  })

  test("a run cannot be suspended, a subagent cannot be cancelled", () => {
    expect(wrongAt(RunFinishedOutcome, { type: "suspended" })).toEqual([""])
    expect(wrongAt(SubagentFinishedOutcome, { type: "cancelled" })).toEqual([""])
    expect(issues(SubagentFinishedOutcome, { type: "suspended", interruptIds: ["i"] })).toEqual([])
  })
})
