import { Agui } from "@agentwire/protocol"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { boundHistory, leftOutActivity } from "../../src/store/HistoryBound.ts"
import { conversation } from "../Conversation.ts"

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const user = (id: string, content: string): Agui.Message => ({ id, role: "user", content })

const isNote = (message: Agui.Message | undefined): boolean =>
  message?.role === "activity" && message.activityType === leftOutActivity

const dropped = ({ messages }: Agui.History): unknown => {
  const [first] = messages
  return first?.role === "activity" && isNote(first) ? first.content["messages"] : 0
}

describe("a conversation that is too big", () => {
  it("keeps its newest messages, as many as fit, and counts the others", () => {
    fc.assert(
      fc.property(conversation, fc.nat(4000), (events, maxBytes) => {
        const history = Agui.foldEvents(events)
        const bound = boundHistory(history, maxBytes)
        const said = bound.messages.filter((message) => !isNote(message))
        assert.isAtMost(
          said.reduce((sum, message) => sum + bytes(message), 0),
          maxBytes
        )
        // Of these conversations none has results of tools, so what is kept is the end of what there was.
        assert.deepStrictEqual(said, history.messages.slice(history.messages.length - said.length))
        assert.strictEqual(dropped(bound), history.messages.length - said.length)
      })
    )
  })

  it("is not touched while it fits", () => {
    fc.assert(
      fc.property(conversation, (events) => {
        const { messages, state } = Agui.foldEvents(events)
        assert.deepStrictEqual(boundHistory({ messages, state }, 1_000_000), { messages, state })
      })
    )
  })

  it("loses a tool's result with its call", () => {
    const call: Agui.Message = {
      id: "a",
      role: "assistant",
      toolCalls: [{ id: "c", type: "function", function: { name: "Read", arguments: "x".repeat(1000) } }]
    }
    const result: Agui.Message = { id: "t", role: "tool", toolCallId: "c", content: "short" }
    const bound = boundHistory({ messages: [call, result, user("u", "next")], state: {} }, 500)
    assert.deepStrictEqual(
      bound.messages.map(({ role }) => role),
      ["activity", "user"]
    )
    assert.strictEqual(dropped(bound), 2)
  })

  it("has one note, however often it is cut", () => {
    let history: Agui.History = Agui.emptyHistory
    for (let n = 0; n < 50; n++)
      history = boundHistory({ ...history, messages: [...history.messages, user(`u${n}`, "x".repeat(100))] }, 600)
    assert.lengthOf(history.messages.filter(isNote), 1)
    assert.strictEqual(dropped(history), 51 - history.messages.length)
    assert.strictEqual(history.messages.at(-1)?.id, "u49")
  })

  it("loses a state that is too big by itself, and says so", () => {
    const bound = boundHistory({ messages: [user("u", "hi")], state: { big: "x".repeat(1000) } }, 500)
    assert.deepStrictEqual(bound.state, {})
    assert.deepInclude(bound.messages[0], { content: { messages: 0, state: true } })
    assert.strictEqual(bound.messages[1]?.id, "u")
  })
})
