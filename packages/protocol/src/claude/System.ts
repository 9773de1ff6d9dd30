/**
 * The table of `system` messages, by `subtype`. The schemas are beside this file, by concept.
 *
 * 2.1.325 has schemas for more subtypes than these (wire document, 1e); the others were never
 * recorded, and the decoder passes them on unread.
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
  permission_denied: SystemPermissionDenied
} as const

/** Any `system` message with a known subtype. */
export type SystemMessage = (typeof systemMessages)[keyof typeof systemMessages]["Type"]
