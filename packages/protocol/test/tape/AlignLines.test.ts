/** Which lines are paired, and how often each is looked at. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { alignLines } from "../../src/tape/AlignLines.ts"

/** A list that counts how often it is read. */
const counted = (items: ReadonlyArray<number>) => {
  const reads = { count: 0 }
  const list = new Proxy(items, {
    get: (target, key, self) => {
      if (typeof key === "string" && /^\d+$/.test(key)) reads.count++
      return Reflect.get(target, key, self) as unknown
    }
  })
  return { list, reads }
}

const range = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)

/** Two lists of about so many lines. */
const shapes: Readonly<Record<string, (lines: number) => readonly [ReadonlyArray<number>, ReadonlyArray<number>]>> = {
  identical: (lines) => [range(lines), range(lines)],
  "shifted by a line": (lines) => [range(lines), [-1, ...range(lines)]],
  "shifted at both ends": (lines) => [
    [...range(lines), -2],
    [-1, ...range(lines)]
  ],
  "wholly different": (lines) => [range(lines), range(lines, lines)],
  "the same lines again and again": (lines) => [
    range(lines).map((line) => line % 3),
    range(lines).map((line) => line % 2)
  ],
  "one changed line in the middle": (lines) => [
    range(lines),
    range(lines).map((line) => (line === lines >> 1 ? -1 : line))
  ],
  "every hundredth changed": (lines) => [range(lines), range(lines).map((line) => (line % 100 === 50 ? -line : line))],
  "the other way round": (lines) => [range(lines), range(lines).reverse()]
}

describe("alignLines", () => {
  it("pairs lines that are alike, in an order that both sides have", () => {
    const lines = fc.array(fc.nat(6), { maxLength: 40 })
    fc.assert(
      fc.property(lines, lines, (left, right) => {
        let [before, other] = [-1, -1]
        for (const [i, j] of alignLines(left, right)) {
          expect(left[i]).toBe(right[j])
          expect(i > before && j > other).toBe(true)
          ;[before, other] = [i, j]
        }
      })
    )
  })

  it("pairs as many as can be where there are few", () => {
    expect(alignLines([1, 2, 3, 4, 5], [1, 9, 2, 4, 8, 5])).toEqual([
      [0, 0],
      [1, 2],
      [3, 3],
      [4, 5]
    ])
  })

  it("finds the lines of long lists again, though some are changed and the rest is shifted", () => {
    const [left, right] = shapes["shifted at both ends"]?.(50_000) ?? [[], []]
    expect(alignLines(left, right)).toHaveLength(50_000)
    const [some, others] = shapes["every hundredth changed"]?.(50_000) ?? [[], []]
    expect(alignLines(some, others)).toHaveLength(49_500)
  })

  it.each(Object.entries(shapes))("looks twice as often at twice as many: %s", (_, shape) => {
    // Above what a table is made for: below, it is a matter of a table that has a limit.
    const readsOf = (lines: number): number => {
      const [left, right] = shape(lines).map(counted)
      alignLines(left?.list ?? [], right?.list ?? [])
      return (left?.reads.count ?? 0) + (right?.reads.count ?? 0)
    }
    const [one, two, four] = [20_000, 40_000, 80_000].map(readsOf)
    expect({ two: (two ?? 0) / (one ?? 1), four: (four ?? 0) / (one ?? 1) }).toEqual({
      two: expect.toSatisfy((ratio: number) => ratio < 2.5),
      four: expect.toSatisfy((ratio: number) => ratio < 5)
    })
  })
})
