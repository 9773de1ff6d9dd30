/**
 * Control requests that ask for numbers: what fills the context window, what was spent, which models
 * and which version there are.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { ModelInfo } from "./ControlInfo.ts"
import { ModelUsages } from "./ModelUsage.ts"

const N = Schema.Finite
const S = Schema.String
const named = { name: S, tokens: N }

/** Asks what fills the context window. `summary` (2.1.325) estimates instead of asking the API. */
export const GetContextUsageRequest = open("GetContextUsageRequest", {
  subtype: Schema.Literal("get_context_usage"),
  detail: optional(known("summary", "full"))
})
/** Asks what fills the context window. */
export type GetContextUsageRequest = typeof GetContextUsageRequest.Type

/** A part of the context window. `id` and `kind` come from 2.1.325. */
export const ContextCategory = open("ContextCategory", {
  id: optional(
    known(
      "system_prompt",
      "system_tools",
      "mcp_tools",
      "mcp_instructions",
      "mcp_tools_deferred",
      "system_tools_deferred",
      "custom_agents",
      "memory_files",
      "skills",
      "messages",
      "autocompact_buffer",
      "compact_buffer",
      "free_space"
    )
  ),
  ...named,
  color: S,
  isDeferred: optional(Schema.Boolean),
  kind: optional(known("used", "free", "buffer", "deferred"))
})
/** A part of the context window. */
export type ContextCategory = typeof ContextCategory.Type

/** What fills the context window, with the picture `/context` draws of it (`gridRows`). */
export const GetContextUsageResponse = open("GetContextUsageResponse", {
  categories: Schema.Array(ContextCategory),
  totalTokens: N,
  maxTokens: N,
  rawMaxTokens: N,
  autocompactSource: optional(S),
  percentage: N,
  gridRows: Schema.Array(
    Schema.Array(
      open({
        color: S,
        isFilled: Schema.Boolean,
        categoryName: S,
        tokens: N,
        percentage: N,
        squareFullness: N
      })
    )
  ),
  model: S,
  memoryFiles: Schema.Array(open({ path: S, type: S, tokens: N })),
  mcpTools: Schema.Array(open({ ...named, serverName: S, isLoaded: optional(Schema.Boolean) })),
  mcpInstructions: optional(Schema.Array(open({ serverName: S, tokens: N }))),
  deferredBuiltinTools: optional(Schema.Array(open({ ...named, isLoaded: Schema.Boolean }))),
  systemTools: optional(Schema.Array(open(named))),
  systemPromptSections: optional(Schema.Array(open(named))),
  agents: Schema.Array(open({ agentType: S, source: S, pluginId: optional(S), path: optional(S), tokens: N })),
  slashCommands: optional(open({ totalCommands: N, includedCommands: N, tokens: N })),
  skills: optional(
    open({
      totalSkills: N,
      includedSkills: N,
      tokens: N,
      skillFrontmatter: Schema.Array(
        open({
          ...named,
          source: S,
          pluginName: optional(S),
          pluginId: optional(S),
          path: optional(S)
        })
      )
    })
  ),
  autoCompactThreshold: optional(N),
  isAutoCompactEnabled: Schema.Boolean,
  messageBreakdown: optional(
    open({
      toolCallTokens: N,
      toolResultTokens: N,
      attachmentTokens: N,
      assistantMessageTokens: N,
      userMessageTokens: N,
      redirectedContextTokens: optional(N), // not before 2.1.113
      unattributedTokens: optional(N), // not before 2.1.113
      toolCallsByType: Schema.Array(open({ name: S, callTokens: N, resultTokens: N })),
      attachmentsByType: Schema.Array(open(named))
    })
  ),
  apiUsage: Schema.NullOr(
    open({
      input_tokens: N,
      output_tokens: N,
      cache_creation_input_tokens: N,
      cache_read_input_tokens: N
    })
  )
})
/** What fills the context window. */
export type GetContextUsageResponse = typeof GetContextUsageResponse.Type

/** Asks what the session cost. */
export const GetSessionCostRequest = open("GetSessionCostRequest", { subtype: Schema.Literal("get_session_cost") })
/** Asks what the session cost. */
export type GetSessionCostRequest = typeof GetSessionCostRequest.Type

