/**
 * The envelopes of the control protocol: requests and answers travel in both directions on the same
 * stream as everything else, told apart by `request_id`, which whoever asks makes up.
 */
import * as Schema from "effect/Schema"
import { open, optional } from "../Open.ts"
import { ControlRequestBody, controlRequests } from "./ControlRequest.ts"

const envelope = <S extends Schema.Top>(request: S) => ({
  type: Schema.Literal("control_request"),
  request_id: Schema.String,
  request
})

/** A request of any subtype. Use {@link controlRequestMessages} when the subtype is known. */
export const ControlRequest = open("ControlRequest", envelope(ControlRequestBody))
/** A request of any subtype. */
export type ControlRequest = typeof ControlRequest.Type

/** The whole `control_request` line, by subtype. */
export const controlRequestMessages = {
  interrupt: open("InterruptControlRequest", envelope(controlRequests.interrupt.request)),
  initialize: open("InitializeControlRequest", envelope(controlRequests.initialize.request)),
  set_permission_mode: open("SetPermissionModeControlRequest", envelope(controlRequests.set_permission_mode.request)),
  set_model: open("SetModelControlRequest", envelope(controlRequests.set_model.request)),
  set_max_thinking_tokens: open(
    "SetMaxThinkingTokensControlRequest",
    envelope(controlRequests.set_max_thinking_tokens.request)
  ),
  rename_session: open("RenameSessionControlRequest", envelope(controlRequests.rename_session.request)),
  set_color: open("SetColorControlRequest", envelope(controlRequests.set_color.request)),
  cancel_async_message: open(
    "CancelAsyncMessageControlRequest",
    envelope(controlRequests.cancel_async_message.request)
  ),
  set_has_subscribers: open("SetHasSubscribersControlRequest", envelope(controlRequests.set_has_subscribers.request)),
  generate_session_title: open(
    "GenerateSessionTitleControlRequest",
    envelope(controlRequests.generate_session_title.request)
  ),
  side_question: open("SideQuestionControlRequest", envelope(controlRequests.side_question.request)),
  end_session: open("EndSessionControlRequest", envelope(controlRequests.end_session.request)),
  can_use_tool: open("CanUseToolControlRequest", envelope(controlRequests.can_use_tool.request)),
  hook_callback: open("HookCallbackControlRequest", envelope(controlRequests.hook_callback.request)),
  mcp_message: open("McpMessageControlRequest", envelope(controlRequests.mcp_message.request)),
  elicitation: open("ElicitationControlRequest", envelope(controlRequests.elicitation.request)),
  request_user_dialog: open("RequestUserDialogControlRequest", envelope(controlRequests.request_user_dialog.request)),
  mcp_status: open("McpStatusControlRequest", envelope(controlRequests.mcp_status.request)),
  mcp_set_servers: open("McpSetServersControlRequest", envelope(controlRequests.mcp_set_servers.request)),
  mcp_reconnect: open("McpReconnectControlRequest", envelope(controlRequests.mcp_reconnect.request)),
  mcp_toggle: open("McpToggleControlRequest", envelope(controlRequests.mcp_toggle.request)),
  mcp_call: open("McpCallControlRequest", envelope(controlRequests.mcp_call.request)),
  mcp_read_resource: open("McpReadResourceControlRequest", envelope(controlRequests.mcp_read_resource.request)),
  set_mcp_permission_mode_override: open(
    "SetMcpPermissionModeOverrideControlRequest",
    envelope(controlRequests.set_mcp_permission_mode_override.request)
  ),
  mcp_clear_auth: open("McpClearAuthControlRequest", envelope(controlRequests.mcp_clear_auth.request)),
  file_suggestions: open("FileSuggestionsControlRequest", envelope(controlRequests.file_suggestions.request)),
  read_file: open("ReadFileControlRequest", envelope(controlRequests.read_file.request)),
  seed_read_state: open("SeedReadStateControlRequest", envelope(controlRequests.seed_read_state.request)),
  rewind_files: open("RewindFilesControlRequest", envelope(controlRequests.rewind_files.request)),
  register_repo_root: open("RegisterRepoRootControlRequest", envelope(controlRequests.register_repo_root.request)),
  set_cwd: open("SetCwdControlRequest", envelope(controlRequests.set_cwd.request)),
  get_workspace_diff: open("GetWorkspaceDiffControlRequest", envelope(controlRequests.get_workspace_diff.request)),
  list_directory: open("ListDirectoryControlRequest", envelope(controlRequests.list_directory.request)),
  get_context_usage: open("GetContextUsageControlRequest", envelope(controlRequests.get_context_usage.request)),
  get_session_cost: open("GetSessionCostControlRequest", envelope(controlRequests.get_session_cost.request)),
  get_usage: open("GetUsageControlRequest", envelope(controlRequests.get_usage.request)),
  list_models: open("ListModelsControlRequest", envelope(controlRequests.list_models.request)),
  get_binary_version: open("GetBinaryVersionControlRequest", envelope(controlRequests.get_binary_version.request)),
  stop_task: open("StopTaskControlRequest", envelope(controlRequests.stop_task.request)),
  background_tasks: open("BackgroundTasksControlRequest", envelope(controlRequests.background_tasks.request)),
  get_task_output: open("GetTaskOutputControlRequest", envelope(controlRequests.get_task_output.request)),
  apply_flag_settings: open("ApplyFlagSettingsControlRequest", envelope(controlRequests.apply_flag_settings.request)),
  get_settings: open("GetSettingsControlRequest", envelope(controlRequests.get_settings.request)),
  update_settings: open("UpdateSettingsControlRequest", envelope(controlRequests.update_settings.request)),
  get_hooks_listing: open("GetHooksListingControlRequest", envelope(controlRequests.get_hooks_listing.request)),
  list_permission_rules: open(
    "ListPermissionRulesControlRequest",
    envelope(controlRequests.list_permission_rules.request)
  ),
  reload_plugins: open("ReloadPluginsControlRequest", envelope(controlRequests.reload_plugins.request)),
  reload_skills: open("ReloadSkillsControlRequest", envelope(controlRequests.reload_skills.request)),
  reload_output_styles: open(
    "ReloadOutputStylesControlRequest",
    envelope(controlRequests.reload_output_styles.request)
  ),
  get_status: open("GetStatusControlRequest", envelope(controlRequests.get_status.request)),
  export_conversation: open("ExportConversationControlRequest", envelope(controlRequests.export_conversation.request)),
  get_plan: open("GetPlanControlRequest", envelope(controlRequests.get_plan.request)),
  get_memory_dialog: open("GetMemoryDialogControlRequest", envelope(controlRequests.get_memory_dialog.request)),
  get_skills_dialog: open("GetSkillsDialogControlRequest", envelope(controlRequests.get_skills_dialog.request)),
  get_sandbox_dialog: open("GetSandboxDialogControlRequest", envelope(controlRequests.get_sandbox_dialog.request)),
  get_chrome_dialog: open("GetChromeDialogControlRequest", envelope(controlRequests.get_chrome_dialog.request)),
  message_rated: open("MessageRatedControlRequest", envelope(controlRequests.message_rated.request)),
  set_prompt_suggestions_paused: open(
    "SetPromptSuggestionsPausedControlRequest",
    envelope(controlRequests.set_prompt_suggestions_paused.request)
  ),
  rewind_conversation: open("RewindConversationControlRequest", envelope(controlRequests.rewind_conversation.request)),
  fork_conversation: open("ForkConversationControlRequest", envelope(controlRequests.fork_conversation.request)),
  list_cloud_sessions: open("ListCloudSessionsControlRequest", envelope(controlRequests.list_cloud_sessions.request)),
  ui_panes: open("UiPanesControlRequest", envelope(controlRequests.ui_panes.request)),
  mcp_tasks_changed: open("McpTasksChangedControlRequest", envelope(controlRequests.mcp_tasks_changed.request)),
  set_proactivity_level: open(
    "SetProactivityLevelControlRequest",
    envelope(controlRequests.set_proactivity_level.request)
  ),
  submit_feedback: open("SubmitFeedbackControlRequest", envelope(controlRequests.submit_feedback.request))
} as const

