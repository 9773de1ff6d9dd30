import { describe, expect, it } from "vitest"
import { endExecFold, execCodec, foldExec, foldExecPrompt, initialExecFold } from "../../../src/codex/index.ts"
import type { Event } from "../../../src/model/Event.ts"
import { transcriptOf } from "../../../src/model/Transcript.ts"

const begun = { type: "thread.started", thread_id: "t" }
const turn = { type: "turn.started" }
const done = { type: "turn.completed", usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } }
const completed = (item: object): object => ({ type: "item.completed", item: { id: "item_0", ...item } })
const said = (text: string): object => completed({ type: "agent_message", text })

const fold = (lines: ReadonlyArray<object>, from = initialExecFold()) => {
  const events: Array<Event> = []
  let state = from
  for (const line of lines) {
    const [next, given] = foldExec(state, execCodec.decodeValue(line))
    state = next
    events.push(...given)
  }
  return { state, events, entries: transcriptOf(events).entries }
}

describe("what codex exec says", () => {
  it("has item ids that differ from process to process, though the program counts anew in each", () => {
    const { entries } = fold([begun, turn, said("One."), done, begun, turn, said("Two."), done])
    expect(entries.map(({ id }) => id)).toEqual(["t:1:item_0", "t:2:item_0"])
    const other = fold([begun, turn, said("Three.")], initialExecFold({ items: "u" }))
    expect(other.entries.map(({ id }) => id)).toEqual(["u:1:item_0"])
  })

  it("of its configuration begins no turn: that is said before it", () => {
    const { events } = fold([begun, completed({ type: "error", message: "Model metadata not found." })])
    expect(events.map((event) => (event.type === "noticed" ? event.name : event.type))).toEqual([
      "session_changed",
      "warning"
    ])
  })

  it("of a tool of an MCP server is its result, or why it has none", () => {
    const call = { type: "mcp_tool_call", server: "s", tool: "make", arguments: { of: 1 }, status: "completed" }
    const made = { content: [{ type: "text", text: "made" }], structured_content: null }
    const denied = { message: "MCP tool call requires approval, but approval policy is never" }
    const result = (item: object) => fold([begun, turn, completed(item)]).entries.find(({ kind }) => kind === "result")
    expect(result({ ...call, result: made, error: null })).toMatchObject({ content: "made" })
    expect(result({ ...call, result: null, error: denied, status: "failed" })).toMatchObject({
      content: denied.message,
      failed: true
    })
  })

  it("has the names that the app-server has, for policies and people", () => {
    const change = { type: "file_change", changes: [{ path: "/a", kind: "add" }], status: "completed" }
    const { events } = fold([begun, turn, completed(change)])
    expect(events.find(({ type }) => type === "item_started")).toMatchObject({
      item: { kind: "call", tool: "fileChange", action: "write" }
    })
    const [call] = fold([begun, turn, completed(change)]).entries
    expect(call).toMatchObject({ kind: "call", arguments: '{"changes":[{"path":"/a","kind":{"type":"add"}}]}' })
  })

  it("that it tries again is no end", () => {
    const { events } = fold([begun, turn, { type: "error", message: "Reconnecting... 1/1" }, said("Here."), done])
    expect(events.at(-1)).toMatchObject({ type: "turn_ended", outcome: { type: "completed" } })
  })

  it("ends in the middle when the process is stopped, and the next one continues", () => {
    const running = { id: "item_0", type: "command_execution", command: "sleep 9", aggregated_output: "" }
    const asked = foldExecPrompt(initialExecFold(), [{ id: "p", content: "Go." }])
    expect(asked[1].map(({ type }) => type)).toEqual(["turn_started", "item_started"])
    const { state } = fold([begun, turn, { type: "item.started", item: running }], asked[0])
    const [stopped, events] = endExecFold(state, { type: "cancelled" })
    expect(events).toContainEqual({ type: "turn_ended", outcome: { type: "cancelled" } })
    const next = fold([begun, turn, said("Back."), done], stopped)
    expect(next.events.filter(({ type }) => type === "turn_started")).toHaveLength(1)
    expect(next.entries).toMatchObject([{ id: "t:2:item_0", text: "Back." }])
  })
})
