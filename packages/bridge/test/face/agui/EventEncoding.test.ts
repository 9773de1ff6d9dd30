import type { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { encodingFor, protobuf, protobufMediaType, sse } from "../../../src/face/agui/EventEncoding.ts"

const started: Agui.AguiEvent = { type: "RUN_STARTED", threadId: "t", runId: "r" }
const encode = ({ type }: Agui.AguiEvent): Uint8Array => Buffer.from(type)

describe("the encoding for a reader", () => {
  it.each([
    [undefined, sse.contentType],
    ["text/event-stream", sse.contentType],
    ["*/*", sse.contentType],
    [`${protobufMediaType};q=0, text/event-stream`, sse.contentType],
    [protobufMediaType, protobufMediaType],
    [`text/event-stream;q=0.5, ${protobufMediaType.toUpperCase()} ; q=0.9`, protobufMediaType]
  ])("who accepts %s", (accept, contentType) => {
    expect(encodingFor(accept, encode).contentType).toBe(contentType)
  })

  it("is server-sent events where nothing else can be made", () => {
    expect(encodingFor(protobufMediaType, undefined)).toBe(sse)
  })
})

describe("Protocol Buffers", () => {
  it("have their length before them, in four bytes, the highest first", () => {
    expect(protobuf(encode).encode([started, started])).toEqual(
      Buffer.from("\0\0\0\x0bRUN_STARTED\0\0\0\x0bRUN_STARTED")
    )
  })

  it("have no way to say nothing", () => {
    expect(protobuf(encode).keepAlive).toBeUndefined()
    expect(sse.keepAlive).toMatch(/^:.*\n\n$/)
  })
})
