import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Needles } from "../../../src/tape/secret/Needles.ts"

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", "é", "1"), minLength: 3, maxLength: 6 })
const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "A", "B", "-", "é", "1", "😀"), maxLength: 60 })

describe("needles", () => {
  it("are found wherever they are, and nowhere else", () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 6 }), fc.boolean(), text, (words, ignoreCase, haystack) => {
        const found: Array<string> = []
        const needles = new Needles(words.map((each) => ({ word: each, ignoreCase, value: each })))
        needles.each(haystack, ({ value }, at) => void found.push(`${at} ${value}`))
        const plain = ignoreCase ? haystack.replace(/[AB]/g, (char) => char.toLowerCase()) : haystack
        const expected = words.flatMap((each) =>
          Array.from({ length: haystack.length }, (_, at) => at).flatMap((at) =>
            plain.startsWith(each, at) ? [`${at} ${each}`] : []
          )
        )
        expect(found.sort()).toEqual(expected.sort())
        expect(needles.has(haystack)).toBe(expected.length > 0)
      })
    )
  })
})
