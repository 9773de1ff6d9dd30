import { describe, expect, it } from "vitest"
import { execCodec } from "../../src/codex/index.ts"

describe("the events of codex exec --json", () => {
  it("are known by their type", () => {
    const message = { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "Hello" } }
    expect(execCodec.decodeLine(JSON.stringify(message))).toEqual({
      _tag: "Known",
      line: 1,
      name: "item.completed",
      message
    })
    expect(execCodec.decodeLine('{"type":"turn.paused"}')).toMatchObject({ _tag: "Unknown", type: "turn.paused" })
  })

  it("keep items that came later, and end a turn however little they say", () => {
    const later = { type: "item.started", item: { id: "item_1", type: "dream", of: "sheep" } }
    expect(execCodec.decodeValue(later)).toMatchObject({ _tag: "Known", message: later })
    expect(execCodec.drift(later)).toEqual([{ path: "$.item.type", example: "dream" }])
    expect(execCodec.decodeLine('{"type":"turn.completed"}')).toMatchObject({
      _tag: "Known",
      odd: [{ path: "$.usage" }]
    })
    expect(execCodec.decodeLine('{"type":"turn.failed","error":5}')._tag).toBe("Known")
  })

  it("are refused without what they say", () => {
    const broken = { type: "item.completed", item: { id: "item_1", type: "agent_message", text: 5 } }
    expect(execCodec.decodeValue(broken)).toMatchObject({ _tag: "Invalid", error: { path: "$.item.text" } })
    expect(execCodec.decodeLine('{"type":"thread.started"}')._tag).toBe("Invalid")
  })
})
