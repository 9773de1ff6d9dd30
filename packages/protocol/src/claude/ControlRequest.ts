/**
 * Every control request there is a schema for, with its answer: the 41 of the official types, and the
 * undocumented ones the CLI was seen to answer (§1b, §1e, §6f). Which versions answer which is in
 * `ControlAnswers.ts`.
 */
import type * as Schema from "effect/Schema"
import { variants } from "../wire/Open.ts"
import * as Ask from "./ControlAsk.ts"
import * as Dialog from "./ControlDialog.ts"
import * as Files from "./ControlFiles.ts"
import { EmptyResponse } from "./ControlInfo.ts"
import * as Mcp from "./ControlMcp.ts"
import * as Session from "./ControlSession.ts"
import * as Settings from "./ControlSettings.ts"
import * as Task from "./ControlTask.ts"
import * as Usage from "./ControlUsage.ts"
import { HookOutput } from "./HookOutput.ts"
import { McpSetServersResult } from "./Mcp.ts"
import { PermissionResult } from "./Permission.ts"

/** Who asks: the host the CLI, the CLI the host, or either. */
export type ControlDirection = "host" | "cli" | "both"

/** A request (the inner object with its `subtype`) and the payload of a success. */
export interface ControlExchange {
  readonly from: ControlDirection
  readonly request: Schema.Top
  readonly response: Schema.Top
}

/**
 * The exchanges by subtype. `response` is the schema of `response.response` of a success; where that is
 * absent on the wire, read `{}`.
 */
