import * as Schema from "effect/Schema"
import fc from "fast-check"
import { expect, test } from "vitest"
import { TokenUsage } from "../../../src/agui/TokenUsage.ts"
import { tokenUsage } from "../../../src/agui/write/Usage.ts"
import { noUsage, type Usage } from "../../../src/model/Usage.ts"

const usage: fc.Arbitrary<Usage> = fc
  .record({ fresh: fc.nat(1e6), output: fc.nat(1e6), cachedInput: fc.nat(1e6), cacheWriteInput: fc.nat(1e6) })
  .map(({ fresh, ...rest }) => ({ ...rest, input: fresh + rest.cachedInput + rest.cacheWriteInput }))

test("a run reports its own part, as a client takes it: the total is input and output", () => {
  fc.assert(
    fc.property(usage, usage, (spent, reported) => {
      for (const each of tokenUsage(spent, reported, {}) ?? []) {
        expect(Schema.is(TokenUsage)(each)).toBe(true)
        expect(each.totalTokens).toBe((each.inputTokens ?? 0) + (each.outputTokens ?? 0))
      }
    })
  )
})

test("it names provider and model, where they are known", () => {
  const one: Usage = { input: 1, output: 0, cachedInput: 0, cacheWriteInput: 0 }
  expect(tokenUsage(one, noUsage, { provider: "anthropic", model: "claude-x" })).toEqual([
    expect.objectContaining({ provider: "anthropic", model: "claude-x", totalTokens: 1 })
  ])
  expect(tokenUsage(one, noUsage, { model: undefined })?.[0]).not.toHaveProperty("model")
})

test("it is absent when nothing was spent since: absent is not zero", () => {
  const some: Usage = { input: 5, output: 2, cachedInput: 0, cacheWriteInput: 0 }
  expect(tokenUsage(some, some, {})).toBeUndefined()
  expect(tokenUsage(noUsage, noUsage, {})).toBeUndefined()
})
