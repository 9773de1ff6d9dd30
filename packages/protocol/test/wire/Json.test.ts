import { expect, test } from "vitest"
import { isRecord } from "../../src/wire/Json.ts"

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
