import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { applySwaps, swapsBetween } from "../../src/demo/Swap.ts"

describe("a swap", () => {
  it("puts any text into a line and leaves it JSON", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (around, now) => {
        const line = JSON.stringify({ around, text: "before RECORDED after", again: ["RECORDED"] })
        expect(JSON.parse(applySwaps(line, [["RECORDED", now]]))).toEqual({
          around,
          text: `before ${now} after`,
          again: [now]
        })
      })
    )
  })

  it("is needed where texts differ, and only there", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void expect(swapsBetween(value, value)).toEqual([])))
    expect(swapsBetween({ a: "x", b: ["y", "z"] }, { a: "X", b: ["y", "Z"], c: "new" })).toEqual([
      ["x", "X"],
      ["z", "Z"]
    ])
    expect(swapsBetween({ a: "x" }, {})).toEqual([])
  })

  it("comes after those before it", () => {
    expect(
      applySwaps('"a teal page"', [
        ["teal", "red"],
        ["a red page", "done"]
      ])
    ).toBe('"done"')
  })
})
