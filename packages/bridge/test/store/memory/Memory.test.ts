/** What a store in memory gives back is what a database would. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { copied } from "../../../src/store/memory/Memory.ts"

const leaf = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined, -0, Number.NaN)
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("value")),
    fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), tie("value"))
  )
}))

it("is a copy as JSON has it", () => {
  fc.assert(
    fc.property(value, (any) => {
      const before = JSON.stringify({ any })
      const copy = copied({ any })
      expect(copy).toStrictEqual(JSON.parse(before))
      expect(JSON.stringify(copy)).toBe(before)
    })
  )
})

it("shares nothing that can change", () => {
  const one = { list: [{ text: "a" }] }
  const copy = copied(one)
  for (const item of one.list) item.text = "b"
  expect(copy).toEqual({ list: [{ text: "a" }] })
})
