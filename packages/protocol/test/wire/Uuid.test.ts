import fc from "fast-check"
import { expect, test } from "vitest"
import { readUuid, readUuidBytes, uuidLength, uuidWords } from "../../src/wire/Uuid.ts"

const written = (words: Int32Array): string => {
  const digits = [...words].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")
  return [0, 8, 12, 16, 20].map((at, index) => digits.slice(at, [8, 12, 16, 20, 32][index])).join("-")
}

const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test("what is read can be written again", () => {
  const words = new Int32Array(uuidWords)
  fc.assert(
    fc.property(fc.uuid(), fc.nat(40), (uuid, at) => {
      expect(readUuid(uuid, words)).toBe(true)
      expect(written(words)).toBe(uuid)
      const bytes = new TextEncoder().encode(" ".repeat(at) + uuid)
      words.fill(0)
      expect(readUuidBytes(bytes, at, words)).toBe(true)
      expect(written(words)).toBe(uuid)
      expect(readUuidBytes(bytes, at + 1, words)).toBe(false)
    })
  )
})

test("nothing else is read: no capitals, no other length, no other place of a dash", () => {
  const words = new Int32Array(uuidWords)
  const spoil = fc.record({
    at: fc.nat(uuidLength - 1),
    put: fc.constantFrom("", "-", "A", "g", "é", "\u0161", "00", "f")
  })
  fc.assert(
    fc.property(fc.uuid(), spoil, (uuid, { at, put }) => {
      const text = uuid.slice(0, at) + put + uuid.slice(at + 1)
      expect(readUuid(text, words)).toBe(form.test(text))
    })
  )
})
