/**
 * What hooks are told: the `input` of a `hook_callback`, one schema per event, discriminated by
 * `hook_event_name`.
 */
import { variants } from "../wire/Open.ts"
import {
  ConfigChangeHookInput,
  CwdChangedHookInput,
  DirectoryAddedHookInput,
  FileChangedHookInput,
  InstructionsLoadedHookInput,
  MessageDisplayHookInput,
  NotificationHookInput,
  PostCompactHookInput,
  PostModelSwitchHookInput,
  PreCompactHookInput,
  PreModelSwitchHookInput,
  SessionEndHookInput,
  SessionStartHookInput,
  SetupHookInput,
  StopFailureHookInput,
  StopHookInput,
  UserPromptExpansionHookInput,
  UserPromptSubmitHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput
} from "./HookSessionInput.ts"
import {
  ElicitationHookInput,
  ElicitationResultHookInput,
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostToolBatchHookInput,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreToolUseHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
  TaskCompletedHookInput,
  TaskCreatedHookInput,
  TeammateIdleHookInput
} from "./HookToolInput.ts"

/** The schema of each event's input, by event name. */
export const hookInputs = {
  PreToolUse: PreToolUseHookInput,
  PostToolUse: PostToolUseHookInput,
  PostToolUseFailure: PostToolUseFailureHookInput,
  PostToolBatch: PostToolBatchHookInput,
  PermissionDenied: PermissionDeniedHookInput,
  Notification: NotificationHookInput,
  UserPromptSubmit: UserPromptSubmitHookInput,
  UserPromptExpansion: UserPromptExpansionHookInput,
  SessionStart: SessionStartHookInput,
  SessionEnd: SessionEndHookInput,
  Stop: StopHookInput,
  StopFailure: StopFailureHookInput,
  SubagentStart: SubagentStartHookInput,
  SubagentStop: SubagentStopHookInput,
  PreCompact: PreCompactHookInput,
  PostCompact: PostCompactHookInput,
  PreModelSwitch: PreModelSwitchHookInput,
  PostModelSwitch: PostModelSwitchHookInput,
  PermissionRequest: PermissionRequestHookInput,
  Setup: SetupHookInput,
  TeammateIdle: TeammateIdleHookInput,
  TaskCreated: TaskCreatedHookInput,
  TaskCompleted: TaskCompletedHookInput,
  Elicitation: ElicitationHookInput,
  ElicitationResult: ElicitationResultHookInput,
  ConfigChange: ConfigChangeHookInput,
  InstructionsLoaded: InstructionsLoadedHookInput,
  WorktreeCreate: WorktreeCreateHookInput,
  WorktreeRemove: WorktreeRemoveHookInput,
  CwdChanged: CwdChangedHookInput,
  FileChanged: FileChangedHookInput,
  DirectoryAdded: DirectoryAddedHookInput,
  MessageDisplay: MessageDisplayHookInput
} as const

/** What a hook is told, whichever the event. An event that came later keeps its name and all of its fields. */
export const HookInput = variants("HookInput", "hook_event_name", [
  PreToolUseHookInput,
  PostToolUseHookInput,
  PostToolUseFailureHookInput,
  PostToolBatchHookInput,
  PermissionDeniedHookInput,
  NotificationHookInput,
  UserPromptSubmitHookInput,
  UserPromptExpansionHookInput,
  SessionStartHookInput,
  SessionEndHookInput,
  StopHookInput,
  StopFailureHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
  PreCompactHookInput,
  PostCompactHookInput,
  PreModelSwitchHookInput,
  PostModelSwitchHookInput,
  PermissionRequestHookInput,
  SetupHookInput,
  TeammateIdleHookInput,
  TaskCreatedHookInput,
  TaskCompletedHookInput,
  ElicitationHookInput,
  ElicitationResultHookInput,
  ConfigChangeHookInput,
  InstructionsLoadedHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput,
  CwdChangedHookInput,
  FileChangedHookInput,
  DirectoryAddedHookInput,
  MessageDisplayHookInput
])
/** What a hook is told, whichever the event. */
export type HookInput = typeof HookInput.Type
