/** What one comparison costs: counted, on messages that were made to cost much. */
import { describe, expect, it } from "vitest"
import { IdBijection } from "../../src/tape/IdBijection.ts"
import { maxDifferences, Trial } from "../../src/tape/Trial.ts"

const uuid = (at: number): string => `${at.toString(16).padStart(8, "0")}-1677-4614-b80c-93fce2c27c67`
const word = (at: number): string => `w${[...String(at)].map((digit) => "abcdefghij"[Number(digit)]).join("")}`
const list = <A>(count: number, from: number, make: (at: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(from + index))

/** Runs something, and counts the steps of what it is made of: looks into maps, sets and texts. */
const stepsOf = (work: () => unknown): number => {
  let count = 0
  const counting = <Owner extends object>(owner: Owner, name: keyof Owner) => {
    const real = owner[name] as (...args: ReadonlyArray<unknown>) => unknown
    const counted = function (this: unknown, ...args: ReadonlyArray<unknown>): unknown {
      count++
      return Reflect.apply(real, this, args)
    }
    owner[name] = counted as Owner[typeof name]
    return () => {
      owner[name] = real as Owner[typeof name]
    }
  }
  const restore = [
    counting(Map.prototype, "set"),
    counting(Map.prototype, "get"),
    counting(Set.prototype, "add"),
    counting(Set.prototype, "has"),
    counting(RegExp.prototype, "exec"),
    counting(String.prototype, "indexOf")
  ]
  // A list looks at every item before it can say that something is not in it.
  const includes = Array.prototype.includes
  Array.prototype.includes = function (this: Array<unknown>, item: unknown, from?: number): boolean {
    count += this.length
    return includes.call(this, item, from)
  }
  try {
    work()
  } finally {
    for (const each of restore) each()
    Array.prototype.includes = includes
  }
  return count
}

const differencesOf = (expected: unknown, actual: unknown) => {
  const trial = new Trial(new IdBijection(), "strict")
  trial.values(expected, actual)
  return trial.differences
}

const far = 5_000_000

/** Pairs of messages with so many of something. */
const hostile: Readonly<Record<string, (count: number) => readonly [expected: unknown, actual: unknown]>> = {
  "ids under a key": (count) => [{ ids: list(count, 0, uuid) }, { ids: list(count, far, uuid) }],
  "ids in texts": (count) => [list(count, 0, (at) => `to ${uuid(at)}`), list(count, far, (at) => `to ${uuid(at)}`)],
  names: (count) => [list(count, 0, word), list(count, far, word)],
  keys: (count) => [
    Object.fromEntries(list(count, 0, (at) => [word(at), 1])),
    Object.fromEntries(list(count, far, (at) => [word(at), 1]))
  ],
  "keys that are ids": (count) => [
    Object.fromEntries(list(count, 0, (at) => [uuid(at), 1])),
    Object.fromEntries(list(count, far, (at) => [uuid(at), 1]))
  ],
  placeholders: (count) => ["REDACTED_key_1 ".repeat(count), "secret 0 ".repeat(count)]
}

describe("a comparison", () => {
  it.each(Object.entries(hostile))("takes twice the steps for twice as many %s", (_, make) => {
    // Once for what is learned only the first time.
    differencesOf(...make(10))
    const steps = [1000, 2000, 4000].map((count) => {
      const [expected, actual] = make(count)
      return stepsOf(() => differencesOf(expected, actual))
    })
    const [one = 1, two = 0, four = 0] = steps
    expect(two / one).toBeLessThan(2.2)
    expect(four / one).toBeLessThan(4.4)
  })

  it("learns keys that are ids, and what is under them", () => {
    expect(differencesOf({ [uuid(1)]: 1, [uuid(2)]: 2 }, { [uuid(8)]: 1, [uuid(9)]: 2 })).toEqual([])
    expect(
      differencesOf({ id: uuid(2), [uuid(1)]: 1, [uuid(2)]: 2 }, { id: uuid(9), [uuid(9)]: 2, [uuid(8)]: 1 })
    ).toEqual([])
  })

  it("takes back what an attempt has bound, and only that", () => {
    // The first pair of ids of the text fits, the second does not: neither is learned.
    const trial = new Trial(new IdBijection(), "strict")
    trial.values(
      { id: uuid(1), text: `${uuid(3)} ${uuid(1)}`, other: { id: uuid(3) } },
      { id: uuid(2), text: `${uuid(4)} ${uuid(5)}`, other: { id: uuid(6) } }
    )
    expect(trial.differences.map(({ path }) => path)).toEqual(["$.text"])
  })

  it("finds what stands for placeholders, and no more than there is", () => {
    const matches = (expected: string, actual: string) => differencesOf({ expected }, { expected: actual }).length === 0
    expect(matches("a REDACTED_key_1 b REDACTED_key_2", "a x b y")).toBe(true)
    expect(matches("REDACTED_key_1 REDACTED_key_1", "x x")).toBe(true)
    expect(matches("REDACTED_key_1 REDACTED_key_1", "x y")).toBe(false)
    expect(matches("a REDACTED_key_1 b", "a  b")).toBe(false)
    expect(matches("aREDACTED_key_1a", "aa")).toBe(false)
    expect(matches("aREDACTED_key_1a", "aba")).toBe(true)
  })

  it("does not tell more of a message than anybody would read", () => {
    const differences = differencesOf(
      list(5000, 0, (at) => at),
      list(5000, 7, (at) => at)
    )
    expect(differences).toHaveLength(maxDifferences)
    const nested = (levels: number, value: unknown): unknown => {
      let within = value
      for (let at = 0; at < levels; at++) within = { ["k".repeat(1000)]: within }
      return within
    }
    expect(differencesOf(nested(1000, 1), nested(1000, 2))[0]?.path.length).toBeLessThan(30_000)
  })
})
