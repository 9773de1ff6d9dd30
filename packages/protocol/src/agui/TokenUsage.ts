/**
 * Token accounting on `RUN_FINISHED` and `RUN_ERROR`.
 */
import * as Schema from "effect/Schema"
import { open, optional } from "../wire/Open.ts"

/**
 * The tokens of one provider and model. `inputTokens` and `outputTokens` are totals, and
 * `totalTokens` is their sum; the other counts are parts of those totals, never added to
 * them. Absent is "not reported", not zero. Anthropic counts cached input apart from
 * `input_tokens`, so its numbers need adding up before they go here.
 */
export const TokenUsage = open("AguiTokenUsage", {
  provider: optional(Schema.String),
  model: optional(Schema.String),
  inputTokens: optional(Schema.Natural),
  outputTokens: optional(Schema.Natural),
  totalTokens: optional(Schema.Natural),
  reasoningTokens: optional(Schema.Natural),
  cachedInputTokens: optional(Schema.Natural),
  /** New in 1.0: 0.0 clients drop it. */
  cacheWriteInputTokens: optional(Schema.Natural)
})

/** The tokens of one provider and model. */
export type TokenUsage = typeof TokenUsage.Type
