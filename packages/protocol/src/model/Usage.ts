/**
 * Tokens in one accounting, whatever the runtime counts by.
 *
 * `input` and `output` are totals. What came from a cache or went into one is a part of `input`, never added to it.
 */
import * as Schema from "effect/Schema"

/** Tokens that were spent. */
export const Usage = Schema.Struct({
  input: Schema.Natural,
  output: Schema.Natural,
  cachedInput: Schema.Natural,
  cacheWriteInput: Schema.Natural
}).annotate({ identifier: "ModelUsage" })

/** Tokens that were spent. */
export type Usage = typeof Usage.Type

/** No tokens. */
export const noUsage: Usage = { input: 0, output: 0, cachedInput: 0, cacheWriteInput: 0 }

const combined = (a: Usage, b: Usage, sign: 1 | -1): Usage => {
  const cachedInput = Math.max(0, a.cachedInput + sign * b.cachedInput)
  const cacheWriteInput = Math.max(0, a.cacheWriteInput + sign * b.cacheWriteInput)
  return {
    // Where one of two counts lacks a part, the parts of their difference could exceed the whole.
    input: Math.max(0, a.input + sign * b.input, cachedInput + cacheWriteInput),
    output: Math.max(0, a.output + sign * b.output),
    cachedInput,
    cacheWriteInput
  }
}

/** Two counts together. */
export const addUsage = (a: Usage, b: Usage): Usage => combined(a, b, 1)

/** A count without what is part of it. */
export const subtractUsage = (a: Usage, b: Usage): Usage => combined(a, b, -1)
