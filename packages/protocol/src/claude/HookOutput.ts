/**
 * What hooks may answer: the payload of a host's answer to `hook_callback`, and what command hooks
 * print. camelCase, unlike the inputs.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional, variants } from "../wire/Open.ts"
import { PermissionUpdate } from "./Permission.ts"

/** A permission given by a `PermissionRequest` hook. */
export const PermissionRequestAllow = open("PermissionRequestAllow", {
  behavior: Schema.Literal("allow"),
  updatedInput: optional(JsonObject),
  updatedPermissions: optional(Schema.Array(PermissionUpdate))
})
/** A permission given by a `PermissionRequest` hook. */
export type PermissionRequestAllow = typeof PermissionRequestAllow.Type

/** A permission refused by a `PermissionRequest` hook. */
export const PermissionRequestDeny = open("PermissionRequestDeny", {
  behavior: Schema.Literal("deny"),
  message: optional(Schema.String),
  interrupt: optional(Schema.Boolean)
})
/** A permission refused by a `PermissionRequest` hook. */
export type PermissionRequestDeny = typeof PermissionRequestDeny.Type

/** What a `PermissionRequest` hook decides. */
export const PermissionRequestDecision = variants("PermissionRequestDecision", "behavior", [
  PermissionRequestAllow,
  PermissionRequestDeny
])
/** What a `PermissionRequest` hook decides. */
export type PermissionRequestDecision = typeof PermissionRequestDecision.Type

/** Decides about the call. `defer` leaves the decision to whoever asks next. */
export const PreToolUseHookSpecificOutput = open("PreToolUseHookSpecificOutput", {
  hookEventName: Schema.Literal("PreToolUse"),
  permissionDecision: optional(known("allow", "deny", "ask", "defer")),
  permissionDecisionReason: optional(Schema.String),
  updatedInput: optional(JsonObject),
  additionalContext: optional(Schema.String)
})
/** Decides about the call. */
export type PreToolUseHookSpecificOutput = typeof PreToolUseHookSpecificOutput.Type

/** Adds to the prompt, or hides it. */
export const UserPromptSubmitHookSpecificOutput = open("UserPromptSubmitHookSpecificOutput", {
  hookEventName: Schema.Literal("UserPromptSubmit"),
  additionalContext: optional(Schema.String),
  sessionTitle: optional(Schema.String),
  suppressOriginalPrompt: optional(Schema.Boolean)
})
/** Adds to the prompt, or hides it. */
export type UserPromptSubmitHookSpecificOutput = typeof UserPromptSubmitHookSpecificOutput.Type

/** Adds to the expanded prompt, or hides the original. */
export const UserPromptExpansionHookSpecificOutput = open("UserPromptExpansionHookSpecificOutput", {
  hookEventName: Schema.Literal("UserPromptExpansion"),
  additionalContext: optional(Schema.String),
  suppressOriginalPrompt: optional(Schema.Boolean)
})
/** Adds to the expanded prompt, or hides the original. */
export type UserPromptExpansionHookSpecificOutput = typeof UserPromptExpansionHookSpecificOutput.Type

/** Adds to the session, or sends a first message. */
export const SessionStartHookSpecificOutput = open("SessionStartHookSpecificOutput", {
  hookEventName: Schema.Literal("SessionStart"),
  additionalContext: optional(Schema.String),
  initialUserMessage: optional(Schema.String),
  sessionTitle: optional(Schema.String),
  watchPaths: optional(Schema.Array(Schema.String)),
  reloadSkills: optional(Schema.Boolean)
})
/** Adds to the session, or sends a first message. */
export type SessionStartHookSpecificOutput = typeof SessionStartHookSpecificOutput.Type

/** Adds to the session. */
export const SetupHookSpecificOutput = open("SetupHookSpecificOutput", {
  hookEventName: Schema.Literal("Setup"),
  additionalContext: optional(Schema.String)
})
/** Adds to the session. */
export type SetupHookSpecificOutput = typeof SetupHookSpecificOutput.Type

/** Decides about the switch. */
export const PreModelSwitchHookSpecificOutput = open("PreModelSwitchHookSpecificOutput", {
  hookEventName: Schema.Literal("PreModelSwitch"),
  permissionDecision: optional(known("allow", "deny", "ask")),
  permissionDecisionReason: optional(Schema.String)
})
/** Decides about the switch. */
export type PreModelSwitchHookSpecificOutput = typeof PreModelSwitchHookSpecificOutput.Type

/** Adds to the context. */
export const PostModelSwitchHookSpecificOutput = open("PostModelSwitchHookSpecificOutput", {
  hookEventName: Schema.Literal("PostModelSwitch"),
  additionalContext: optional(Schema.String)
})
/** Adds to the context. */
export type PostModelSwitchHookSpecificOutput = typeof PostModelSwitchHookSpecificOutput.Type

