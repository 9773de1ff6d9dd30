import { expect, test } from "vitest"
import { isRecord, parseJson } from "../../src/wire/Json.ts"

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

test.each([
  ["null", null],
  ['{"a":[1]}', { a: [1] }],
  ["", undefined],
  ["undefined", undefined],
  ["{", undefined]
])("the value of %j", (text, value) => {
  expect(parseJson(text)).toEqual(value)
})
