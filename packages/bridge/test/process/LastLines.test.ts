/** The end of a stream is kept, and never more than a bounded part of it. */
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { LastLines } from "../../src/process/LastLines.ts"

describe("LastLines", () => {
  it("keeps the last lines however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "é", "\u2028", "😀", "\0") }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        (words, size) => {
          const lines = words.map((word, index) => `${index}:${word}.`)
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""))
          const last = new LastLines(5)
          for (let at = 0; at < bytes.length; at += size) last.push(bytes.subarray(at, at + size))
          expect(last.text).toBe(lines.slice(-5).join("\n"))
        }
      )
    )
  })

  it("is bounded, even without a line's end", () => {
    const last = new LastLines(5)
    for (let i = 0; i < 1000; i++) last.push(Buffer.from("x".repeat(1000)))
    last.push(Buffer.from("the end"))
    expect(last.text.length).toBeLessThan(100_000)
    expect(last.text.endsWith("the end")).toBe(true)
  })
})
