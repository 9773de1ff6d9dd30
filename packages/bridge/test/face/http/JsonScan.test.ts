import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { JsonScan } from "../../../src/face/http/JsonScan.ts"

const none = { maxDepth: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY }

/** What a scan says of a text that comes in pieces of a length. */
const scanned = (text: string, bounds: Partial<typeof none>, length = 1000) => {
  const scan = new JsonScan({ ...none, ...bounds })
  const bytes = Buffer.from(text)
  let said: ReturnType<JsonScan["push"]>
  for (let from = 0; from < bytes.length; from += length) said ??= scan.push(bytes.subarray(from, from + length))
  return said
}

const inside = (value: unknown): ReadonlyArray<unknown> =>
  typeof value === "object" && value !== null ? Object.values(value) : []

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...inside(value).map(depthOf)) : 0

const countOf = (value: unknown): number => 1 + inside(value).reduce<number>((sum, one) => sum + countOf(one), 0)

/** Lists and objects with nothing in them count twice: it is not known yet that nothing comes. */
const emptyIn = (value: unknown): number =>
  typeof value === "object" && value !== null && inside(value).length === 0
    ? 1
    : inside(value).reduce<number>((sum, one) => sum + emptyIn(one), 0)

describe("a scan", () => {
  const texts = fc.tuple(fc.jsonValue({ maxDepth: 6 }), fc.boolean(), fc.integer({ min: 1, max: 9 }))

  it("finds the depth of what would be parsed, in any pieces", () => {
    fc.assert(
      fc.property(texts, fc.nat(8), ([value, pretty, length], maxDepth) => {
        const said = scanned(JSON.stringify(value, null, pretty ? 2 : 0), { maxDepth }, length)
        expect(said).toBe(depthOf(value) > maxDepth ? "TOO_DEEP" : undefined)
      })
    )
  })

  it("finds the number of values of what would be parsed, in any pieces", () => {
    fc.assert(
      fc.property(texts, fc.nat(30), ([value, pretty, length], maxValues) => {
        const said = scanned(JSON.stringify(value, null, pretty ? 2 : 0), { maxValues: maxValues + 1 }, length)
        expect(said).toBe(countOf(value) + emptyIn(value) > maxValues + 1 ? "TOO_MANY_VALUES" : undefined)
      })
    )
  })

  it("does not count what is in strings, whatever is escaped there", () => {
    for (const text of ['[[["\\[[[,,,', "\\", '\\"', '"[', '\\\\"[,', '\u2028"'])
      for (let length = 1; length < 5; length++)
        expect(scanned(JSON.stringify(text), { maxDepth: 0, maxValues: 1 }, length)).toBeUndefined()
  })

  it("stops looking where it is too much", () => {
    const scan = new JsonScan({ maxDepth: 2, maxValues: 1000 })
    expect(scan.push(Buffer.from("[[["))).toBe("TOO_DEEP")
    expect(scan.push(Buffer.from("]]]"))).toBe("TOO_DEEP")
  })
})
