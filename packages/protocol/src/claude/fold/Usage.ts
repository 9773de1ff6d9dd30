/**
 * Tokens as the API counts them, in the model's accounting.
 *
 * The API counts what came from and went to the cache apart from `input_tokens`; here they are parts of the input.
 * `usage` of a `result` is that of its turn (docs/wire/claude-code.md §5.24).
 */
import type { Usage } from "../../model/Usage.ts"
import { fieldsIn } from "./Fields.ts"

/** Who counts these tokens. */
export const provider = "anthropic"

/** The API's counts in the model's accounting. What is not a count is zero. */
export const usageOf = (given: unknown): Usage => {
  const usage = fieldsIn(given)
  const cacheWriteInput = natural(usage["cache_creation_input_tokens"])
  const cachedInput = natural(usage["cache_read_input_tokens"])
  return {
    input: natural(usage["input_tokens"]) + cacheWriteInput + cachedInput,
    output: natural(usage["output_tokens"]),
    cachedInput,
    cacheWriteInput
  }
}

/** A client refuses the end of a run when a count is not a natural number. */
const natural = (count: unknown): number =>
  typeof count === "number" && !Number.isNaN(count)
    ? Math.min(Math.max(0, Math.trunc(count)), Math.floor(Number.MAX_SAFE_INTEGER / 8))
    : 0

/**
 * What a reply has cost, after it said so again. The counts of `message_delta` are cumulative, and those it leaves out
 * are those of `message_start`.
 */
export const laterUsage = (before: Usage, now: Usage): Usage =>
  now.input === 0 ? { ...before, output: now.output } : now
