/**
 * `result`: the end of a turn.
 *
 * Neither `subtype` nor `is_error` alone tells a failed turn: an API error is `success` with
 * `is_error: true`, and 2.1.37 ends an interrupted turn as `error_during_execution` with
 * `is_error: false` (docs/wire/claude-code.md §5.14 and §5.15, §6d). A prompt does not always get exactly
 * one: queued prompts are merged, and finished background work starts turns of its own.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../wire/Open.ts"
import { Usage } from "./ApiMessage.ts"
import { apiError } from "./Assistant.ts"
import { envelope, fastMode, MessageOrigin, turnMarks } from "./Envelope.ts"
import { ModelUsages } from "./ModelUsage.ts"
import { processStart, resultTiming } from "./ResultTiming.ts"

/** Why a turn ended (2.1.113 on; absent after some slash commands and start-up errors). */
export const TerminalReason = known(
  "blocking_limit",
  "rapid_refill_breaker",
  "prompt_too_long",
  "image_error",
  "model_error",
  "api_error",
  "malformed_tool_use_exhausted",
  "aborted_streaming",
  "aborted_tools",
  "stop_hook_prevented",
  "hook_stopped",
  "tool_deferred",
  "max_turns",
  "background_requested",
  "completed",
  "budget_exhausted",
  "structured_output_retry_exhausted",
  "tool_deferred_unavailable",
  "turn_setup_failed"
)

/** Why a turn ended. */
export type TerminalReason = typeof TerminalReason.Type

/** A tool call that was denied in this turn. */
export const PermissionDenial = open("PermissionDenial", {
  tool_name: Schema.String,
  tool_use_id: Schema.String,
  tool_input: JsonObject
})

/** A tool call that was denied in this turn. */
export type PermissionDenial = typeof PermissionDenial.Type

/** A tool call the turn ended at, to be answered later. */
export const DeferredToolUse = open("DeferredToolUse", {
  id: Schema.String,
  name: Schema.String,
  input: JsonObject
})

/** A tool call the turn ended at, to be answered later. */
export type DeferredToolUse = typeof DeferredToolUse.Type

/** How many sub-agents ran, over the whole process (2.1.325). */
export const SubagentStats = open("SubagentStats", {
  spawned: Schema.Finite,
  requested: open({ background: Schema.Finite, foreground: Schema.Finite, unset: Schema.Finite }),
  started_in_background: Schema.Finite,
  by_type: Schema.Record(Schema.String, Schema.Finite),
  max_depth: Schema.Finite,
  spawned_by_subagents: Schema.Finite,
  completed: Schema.Finite,
  failed: Schema.Finite,
  killed: open({ parent: Schema.Finite, user: Schema.Finite, system: Schema.Finite }),
  refused: open({ depth_limit: Schema.Finite, concurrency_limit: Schema.Finite, budget: Schema.Finite })
})

/** How many sub-agents ran, over the whole process. */
export type SubagentStats = typeof SubagentStats.Type

/** Why the CLI did not start. */
export const StartupFailureReason = known(
  "org_pin_api_key_conflict",
  "provider_not_allowed",
  "org_verify_failed",
  "org_pin_mismatch",
  "managed_settings_invalid",
  "remote_settings_required_unavailable",
  "gateway_signin_required",
  "gateway_access_denied",
  "proxy_invalid",
  "temp_dir_unusable",
  "cwd_unavailable",
  "shell_tool_missing",
  "session_held_by_background",
  "worktree_resume_refused",
  "worktree_unverified",
  "cli_version_too_old",
  "bypass_root",
  "org_config_required_unavailable",
  "org_config_refused",
  "sandbox_required_unavailable",
  "initialize_not_first",
  "config_file_invalid",
  "managed_settings_not_delivered"
)

/** Why the CLI did not start. */
export type StartupFailureReason = typeof StartupFailureReason.Type

const shared = {
  type: Schema.Literal("result"),
  is_error: Schema.Boolean,
  /** Of this turn. */
  duration_ms: Schema.Finite,
  /** Of the whole process so far. */
  duration_api_ms: Schema.Finite,
  /** Of this turn; odd after slash commands (3, 6, 12 on 2.1.37). */
  num_turns: Schema.Finite,
  /** The API's stop reason; mostly null on 2.1.37. */
  stop_reason: Schema.NullOr(Schema.String),
  /** Of the whole process so far. */
  total_cost_usd: Schema.Finite,
  /** Of this turn. */
  usage: Usage,
  /** Of the whole process so far. */
  modelUsage: ModelUsages,
  model_usage_since_last_result: optional(ModelUsages),
  permission_denials: Schema.Array(PermissionDenial),
  terminal_reason: optional(TerminalReason),
  /** Prompts that wait for a turn of their own (2.1.325). */
  queued_turn_count: optional(Schema.Finite),
  /** Counts the results of the process from 0 (2.1.325). */
  result_index: optional(Schema.Finite),
  subagent_stats: optional(SubagentStats),
  safety_stops: optional(Schema.Finite),
  interrupted_by_shutdown: optional(Schema.Boolean),
  stopped_by_permission_check: optional(Schema.Boolean),
  credential_expires_at: optional(Schema.String),
  /** Who started the turn, when it was not a prompt (2.1.197). */
  origin: optional(MessageOrigin),
  ...turnMarks,
  ...fastMode,
  ...processStart,
  ...envelope
} as const

/** A turn that reached its end. It may still have failed: look at `is_error`. */
export const ResultSuccess = open("ResultSuccess", {
  ...shared,
  subtype: Schema.Literal("success"),
  /** The last text; `""` after `/compact` and where there is none. */
  result: Schema.String,
  /** The answer as data, when a JSON Schema was asked for. */
  structured_output: optional(Schema.Unknown),
  deferred_tool_use: optional(DeferredToolUse),
  /** The slash command that was the whole turn, without its slash (2.1.325). */
  local_command: optional(Schema.String),
  restored_rewind: optional(open({ request_id: Schema.String, last_message_uuid: Schema.String })),
  ...apiError,
  ...resultTiming
})

/** A turn that reached its end. */
export type ResultSuccess = typeof ResultSuccess.Type

/** A turn that was stopped: by an interrupt, by a limit, or because the CLI could not start. */
export const ResultError = open("ResultError", {
  ...shared,
  subtype: Schema.Literals([
    "error_during_execution",
    "error_max_turns",
    "error_max_budget_usd",
    "error_max_structured_output_retries"
  ]),
  /** Not for users: after an interrupt it is an internal diagnostic, and 2.1.37 leaves it empty. */
  errors: Schema.Array(Schema.String),
  startup_failure_reason: optional(StartupFailureReason),
  invalid_config_file: optional(
    open({
      path: Schema.String,
      is_global: Schema.Boolean,
      backup_searched: Schema.Boolean,
      backup_path: optional(Schema.String)
    })
  ),
  runner_exit: optional(
    open({
      phase: known("setup", "run"),
      exit_code: optional(Schema.NullOr(Schema.Finite)),
      signal: optional(Schema.NullOr(Schema.String))
    })
  ),
  policy_answer: optional(Schema.String),
  policy_answer_reason: optional(Schema.String)
})

/** A turn that was stopped. */
export type ResultError = typeof ResultError.Type

/** The `result` messages by `subtype`. */
export const results = {
  success: ResultSuccess,
  error_during_execution: ResultError,
  error_max_turns: ResultError,
  error_max_budget_usd: ResultError,
  error_max_structured_output_retries: ResultError
} as const

/** Any `result` message with a known subtype. */
export type Result = ResultSuccess | ResultError
