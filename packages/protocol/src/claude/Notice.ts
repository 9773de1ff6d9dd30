/**
 * The messages whose type stands alone: progress, summaries, suggestions, resets, signs of life.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { envelope } from "./Envelope.ts"
import { RateLimitEvent } from "./RateLimit.ts"
import { TranscriptMirror } from "./TranscriptMirror.ts"

/**
 * A tool still runs. With CLAUDE_CODE_REMOTE=1 up to 2.1.197 it comes for Bash, and then `tool_use_id` is
 * made up (`bash-progress-0`): the real id is `parent_tool_use_id`. 2.1.325 sends it every 30 s while an
 * MCP tool of the host is being answered (docs/wire/claude-code.md §5.44 and §7).
 */
export const ToolProgress = open("ToolProgress", {
  type: Schema.Literal("tool_progress"),
  tool_use_id: Schema.String,
  tool_name: Schema.String,
  parent_tool_use_id: Schema.NullOr(Schema.String),
  elapsed_time_seconds: Schema.Finite,
  task_id: optional(Schema.String),
  heartbeat: optional(Schema.Boolean),
  subagent_type: optional(Schema.String),
  subagent_retry: optional(
    open("SubagentRetry", {
      agent_id: Schema.String,
      attempt: Schema.Finite,
      max_retries: Schema.Finite,
      retry_delay_ms: Schema.Finite,
      error_status: Schema.NullOr(Schema.Finite),
      error_category: Schema.String
    })
  ),
  ...envelope
})

/** A tool still runs. */
export type ToolProgress = typeof ToolProgress.Type

/** What the last tools did, in a line (with CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES=1). */
export const ToolUseSummary = open("ToolUseSummary", {
  type: Schema.Literal("tool_use_summary"),
  summary: Schema.String,
  preceding_tool_use_ids: Schema.Array(Schema.String),
  timestamp: optional(Schema.String),
  ...envelope
})

/** What the last tools did, in a line. */
export type ToolUseSummary = typeof ToolUseSummary.Type

/** How a login goes. */
export const AuthStatus = open("AuthStatus", {
  type: Schema.Literal("auth_status"),
  isAuthenticating: Schema.Boolean,
  output: Schema.Array(Schema.String),
  error: optional(Schema.String),
  ...envelope
})

/** How a login goes. */
export type AuthStatus = typeof AuthStatus.Type

/** What the user might say next; it comes after the `result` (2.1.113 on, when `initialize` asks for it). */
export const PromptSuggestion = open("PromptSuggestion", {
  type: Schema.Literal("prompt_suggestion"),
  suggestion: Schema.String,
  ...envelope
})

/** What the user might say next. */
export type PromptSuggestion = typeof PromptSuggestion.Type

/** The conversation starts over, as after `/clear`; what follows has a new `session_id` (2.1.325). */
export const ConversationReset = open("ConversationReset", {
  type: Schema.Literal("conversation_reset"),
  new_conversation_id: Schema.String,
  trigger: optional(known("clear", "plan_mode_exit", "fresh_session", "onboarding")),
  user_message_uuid: optional(Schema.String),
  timestamp: optional(Schema.String),
  ...envelope
})

/** The conversation starts over. */
export type ConversationReset = typeof ConversationReset.Type

/** The goal `/goal` set, or null when there is none any more (2.1.325 with CLAUDE_CODE_REMOTE=1). */
export const ActiveGoal = open("ActiveGoal", {
  type: Schema.Literal("active_goal"),
  value: Schema.NullOr(
    open("Goal", {
      condition: Schema.String,
      iterations: Schema.Finite,
      /** Milliseconds since 1970. */
      set_at: Schema.Finite,
      tokens_at_start: Schema.Finite,
      last_reason: optional(Schema.String)
    })
  ),
  ...envelope
})

/** The goal `/goal` set. */
export type ActiveGoal = typeof ActiveGoal.Type

/** What became of a prompt the host sent with a `uuid` (2.1.325; not in the official types). */
export const CommandLifecycle = open("CommandLifecycle", {
  type: Schema.Literal("command_lifecycle"),
  /** The `uuid` of the prompt. */
  command_uuid: Schema.String,
  state: known("queued", "started", "completed", "cancelled", "discarded", "refused"),
  wakeup_source: optional(known("loop_wakeup", "schedule_wakeup")),
  scheduled_for: optional(Schema.Finite),
  ran_ahead: optional(Schema.Boolean),
  ...envelope
})

/** What became of a prompt the host sent with a `uuid`. */
export type CommandLifecycle = typeof CommandLifecycle.Type

/** When the CLI will compact by itself (2.1.325 with CLAUDE_CODE_REMOTE=1; not in the official types). */
export const AutocompactState = open("AutocompactState", {
  type: Schema.Literal("autocompact_state"),
  value: open({
    enabled: Schema.Boolean,
    effective_window: Schema.Finite,
    threshold: Schema.Finite,
    enforced: Schema.Boolean,
    source: known("env", "settings", "clientdata", "experiment", "model-default", "unknown-model", "auto")
  }),
  ...envelope
})

/** When the CLI will compact by itself. */
export type AutocompactState = typeof AutocompactState.Type

/** A sign of life, in either direction. It has no other field, and no CLI was seen to send it. */
export const KeepAlive = open("KeepAlive", {
  type: Schema.Literal("keep_alive")
})

/** A sign of life, in either direction. */
export type KeepAlive = typeof KeepAlive.Type

/** Text in the streamlined output of 2.1.37, in place of `assistant` (documents/001; not recorded). */
export const StreamlinedText = open("StreamlinedText", {
  type: Schema.Literal("streamlined_text"),
  text: Schema.String,
  ...envelope
})

/** Text in the streamlined output of 2.1.37. */
export type StreamlinedText = typeof StreamlinedText.Type

/** A line about tool calls in the streamlined output of 2.1.37 (documents/001; not recorded). */
export const StreamlinedToolUseSummary = open("StreamlinedToolUseSummary", {
  type: Schema.Literal("streamlined_tool_use_summary"),
  tool_summary: Schema.String,
  ...envelope
})

/** A line about tool calls in the streamlined output of 2.1.37. */
export type StreamlinedToolUseSummary = typeof StreamlinedToolUseSummary.Type

/** From the host: sets environment variables of the CLI process. It is not answered. */
export const UpdateEnvironmentVariables = open("UpdateEnvironmentVariables", {
  type: Schema.Literal("update_environment_variables"),
  variables: Schema.Record(Schema.String, Schema.String)
})

/** From the host: sets environment variables of the CLI process. */
export type UpdateEnvironmentVariables = typeof UpdateEnvironmentVariables.Type

/** The messages whose type stands alone, by `type`. */
export const notices = {
  tool_progress: ToolProgress,
  tool_use_summary: ToolUseSummary,
  auth_status: AuthStatus,
  rate_limit_event: RateLimitEvent,
  prompt_suggestion: PromptSuggestion,
  conversation_reset: ConversationReset,
  active_goal: ActiveGoal,
  command_lifecycle: CommandLifecycle,
  autocompact_state: AutocompactState,
  transcript_mirror: TranscriptMirror,
  keep_alive: KeepAlive,
  streamlined_text: StreamlinedText,
  streamlined_tool_use_summary: StreamlinedToolUseSummary,
  update_environment_variables: UpdateEnvironmentVariables
} as const

/** Any message whose type stands alone. */
export type Notice = (typeof notices)[keyof typeof notices]["Type"]
