/**
 * Undocumented control requests (§1e) that 2.1.325 answers: mostly the data behind the terminal's own
 * dialogs. They are not in the official types and may change without notice; each shape here was
 * recorded from the real CLI.
 */
import * as Schema from "effect/Schema"
import { known, open, optional, variants } from "../wire/Open.ts"
import { PermissionMode } from "./Permission.ts"

const S = Schema.String
const B = Schema.Boolean
const strings = Schema.Array(S)

/** Asks for what `/status` shows. */
export const GetStatusRequest = open("GetStatusRequest", { subtype: Schema.Literal("get_status") })
/** Asks for what `/status` shows. */
export type GetStatusRequest = typeof GetStatusRequest.Type

/** What `/status` shows, as labelled rows for people. */
export const GetStatusResponse = open("GetStatusResponse", {
  sections: Schema.Array(open({ title: S, rows: Schema.Array(open({ label: optional(S), value: S })) }))
})
/** What `/status` shows. */
export type GetStatusResponse = typeof GetStatusResponse.Type

/** Asks for the conversation as text. */
export const ExportConversationRequest = open("ExportConversationRequest", {
  subtype: Schema.Literal("export_conversation")
})
/** Asks for the conversation as text. */
export type ExportConversationRequest = typeof ExportConversationRequest.Type

/** The conversation as text, and a name for the file. */
export const ExportConversationResponse = open("ExportConversationResponse", { text: S, default_filename: S })
/** The conversation as text. */
export type ExportConversationResponse = typeof ExportConversationResponse.Type

/** Asks for the plan of plan mode. */
export const GetPlanRequest = open("GetPlanRequest", { subtype: Schema.Literal("get_plan") })
/** Asks for the plan of plan mode. */
export type GetPlanRequest = typeof GetPlanRequest.Type

/** The plan, if there is one. */
export const GetPlanResponse = open("GetPlanResponse", { exists: B, content: optional(S), path: optional(S) })
/** The plan, if there is one. */
export type GetPlanResponse = typeof GetPlanResponse.Type

/** Asks for what `/memory` shows. */
export const GetMemoryDialogRequest = open("GetMemoryDialogRequest", { subtype: Schema.Literal("get_memory_dialog") })
/** Asks for what `/memory` shows. */
export type GetMemoryDialogRequest = typeof GetMemoryDialogRequest.Type

/** The memory files and folders, whether they exist or not. */
export const GetMemoryDialogResponse = open("GetMemoryDialogResponse", {
  files: Schema.Array(
    open({
      kind: known("user", "project", "project-alt", "local", "other"),
      path: S,
      label: S,
      description: S,
      exists: B
    })
  ),
  folders: Schema.Array(open({ kind: known("auto", "team", "agent"), path: S, label: S, description: S })),
  memories: optional(
    Schema.Array(
      open({
        name: S,
        path: S,
        description: Schema.NullOr(S),
        type: Schema.NullOr(known("user", "feedback", "project", "reference")),
        modified_ms: Schema.Finite
      })
    )
  ),
  auto_memory: open({ enabled: B, toggleable: B, status: S }),
  auto_dream: open({ shown: B, enabled: B, toggleable: B, status: S, detail: S })
})
/** The memory files and folders. */
export type GetMemoryDialogResponse = typeof GetMemoryDialogResponse.Type

/** Asks for what `/skills` shows. */
export const GetSkillsDialogRequest = open("GetSkillsDialogRequest", { subtype: Schema.Literal("get_skills_dialog") })
/** Asks for what `/skills` shows. */
export type GetSkillsDialogRequest = typeof GetSkillsDialogRequest.Type

/** The skills, and whether the model may see them. */
export const GetSkillsDialogResponse = open("GetSkillsDialogResponse", {
  skills: Schema.Array(
    open({
      name: S,
      display_name: S,
      description: S,
      source: S,
      tokens: Schema.Finite,
      state: known("on", "name-only", "user-invocable-only", "off"),
      locked_by: optional(known("author", "plugin", "policy", "flag", "reserved-name")),
      advertised: B,
      handles: open({
        unqualified_name: optional(S),
        aliases: optional(strings),
        bare_name_reserved: optional(B)
      })
    })
  )
})
/** The skills, and whether the model may see them. */
export type GetSkillsDialogResponse = typeof GetSkillsDialogResponse.Type

