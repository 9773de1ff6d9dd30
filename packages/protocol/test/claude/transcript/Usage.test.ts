import { describe, expect, it } from "vitest"
import { sessionEvents, totalUsage, usageByModel } from "../../../src/claude/transcript/index.ts"
import { sessionOfScenario } from "./Kept.ts"
import { answer, prompt, written } from "./Write.ts"

const spending = (uuid: string, parent: string, message: string, output: number) => {
  const line = answer(uuid, parent, message, uuid)
  const usage = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: output }
  return { ...line, message: { ...(line["message"] as object), usage } }
}

describe("what a session has spent", () => {
  it("counts each message once, as its last line has it", () => {
    const lines = [
      prompt("p", null, "Go."),
      spending("a", "p", "m", 1),
      spending("b", "a", "m", 42),
      spending("c", "b", "n", 3)
    ]
    const { usage } = written([...lines, ...lines])
    expect(totalUsage(usage.values())).toEqual({ input: 30, cachedInput: 10, cacheWriteInput: 0, output: 45 })
    expect([...usageByModel(usage.values()).keys()]).toEqual(["claude"])
  })

  it("is told with the end of the turn, without the sub-agents", () => {
    const session = sessionOfScenario("subagent", "2.1.197")
    const ends = sessionEvents(session).flatMap(({ event }) =>
      event.type === "turn_ended" ? [event.usage?.output] : []
    )
    expect(ends).toEqual([84])
    expect(totalUsage(session.usage.values()).output).toBe(168)
  })
})
