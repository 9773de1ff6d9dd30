/**
 * What models were used and what it cost: per model in `result`, and the two reports that slash
 * commands attach to their answer (`/context`, `/usage`).
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"

/** What one model was used for. Unlike the API's own usage, its keys are camelCase. */
export const ModelUsage = open("ModelUsage", {
  inputTokens: Schema.Finite,
  outputTokens: Schema.Finite,
  thinkingTokens: optional(Schema.Finite),
  cacheReadInputTokens: Schema.Finite,
  cacheCreationInputTokens: Schema.Finite,
  cacheCreationEphemeral5mInputTokens: optional(Schema.Finite),
  cacheCreationEphemeral1hInputTokens: optional(Schema.Finite),
  webSearchRequests: Schema.Finite,
  costUSD: Schema.Finite,
  contextWindow: Schema.Finite,
  maxOutputTokens: Schema.Finite,
  canonicalModel: optional(Schema.String),
  provider: optional(Schema.String),
  costBasis: optional(known("list", "managed", "unknown"))
})

/** What one model was used for. */
export type ModelUsage = typeof ModelUsage.Type

/** {@link ModelUsage} by model name, as the CLI names models (`claude-opus-4-8[1m]`). */
export const ModelUsages = Schema.Record(Schema.String, ModelUsage)

/** {@link ModelUsage} by model name. */
export type ModelUsages = typeof ModelUsages.Type

/** What fills the context window: the answer of `/context` as data (2.1.325). */
export const ContextUsage = open("ContextUsage", {
  model: Schema.String,
  total_tokens: Schema.Finite,
  raw_max_tokens: Schema.Finite,
  percentage: Schema.Finite,
  over_limit: optional(
    open({
      tokens_over: Schema.Finite,
      kind: known("hard_limit", "compaction_window")
    })
  ),
  categories: Schema.Array(
    open("ContextUsageCategory", {
      name: Schema.String,
      tokens: Schema.Finite,
      kind: known("used", "free", "buffer", "deferred")
    })
  ),
  mcp_tools: Schema.Array(open({ name: Schema.String, server_name: Schema.String, tokens: Schema.Finite })),
  memory_files: Schema.Array(open({ path: Schema.String, type: Schema.String, tokens: Schema.Finite })),
  agents: Schema.Array(open({ agent_type: Schema.String, source: Schema.String, tokens: Schema.Finite })),
  skills: optional(
    Schema.Array(
      open({
        name: Schema.String,
        source: Schema.String,
        plugin_name: optional(Schema.String),
        tokens: Schema.Finite
      })
    )
  )
})

/** What fills the context window. */
export type ContextUsage = typeof ContextUsage.Type

const displayName = optional(Schema.NullOr(open({ display_name: Schema.String })))

/** What the session and the account have used: the answer of `/usage` as data, for subscribers only. */
export const UsageReport = open("UsageReport", {
  session: open({
    total_cost_usd: Schema.Finite,
    total_api_duration_ms: Schema.Finite,
    total_duration_ms: Schema.Finite,
    total_lines_added: Schema.Finite,
    total_lines_removed: Schema.Finite,
    model_usage: ModelUsages
  }),
  rate_limits: Schema.NullOr(
    open({
      limits: Schema.NullOr(
        Schema.Array(
          open("UsageReportLimit", {
            kind: Schema.String,
            group: Schema.String,
            percent: Schema.Finite,
            resets_at: Schema.NullOr(Schema.String),
            scope: optional(Schema.NullOr(open({ model: displayName, surface: displayName }))),
            severity: Schema.String,
            is_active: Schema.Boolean
          })
        )
      ),
      extra_usage: optional(
        Schema.NullOr(
          open({
            is_enabled: Schema.Boolean,
            monthly_limit: Schema.NullOr(Schema.Finite),
            used_credits: Schema.NullOr(Schema.Finite),
            utilization: Schema.NullOr(Schema.Finite),
            currency: optional(Schema.NullOr(Schema.String))
          })
        )
      )
    })
  )
})

/** What the session and the account have used. */
export type UsageReport = typeof UsageReport.Type
