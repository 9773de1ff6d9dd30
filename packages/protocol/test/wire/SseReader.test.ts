import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readSse, SseEventTooLong, type SseFrame, SseReader } from "../../src/wire/SseReader.ts"
import { bytesOf, cutAt, cuts } from "./Cuts.ts"

const readAll = (text: string, places: ReadonlyArray<number> = []): ReadonlyArray<SseFrame> => {
  const reader = new SseReader()
  return cutAt(bytesOf(text), places).flatMap((chunk) => reader.push(chunk))
}

const long = "x".repeat(2048)

/** The cases of the web platform's tests of `EventSource` (`eventsource/format-*.any.js`), and what they expect. */
const standard: ReadonlyArray<readonly [name: string, stream: string, data: ReadonlyArray<string>]> = [
  ["bom", "\uFEFFdata:1\n\n\uFEFFdata:2\n\ndata:3\n\n", ["1", "3"]],
  ["bom-2", "\uFEFF\uFEFFdata:1\n\ndata:2\n\ndata:3\n\n", ["2", "3"]],
  ["comments", `data:1\r:\0\n:\r\ndata:2\n:${long}\rdata:3\n:data:fail\r:${long}\ndata:4\n\n`, ["1\n2\n3\n4"]],
  ["data-before-final-empty-line", "retry:1000\ndata:test1\n\nid:test\ndata:test2", ["test1"]],
  ["field-data", "data:\n\ndata\ndata\n\ndata:test\n\n", ["", "\n", "test"]],
  [
    "field-parsing",
    "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
    ["\0\n 2\n1\n3\n\n4"]
  ],
  [
    "field-unknown",
    "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n",
    ["test\n\ntest"]
  ],
  ["leading-space", "data:\ttest\rdata: \ndata:test\n\n", ["\ttest\n\ntest"]],
  ["newlines", "data:test\r\ndata\ndata:test\r\n\r", ["test\n\ntest"]],
  ["null-character", "data:\0\n\n\n\n", ["\0"]],
  ["utf-8", "data:ok…\n\n", ["ok…"]]
]

describe("server-sent events", () => {
  it.each(standard)("are those of the standard: %s", (_, stream, data) => {
    expect(readAll(stream).map((frame) => frame.data)).toEqual(data)
    // And byte by byte.
    expect(readAll(stream, [...bytesOf(stream).keys()])).toEqual(readAll(stream))
  })

  const line = fc.string({ unit: fc.constantFrom("a", ":", " ", "é", "😀", "{", "data") })
  const frame = fc.record({
    id: fc.option(fc.nat(), { nil: undefined }),
    event: fc.constantFrom("", "message", "gap"),
    data: fc.array(line, { minLength: 1, maxLength: 3 })
  })

  it("are the same however their bytes are cut, and whatever ends their lines", () => {
    fc.assert(
      fc.property(
        fc.array(frame),
        fc.constantFrom("\n", "\r", "\r\n"),
        fc.boolean(),
        cuts,
        (frames, end, bom, places) => {
          const text = frames
            .map(({ data, event, id }) =>
              [
                ": a comment",
                ...(event === "" ? [] : [`event: ${event}`]),
                ...(id === undefined ? [] : [`id:${id}`]),
                ...data.map((each) => `data: ${each}`),
                "",
                ""
              ].join(end)
            )
            .join("")
          let last = ""
          const expected = frames.map(({ data, event, id }) => {
            last = id === undefined ? last : String(id)
            return { id: last, event: event === "" ? "message" : event, data: data.join("\n") }
          })
          expect(readAll(`${bom ? "\uFEFF" : ""}${text}`, places)).toEqual(expected)
        }
      )
    )
  })

  it("are the same for any bytes", () => {
    const pieces = fc.constantFrom(
      "data: ",
      "data",
      "id:",
      "event: ",
      "\n",
      "\n\n",
      "\r",
      "\r\n",
      "é",
      "\uFEFF",
      "\0",
      "x"
    )
    fc.assert(
      fc.property(fc.array(pieces), fc.uint8Array({ maxLength: 4 }), cuts, (texts, junk, places) => {
        const bytes = new Uint8Array([...bytesOf(texts.join("")), ...junk, ...bytesOf("\n\n")])
        const whole = new SseReader().push(bytes)
        const reader = new SseReader()
        expect(cutAt(bytes, places).flatMap((chunk) => reader.push(chunk))).toEqual(whole)
      })
    )
  })

  it("have the name of their own event, and none of the one before", () => {
    expect(
      readAll("event:test\ndata:x\n\ndata:x\n\nevent: \ndata:y\n\nevent:lost\n\ndata:z\n\n").map(({ event }) => event)
    ).toEqual(["test", "message", "message", "message"])
  })

  it("have the last id, also of events without data, unless it has a null character", () => {
    const reader = new SseReader()
    const frames = reader.push(bytesOf("id:1\n\ndata:a\n\nid:2\0\ndata:b\n\nid\ndata:c\n\nid: 3\n"))
    expect(frames.map(({ id }) => id)).toEqual(["1", "1", ""])
    expect(reader.lastEventId).toBe("3")
  })

  it.each([
    ["retry:03000\n", 3000],
    ["retry:3000\nretry:1000x\n", 3000],
    ["retry\n", undefined],
    ["retry:-1\n", undefined]
  ])("may say when to ask again: %j", (text, retryMs) => {
    const reader = new SseReader()
    reader.push(bytesOf(text))
    expect(reader.retryMs).toBe(retryMs)
  })

  it("are refused as soon as one is too long, in one line or in many", () => {
    const reader = () => new SseReader({ maxLength: 20 })
    const tooLong = ["data: 1234567890123456", "data: 12345\ndata: 1234567\ndata: 1", ": no end and no colon"]
    for (const text of tooLong) expect(() => reader().push(bytesOf(text))).toThrow(SseEventTooLong)
    const many = "data: 12345678901234\n\n: 345678901234567890\n\n".repeat(3)
    expect(reader().push(bytesOf(many)).length).toBe(3)
  })
})

describe("readSse", () => {
  const bodyOf = (
    chunks: ReadonlyArray<string>,
    onCancel: () => void = () => undefined
  ): ReadableStream<Uint8Array> => {
    const left = [...chunks]
    return new ReadableStream({
      pull: (controller) => {
        const next = left.shift()
        if (next === undefined) controller.close()
        else controller.enqueue(bytesOf(next))
      },
      cancel: onCancel
    })
  }

  it("gives the events of a body until it ends", async () => {
    const data: Array<string> = []
    for await (const frame of readSse(bodyOf(["data: 1\n", "\ndata: 2\n\n", "data: cut off"]))) data.push(frame.data)
    expect(data).toEqual(["1", "2"])
  })

  it("cancels the body when nobody reads on", async () => {
    let isCancelled = false
    const body = bodyOf(["data: 1\n\n", "data: 2\n\n"], () => {
      isCancelled = true
    })
    for await (const _ of readSse(body)) break
    expect(isCancelled).toBe(true)
  })

  it("cancels a body that has an event which is too long", async () => {
    let isCancelled = false
    const body = bodyOf(["data: 12345678901234567890\n\n", "more"], () => {
      isCancelled = true
    })
    await expect(readSse(body, { maxLength: 10 }).next()).rejects.toBeInstanceOf(SseEventTooLong)
    expect(isCancelled).toBe(true)
  })
})
