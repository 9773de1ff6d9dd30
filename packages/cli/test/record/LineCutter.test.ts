import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LineCutter } from "../../src/record/LineCutter.ts"

/** Bytes that are full of line ends and of characters longer than a byte. */
const bytes = fc
  .array(fc.oneof(fc.constant("\n"), fc.constant("é€😀"), fc.string(), fc.uint8Array({ maxLength: 4 })), {
    maxLength: 30
  })
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))))

const chunked = (whole: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length]
  return places.slice(1).map((to, index) => whole.subarray(places[index], to))
}

const cut = (chunks: ReadonlyArray<Uint8Array>, limit?: number): ReadonlyArray<Buffer> => {
  const cutter = new LineCutter(limit)
  return [...chunks.flatMap((chunk) => cutter.push(chunk)), ...cutter.end()].map((piece) => Buffer.from(piece))
}

describe("LineCutter", () => {
  it("loses nothing, and cuts the same lines whatever the chunks", () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat()), (whole, cuts) => {
        const pieces = cut(chunked(whole, cuts))
        expect(Buffer.concat(pieces).equals(whole)).toBe(true)
        expect(pieces).toEqual(cut([whole]))
        for (const [index, piece] of pieces.entries()) {
          const newline = piece.indexOf(10)
          expect(newline === piece.length - 1 || (newline === -1 && index === pieces.length - 1)).toBe(true)
        }
      })
    )
  })

  it("holds no more than the limit of a line, and loses nothing of it", () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat()), fc.integer({ min: 4, max: 20 }), (whole, cuts, limit) => {
        const pieces = cut(chunked(whole, cuts), limit)
        expect(Buffer.concat(pieces).equals(whole)).toBe(true)
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(limit)
      })
    )
  })

  it("cuts a long line between characters", () => {
    expect(cut([Buffer.from("aé€😀b\n")], 4).map(String)).toEqual(["aé", "€", "😀", "b\n"])
  })
})