/** Adds to the sub-agent's context. */
export const SubagentStartHookSpecificOutput = open("SubagentStartHookSpecificOutput", {
  hookEventName: Schema.Literal("SubagentStart"),
  additionalContext: optional(Schema.String)
})
/** Adds to the sub-agent's context. */
export type SubagentStartHookSpecificOutput = typeof SubagentStartHookSpecificOutput.Type

/** Adds to the context, or replaces the tool's output. `updatedMCPToolOutput` is the older name, for MCP tools. */
export const PostToolUseHookSpecificOutput = open("PostToolUseHookSpecificOutput", {
  hookEventName: Schema.Literal("PostToolUse"),
  additionalContext: optional(Schema.String),
  classifierContext: optional(Schema.String),
  updatedToolOutput: optional(Schema.Unknown),
  updatedMCPToolOutput: optional(Schema.Unknown)
})
/** Adds to the context, or replaces the tool's output. */
export type PostToolUseHookSpecificOutput = typeof PostToolUseHookSpecificOutput.Type

/** Adds to the context. */
export const PostToolUseFailureHookSpecificOutput = open("PostToolUseFailureHookSpecificOutput", {
  hookEventName: Schema.Literal("PostToolUseFailure"),
  additionalContext: optional(Schema.String)
})
/** Adds to the context. */
export type PostToolUseFailureHookSpecificOutput = typeof PostToolUseFailureHookSpecificOutput.Type

/** Adds to the context. */
export const PostToolBatchHookSpecificOutput = open("PostToolBatchHookSpecificOutput", {
  hookEventName: Schema.Literal("PostToolBatch"),
  additionalContext: optional(Schema.String)
})
/** Adds to the context. */
export type PostToolBatchHookSpecificOutput = typeof PostToolBatchHookSpecificOutput.Type

/** Adds to the context. */
export const StopHookSpecificOutput = open("StopHookSpecificOutput", {
  hookEventName: Schema.Literal("Stop"),
  additionalContext: optional(Schema.String)
})
/** Adds to the context. */
export type StopHookSpecificOutput = typeof StopHookSpecificOutput.Type

/** Adds to the sub-agent's context. */
export const SubagentStopHookSpecificOutput = open("SubagentStopHookSpecificOutput", {
  hookEventName: Schema.Literal("SubagentStop"),
  additionalContext: optional(Schema.String)
})
/** Adds to the sub-agent's context. */
export type SubagentStopHookSpecificOutput = typeof SubagentStopHookSpecificOutput.Type

/** Lets the model try again. */
export const PermissionDeniedHookSpecificOutput = open("PermissionDeniedHookSpecificOutput", {
  hookEventName: Schema.Literal("PermissionDenied"),
  retry: optional(Schema.Boolean)
})
/** Lets the model try again. */
export type PermissionDeniedHookSpecificOutput = typeof PermissionDeniedHookSpecificOutput.Type

/** Adds to the context. */
export const NotificationHookSpecificOutput = open("NotificationHookSpecificOutput", {
  hookEventName: Schema.Literal("Notification"),
  additionalContext: optional(Schema.String)
})
/** Adds to the context. */
export type NotificationHookSpecificOutput = typeof NotificationHookSpecificOutput.Type

/** Answers the permission in the person's place. Unlike the answer to `can_use_tool`, a refusal needs no message. */
export const PermissionRequestHookSpecificOutput = open("PermissionRequestHookSpecificOutput", {
  hookEventName: Schema.Literal("PermissionRequest"),
  decision: PermissionRequestDecision
})
/** Answers the permission in the person's place. */
export type PermissionRequestHookSpecificOutput = typeof PermissionRequestHookSpecificOutput.Type

/** Answers the MCP server in the person's place. */
export const ElicitationHookSpecificOutput = open("ElicitationHookSpecificOutput", {
  hookEventName: Schema.Literal("Elicitation"),
  action: optional(known("accept", "decline", "cancel")),
  content: optional(JsonObject)
})
/** Answers the MCP server in the person's place. */
export type ElicitationHookSpecificOutput = typeof ElicitationHookSpecificOutput.Type

/** Replaces the person's answer. */
export const ElicitationResultHookSpecificOutput = open("ElicitationResultHookSpecificOutput", {
  hookEventName: Schema.Literal("ElicitationResult"),
  action: optional(known("accept", "decline", "cancel")),
  content: optional(JsonObject)
})
/** Replaces the person's answer. */
export type ElicitationResultHookSpecificOutput = typeof ElicitationResultHookSpecificOutput.Type

/** Replaces the list of watched files. */
export const CwdChangedHookSpecificOutput = open("CwdChangedHookSpecificOutput", {
  hookEventName: Schema.Literal("CwdChanged"),
  watchPaths: optional(Schema.Array(Schema.String))
})
/** Replaces the list of watched files. */
export type CwdChangedHookSpecificOutput = typeof CwdChangedHookSpecificOutput.Type

/** Replaces the list of watched files. */
export const FileChangedHookSpecificOutput = open("FileChangedHookSpecificOutput", {
  hookEventName: Schema.Literal("FileChanged"),
  watchPaths: optional(Schema.Array(Schema.String))
})
/** Replaces the list of watched files. */
export type FileChangedHookSpecificOutput = typeof FileChangedHookSpecificOutput.Type

