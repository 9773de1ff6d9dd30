import fc from "fast-check"
import { expect, test } from "vitest"
import { withoutPrefix } from "../../src/wire/Prefix.ts"

test("the rest is there exactly where the text begins so, and completes it", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\ud83d", "\ude00"), maxLength: 6 })
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(withoutPrefix(one + other, one)).toBe(other)
      expect(withoutPrefix(one, other) !== undefined).toBe(one.startsWith(other))
    })
  )
})
