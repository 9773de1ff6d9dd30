/**
 * What hooks are told about the session: prompts, turns, compaction, models, settings, files and folders.
 * `HookInput.ts` puts all events together.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { AssistantError } from "./Envelope.ts"
import { BackgroundTaskSummary, baseHookFields, ExitReason, SessionCronSummary } from "./Hook.ts"

/** When the CLI would notify the person. */
export const NotificationHookInput = open("NotificationHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("Notification"),
  message: Schema.String,
  title: optional(Schema.String),
  notification_type: Schema.String
})
/** When the CLI would notify the person. */
export type NotificationHookInput = typeof NotificationHookInput.Type

/** Before a prompt is taken. */
export const UserPromptSubmitHookInput = open("UserPromptSubmitHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("UserPromptSubmit"),
  prompt: Schema.String,
  source: optional(known("user", "sdk", "system", "loop_wakeup", "schedule_wakeup", "poll_event")),
  session_title: optional(Schema.String)
})
/** Before a prompt is taken. */
export type UserPromptSubmitHookInput = typeof UserPromptSubmitHookInput.Type

/** When a slash command becomes a prompt (2.1.197 and later). */
export const UserPromptExpansionHookInput = open("UserPromptExpansionHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("UserPromptExpansion"),
  expansion_type: known("slash_command", "mcp_prompt"),
  command_name: Schema.String,
  command_args: Schema.String,
  command_source: optional(Schema.String),
  prompt: Schema.String
})
/** When a slash command becomes a prompt (2.1.197 and later). */
export type UserPromptExpansionHookInput = typeof UserPromptExpansionHookInput.Type

/** When a session starts. Registered by `initialize` it comes too late for the start and is called after a compaction only (§5.39). */
export const SessionStartHookInput = open("SessionStartHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("SessionStart"),
  source: known("startup", "resume", "clear", "compact", "fork"),
  model: optional(Schema.String),
  session_title: optional(Schema.String),
  seconds_since_last_response: optional(Schema.Finite),
  context_tokens: optional(Schema.Finite),
  prompt_cache_likely_expired: optional(Schema.Boolean),
  estimated_cache_write_usd: optional(Schema.Finite)
})
/** When a session starts. */
export type SessionStartHookInput = typeof SessionStartHookInput.Type

/** When a session ends. Registered by `initialize` it fails: stdin is shut by then (§5.39). */
export const SessionEndHookInput = open("SessionEndHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("SessionEnd"),
  reason: ExitReason
})
/** When a session ends. */
export type SessionEndHookInput = typeof SessionEndHookInput.Type

/** Before a turn ends; blocking makes the model continue. */
export const StopHookInput = open("StopHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("Stop"),
  stop_hook_active: Schema.Boolean,
  last_assistant_message: optional(Schema.String),
  background_tasks: optional(Schema.Array(BackgroundTaskSummary)),
  session_crons: optional(Schema.Array(SessionCronSummary))
})
/** Before a turn ends. */
export type StopHookInput = typeof StopHookInput.Type

/** When a turn ends by an API error. */
export const StopFailureHookInput = open("StopFailureHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("StopFailure"),
  error: AssistantError,
  error_details: optional(Schema.String),
  last_assistant_message: optional(Schema.String)
})
/** When a turn ends by an API error. */
export type StopFailureHookInput = typeof StopFailureHookInput.Type

/** Before a compaction. `custom_instructions` is null or an empty string when there are none. */
export const PreCompactHookInput = open("PreCompactHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("PreCompact"),
  trigger: known("manual", "auto"),
  custom_instructions: Schema.NullOr(Schema.String)
})
/** Before a compaction. */
export type PreCompactHookInput = typeof PreCompactHookInput.Type

/** After a compaction. */
export const PostCompactHookInput = open("PostCompactHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("PostCompact"),
  trigger: known("manual", "auto"),
  compact_summary: Schema.String
})
/** After a compaction. */
export type PostCompactHookInput = typeof PostCompactHookInput.Type