/** The whole `control_request` line of a subtype: `ControlRequestMessage<"interrupt">`. */
export type ControlRequestMessage<S extends keyof typeof controlRequestMessages> =
  (typeof controlRequestMessages)[S]["Type"]

// What the CLI still waits for: sent with the answer to a second `initialize`, so that a host that comes
// back can answer. Up to 2.1.120 that answer is an error, so errors carry them too (§2).
const pending = {
  pending_permission_requests: optional(Schema.Array(ControlRequest)),
  pending_user_dialog_requests: optional(Schema.Array(ControlRequest)),
  pending_elicitation_requests: optional(Schema.Array(ControlRequest))
}

/**
 * A request that succeeded. What `response` holds depends on the subtype of the request with this
 * `request_id`: look it up there and decode it with `controlRequests[subtype].response`. It may be absent.
 */
export const ControlSuccess = open("ControlSuccess", {
  subtype: Schema.Literal("success"),
  request_id: Schema.String,
  response: optional(Schema.Unknown),
  ...pending
})
/** A request that succeeded. */
export type ControlSuccess = typeof ControlSuccess.Type

/** A request that failed. `error_code` is 2.1.325's: `unsupported_request`, `bypass_not_launched` … */
export const ControlError = open("ControlError", {
  subtype: Schema.Literal("error"),
  request_id: Schema.String,
  error: Schema.String,
  error_code: optional(Schema.String),
  ...pending
})
/** A request that failed. */
export type ControlError = typeof ControlError.Type

/** The line that says a request succeeded. */
export const ControlSuccessResponse = open("ControlSuccessResponse", {
  type: Schema.Literal("control_response"),
  response: ControlSuccess
})
/** The line that says a request succeeded. */
export type ControlSuccessResponse = typeof ControlSuccessResponse.Type

/** The line that says a request failed. */
export const ControlErrorResponse = open("ControlErrorResponse", {
  type: Schema.Literal("control_response"),
  response: ControlError
})
/** The line that says a request failed. */
export type ControlErrorResponse = typeof ControlErrorResponse.Type

/** The `control_response` line, by the subtype of its `response`. */
export const controlResponses = { success: ControlSuccessResponse, error: ControlErrorResponse } as const

/**
 * The `control_response` line. With `--replay-user-messages` the CLI echoes the host's own (§5.25), so
 * one may come whose `request_id` the host never made.
 */
export const ControlResponse = Schema.Union([ControlSuccessResponse, ControlErrorResponse]).annotate({
  identifier: "ControlResponse"
})
/** The `control_response` line. */
export type ControlResponse = typeof ControlResponse.Type

/** Takes a request back: the CLI does so when an interrupt makes a permission moot (§5.38). No answer is wanted. */
export const ControlCancelRequest = open("ControlCancelRequest", {
  type: Schema.Literal("control_cancel_request"),
  request_id: Schema.String
})
/** Takes a request back. */
export type ControlCancelRequest = typeof ControlCancelRequest.Type
