/**
 * What happens to a turn: checks it waits for, messages that stop it or are held back from it, changes of its
 * model and effort, tools that another machine ran.
 *
 * None of these was recorded. The fields are those of the schemas in the 2.1.325 binary, or, where it has
 * none, of the code that builds the message.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { systemEnvelope } from "./Envelope.ts"

/**
 * A tool call waits for its automatic permission check for more than about four seconds, or no longer
 * (2.1.325; from the binary's own schema, not recorded). `done` does not say whether the call was allowed.
 */
export const SystemPermissionCheckStatus = open("SystemPermissionCheckStatus", {
  ...systemEnvelope("permission_check_status"),
  tool_use_id: Schema.String,
  agent_id: optional(Schema.String),
  status: known("checking", "done")
})

/** A tool call waits for its automatic permission check. */
export type SystemPermissionCheckStatus = typeof SystemPermissionCheckStatus.Type

/**
 * The CLI stopped the turn by itself for a prompt that came right after (2.1.325; from the binary's own schema,
 * not recorded). It comes before the `result` of the stopped turn, and only to a host whose `initialize` has
 * `rapidFollowupPreempt`.
 */
export const SystemTurnPreempted = open("SystemTurnPreempted", {
  ...systemEnvelope("turn_preempted"),
  reason: known("rapid_followup"),
  /** The `uuid` of the prompt that runs next. */
  preempted_by_uuid: Schema.String,
  /** The prompts of the stopped turn; those sent without a `uuid` are missing. */
  preempted_message_uuids: Schema.Array(Schema.String)
})

/** The CLI stopped the turn by itself for a prompt that came right after. */
export type SystemTurnPreempted = typeof SystemTurnPreempted.Type

/** Effort is no longer sent with each turn (2.1.325; from the binary's own schema, not recorded). */
export const SystemPerTurnEffortChanged = open("SystemPerTurnEffortChanged", {
  ...systemEnvelope("per_turn_effort_changed"),
  /** Always false: only `init` says true. */
  per_turn_effort_active: Schema.Boolean
})

/** Effort is no longer sent with each turn. */
export type SystemPerTurnEffortChanged = typeof SystemPerTurnEffortChanged.Type

/** The model needs a consent that was not given; another one takes its place (2.1.325; from the binary's own schema, not recorded). */
export const SystemModelConsentFallback = open("SystemModelConsentFallback", {
  ...systemEnvelope("model_consent_fallback"),
  /** `consent` when it was given, but could not be honoured. */
  choice: known("consent", "switch_default", "cancelled"),
  original_model: Schema.String,
  original_model_name: optional(Schema.String),
  fallback_model: Schema.String,
  /** The saved default model changed too. */
  persisted_as_default: Schema.Boolean,
  /** For the user. */
  content: Schema.String
})

/** The model needs a consent that was not given; another one takes its place. */
export type SystemModelConsentFallback = typeof SystemModelConsentFallback.Type

/** A message of another session is held back, or no longer (2.1.325; from the binary's own schema, not recorded). */
export const SystemPeerMessageHold = open("SystemPeerMessageHold", {
  ...systemEnvelope("peer_message_hold"),
  state: known("held", "released", "dropped"),
  /** What its `command_lifecycle` and replay name it by, later. */
  message_uuid: optional(Schema.String),
  lane: known("bridge", "stdin", "socket"),
  /** The address of the sender, as the sender gave it; may be `""`. */
  from: Schema.String,
  from_name: optional(Schema.String),
  /** With `held`. */
  cause: optional(
    known(
      "explicit-setting",
      "managed-setting",
      "repo-setting",
      "invalid-setting",
      "bypass-default",
      "mode-unknown",
      "mode-mismatch",
      "no-mode-asserted"
    )
  ),
  /** With `dropped`. */
  outcome: optional(known("expired", "refused", "dropped", "discarded"))
})

/** A message of another session is held back, or no longer. */
export type SystemPeerMessageHold = typeof SystemPeerMessageHold.Type

/**
 * What to show about a tool call that another machine ran (2.1.325; not recorded). The binary has no schema for
 * it: the fields are those its code writes.
 */
export const SystemToolHostResult = open("SystemToolHostResult", {
  ...systemEnvelope("tool_host_result"),
  tool_use_id: Schema.String,
  host: open({ name: Schema.String, working_dir: optional(Schema.String) }),
  disposition: optional(
    known(
      "ran",
      "denied_by_rule",
      "denied_by_user",
      "ask_refused_no_surface",
      "hook_blocked",
      "validation_failed",
      "duplicate_call",
      "asked_in_session",
      "approved_by_session",
      "denied_by_session",
      "ask_expired",
      "unrecognized"
    )
  ),
  label: optional(Schema.String),
  unverified: optional(Schema.Boolean),
  lines: Schema.Array(Schema.String)
})

/** What to show about a tool call that another machine ran. */
export type SystemToolHostResult = typeof SystemToolHostResult.Type