/** Asks for what `/sandbox` shows. */
export const GetSandboxDialogRequest = open("GetSandboxDialogRequest", {
  subtype: Schema.Literal("get_sandbox_dialog")
})
/** Asks for what `/sandbox` shows. */
export type GetSandboxDialogRequest = typeof GetSandboxDialogRequest.Type

/** What the sandbox for shell commands can do here, and what it forbids. */
export const GetSandboxDialogResponse = open("GetSandboxDialogResponse", {
  supported: B,
  unsupported_reason: optional(known("wsl1", "platform", "excluded_platform")),
  locked: B,
  overrides_locked: B,
  policy_origins: optional(strings),
  enabled: B,
  enabled_in_settings: B,
  unavailable_reason: optional(S),
  mode: known("auto-allow", "regular", "disabled"),
  auto_allow_available: B,
  no_sandbox_allowed: B,
  unsandboxed_fallback: B,
  dependencies: open({ errors: strings, warnings: strings }),
  excluded_commands: strings,
  restrictions: open({
    fs_deny_read: strings,
    fs_allow_read: strings,
    fs_allow_write: strings,
    fs_deny_write: strings,
    network_allowed_domains: strings,
    network_denied_domains: strings,
    network_managed: B,
    unix_sockets: strings,
    allow_all_unix_sockets: B,
    ignored_glob_patterns: strings
  })
})
/** What the sandbox for shell commands can do here. */
export type GetSandboxDialogResponse = typeof GetSandboxDialogResponse.Type

/** Asks for what `/chrome` shows. */
export const GetChromeDialogRequest = open("GetChromeDialogRequest", { subtype: Schema.Literal("get_chrome_dialog") })
/** Asks for what `/chrome` shows. */
export type GetChromeDialogRequest = typeof GetChromeDialogRequest.Type

/** Whether the browser extension is there. */
export const GetChromeDialogResponse = open("GetChromeDialogResponse", {
  allowed: B,
  subscriber: B,
  wsl: B,
  installed: B,
  connected: B,
  paired_browser: optional(S),
  enabled_by_default: B,
  at_startup: optional(B),
  urls: open({ install: S, reconnect: S, permissions: S })
})
/** Whether the browser extension is there. */
export type GetChromeDialogResponse = typeof GetChromeDialogResponse.Type

/** Rates a message. */
export const MessageRatedRequest = open("MessageRatedRequest", {
  subtype: Schema.Literal("message_rated"),
  messageUuid: S,
  sentiment: known("positive", "negative"),
  surface: optional(known("tool_use", "assistant_text")),
  cleared: optional(B)
})
/** Rates a message. */
export type MessageRatedRequest = typeof MessageRatedRequest.Type

/** Stops, or starts again, the suggestions of what to ask next. */
export const SetPromptSuggestionsPausedRequest = open("SetPromptSuggestionsPausedRequest", {
  subtype: Schema.Literal("set_prompt_suggestions_paused"),
  paused: B
})
/** Stops, or starts again, the suggestions. */
export type SetPromptSuggestionsPausedRequest = typeof SetPromptSuggestionsPausedRequest.Type

/** Takes the conversation back to before a prompt (2.1.197 and later). `rewind_files` does it for files. */
export const RewindConversationRequest = open("RewindConversationRequest", {
  subtype: Schema.Literal("rewind_conversation"),
  target_message_uuid: S
})
/** Takes the conversation back to before a prompt. */
export type RewindConversationRequest = typeof RewindConversationRequest.Type

/** Whether it was taken back, and the text of the prompt to edit. A refusal is a success with `rewound: false`. */
export const RewindConversationResponse = open("RewindConversationResponse", {
  rewound: B,
  targetMessageUuid: optional(S),
  prefillText: optional(Schema.NullOr(S)),
  precedingAssistantUuid: optional(Schema.NullOr(S)),
  error: optional(S),
  reason: optional(S)
})
/** Whether the conversation was taken back. */
export type RewindConversationResponse = typeof RewindConversationResponse.Type

/** Copies the conversation into a new session. A process started by hand answers that it cannot. */
export const ForkConversationRequest = open("ForkConversationRequest", {
  subtype: Schema.Literal("fork_conversation"),
  target_message_uuid: optional(S)
})
/** Copies the conversation into a new session. */
export type ForkConversationRequest = typeof ForkConversationRequest.Type

