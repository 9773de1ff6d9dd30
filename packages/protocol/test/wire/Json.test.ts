import { expect, test } from "vitest"
import { isRecord, nestsDeeper } from "../../src/wire/Json.ts"

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ["{}", false],
  [1, false],
  [() => undefined, false]
])("whether %j is a record: %s", (value, is) => {
  expect(isRecord(value)).toBe(is)
})

test("how deep a value nests", () => {
  expect(nestsDeeper("text", 0)).toBe(false)
  expect(nestsDeeper({}, 0)).toBe(true)
  expect(nestsDeeper({ a: 1, b: [[null]] }, 3)).toBe(false)
  expect(nestsDeeper({ a: 1, b: [[null]] }, 2)).toBe(true)
  expect(nestsDeeper(JSON.parse("[".repeat(100_000) + "]".repeat(100_000)), 500)).toBe(true)
})
