/**
 * What happens around a request to the model: retries, refusals, thinking that is not shown.
 *
 * These come in the middle of open messages (docs/wire/claude-code.md §5.7 and §5.16).
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { AssistantError, systemEnvelope } from "./Envelope.ts"

/** A request failed and will be sent again (2.1.113 on; 2.1.37 is silent). */
export const SystemApiRetry = open("SystemApiRetry", {
  ...systemEnvelope("api_retry"),
  attempt: Schema.Finite,
  max_retries: Schema.Finite,
  /** Not a whole number. */
  retry_delay_ms: Schema.Finite,
  /** The HTTP status; null when there was no answer. */
  error_status: Schema.NullOr(Schema.Finite),
  error: AssistantError,
  no_response: optional(open({ waited_ms: Schema.Finite, retry_wait_ms: Schema.Finite }))
})

/** A request failed and will be sent again. */
export type SystemApiRetry = typeof SystemApiRetry.Type

/** A control request of the host that asks the model is under way. */
export const SystemControlRequestProgress = open("SystemControlRequestProgress", {
  ...systemEnvelope("control_request_progress"),
  request_id: Schema.String,
  status: known("started", "api_retry"),
  attempt: optional(Schema.Finite),
  max_retries: optional(Schema.Finite),
  retry_delay_ms: optional(Schema.Finite),
  error_status: optional(Schema.NullOr(Schema.Finite))
})

/** A control request of the host that asks the model is under way. */
export type SystemControlRequestProgress = typeof SystemControlRequestProgress.Type

const refusal = {
  original_model: Schema.String,
  request_id: Schema.NullOr(Schema.String),
  api_refusal_category: optional(Schema.NullOr(Schema.String)),
  api_refusal_explanation: optional(Schema.NullOr(Schema.String)),
  refused_user_message_uuid: optional(Schema.NullOr(Schema.String)),
  /** For the user; recorded as `""` on 2.1.197. */
  content: Schema.String
} as const

/** The model refused and another one answers. Messages already sent may be retracted. */
export const SystemModelRefusalFallback = open("SystemModelRefusalFallback", {
  ...systemEnvelope("model_refusal_fallback"),
  ...refusal,
  trigger: known("refusal"),
  direction: known("retry", "revert", "sticky"),
  scope: optional(known("session", "local")),
  fallback_model: Schema.String,
  retracted_message_uuids: optional(Schema.Array(Schema.String)),
  saw_cyber_refusal: optional(Schema.Boolean),
  api_refusal_cyber_verification: optional(
    open({
      type: Schema.String,
      tier: optional(Schema.String),
      reason: optional(Schema.String)
    })
  )
})

/** The model refused and another one answers. */
export type SystemModelRefusalFallback = typeof SystemModelRefusalFallback.Type

/** The model refused and no other answers (2.1.197 on; 2.1.325 first tries again, after an `informational`). */
export const SystemModelRefusalNoFallback = open("SystemModelRefusalNoFallback", {
  ...systemEnvelope("model_refusal_no_fallback"),
  ...refusal
})

/** The model refused and no other one answers. */
export type SystemModelRefusalNoFallback = typeof SystemModelRefusalNoFallback.Type

/** The model could not answer and another one does: `--fallback-model` (2.1.197 on; not in the official types). */
export const SystemModelFallback = open("SystemModelFallback", {
  ...systemEnvelope("model_fallback"),
  trigger: known("model_not_found", "permission_denied", "overloaded", "server_error", "last_resort", "model_blocked"),
  original_model: Schema.String,
  fallback_model: Schema.String,
  /** For the user. */
  content: Schema.String
})

/** The model could not answer and another one does. */
export type SystemModelFallback = typeof SystemModelFallback.Type

/** How much the model has thought in this thinking block; the count starts again with each block (2.1.197 on). */
export const SystemThinkingTokens = open("SystemThinkingTokens", {
  ...systemEnvelope("thinking_tokens"),
  estimated_tokens: Schema.Finite,
  estimated_tokens_delta: Schema.Finite,
  user_message_uuid: optional(Schema.String)
})

/** How much the model has thought in this thinking block. */
export type SystemThinkingTokens = typeof SystemThinkingTokens.Type
