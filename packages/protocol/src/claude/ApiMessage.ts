/**
 * The Messages API's own message, as `assistant.message` and `message_start` carry it, its usage, and
 * the message a `user` line carries.
 *
 * The CLI passes on what the API sent, and adds to it: `context_management` is always there in
 * `assistant`, and messages the CLI wrote itself (API errors, output of slash commands) have the model
 * `<synthetic>`, a made-up id and all the usage fields, zero or null.
 */
import * as Schema from "effect/Schema"
import { known, open, optional, variants } from "../wire/Open.ts"
import { ContentBlock, ContentBlockParam } from "./Content.ts"

const maybeCount = optional(Schema.NullOr(Schema.Finite))

/** What was written to the prompt cache, by lifetime. */
export const CacheCreation = open("CacheCreation", {
  ephemeral_5m_input_tokens: Schema.Finite,
  ephemeral_1h_input_tokens: Schema.Finite
})

/** What was written to the prompt cache, by lifetime. */
export type CacheCreation = typeof CacheCreation.Type

/** How often tools of the API were used. */
export const ServerToolUsage = open("ServerToolUsage", {
  web_search_requests: Schema.Finite,
  web_fetch_requests: optional(Schema.Finite)
})

/** How often tools of the API were used. */
export type ServerToolUsage = typeof ServerToolUsage.Type

/** What the output tokens were spent on. */
export const OutputTokensDetails = open("OutputTokensDetails", {
  thinking_tokens: Schema.Finite
})

/** What the output tokens were spent on. */
export type OutputTokensDetails = typeof OutputTokensDetails.Type

/** Whether the credit for a refused request was applied to the one that replaced it. */
export const FallbackCredit = open("FallbackCredit", {
  status: variants("FallbackCreditStatus", "type", [
    open("FallbackCreditRedeemed", { type: Schema.Literal("redeemed") }),
    open("FallbackCreditNotApplied", {
      type: Schema.Literal("not_applied"),
      reason: known(
        "body_mismatch",
        "continuation_excluded",
        "continuation_only",
        "expired",
        "invalid_target_model",
        "not_enabled",
        "reprice_unavailable",
        "temporarily_unavailable",
        "variant_fields_present",
        "wrong_organization",
        "wrong_platform",
        "wrong_workspace"
      ),
      remove_to_redeem: optional(Schema.NullOr(Schema.Array(Schema.String)))
    })
  ])
})

/** Whether the credit for a refused request was applied to the one that replaced it. */
export type FallbackCredit = typeof FallbackCredit.Type

const iteration = {
  input_tokens: Schema.Finite,
  output_tokens: Schema.Finite,
  cache_creation_input_tokens: maybeCount,
  cache_read_input_tokens: maybeCount,
  cache_creation: optional(Schema.NullOr(CacheCreation))
} as const

/** The usage of one of the steps the API took to answer one request. */
export const IterationUsage = variants("IterationUsage", "type", [
  open("MessageIterationUsage", {
    type: Schema.Literal("message"),
    model: optional(Schema.NullOr(Schema.String)),
    ...iteration
  }),
  open("CompactionIterationUsage", { type: Schema.Literal("compaction"), ...iteration }),
  open("AdvisorMessageIterationUsage", {
    type: Schema.Literal("advisor_message"),
    model: Schema.String,
    ...iteration
  }),
  open("FallbackMessageIterationUsage", {
    type: Schema.Literal("fallback_message"),
    model: Schema.String,
    ...iteration
  })
])

/** The usage of one of the steps the API took to answer one request. */
export type IterationUsage = typeof IterationUsage.Type

/**
 * What a message cost in tokens. On `assistant` messages it is the usage of `message_start`: the final
 * output count is only in `message_delta` and `result`. In `result` it is the sum over the turn. Most of it is
 * as the API sent it, and a gateway may send less: only the two counts are sure.
 */
export const Usage = open("Usage", {
  input_tokens: Schema.Finite,
  output_tokens: Schema.Finite,
  cache_creation_input_tokens: maybeCount,
  cache_read_input_tokens: maybeCount,
  cache_creation: optional(Schema.NullOr(CacheCreation)),
  server_tool_use: optional(Schema.NullOr(ServerToolUsage)),
  service_tier: optional(Schema.NullOr(known("standard", "priority", "batch"))),
  /** Where the model ran: `""` or `not_available` when unknown. */
  inference_geo: optional(Schema.NullOr(Schema.String)),
  iterations: optional(Schema.NullOr(Schema.Array(IterationUsage))),
  speed: optional(Schema.NullOr(known("standard", "fast"))),
  output_tokens_details: optional(Schema.NullOr(OutputTokensDetails)),
  fallback_credit: optional(Schema.NullOr(FallbackCredit))
})

/** What a message, or a turn, cost in tokens. */
export type Usage = typeof Usage.Type

/** The sandbox the API keeps for this conversation. */
export const Container = open("Container", {
  id: Schema.String,
  expires_at: optional(Schema.String),
  skills: optional(
    Schema.NullOr(
      Schema.Array(
        open("ContainerSkill", {
          type: known("anthropic", "custom"),
          skill_id: Schema.String,
          version: Schema.String
        })
      )
    )
  )
})

/** The sandbox the API keeps for this conversation. */
export type Container = typeof Container.Type