/** Says where the worktree is. */
export const WorktreeCreateHookSpecificOutput = open("WorktreeCreateHookSpecificOutput", {
  hookEventName: Schema.Literal("WorktreeCreate"),
  worktreePath: Schema.String
})
/** Says where the worktree is. */
export type WorktreeCreateHookSpecificOutput = typeof WorktreeCreateHookSpecificOutput.Type

/** Replaces what is shown. */
export const MessageDisplayHookSpecificOutput = open("MessageDisplayHookSpecificOutput", {
  hookEventName: Schema.Literal("MessageDisplay"),
  displayContent: optional(Schema.String)
})
/** Replaces what is shown. */
export type MessageDisplayHookSpecificOutput = typeof MessageDisplayHookSpecificOutput.Type

/** The schema of what an event's hooks can answer beyond the common fields, by event name. The other events have none. */
export const hookSpecificOutputs = {
  PreToolUse: PreToolUseHookSpecificOutput,
  UserPromptSubmit: UserPromptSubmitHookSpecificOutput,
  UserPromptExpansion: UserPromptExpansionHookSpecificOutput,
  SessionStart: SessionStartHookSpecificOutput,
  Setup: SetupHookSpecificOutput,
  PreModelSwitch: PreModelSwitchHookSpecificOutput,
  PostModelSwitch: PostModelSwitchHookSpecificOutput,
  SubagentStart: SubagentStartHookSpecificOutput,
  PostToolUse: PostToolUseHookSpecificOutput,
  PostToolUseFailure: PostToolUseFailureHookSpecificOutput,
  PostToolBatch: PostToolBatchHookSpecificOutput,
  Stop: StopHookSpecificOutput,
  SubagentStop: SubagentStopHookSpecificOutput,
  PermissionDenied: PermissionDeniedHookSpecificOutput,
  Notification: NotificationHookSpecificOutput,
  PermissionRequest: PermissionRequestHookSpecificOutput,
  Elicitation: ElicitationHookSpecificOutput,
  ElicitationResult: ElicitationResultHookSpecificOutput,
  CwdChanged: CwdChangedHookSpecificOutput,
  FileChanged: FileChangedHookSpecificOutput,
  WorktreeCreate: WorktreeCreateHookSpecificOutput,
  MessageDisplay: MessageDisplayHookSpecificOutput
} as const

/** What an answer says beyond the common fields, by the event it answers. */
export const HookSpecificOutput = variants("HookSpecificOutput", "hookEventName", [
  PreToolUseHookSpecificOutput,
  UserPromptSubmitHookSpecificOutput,
  UserPromptExpansionHookSpecificOutput,
  SessionStartHookSpecificOutput,
  SetupHookSpecificOutput,
  PreModelSwitchHookSpecificOutput,
  PostModelSwitchHookSpecificOutput,
  SubagentStartHookSpecificOutput,
  PostToolUseHookSpecificOutput,
  PostToolUseFailureHookSpecificOutput,
  PostToolBatchHookSpecificOutput,
  StopHookSpecificOutput,
  SubagentStopHookSpecificOutput,
  PermissionDeniedHookSpecificOutput,
  NotificationHookSpecificOutput,
  PermissionRequestHookSpecificOutput,
  ElicitationHookSpecificOutput,
  ElicitationResultHookSpecificOutput,
  CwdChangedHookSpecificOutput,
  FileChangedHookSpecificOutput,
  WorktreeCreateHookSpecificOutput,
  MessageDisplayHookSpecificOutput
])
/** What an answer says beyond the common fields. */
export type HookSpecificOutput = typeof HookSpecificOutput.Type

/** An answer given at once. An empty object means: nothing to say, continue. */
export const SyncHookOutput = open("SyncHookOutput", {
  continue: optional(Schema.Boolean),
  suppressOutput: optional(Schema.Boolean),
  stopReason: optional(Schema.String),
  decision: optional(known("approve", "block")),
  systemMessage: optional(Schema.String),
  terminalSequence: optional(Schema.String),
  reason: optional(Schema.String),
  hookSpecificOutput: optional(HookSpecificOutput)
})
/** An answer given at once. */
export type SyncHookOutput = typeof SyncHookOutput.Type

/** An answer that says: do not wait, the hook continues in the background. */
export const AsyncHookOutput = open("AsyncHookOutput", {
  async: Schema.Literal(true),
  asyncTimeout: optional(Schema.Finite)
})
/** An answer that says: do not wait. */
export type AsyncHookOutput = typeof AsyncHookOutput.Type

/** What a hook answers. The asynchronous form is told by its `async: true` and comes first. */
export const HookOutput = Schema.Union([AsyncHookOutput, SyncHookOutput]).annotate({ identifier: "HookOutput" })
/** What a hook answers. */
export type HookOutput = typeof HookOutput.Type
