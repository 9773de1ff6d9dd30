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

describe("a long conversation", () => {
  const message = (id: string, length: number): Agui.Message => ({ id, role: "user", content: "é".repeat(length) })
  const snapshot = (...lengths: ReadonlyArray<number>) => ({
    type: "MESSAGES_SNAPSHOT" as const,
    messages: lengths.map((length, at) => message(`m${at}`, length)),
    timestamp: 7
  })
  const piecesOf = (event: Agui.AguiEvent) => [...(sse.encodeLong?.(event) ?? [])]

  it.each([[[]], [[1]], [[100_000]], [[70_000, 1, 70_000]], [Array<number>(1000).fill(1000)]])(
    "is one event, in pieces: %j",
    (lengths) => {
      const event = snapshot(...lengths)
      const text = piecesOf(event).join("")
      expect(text).toMatch(/^data: [^\n]*\n\n$/)
      expect(JSON.parse(text.slice(6))).toEqual(event)
    }
  )

  it("is never written at once", () => {
    for (const lengths of [Array<number>(1000).fill(1000), [1_000_000]]) {
      const pieces = piecesOf(snapshot(...lengths))
      expect(pieces.length).toBeGreaterThan(10)
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000)
    }
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