/** What the API cleared from the prompt before the model saw it. */
export const ContextManagement = open("ContextManagement", {
  applied_edits: Schema.Array(
    variants("AppliedEdit", "type", [
      open("ClearedToolUses", {
        type: Schema.Literal("clear_tool_uses_20250919"),
        cleared_input_tokens: Schema.Finite,
        cleared_tool_uses: Schema.Finite
      }),
      open("ClearedThinking", {
        type: Schema.Literal("clear_thinking_20251015"),
        cleared_input_tokens: Schema.Finite,
        cleared_thinking_turns: Schema.Finite
      })
    ])
  )
})

/** What the API cleared from the prompt before the model saw it. */
export type ContextManagement = typeof ContextManagement.Type

const missed = { cache_missed_input_tokens: Schema.Finite } as const

/** Why the prompt cache did not help. */
export const CacheMissReason = variants("CacheMissReason", "type", [
  open("CacheMissModelChanged", { type: Schema.Literal("model_changed"), ...missed }),
  open("CacheMissSystemChanged", { type: Schema.Literal("system_changed"), ...missed }),
  open("CacheMissToolsChanged", { type: Schema.Literal("tools_changed"), ...missed }),
  open("CacheMissMessagesChanged", { type: Schema.Literal("messages_changed"), ...missed }),
  open("CacheMissPreviousMessageNotFound", { type: Schema.Literal("previous_message_not_found") }),
  open("CacheMissUnavailable", { type: Schema.Literal("unavailable") })
])

/** Why the prompt cache did not help. */
export type CacheMissReason = typeof CacheMissReason.Type

/** What the API says about the request besides the answer. */
export const Diagnostics = open("Diagnostics", {
  cache_miss_reason: optional(Schema.NullOr(CacheMissReason))
})

/** What the API says about the request besides the answer. */
export type Diagnostics = typeof Diagnostics.Type

/** Why the API stopped, where the stop reason alone does not say it. */
export const StopDetails = variants("StopDetails", "type", [
  open("RefusalStopDetails", {
    type: Schema.Literal("refusal"),
    category: optional(Schema.NullOr(known("cyber", "bio", "frontier_llm", "reasoning_extraction", "general_harms"))),
    explanation: optional(Schema.NullOr(Schema.String)),
    fallback_credit_token: optional(Schema.NullOr(Schema.String)),
    fallback_has_prefill_claim: optional(Schema.NullOr(Schema.Boolean)),
    recommended_model: optional(Schema.NullOr(Schema.String))
  })
])

/** Why the API stopped, where the stop reason alone does not say it. */
export type StopDetails = typeof StopDetails.Type

/** Why the model stopped. */
export const StopReason = known(
  "end_turn",
  "max_tokens",
  "stop_sequence",
  "tool_use",
  "pause_turn",
  "compaction",
  "refusal",
  "model_context_window_exceeded"
)

/** Why the model stopped. */
export type StopReason = typeof StopReason.Type

const thinkingTransformation = {
  path: Schema.String,
  reason: known(
    "model_binding_mismatch",
    "prefix_binding_mismatch",
    "organization_binding_mismatch",
    "end_user_binding_mismatch"
  )
} as const

/** What the API changed in the prompt before the model saw it. */
export const InputTransformation = variants("InputTransformation", "type", [
  open("ThinkingDropped", { type: Schema.Literal("thinking_dropped"), ...thinkingTransformation }),
  open("ThinkingMismatchAllowed", { type: Schema.Literal("thinking_mismatch_allowed"), ...thinkingTransformation })
])

/** What the API changed in the prompt before the model saw it. */
export type InputTransformation = typeof InputTransformation.Type

/**
 * A message of the model. In streamed `assistant` lines `content` has exactly one block and
 * `stop_reason` is null; all blocks of one answer share `id` (docs/wire/claude-code.md §5.1).
 */
export const ApiMessage = open("ApiMessage", {
  id: Schema.String,
  type: Schema.Literal("message"),
  role: Schema.Literal("assistant"),
  /** `<synthetic>` when the CLI wrote the message itself. */
  model: Schema.String,
  content: Schema.Array(ContentBlock),
  stop_reason: optional(Schema.NullOr(StopReason)),
  /** Synthetic messages up to 2.1.197 have `""`. */
  stop_sequence: optional(Schema.NullOr(Schema.String)),
  stop_details: optional(Schema.NullOr(StopDetails)),
  usage: Usage,
  container: optional(Schema.NullOr(Container)),
  context_management: optional(Schema.NullOr(ContextManagement)),
  diagnostics: optional(Schema.NullOr(Diagnostics)),
  input_transformations: optional(Schema.NullOr(Schema.Array(InputTransformation)))
})

/** A message of the model. */
export type ApiMessage = typeof ApiMessage.Type

/** The content of a message to the model: a plain string or blocks. The CLI itself sends both. */
export const MessageContent = Schema.Union([Schema.String, Schema.Array(ContentBlockParam)])

/** The content of a message to the model: a plain string or blocks. */
export type MessageContent = typeof MessageContent.Type

/**
 * A message to the model. The API's type allows other roles; in a `user` line the CLI sends and accepts
 * only `user`, and a wrong role ends the process (docs/wire/claude-code.md §5.42).
 */
export const MessageParam = open("MessageParam", {
  role: known("user", "assistant", "system"),
  content: MessageContent
})

/** A message to the model. */
export type MessageParam = typeof MessageParam.Type
