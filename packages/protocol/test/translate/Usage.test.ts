import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { TokenUsage } from "../../src/agui/TokenUsage.ts"
import { minus, noTokens, plus, reported, tokenUsage } from "../../src/translate/Usage.ts"

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
// What JSON can hold: the schema takes any finite number.
const odd = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(-1, 0.5, 1e300, 2 ** 53 - 1))
const accepts = Schema.is(TokenUsage)

const expectSound = (tokens: TokenUsage): void => {
  const { cachedInputTokens = 0, cacheWriteInputTokens = 0, inputTokens = 0, outputTokens = 0, totalTokens } = tokens
  expect(accepts(tokens)).toBe(true)
  expect(totalTokens).toBe(inputTokens + outputTokens)
  expect(cachedInputTokens + cacheWriteInputTokens).toBeLessThanOrEqual(inputTokens)
}

describe("laws", () => {
  test("the total is input and output, and what the cache did is part of the input", () => {
    fc.assert(fc.property(usage, (given) => expectSound(tokenUsage(given))))
  })

  test("nothing is lost: all four of the API's counts are in", () => {
    fc.assert(
      fc.property(usage, (given) => {
        const sum = Object.values(given).reduce<number>((total, each) => total + (each ?? 0), 0)
        expect(tokenUsage(given).totalTokens).toBe(sum)
      })
    )
  })

  test("sums are sound, and a part taken away leaves the other", () => {
    fc.assert(
      fc.property(usage, usage, (one, other) => {
        const [a, b] = [tokenUsage(one), tokenUsage(other)]
        expectSound(plus(a, b))
        expect(plus(a, b)).toEqual(plus(b, a))
        expect(minus(plus(a, b), b)).toEqual(a)
        expect(plus(a, noTokens)).toEqual(a)
      })
    )
  })

  test("a count that is no natural number does not cost the run its end: clients refuse such an event", () => {
    fc.assert(
      fc.property(
        fc.record({ input_tokens: odd, output_tokens: odd, cache_read_input_tokens: odd }),
        usage,
        (given, more) => {
          expectSound(tokenUsage(given))
          expect(accepts(plus(tokenUsage(given), tokenUsage(more)))).toBe(true)
        }
      )
    )
  })

  test("taking away what was no part leaves counts that are natural", () => {
    fc.assert(
      fc.property(usage, usage, (one, other) => {
        expect(accepts(minus(tokenUsage(one), tokenUsage(other)))).toBe(true)
      })
    )
  })
})

test("the API counts the cache apart, AG-UI as parts of the input", () => {
  const api = { input_tokens: 3, output_tokens: 5, cache_creation_input_tokens: 7, cache_read_input_tokens: 11 }
  expect(tokenUsage(api)).toEqual({
    inputTokens: 21,
    outputTokens: 5,
    totalTokens: 26,
    cachedInputTokens: 11,
    cacheWriteInputTokens: 7
  })
})

describe("the report of a run", () => {
  test("names provider and model", () => {
    expect(reported(tokenUsage({ input_tokens: 1 }), "claude-x")).toEqual([
      expect.objectContaining({ provider: "anthropic", model: "claude-x", totalTokens: 1 })
    ])
    expect(reported(tokenUsage({ input_tokens: 1 }), undefined)?.[0]).not.toHaveProperty("model")
  })

  test("is absent when nothing was spent: absent is not zero", () => {
    expect(reported(noTokens, "claude-x")).toBeUndefined()
  })
})
