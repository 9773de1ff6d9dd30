/**
 * Hooks: the events there are, how a host subscribes to them in `initialize`, and what several hook
 * inputs share. What a hook is told is in `HookInput.ts`, what it may answer in `HookOutput.ts`.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { PermissionMode } from "./Permission.ts"

/** The moments a hook can be called at: 33 on 2.1.325, 15 on 2.1.37. */
export const HookEvent = known(
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PermissionDenied",
  "Notification",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "PreModelSwitch",
  "PostModelSwitch",
  "PermissionRequest",
  "Setup",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "InstructionsLoaded",
  "WorktreeCreate",
  "WorktreeRemove",
  "CwdChanged",
  "FileChanged",
  "DirectoryAdded",
  "MessageDisplay"
)
/** The moments a hook can be called at. */
export type HookEvent = typeof HookEvent.Type

/**
 * A subscription in `initialize.hooks`: the CLI calls each id with `hook_callback`. `matcher` is a
 * pattern on the tool name (or what the event matches on), `timeout` is in seconds.
 */
export const HookCallbackMatcher = open("HookCallbackMatcher", {
  matcher: optional(Schema.String),
  hookCallbackIds: Schema.Array(Schema.String),
  timeout: optional(Schema.Finite),
  onFailure: optional(known("continue", "block"))
})
/** A subscription in `initialize.hooks`. */
export type HookCallbackMatcher = typeof HookCallbackMatcher.Type

/** The fields every hook input has. `agent_id` is there when a sub-agent is the one acting. */
export const baseHookFields = {
  session_id: Schema.String,
  transcript_path: Schema.String,
  cwd: Schema.String,
  prompt_id: optional(Schema.String),
  permission_mode: optional(PermissionMode),
  agent_id: optional(Schema.String),
  agent_type: optional(Schema.String),
  effort: optional(open({ level: Schema.String }))
}

/** A background task that still runs when a turn ends. */
export const BackgroundTaskSummary = open("BackgroundTaskSummary", {
  id: Schema.String,
  type: Schema.String,
  status: Schema.String,
  description: Schema.String,
  command: optional(Schema.String),
  agent_type: optional(Schema.String),
  server: optional(Schema.String),
  tool: optional(Schema.String),
  name: optional(Schema.String)
})
/** A background task that still runs when a turn ends. */
export type BackgroundTaskSummary = typeof BackgroundTaskSummary.Type

/** A prompt the session will send itself on a schedule. */
export const SessionCronSummary = open("SessionCronSummary", {
  id: Schema.String,
  schedule: Schema.String,
  recurring: Schema.Boolean,
  prompt: Schema.String
})
/** A prompt the session will send itself on a schedule. */
export type SessionCronSummary = typeof SessionCronSummary.Type

/** One call of a `PostToolBatch`. */
export const PostToolBatchToolCall = open("PostToolBatchToolCall", {
  tool_name: Schema.String,
  tool_input: Schema.Unknown,
  tool_use_id: Schema.String,
  tool_response: optional(Schema.Unknown)
})
/** One call of a `PostToolBatch`. */
export type PostToolBatchToolCall = typeof PostToolBatchToolCall.Type

/** Why a session ended. `bypass_permissions_disabled` is 2.1.37's, `resume` came later. */
export const ExitReason = known(
  "clear",
  "resume",
  "logout",
  "prompt_input_exit",
  "other",
  "bypass_permissions_disabled"
)
/** Why a session ended. */
export type ExitReason = typeof ExitReason.Type
