/** Facts of the tape format, as docs/tape-format.md states them. */
import { Tape } from "@agentwire/protocol"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const isFrame = Schema.is(Tape.FrameLine)
const isHeader = Schema.is(Tape.TapeHeader)

describe("a frame's line", () => {
  it.each([
    [[0, "host", "stdin", "{}\n"]],
    [[1.5, "agent", "stdout", { base64: "/w==" }]],
    [[0, "agent", "close", { channel: "stdout" }]],
    [[0, "host", "close", { channel: "ws", ws: { code: 1000, reason: "" } }]],
    [[0, "agent", "open", { url: "ws://127.0.0.1/", headers: { a: "b" } }]],
    [[0, "agent", "exit", { code: null, signal: "SIGTERM" }]],
    [[0, "host", "marker", "a note"]]
  ])("can be %j", (line) => expect(isFrame(line)).toBe(true))

  it.each([
    [[]],
    [["0", "host", "stdin", ""]],
    [[0, "nobody", "stdin", ""]],
    [[0, "host", "stdin", 3]],
    [[0, "host", "exit", { code: 0, signal: null }]],
    [[0, "agent", "marker", "a note"]],
    [[0, "agent", "exit", { code: "0", signal: null }]],
    [[0, "agent", "close", { channel: "elsewhere" }]]
  ])("cannot be %j", (line) => expect(isFrame(line)).toBe(false))
})

describe("a header", () => {
  const header = {
    tape: 1,
    agentwire: "0.0.0",
    runtime: { name: "claude-code" },
    transport: "stdio",
    argv: [],
    startedAt: "2026-01-01T00:00:00Z",
    redacted: []
  }

  it("may have keys of later versions, and is of this version", () => {
    expect(isHeader({ ...header, later: true })).toBe(true)
    expect(isHeader({ ...header, tape: 2 })).toBe(false)
    expect(isHeader({ ...header, argv: undefined })).toBe(false)
  })

  it("is known by its first key", () => {
    expect(Tape.isTapeHeader(JSON.stringify(header))).toBe(true)
    expect(Tape.isTapeHeader('{"type":"system","tape":1}')).toBe(false)
  })
})