/** Whether it was copied. A refusal is a success with `forked: false`. */
export const ForkConversationResponse = open("ForkConversationResponse", {
  forked: B,
  error: optional(S),
  reason: optional(S)
})
/** Whether it was copied. */
export type ForkConversationResponse = typeof ForkConversationResponse.Type

/** Asks for the account's sessions in the cloud. */
export const ListCloudSessionsRequest = open("ListCloudSessionsRequest", {
  subtype: Schema.Literal("list_cloud_sessions"),
  user_initiated: optional(B)
})
/** Asks for the account's sessions in the cloud. */
export type ListCloudSessionsRequest = typeof ListCloudSessionsRequest.Type

/** The sessions, or that they cannot be listed: only the latter was recorded (no account). */
export const ListCloudSessionsResponse = variants("ListCloudSessionsResponse", "status", [
  open("CloudSessionsUnavailable", { status: Schema.Literal("unavailable"), reason: optional(S), message: S })
])
/** The sessions, or that they cannot be listed. */
export type ListCloudSessionsResponse = typeof ListCloudSessionsResponse.Type

/** Asks which panes of plugins are shown. */
export const UiPanesRequest = open("UiPanesRequest", { subtype: Schema.Literal("ui_panes") })
/** Asks which panes of plugins are shown. */
export type UiPanesRequest = typeof UiPanesRequest.Type

/** The panes of plugins; only an empty list was recorded. */
export const UiPanesResponse = open("UiPanesResponse", {
  panes: Schema.Array(Schema.Unknown),
  shown_id: Schema.NullOr(S),
  focused_id: Schema.NullOr(S),
  focus_requested_id: Schema.NullOr(S)
})
/** The panes of plugins. */
export type UiPanesResponse = typeof UiPanesResponse.Type

/** Tells the CLI that tasks of MCP servers changed. Answered without a payload. */
export const McpTasksChangedRequest = open("McpTasksChangedRequest", {
  subtype: Schema.Literal("mcp_tasks_changed"),
  task: optional(Schema.Unknown)
})
/** Tells the CLI that tasks of MCP servers changed. */
export type McpTasksChangedRequest = typeof McpTasksChangedRequest.Type

/**
 * How much the model does unasked. An error unless the host sent `proactivity: true` with `initialize` or
 * the CLI runs with `CLAUDE_CODE_REMOTE=1`.
 */
export const SetProactivityLevelRequest = open("SetProactivityLevelRequest", {
  subtype: Schema.Literal("set_proactivity_level"),
  level: known("ask", "default", "proactive")
})
/** How much the model does unasked. */
export type SetProactivityLevelRequest = typeof SetProactivityLevelRequest.Type

/** The level, and the permission mode it brings. */
export const SetProactivityLevelResponse = open("SetProactivityLevelResponse", {
  level: known("ask", "default", "proactive"),
  permissionMode: optional(PermissionMode)
})
/** The level, and the permission mode it brings. */
export type SetProactivityLevelResponse = typeof SetProactivityLevelResponse.Type

/** Sends a report to Anthropic. */
export const SubmitFeedbackRequest = open("SubmitFeedbackRequest", {
  subtype: Schema.Literal("submit_feedback"),
  description: S,
  surface: optional(known("cli", "ccd", "ccr", "ide", "sdk", "cowork")),
  draft_id: optional(S),
  type: optional(known("bug", "idea", "missing_capability")),
  title: optional(S),
  area: optional(S),
  attach_transcript: optional(B),
  save_locally: optional(B)
})
/** Sends a report to Anthropic. */
export type SubmitFeedbackRequest = typeof SubmitFeedbackRequest.Type

/** The report's id, or null and why; only the latter was recorded. */
export const SubmitFeedbackResponse = open("SubmitFeedbackResponse", {
  feedback_id: Schema.NullOr(S),
  unavailable_reason: optional(S),
  is_zdr_org: optional(B),
  failure_reason: optional(S),
  status_code: optional(Schema.Finite),
  ccshare_url: optional(S),
  bundle_path: optional(S)
})
/** The report's id, or null and why. */
export type SubmitFeedbackResponse = typeof SubmitFeedbackResponse.Type
