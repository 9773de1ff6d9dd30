/**
 * Tokens in one accounting.
 *
 * The API counts what came from and went to the cache apart from `input_tokens`; AG-UI counts them as parts of
 * `inputTokens`. `usage` of a `result` is that of its turn (docs/wire/claude-code.md §5.24), and a turn may span
 * several runs, each of which reports its own part.
 */
import type { TokenUsage } from "../agui/TokenUsage.ts"

/** What the API says about tokens, as far as it is counted here. */
export interface ApiUsage {
  readonly input_tokens?: number | null | undefined
  readonly output_tokens?: number | null | undefined
  readonly cache_creation_input_tokens?: number | null | undefined
  readonly cache_read_input_tokens?: number | null | undefined
}

/** The API's counts as AG-UI's. */
export const tokenUsage = (usage: ApiUsage): TokenUsage => {
  const write = natural(usage.cache_creation_input_tokens)
  const read = natural(usage.cache_read_input_tokens)
  return counts(natural(usage.input_tokens) + write + read, natural(usage.output_tokens), read, write)
}

/** A client refuses the event, and with it the end of the run, when a count is no natural number. */
const natural = (count: number | null | undefined): number =>
  Math.min(Math.max(0, Math.trunc(count ?? 0)), Math.floor(Number.MAX_SAFE_INTEGER / 8))

const counts = (
  inputTokens: number,
  outputTokens: number,
  cachedInputTokens: number,
  cacheWriteInputTokens: number
): TokenUsage => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  cachedInputTokens,
  cacheWriteInputTokens
})

const combine = (a: TokenUsage, b: TokenUsage, sign: 1 | -1): TokenUsage => {
  const of = (key: "inputTokens" | "outputTokens" | "cachedInputTokens" | "cacheWriteInputTokens"): number =>
    Math.max(0, (a[key] ?? 0) + sign * (b[key] ?? 0))
  const cached = of("cachedInputTokens")
  const written = of("cacheWriteInputTokens")
  // Where one of two counts lacks a part, their difference would have more of the parts than of the whole.
  return counts(Math.max(of("inputTokens"), cached + written), of("outputTokens"), cached, written)
}

/** Two counts together. */
export const plus = (a: TokenUsage, b: TokenUsage): TokenUsage => combine(a, b, 1)

/** A count without what is part of it. */
export const minus = (a: TokenUsage, b: TokenUsage): TokenUsage => combine(a, b, -1)

/** No tokens. */
export const noTokens: TokenUsage = counts(0, 0, 0, 0)

/** The count of a run as its terminal event has it: nothing when nothing was spent. */
export const reported = (usage: TokenUsage, model: string | undefined): ReadonlyArray<TokenUsage> | undefined =>
  usage.totalTokens === 0 ? undefined : [{ provider: "anthropic", ...(model === undefined ? {} : { model }), ...usage }]
