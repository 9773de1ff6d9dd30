import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type SseLine, SseLines } from "../../src/wire/SseLines.ts"
import { bytesOf, cutAt, cuts } from "./Cuts.ts"

const readAll = (lines: SseLines, chunks: ReadonlyArray<Uint8Array>): ReadonlyArray<SseLine> => {
  const found = chunks.flatMap((chunk) => lines.push(chunk))
  const last = lines.end()
  return last === undefined ? found : [...found, last]
}

const words = fc.string({ unit: fc.constantFrom("a", ":", " ", "é", "€", "😀", "\u2028", "\uFEFF", "\0") })
const ends = fc.constantFrom("\n", "\r", "\r\n")

describe("lines of server-sent events", () => {
  it("are the same however the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(words, ends)), words, cuts, (pairs, last, places) => {
        const bytes = bytesOf(`x${pairs.map(([text, end]) => `${text}${end}`).join("")}${last}`)
        const [first, ...others] = pairs.map(([text, end]) => ({ text, end: end !== "\n" }))
        // A CR and an LF that meet are one end, whoever wrote them.
        fc.pre(pairs.every(([, end], at) => end !== "\r" || !`${pairs[at + 1]?.join("") ?? last}`.startsWith("\n")))
        const expected = [
          ...(first === undefined ? [] : [{ ...first, text: `x${first.text}` }, ...others]),
          { text: first === undefined ? `x${last}` : last, end: false }
        ].filter(({ text }, at, all) => at < all.length - 1 || text !== "")
        expect(readAll(new SseLines(), cutAt(bytes, places))).toEqual(
          expected.map(({ end, text }) => ({ text, length: text.length, endsInReturn: end }))
        )
      })
    )
  })

  it("are the same for any bytes, whether they are text or not", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), cuts, (bytes, places) => {
        expect(readAll(new SseLines(), cutAt(bytes, places))).toEqual(readAll(new SseLines(), [bytes]))
      })
    )
  })

  it("are without the mark at the beginning, and only without that one", () => {
    const texts = readAll(new SseLines(), cutAt(bytesOf("\uFEFF\uFEFFa\n\uFEFFb\n"), [1, 2, 4])).map(({ text }) => text)
    expect(texts).toEqual(["\uFEFFa", "\uFEFFb"])
  })

  it("end once where a chunk ends between CR and LF, and twice where there are two LF", () => {
    const lines = new SseLines()
    expect(lines.push(bytesOf("a\r")).map(({ text }) => text)).toEqual(["a"])
    expect(lines.push(bytesOf("")).length).toBe(0)
    expect(lines.push(bytesOf("\n")).length).toBe(0)
    expect(lines.push(bytesOf("\n")).map(({ text }) => text)).toEqual([""])
  })

  it("keep their lengths, but no more text than the limit", () => {
    fc.assert(
      fc.property(fc.nat(40), cuts, (length, places) => {
        const lines = readAll(new SseLines(10), cutAt(bytesOf(`${"x".repeat(length)}\nshort\n`), places))
        expect(lines).toEqual([
          { text: "x".repeat(Math.min(length, 10)), length, endsInReturn: false },
          { text: "short", length: 5, endsInReturn: false }
        ])
      })
    )
    const lines = new SseLines(4)
    lines.push(bytesOf("123"))
    lines.push(bytesOf("456"))
    expect(lines.pendingLength).toBe(6)
  })
})