/** What the session cost, as a text for people. `get_usage` has the numbers. */
export const GetSessionCostResponse = open("GetSessionCostResponse", { text: S })
/** What the session cost, as a text for people. */
export type GetSessionCostResponse = typeof GetSessionCostResponse.Type

/** Asks what the session and the account used. */
export const GetUsageRequest = open("GetUsageRequest", {
  subtype: Schema.Literal("get_usage"),
  skip_behaviors: optional(Schema.Boolean)
})
/** Asks what the session and the account used. */
export type GetUsageRequest = typeof GetUsageRequest.Type

const window = { utilization: Schema.NullOr(N), resets_at: Schema.NullOr(S) }
const rateWindow = optional(Schema.NullOr(open(window)))
const shares = Schema.Array(open({ name: S, pct: N }))

/** What a day's or a week's use was made of. */
export const UsageBehaviors = open("UsageBehaviors", {
  request_count: N,
  session_count: N,
  behaviors: Schema.Array(
    open({
      key: known(
        "cache_miss",
        "long_context",
        "subagent_heavy",
        "high_parallel",
        "cron",
        "max_effort",
        "workflow",
        "always_on_context",
        "large_tool_results"
      ),
      pct: N,
      count: N
    })
  ),
  recommendations: optional(Schema.Array(open({ key: S, pct: N, title: S, detail: optional(S) }))),
  fix: optional(open({ keys: Schema.Array(S), messages: Schema.Array(S) })),
  agents: shares,
  skills: shares,
  plugins: shares,
  mcp_servers: shares
})
/** What a day's or a week's use was made of. */
export type UsageBehaviors = typeof UsageBehaviors.Type

/** What the session and the account used. With an API key the last three say nothing (null, false, null). */
export const GetUsageResponse = open("GetUsageResponse", {
  session: open({
    total_cost_usd: N,
    total_api_duration_ms: N,
    total_duration_ms: N,
    total_lines_added: N,
    total_lines_removed: N,
    model_usage: ModelUsages
  }),
  subscription_type: Schema.NullOr(S),
  rate_limits_available: Schema.Boolean,
  rate_limits: Schema.NullOr(
    open({
      five_hour: rateWindow,
      seven_day: rateWindow,
      seven_day_oauth_apps: rateWindow,
      seven_day_opus: rateWindow,
      seven_day_sonnet: rateWindow,
      model_scoped: optional(Schema.Array(open({ display_name: S, ...window }))),
      extra_usage: optional(
        Schema.NullOr(
          open({
            is_enabled: Schema.Boolean,
            monthly_limit: Schema.NullOr(N),
            used_credits: Schema.NullOr(N),
            utilization: Schema.NullOr(N),
            currency: optional(Schema.NullOr(S))
          })
        )
      )
    })
  ),
  behaviors: Schema.NullOr(open({ day: UsageBehaviors, week: UsageBehaviors }))
})
/** What the session and the account used. */
export type GetUsageResponse = typeof GetUsageResponse.Type

/** Asks which models there are. */
export const ListModelsRequest = open("ListModelsRequest", { subtype: Schema.Literal("list_models") })
/** Asks which models there are. */
export type ListModelsRequest = typeof ListModelsRequest.Type

/** The models there are; the same list as in the answer to `initialize`. */
export const ListModelsResponse = open("ListModelsResponse", { models: Schema.Array(ModelInfo) })
/** The models there are. */
export type ListModelsResponse = typeof ListModelsResponse.Type

/** Asks for the version of the program. */
export const GetBinaryVersionRequest = open("GetBinaryVersionRequest", {
  subtype: Schema.Literal("get_binary_version")
})
/** Asks for the version of the program. */
export type GetBinaryVersionRequest = typeof GetBinaryVersionRequest.Type

/** The version of the program. */
export const GetBinaryVersionResponse = open("GetBinaryVersionResponse", { version: S, buildTime: optional(S) })
/** The version of the program. */
export type GetBinaryVersionResponse = typeof GetBinaryVersionResponse.Type
