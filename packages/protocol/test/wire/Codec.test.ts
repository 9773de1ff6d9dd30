import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import fc from "fast-check"
import {
  decodeChunks,
  decodeLine,
  decoder,
  decodeStream,
  decodeValue,
  drift,
  encodeLine
} from "../../src/claude/index.ts"

const uuid = "00000000-0000-4000-8000-000000000000"

const delta = {
  type: "stream_event",
  event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } },
  session_id: uuid,
  parent_tool_use_id: null,
  uuid
}

/** What is said of a value that is a message but for one thing. */
const said = (value: unknown) => {
  const decoded = decodeLine(typeof value === "string" ? value : JSON.stringify(value))
  return decoded._tag === "Invalid" ? decoded.error : decoded
}

describe("decodeLine", () => {
  it("knows a message by its name, and the message is the parsed line", () => {
    expect(said(delta)).toEqual({ _tag: "Known", line: 1, name: "stream_event/content_block_delta", message: delta })
    expect(decodeLine(`${JSON.stringify(delta)}\n`)._tag).toBe("Known")
  })

  it("keeps a message of an invented type whole", () => {
    const raw = { type: "invented", at: [{ all: true }] }
    expect(said(raw)).toEqual({ _tag: "Unknown", line: 1, type: "invented", subtype: undefined, raw })
  })

  it.each([
    [{ type: "system", subtype: "invented", x: 1 }],
    [{ type: "result", subtype: "error_invented", is_error: true }],
    [{ type: "control_request", request_id: "1", request: { subtype: "invented" } }],
    [{ ...delta, event: { type: "invented" } }]
  ])("keeps a message of an invented subtype whole: %j", (raw) => {
    expect(said(raw)).toMatchObject({ _tag: "Unknown", type: raw.type, raw })
    expect(said(raw)).toHaveProperty("subtype", expect.stringContaining("invented"))
  })

  it("accepts an extra nested key, and drift names it", () => {
    const message = { ...delta, event: { ...delta.event, delta: { ...delta.event.delta, colour: "red" } } }
    expect(said(message)).toMatchObject({ _tag: "Known", message })
    expect(drift(message)).toEqual([{ path: "$.event.delta.colour", example: "red" }])
  })

  it.each([
    [{ ...delta, event: { ...delta.event, index: null } }, "$.event.index", "expected a finite number, found null"],
    [
      { ...delta, event: { ...delta.event, delta: { type: "text_delta", text: ["a"] } } },
      "$.event.delta.text",
      "expected a string, found an array"
    ],
    [
      { type: "control_response", response: { subtype: "success", request_id: 1 } },
      "$.response.request_id",
      "expected a string, found the number 1"
    ]
  ])("says where a known message is wrong: %#", (message, path, words) => {
    expect(said(message)).toMatchObject({
      code: "BAD_FIELD",
      path,
      message: expect.stringContaining(`${path}: ${words}`)
    })
  })

  it.each([
    [{ ...delta, uuid: 7 }, { ...delta, uuid: undefined }, ["$.uuid", "expected a string, found the number 7", 7]],
    [{ ...delta, uuid: undefined }, { ...delta, uuid: undefined }, ["$.uuid", "expected uuid, but it is missing"]],
    [{ ...delta, ttft_ms: null }, delta, ["$.ttft_ms", "expected a finite number, found null", null]],
    [
      { ...delta, parent_tool_use_id: 1 },
      delta,
      ["$.parent_tool_use_id", "expected a string or null, found the number 1", 1]
    ]
  ])(
    "knows a message whose odd key carries nothing, and says what was odd: %#",
    (raw, message, [path, words, found]) => {
      const decoded = decodeLine(JSON.stringify(raw))
      expect(decoded).toEqual({
        _tag: "Known",
        line: 1,
        name: "stream_event/content_block_delta",
        message,
        odd: [{ path, message: words, found }],
        raw: JSON.parse(JSON.stringify(raw))
      })
      const drifts = drift(JSON.parse(JSON.stringify(raw)))
      expect(drifts).toMatchObject([{ path, code: "odd-key" }])
      expect(decoded._tag === "Known" && drift(decoded.message)).toEqual(drifts)
    }
  )

  it("leaves out a broken block, and keeps its siblings", () => {
    const said = { type: "text", text: "still here" }
    const line = (...content: ReadonlyArray<unknown>) =>
      decodeValue({ type: "user", message: { role: "user", content }, uuid, session_id: uuid })
    expect(line({ type: "text", text: 1 }, said, "no block", { text: "no type" })).toMatchObject({
      _tag: "Known",
      message: { message: { content: [said] } },
      odd: [
        { path: "$.message.content[0].text" },
        { path: "$.message.content[2]" },
        { path: "$.message.content[3].type" }
      ]
    })
    expect(line({ type: "text", text: 1 })).toMatchObject({
      _tag: "Invalid",
      error: { code: "BAD_FIELD", path: "$.message.content[0].text" }
    })
    expect(line({ type: "a block of a later release" })).toMatchObject({ _tag: "Known" })
  })

  it.each([
    ["{broken", "NOT_JSON", "$"],
    ['{"type":"keep_alive"}}', "NOT_JSON", "$"],
    [`{"type":"keep\0alive"}`, "NOT_JSON", "$"],
    ["", "EMPTY_LINE", "$"],
    ["  \r", "EMPTY_LINE", "$"],
    ["[]", "NOT_OBJECT", "$"],
    ["null", "NOT_OBJECT", "$"],
    ['"text"', "NOT_OBJECT", "$"],
    ["{}", "NO_TYPE", "$.type"],
    ['{"type":3}', "NO_TYPE", "$.type"],
    ['{"type":"system"}', "NO_TYPE", "$.subtype"],
    ['{"type":"stream_event","event":null}', "NO_TYPE", "$.event.type"],
    ['{"type":"control_request","request_id":"1","request":{"subtype":null}}', "NO_TYPE", "$.request.subtype"],
    [`{"type":"keep_alive","x":${"[".repeat(2100)}${"]".repeat(2100)}}`, "TOO_DEEP", "$"]
  ])("says why %j is no message", (line, code, path) => {
    expect(decodeLine(line)).toMatchObject({ _tag: "Invalid", raw: line, error: { code, path } })
  })

  it("keeps a lone surrogate, which deltas contain, through decode and encode", () => {
    const line = JSON.stringify({ ...delta, event: { ...delta.event, delta: { type: "text_delta", text: "\ud83d" } } })
    expect(line).toContain("\\ud83d")
    const decoded = decodeLine(line)
    expect(decoded._tag === "Known" && encodeLine(decoded.message)).toBe(`${line}\n`)
  })

  it("keeps an escaped NUL", () => {
    const line = '{"type":"streamlined_text","text":"a\\u0000b","session_id":"s","uuid":"u"}'
    const decoded = decodeLine(line)
    expect(decoded._tag === "Known" && encodeLine(decoded.message)).toBe(`${line}\n`)
  })

  it("is not led astray by names that objects have by themselves", () => {
    for (const type of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(decodeLine(`{"type":"${type}"}`)._tag).toBe("Unknown")
      expect(decodeLine(`{"type":"system","subtype":"${type}"}`)._tag).toBe("Unknown")
    }
    const line = '{"type":"keep_alive","__proto__":{"polluted":true}}'
    const decoded = decodeLine(line)
    expect(decoded._tag === "Known" && encodeLine(decoded.message)).toBe(`${line}\n`)
    expect({}).not.toHaveProperty("polluted")
  })

  it("never throws", () => {
    const parts = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      '"type"',
      '"system"',
      '"subtype"',
      '"init"',
      "1e999",
      "null"
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(parts).map((list) => list.join(""))
        ),
        (line) => {
          expect(["Known", "Unknown", "Invalid"]).toContain(decodeLine(line)._tag)
        }
      )
    )
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(["Known", "Unknown", "Invalid"]).toContain(decodeValue(value)._tag)
      })
    )
    expect(decodeLine("[".repeat(200_000))._tag).toBe("Invalid")
    expect(decodeLine(`{"type":"user","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)._tag).toBe("Invalid")
  })
})

describe("streams", () => {
  const lines = [
    '{"type":"keep_alive"}',
    "",
    "oops",
    '{"type":"new"}',
    "  ",
    JSON.stringify({ ...delta, x: "😀é\u2028" })
  ]
  const bytes = new TextEncoder().encode(lines.join("\n"))
  const outcomes = [
    [1, "Known"],
    [3, "Invalid"],
    [4, "Unknown"],
    [6, "Known"]
  ]
  const chunked = (size: number) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))

  const sizes = [1, 2, 3, 7, 64, 1000]

  const pushed = (size: number) => {
    const { end, push } = decoder()
    return [...chunked(size).flatMap(push), ...end()]
  }

  it.each(sizes)("give every line its outcome and its number, in chunks of %i bytes", (size) => {
    expect(pushed(size).map(({ _tag, line }) => [line, _tag])).toEqual(outcomes)
  })

  it.each(sizes)("give the same when pulled, in chunks of %i bytes", async (size) => {
    const pulled = []
    for await (const outcome of decodeChunks(chunked(size))) pulled.push(outcome)
    expect(pulled).toEqual(pushed(size))
  })

  it.effect.each(sizes)("give the same as an Effect stream, in chunks of %i bytes", (size) =>
    Effect.gen(function* () {
      const streamed = yield* Stream.fromIterable(chunked(size)).pipe(decodeStream(), Stream.runCollect)
      expect(streamed).toEqual(pushed(size))
    })
  )

  it("go on after a line over the limit of 64 MiB, and say so", () => {
    const { push } = decoder()
    const huge = new Uint8Array(70 * 1000 * 1000 + 1).fill(32)
    huge[huge.length - 1] = 10
    expect([...push(huge), ...push(new TextEncoder().encode('{"type":"keep_alive"}\n'))]).toMatchObject([
      { _tag: "Invalid", line: 1, error: { code: "LINE_TOO_LONG", message: "the line is too long: 70000000 bytes" } },
      { _tag: "Known", line: 2 }
    ])
  })

  it("call bytes that are not UTF-8 invalid instead of changing them", () => {
    const { push } = decoder()
    const line = new TextEncoder().encode('{"type":"keep_alive","x":"é"}\n{"type":"keep_alive"}\n')
    line[26] = 0xff
    expect(push(line)).toMatchObject([
      { _tag: "Invalid", error: { code: "NOT_UTF8" }, raw: expect.stringContaining("\ufffd") },
      { _tag: "Known", line: 2 }
    ])
  })
})
