import { describe, expect, it } from "vitest"
import { Agui } from "../../src/index.ts"

const { "0.0": old, "1.0": current } = Agui.codecs

describe("codecs", () => {
  it("know the events of their dialect", () => {
    expect(current.decodeLine('{"type":"RUN_STARTED","threadId":"t","runId":"r"}')).toMatchObject({
      _tag: "Known",
      name: "RUN_STARTED"
    })
    expect(current.decodeLine('{"type":"THINKING_START"}')._tag).toBe("Unknown")
    expect(old.decodeLine('{"type":"THINKING_START"}')._tag).toBe("Known")
  })

  it("refuse what the clients of their dialect refuse", () => {
    const finished = { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "cancelled" } }
    expect(current.decodeValue(finished)._tag).toBe("Known")
    expect(old.decodeValue(finished)).toMatchObject({ _tag: "Invalid", error: { path: "$.outcome.type" } })
  })

  it("find drift", () => {
    expect(current.drift({ type: "RUN_STARTED", threadId: "t", runId: "r", mood: 1 })).toEqual([
      { path: "$.mood", example: 1 }
    ])
  })
})
