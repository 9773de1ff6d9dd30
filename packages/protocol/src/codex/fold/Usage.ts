/**
 * Tokens as Codex counts them, in the model's accounting: what came from the cache is a part of the input already (§3.19).
 */
import type { Usage } from "../../model/Usage.ts"
import { fieldsIn } from "../../wire/Fields.ts"

/** Codex's counts in the model's accounting. What is not a count is zero. */
export const usageOf = (given: unknown): Usage => {
  const usage = fieldsIn(given)
  const cachedInput = natural(usage["cachedInputTokens"])
  const cacheWriteInput = natural(usage["cacheWriteInputTokens"])
  return {
    // Where the whole is missing, its parts are what is known of it.
    input: Math.max(natural(usage["inputTokens"]), cachedInput + cacheWriteInput),
    output: natural(usage["outputTokens"]),
    cachedInput,
    cacheWriteInput
  }
}

/** A client refuses the end of a run when a count is not a natural number. */
const natural = (count: unknown): number =>
  typeof count === "number" && !Number.isNaN(count)
    ? Math.min(Math.max(0, Math.trunc(count)), Math.floor(Number.MAX_SAFE_INTEGER / 8))
    : 0
