import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { jsonPieces } from "../../src/wire/JsonPieces.ts"

describe("JSON in pieces", () => {
  it("is what JSON.stringify writes, in pieces of any length", () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record({ text: fc.string({ unit: "binary", maxLength: 200 }), none: fc.constant(undefined) }),
      fc.array(fc.constantFrom(undefined, Number.NaN, new Date(0), "\ud83d\ude00".repeat(9), "\ud800", "\udc00x"))
    )
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 50 }), (value, length) => {
        expect([...jsonPieces(value, length)].join("")).toBe(JSON.stringify(value))
      })
    )
  })

  it("has no piece that is much longer than it should be, wherever the long texts are", () => {
    const long = '\n"😀'.repeat(5000)
    const value = { [long]: [long, { a: long }], list: Array.from({ length: 5000 }, (_, at) => at) }
    const lengths = [...jsonPieces(value, 100)].map((piece) => piece.length)
    // Every unit may be written as six characters; a text that is cut has quotes, and may have one unit more.
    expect(Math.max(...lengths)).toBeLessThanOrEqual(6 * 101 + 2)
  })

  it("cuts no character, so that each piece is text by itself", () => {
    for (const piece of jsonPieces("😀".repeat(1000), 7)) expect(Buffer.from(piece).toString()).toBe(piece)
  })

  it("may be deeper than the stack", () => {
    let deep: unknown = 1
    for (let level = 0; level < 200_000; level++) deep = [deep]
    let length = 0
    for (const piece of jsonPieces(deep)) length += piece.length
    expect(length).toBe(400_001)
  })
})
