import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { weightOf } from "../../src/eventloop/Weight.ts"

describe("the weight of a value", () => {
  it("is about the length of its JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { length } = JSON.stringify(value)
        expect(weightOf(value)).toBeGreaterThan(length / 7)
        expect(weightOf(value)).toBeLessThanOrEqual(6 * length)
      })
    )
  })

  it("is that of its texts, where these are long", () => {
    const value = { type: "text", text: "a".repeat(100_000), more: [{ text: "b".repeat(50_000) }, null, 1, true] }
    expect(weightOf(value) / JSON.stringify(value).length).toBeCloseTo(1, 2)
  })
})