export const controlRequests = {
  interrupt: { from: "host", request: Session.InterruptRequest, response: Session.InterruptResponse },
  initialize: { from: "host", request: Session.InitializeRequest, response: Session.InitializeResponse },
  set_permission_mode: {
    from: "host",
    request: Session.SetPermissionModeRequest,
    response: Session.SetPermissionModeResponse
  },
  set_model: { from: "host", request: Session.SetModelRequest, response: Session.SetModelResponse },
  set_max_thinking_tokens: { from: "host", request: Session.SetMaxThinkingTokensRequest, response: EmptyResponse },
  rename_session: { from: "host", request: Session.RenameSessionRequest, response: EmptyResponse },
  set_color: { from: "host", request: Session.SetColorRequest, response: EmptyResponse },
  cancel_async_message: {
    from: "host",
    request: Session.CancelAsyncMessageRequest,
    response: Session.CancelAsyncMessageResponse
  },
  set_has_subscribers: { from: "host", request: Session.SetHasSubscribersRequest, response: EmptyResponse },
  generate_session_title: {
    from: "host",
    request: Session.GenerateSessionTitleRequest,
    response: Session.GenerateSessionTitleResponse
  },
  side_question: { from: "host", request: Session.SideQuestionRequest, response: Session.SideQuestionResponse },
  end_session: { from: "host", request: Session.EndSessionRequest, response: EmptyResponse },
  can_use_tool: { from: "cli", request: Ask.CanUseToolRequest, response: PermissionResult },
  hook_callback: { from: "cli", request: Ask.HookCallbackRequest, response: HookOutput },
  mcp_message: { from: "both", request: Ask.McpMessageRequest, response: Ask.McpMessageResponse },
  elicitation: { from: "cli", request: Ask.ElicitationRequest, response: Ask.ElicitationResponse },
  request_user_dialog: { from: "cli", request: Ask.RequestUserDialogRequest, response: Ask.RequestUserDialogResponse },
  mcp_status: { from: "host", request: Mcp.McpStatusRequest, response: Mcp.McpStatusResponse },
  mcp_set_servers: { from: "host", request: Mcp.McpSetServersRequest, response: McpSetServersResult },
  mcp_reconnect: { from: "host", request: Mcp.McpReconnectRequest, response: EmptyResponse },
  mcp_toggle: { from: "host", request: Mcp.McpToggleRequest, response: EmptyResponse },
  mcp_call: { from: "host", request: Mcp.McpCallRequest, response: Mcp.McpCallResponse },
  mcp_read_resource: { from: "host", request: Mcp.McpReadResourceRequest, response: Mcp.McpReadResourceResponse },
  set_mcp_permission_mode_override: {
    from: "host",
    request: Mcp.SetMcpPermissionModeOverrideRequest,
    response: Mcp.SetMcpPermissionModeOverrideResponse
  },
  mcp_clear_auth: { from: "host", request: Mcp.McpClearAuthRequest, response: EmptyResponse },
  file_suggestions: { from: "host", request: Files.FileSuggestionsRequest, response: Files.FileSuggestionsResponse },
  read_file: { from: "host", request: Files.ReadFileRequest, response: Files.ReadFileResponse },
  seed_read_state: { from: "host", request: Files.SeedReadStateRequest, response: EmptyResponse },
  rewind_files: { from: "host", request: Files.RewindFilesRequest, response: Files.RewindFilesResponse },
  register_repo_root: {
    from: "host",
    request: Files.RegisterRepoRootRequest,
    response: Files.RegisterRepoRootResponse
  },
  set_cwd: { from: "host", request: Files.SetCwdRequest, response: Files.SetCwdResponse },
  get_workspace_diff: {
    from: "host",
    request: Files.GetWorkspaceDiffRequest,
    response: Files.GetWorkspaceDiffResponse
  },
  list_directory: { from: "host", request: Files.ListDirectoryRequest, response: Files.ListDirectoryResponse },
  get_context_usage: { from: "host", request: Usage.GetContextUsageRequest, response: Usage.GetContextUsageResponse },
  get_session_cost: { from: "host", request: Usage.GetSessionCostRequest, response: Usage.GetSessionCostResponse },
  get_usage: { from: "host", request: Usage.GetUsageRequest, response: Usage.GetUsageResponse },
  list_models: { from: "host", request: Usage.ListModelsRequest, response: Usage.ListModelsResponse },
  get_binary_version: {
    from: "host",
    request: Usage.GetBinaryVersionRequest,
    response: Usage.GetBinaryVersionResponse
  },
  stop_task: { from: "host", request: Task.StopTaskRequest, response: EmptyResponse },
  background_tasks: { from: "host", request: Task.BackgroundTasksRequest, response: Task.BackgroundTasksResponse },
  get_task_output: { from: "host", request: Task.GetTaskOutputRequest, response: Task.GetTaskOutputResponse },
  apply_flag_settings: { from: "host", request: Settings.ApplyFlagSettingsRequest, response: EmptyResponse },
  get_settings: { from: "host", request: Settings.GetSettingsRequest, response: Settings.GetSettingsResponse },
  update_settings: { from: "host", request: Settings.UpdateSettingsRequest, response: EmptyResponse },
  get_hooks_listing: {
    from: "host",
    request: Settings.GetHooksListingRequest,
    response: Settings.GetHooksListingResponse
  },
  list_permission_rules: {
    from: "host",
    request: Settings.ListPermissionRulesRequest,
    response: Settings.ListPermissionRulesResponse
  },
  reload_plugins: { from: "host", request: Settings.ReloadPluginsRequest, response: Settings.ReloadPluginsResponse },
  reload_skills: { from: "host", request: Settings.ReloadSkillsRequest, response: Settings.ReloadSkillsResponse },
  reload_output_styles: {
    from: "host",
    request: Settings.ReloadOutputStylesRequest,
    response: Settings.ReloadOutputStylesResponse
  },
  get_status: { from: "host", request: Dialog.GetStatusRequest, response: Dialog.GetStatusResponse },
  export_conversation: {
    from: "host",
    request: Dialog.ExportConversationRequest,
    response: Dialog.ExportConversationResponse
  },
  get_plan: { from: "host", request: Dialog.GetPlanRequest, response: Dialog.GetPlanResponse },
  get_memory_dialog: { from: "host", request: Dialog.GetMemoryDialogRequest, response: Dialog.GetMemoryDialogResponse },
  get_skills_dialog: { from: "host", request: Dialog.GetSkillsDialogRequest, response: Dialog.GetSkillsDialogResponse },
  get_sandbox_dialog: {
    from: "host",
    request: Dialog.GetSandboxDialogRequest,
    response: Dialog.GetSandboxDialogResponse
  },
  get_chrome_dialog: { from: "host", request: Dialog.GetChromeDialogRequest, response: Dialog.GetChromeDialogResponse },
  message_rated: { from: "host", request: Dialog.MessageRatedRequest, response: EmptyResponse },
  set_prompt_suggestions_paused: {
    from: "host",
    request: Dialog.SetPromptSuggestionsPausedRequest,
    response: EmptyResponse
  },
  rewind_conversation: {
    from: "host",
    request: Dialog.RewindConversationRequest,
    response: Dialog.RewindConversationResponse
  },
  fork_conversation: {
    from: "host",
    request: Dialog.ForkConversationRequest,
    response: Dialog.ForkConversationResponse
  },
  list_cloud_sessions: {
    from: "host",
    request: Dialog.ListCloudSessionsRequest,
    response: Dialog.ListCloudSessionsResponse
  },
  ui_panes: { from: "host", request: Dialog.UiPanesRequest, response: Dialog.UiPanesResponse },
  mcp_tasks_changed: { from: "host", request: Dialog.McpTasksChangedRequest, response: EmptyResponse },
  set_proactivity_level: {
    from: "host",
    request: Dialog.SetProactivityLevelRequest,
    response: Dialog.SetProactivityLevelResponse
  },
  submit_feedback: { from: "host", request: Dialog.SubmitFeedbackRequest, response: Dialog.SubmitFeedbackResponse }
} as const satisfies Record<string, ControlExchange>

/** The subtypes there is a schema for. */
export type ControlSubtype = keyof typeof controlRequests

/** Whether there is a schema for a subtype. */
export const isControlSubtype = (subtype: string): subtype is ControlSubtype => Object.hasOwn(controlRequests, subtype)

/** The inner request of a subtype: `RequestOf<"can_use_tool">`. */
export type RequestOf<S extends ControlSubtype> = (typeof controlRequests)[S]["request"]["Type"]

/** The payload of a success of a subtype: `ResponseOf<"can_use_tool">`. */
export type ResponseOf<S extends ControlSubtype> = (typeof controlRequests)[S]["response"]["Type"]

/** Any inner request; a subtype that came later keeps all of its fields. */
export const ControlRequestBody = variants(
  "ControlRequestBody",
  "subtype",
  Object.values(controlRequests).map(({ request }) => request)
)
/** Any inner request. */
export type ControlRequestBody = typeof ControlRequestBody.Type