/** Before the model changes, also by `set_model` (2.1.325). */
export const PreModelSwitchHookInput = open("PreModelSwitchHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("PreModelSwitch"),
  from_model: Schema.String,
  to_model: Schema.String,
  requested_model: Schema.NullOr(Schema.String),
  source: known("command", "picker", "sdk"),
  context_tokens: Schema.Finite,
  prompt_cache_warm: Schema.Boolean,
  cache_ttl: known("5m", "1h"),
  estimated_cache_write_usd: Schema.Finite,
  pricing: known("configured", "catalog", "default")
})
/** Before the model changes, also by `set_model` (2.1.325). */
export type PreModelSwitchHookInput = typeof PreModelSwitchHookInput.Type

/** After the model changed (2.1.325). */
export const PostModelSwitchHookInput = open("PostModelSwitchHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("PostModelSwitch"),
  from_model: Schema.String,
  to_model: Schema.String,
  requested_model: Schema.NullOr(Schema.String),
  source: known("command", "picker", "sdk", "auto", "resume"),
  context_tokens: Schema.Finite,
  prompt_cache_warm: Schema.Boolean,
  cache_ttl: known("5m", "1h"),
  estimated_cache_write_usd: Schema.Finite,
  pricing: known("configured", "catalog", "default")
})
/** After the model changed (2.1.325). */
export type PostModelSwitchHookInput = typeof PostModelSwitchHookInput.Type

/** When a project is set up. */
export const SetupHookInput = open("SetupHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("Setup"),
  trigger: known("init", "maintenance")
})
/** When a project is set up. */
export type SetupHookInput = typeof SetupHookInput.Type

/** When a settings file changed. */
export const ConfigChangeHookInput = open("ConfigChangeHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("ConfigChange"),
  source: known("user_settings", "project_settings", "local_settings", "policy_settings", "skills"),
  file_path: optional(Schema.String)
})
/** When a settings file changed. */
export type ConfigChangeHookInput = typeof ConfigChangeHookInput.Type

/** When a memory file (CLAUDE.md) was read. */
export const InstructionsLoadedHookInput = open("InstructionsLoadedHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("InstructionsLoaded"),
  file_path: Schema.String,
  memory_type: known("User", "Project", "Local", "Managed"),
  load_reason: known("session_start", "nested_traversal", "path_glob_match", "include", "compact"),
  globs: optional(Schema.Array(Schema.String)),
  trigger_file_path: optional(Schema.String),
  parent_file_path: optional(Schema.String)
})
/** When a memory file (CLAUDE.md) was read. */
export type InstructionsLoadedHookInput = typeof InstructionsLoadedHookInput.Type

/** When a worktree is wanted; the hook makes it and answers where. */
export const WorktreeCreateHookInput = open("WorktreeCreateHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("WorktreeCreate"),
  name: Schema.String
})
/** When a worktree is wanted. */
export type WorktreeCreateHookInput = typeof WorktreeCreateHookInput.Type

/** When a worktree is to be removed. */
export const WorktreeRemoveHookInput = open("WorktreeRemoveHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("WorktreeRemove"),
  worktree_path: Schema.String
})
/** When a worktree is to be removed. */
export type WorktreeRemoveHookInput = typeof WorktreeRemoveHookInput.Type

/** When the working directory changed. */
export const CwdChangedHookInput = open("CwdChangedHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("CwdChanged"),
  old_cwd: Schema.String,
  new_cwd: Schema.String
})
/** When the working directory changed. */
export type CwdChangedHookInput = typeof CwdChangedHookInput.Type

/** When a watched file changed. */
export const FileChangedHookInput = open("FileChangedHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("FileChanged"),
  file_path: Schema.String,
  event: known("change", "add", "unlink")
})
/** When a watched file changed. */
export type FileChangedHookInput = typeof FileChangedHookInput.Type

/** When a working directory was added. */
export const DirectoryAddedHookInput = open("DirectoryAddedHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("DirectoryAdded"),
  directory: Schema.String,
  source: known("slash_command", "register_repo_root")
})
/** When a working directory was added. */
export type DirectoryAddedHookInput = typeof DirectoryAddedHookInput.Type

/** While assistant text is shown: one call per piece, `final` on the last (2.1.197 and later). */
export const MessageDisplayHookInput = open("MessageDisplayHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("MessageDisplay"),
  turn_id: Schema.String,
  message_id: Schema.String,
  index: Schema.Finite,
  final: Schema.Boolean,
  delta: Schema.String
})
/** While assistant text is shown: one call per piece, `final` on the last (2.1.197 and later). */
export type MessageDisplayHookInput = typeof MessageDisplayHookInput.Type
