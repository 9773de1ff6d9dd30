import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { maxDepth, maxValues, parseJson, readJson } from "../../src/wire/ReadJson.ts"

test.each([
  ["null", null],
  ['{"a":[1]}', { a: [1] }],
  ["", undefined],
  ["undefined", undefined],
  ["{", undefined]
])("the value of %j", (text, value) => {
  expect(parseJson(text)).toEqual(value)
})

const outcome = (text: string): unknown => {
  const read = readJson(text)
  return read.isRead ? "read" : read.code
}

const nested = (levels: number, room = 0): string => `${"[".repeat(levels)}${" ".repeat(room)}${"]".repeat(levels)}`

describe("JSON of strangers", () => {
  it("is read wherever JSON.parse reads it, and nowhere else", () => {
    const almost = fc.string({ unit: fc.constantFrom(...'{}[]",:\\0-9truefalsn \n\t\u00a0x'.split("")) })
    fc.assert(
      fc.property(fc.oneof(fc.json(), almost, fc.string()), (text) => {
        let value: unknown
        try {
          value = JSON.parse(text)
        } catch {
          expect(readJson(text)).toMatchObject({ isRead: false, code: text.trim() === "" ? "EMPTY_LINE" : "NOT_JSON" })
          return
        }
        expect(readJson(text)).toEqual({ isRead: true, value })
      })
    )
  })

  // A text of more than a megabyte is looked through before it is parsed, a shorter one afterwards.
  it.each([0, 2 << 20])("nests as deep as it may, and no deeper, with %i spaces in it", (room) => {
    expect(outcome(nested(maxDepth, room))).toBe("read")
    expect(outcome(nested(maxDepth + 1, room))).toBe("TOO_DEEP")
  })

  it("has as many values as it may, and no more", () => {
    expect(outcome(`[0${",0".repeat(maxValues - 1)}]`)).toBe("read")
    expect(outcome(`[0${",0".repeat(maxValues)}]`)).toBe("TOO_MANY_VALUES")
    expect(outcome(`["${",[{".repeat(maxValues)}"]`)).toBe("read")
  })
})
