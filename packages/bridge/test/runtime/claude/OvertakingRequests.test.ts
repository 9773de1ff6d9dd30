/** Requests about calls come after the calls, whoever came first. */
import { describe, expect, it } from "vitest"
import { OvertakingRequests } from "../../../src/runtime/claude/OvertakingRequests.ts"

const ask = (request_id: string, tool_use_id?: string) => ({
  type: "control_request",
  request_id,
  request: { subtype: "can_use_tool", ...(tool_use_id !== undefined && { tool_use_id }) }
})
const call = (id: string) => ({ type: "assistant", message: { content: [{ type: "tool_use", id, name: "Bash" }] } })
const text = { type: "assistant", message: { content: [{ type: "text", text: "Both." }] } }
const withdraw = (request_id: string) => ({ type: "control_cancel_request", request_id })
const result = { type: "result" }

const passed = (...events: ReadonlyArray<object>): ReadonlyArray<object> => {
  const out: Array<object> = []
  const order = new OvertakingRequests((event) => void out.push(event as object))
  for (const event of events) order.passOrHold(event)
  return out
}

describe("OvertakingRequests", () => {
  it.each([
    [
      "leaves what is in order as it is",
      [text, call("a"), ask("1", "a"), result],
      [text, call("a"), ask("1", "a"), result]
    ],
    [
      "puts a request behind its call",
      [ask("1", "a"), text, call("a"), result],
      [text, call("a"), ask("1", "a"), result]
    ],
    [
      "does so for each of several",
      [ask("1", "a"), ask("2", "b"), text, call("b"), call("a")],
      [text, call("b"), ask("2", "b"), call("a"), ask("1", "a")]
    ],
    ["holds nothing that is about no call", [ask("1"), text], [ask("1"), text]],
    [
      "puts a withdrawal behind what it withdraws",
      [ask("1", "a"), ask("2", "b"), withdraw("1"), call("b")],
      [ask("1", "a"), withdraw("1"), call("b"), ask("2", "b")]
    ],
    ["holds nothing beyond the end of the turn", [ask("1", "a"), result], [ask("1", "a"), result]],
    ["passes on what is odd", [{}, { type: "assistant" }], [{}, { type: "assistant" }]]
  ] as const)("%s", (_, events, expected) => {
    expect(passed(...events)).toEqual(expected)
  })

  it("gives up on a call that nobody tells of", async () => {
    const gone = await new Promise((resolve) => new OvertakingRequests(resolve).passOrHold(ask("1", "a")))
    expect(gone).toEqual(ask("1", "a"))
  })

  it("passes on what it holds when nothing more comes", () => {
    const out: Array<unknown> = []
    const order = new OvertakingRequests((event) => void out.push(event))
    order.passOrHold(ask("1", "a"))
    expect(out).toEqual([])
    order.release()
    expect(out).toEqual([ask("1", "a")])
  })
})
