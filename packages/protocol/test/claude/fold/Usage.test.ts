import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { laterUsage, usageOf } from "../../../src/claude/fold/Usage.ts"
import { addUsage, noUsage, subtractUsage, Usage } from "../../../src/model/Usage.ts"

const count = fc.option(fc.nat(1_000_000), { nil: null })
const usage = fc.record(
  {
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count
  },
  { requiredKeys: [] }
)
// What JSON can hold.
const odd = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-1, 0.5, 1e300, 2 ** 53 - 1, null, "12", true, [])
)
const accepts = Schema.is(Usage)

const expectSound = (tokens: Usage): void => {
  expect(accepts(tokens)).toBe(true)
  expect(tokens.cachedInput + tokens.cacheWriteInput).toBeLessThanOrEqual(tokens.input)
}

describe("laws", () => {
  test("what the cache did is part of the input", () => {
    fc.assert(fc.property(usage, (given) => expectSound(usageOf(given))))
  })

  test("nothing is lost: all four of the API's counts are in", () => {
    fc.assert(
      fc.property(usage, (given) => {
        const sum = Object.values(given).reduce<number>((total, each) => total + (each ?? 0), 0)
        const { input, output } = usageOf(given)
        expect(input + output).toBe(sum)
      })
    )
  })

  test("sums are sound, and a part taken away leaves the other", () => {
    fc.assert(
      fc.property(usage, usage, (one, other) => {
        const [a, b] = [usageOf(one), usageOf(other)]
        expectSound(addUsage(a, b))
        expect(addUsage(a, b)).toEqual(addUsage(b, a))
        expect(subtractUsage(addUsage(a, b), b)).toEqual(a)
        expect(addUsage(a, noUsage)).toEqual(a)
      })
    )
  })

  test("what is no natural number, or no number at all, does not cost the turn its end", () => {
    fc.assert(
      fc.property(
        fc.record({ input_tokens: odd, output_tokens: odd, cache_read_input_tokens: odd }),
        usage,
        (given, more) => {
          expectSound(usageOf(given))
          expect(accepts(addUsage(usageOf(given), usageOf(more)))).toBe(true)
        }
      )
    )
    for (const none of [undefined, null, "many", 7, []]) expect(usageOf(none)).toEqual(noUsage)
  })

  test("taking away what was no part leaves counts that are natural", () => {
    fc.assert(
      fc.property(usage, usage, (one, other) => {
        expect(accepts(subtractUsage(usageOf(one), usageOf(other)))).toBe(true)
      })
    )
  })
})

test("the API counts the cache apart, the model as parts of the input", () => {
  const api = { input_tokens: 3, output_tokens: 5, cache_creation_input_tokens: 7, cache_read_input_tokens: 11 }
  expect(usageOf(api)).toEqual({ input: 21, output: 5, cachedInput: 11, cacheWriteInput: 7 })
})

test("`message_delta` is cumulative, and what it leaves out is that of `message_start`", () => {
  const start = usageOf({ input_tokens: 3, output_tokens: 1, cache_read_input_tokens: 2 })
  expect(laterUsage(start, usageOf({ output_tokens: 9 }))).toEqual({ ...start, output: 9 })
  expect(laterUsage(start, usageOf({ input_tokens: 4, output_tokens: 9 }))).toMatchObject({ input: 4, output: 9 })
})
