import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Framer, type Line } from "../../src/wire/Framer.ts"

const utf8 = new TextEncoder()

const frame = (chunks: ReadonlyArray<Uint8Array>, maxLineBytes?: number): Array<Line> => {
  const framer = new Framer(maxLineBytes === undefined ? {} : { maxLineBytes })
  return [...chunks.flatMap((chunk) => framer.push(chunk)), ...framer.end()]
}

/** The same job done the slow, obvious way. */
const reference = (bytes: Uint8Array, maxLineBytes: number): Array<Line> => {
  const parts: Array<Array<number>> = [[]]
  for (const byte of bytes) {
    if (byte === 10) parts.push([])
    else parts.at(-1)?.push(byte)
  }
  if (parts.at(-1)?.length === 0) parts.pop()
  return parts.map((part, index): Line => {
    const number = index + 1
    const line = Uint8Array.from(part)
    if (line.length > maxLineBytes) {
      return { _tag: "Broken", number, reason: "LINE_TOO_LONG", bytes: line.length, text: "" }
    }
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(line)
    const isUtf8 = Buffer.from(text).equals(line)
    return isUtf8
      ? { _tag: "Text", number, text }
      : { _tag: "Broken", number, reason: "NOT_UTF8", bytes: line.length, text }
  })
}

const cutAt = (bytes: Uint8Array, cuts: ReadonlyArray<number>): Array<Uint8Array> => {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...places].map((from, index) => bytes.subarray(from, [...places, bytes.length][index]))
}

/** Text that is hard on framers, as bytes; now and then bytes that are no text. */
const bytesOf = fc
  .array(
    fc.oneof(
      fc.constantFrom("\n", "\n\n", "\r\n", "\u2028", "\u2029", "\ufeff", "\0", "é", "漢", "😀", '{"a":"\\ud83d"}'),
      fc.string({ unit: "binary" }),
      fc.uint8Array({ maxLength: 6 })
    )
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...(typeof part === "string" ? utf8.encode(part) : part)])))

describe("Framer", () => {
  it("gives the same lines for every chunking, at every limit", () => {
    fc.assert(
      fc.property(bytesOf, fc.array(fc.nat()), fc.constantFrom(1, 3, 8, 1000), (bytes, cuts, limit) => {
        expect(frame(cutAt(bytes, cuts), limit)).toEqual(reference(bytes, limit))
      }),
      { numRuns: 2000 }
    )
  })

  it("keeps a character whole that every byte boundary cuts", () => {
    const text = "a😀é漢\u2028z"
    const bytes = utf8.encode(`${text}\n`)
    expect(frame([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual([{ _tag: "Text", number: 1, text }])
  })

  it("does not hold on to chunks that its caller reuses", () => {
    const framer = new Framer()
    const buffer = utf8.encode("abc")
    framer.push(buffer)
    buffer.fill(120)
    expect(framer.push(utf8.encode("d\n"))).toEqual([{ _tag: "Text", number: 1, text: "abcd" }])
  })

  it("drops a line over the limit without holding it, and goes on", () => {
    const framer = new Framer({ maxLineBytes: 1024 })
    const block = new Uint8Array(1 << 20).fill(97)
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 70; i++) expect(framer.push(block)).toEqual([])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20)
    expect(framer.push(utf8.encode("\nnext\n"))).toEqual([
      { _tag: "Broken", number: 1, reason: "LINE_TOO_LONG", bytes: 70 << 20, text: "" },
      { _tag: "Text", number: 2, text: "next" }
    ])
  })

  it("gives the last line though nothing ended it", () => {
    expect(frame([utf8.encode("a\nb")])).toEqual([
      { _tag: "Text", number: 1, text: "a" },
      { _tag: "Text", number: 2, text: "b" }
    ])
    expect(frame([])).toEqual([])
  })
})
