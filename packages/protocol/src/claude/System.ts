/**
 * The table of `system` messages, by `subtype`. The schemas are beside this file, by concept.
 *
 * As far as the code of 2.1.325 shows, these are all it can write to its output. Its binary has schemas for
 * more subtypes (docs/wire/claude-code.md §1e), but no code that fills them: these stay in the transcript
 * and the terminal, with other fields. The lines CLAUDE_CODE_TEE_SDK_STDOUT adds under
 * `--sdk-url` are not here: they have no `uuid`. The decoder passes on unread what the table lacks.
 */
import { SystemHookProgress, SystemHookResponse, SystemHookStarted } from "./HookLifecycle.ts"
import {
  SystemApiRetry,
  SystemControlRequestProgress,
  SystemModelFallback,
  SystemModelRefusalFallback,
  SystemModelRefusalNoFallback,
  SystemThinkingTokens
} from "./ModelCall.ts"
import {
  SystemCompactBoundary,
  SystemFilesPersisted,
  SystemMirrorError,
  SystemSessionStateChanged,
  SystemSessionTitleChanged,
  SystemSessionWritesLost,
  SystemStatus,
  SystemWorkerShuttingDown
} from "./SessionState.ts"
import { SystemInit } from "./SystemInit.ts"
import {
  SystemCommandsChanged,
  SystemElicitationComplete,
  SystemInformational,
  SystemLocalCommandOutput,
  SystemMemoryRecall,
  SystemNotification,
  SystemPermissionDenied,
  SystemPluginInstall
} from "./SystemNotice.ts"
import {
  SystemBridgeState,
  SystemCloudSessionDelta,
  SystemFileAttachmentsMissing,
  SystemInheritedAsksSettled,
  SystemTurnHandoffAvailable
} from "./SystemRemote.ts"
import {
  SystemFeedbackDraftQueued,
  SystemInstructionSizeWarning,
  SystemPostTurnSummary,
  SystemSessionMetadata,
  SystemTaskSummary
} from "./SystemSummary.ts"
import {
  SystemModelConsentFallback,
  SystemPeerMessageHold,
  SystemPermissionCheckStatus,
  SystemPerTurnEffortChanged,
  SystemToolHostResult,
  SystemTurnPreempted
} from "./SystemTurn.ts"
import {
  SystemUiFocus,
  SystemUiInvalidate,
  SystemUiLog,
  SystemUiNotify,
  SystemUiNotifyCancel,
  SystemUiPanes,
  SystemUiPlaced,
  SystemUiScroll,
  SystemUiStatus,
  SystemUiToast
} from "./SystemUi.ts"
import { SystemCodeChangePublished, SystemDevIntent, SystemVcsStateChanged } from "./SystemVcs.ts"
import {
  SystemBackgroundTasksChanged,
  SystemTaskNotification,
  SystemTaskProgress,
  SystemTaskStarted,
  SystemTaskUpdated
} from "./Task.ts"

/** The `system` messages by `subtype`. */
export const systemMessages = {
  init: SystemInit,
  status: SystemStatus,
  compact_boundary: SystemCompactBoundary,
  api_retry: SystemApiRetry,
  control_request_progress: SystemControlRequestProgress,
  model_fallback: SystemModelFallback,
  model_refusal_fallback: SystemModelRefusalFallback,
  model_refusal_no_fallback: SystemModelRefusalNoFallback,
  local_command_output: SystemLocalCommandOutput,
  hook_started: SystemHookStarted,
  hook_progress: SystemHookProgress,
  hook_response: SystemHookResponse,
  plugin_install: SystemPluginInstall,
  task_started: SystemTaskStarted,
  task_updated: SystemTaskUpdated,
  task_progress: SystemTaskProgress,
  task_notification: SystemTaskNotification,
  background_tasks_changed: SystemBackgroundTasksChanged,
  thinking_tokens: SystemThinkingTokens,
  session_state_changed: SystemSessionStateChanged,
  session_title_changed: SystemSessionTitleChanged,
  session_writes_lost: SystemSessionWritesLost,
  mirror_error: SystemMirrorError,
  worker_shutting_down: SystemWorkerShuttingDown,
  commands_changed: SystemCommandsChanged,
  notification: SystemNotification,
  informational: SystemInformational,
  files_persisted: SystemFilesPersisted,
  memory_recall: SystemMemoryRecall,
  elicitation_complete: SystemElicitationComplete,
  permission_denied: SystemPermissionDenied,
  permission_check_status: SystemPermissionCheckStatus,
  model_consent_fallback: SystemModelConsentFallback,
  per_turn_effort_changed: SystemPerTurnEffortChanged,
  turn_preempted: SystemTurnPreempted,
  peer_message_hold: SystemPeerMessageHold,
  tool_host_result: SystemToolHostResult,
  post_turn_summary: SystemPostTurnSummary,
  task_summary: SystemTaskSummary,
  session_metadata: SystemSessionMetadata,
  feedback_draft_queued: SystemFeedbackDraftQueued,
  instruction_size_warning: SystemInstructionSizeWarning,
  vcs_state_changed: SystemVcsStateChanged,
  code_change_published: SystemCodeChangePublished,
  dev_intent: SystemDevIntent,
  ui_invalidate: SystemUiInvalidate,
  ui_log: SystemUiLog,
  ui_toast: SystemUiToast,
  ui_status: SystemUiStatus,
  ui_notify: SystemUiNotify,
  ui_notify_cancel: SystemUiNotifyCancel,
  ui_panes: SystemUiPanes,
  ui_placed: SystemUiPlaced,
  ui_scroll: SystemUiScroll,
  ui_focus: SystemUiFocus,
  bridge_state: SystemBridgeState,
  file_attachments_missing: SystemFileAttachmentsMissing,
  inherited_asks_settled: SystemInheritedAsksSettled,
  turn_handoff_available: SystemTurnHandoffAvailable,
  cloud_session_delta: SystemCloudSessionDelta
} as const

/** Any `system` message with a known subtype. */
export type SystemMessage = (typeof systemMessages)[keyof typeof systemMessages]["Type"]
