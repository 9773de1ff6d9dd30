/**
 * What hooks are told about tools, permissions, sub-agents and tasks. `HookInput.ts` puts all events together.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../wire/Open.ts"
import { BackgroundTaskSummary, baseHookFields, PostToolBatchToolCall, SessionCronSummary } from "./Hook.ts"
import { McpServerProvenance } from "./Mcp.ts"
import { PermissionUpdate } from "./Permission.ts"

/** Before a tool runs; the answer may allow, deny, ask or change the input. */
export const PreToolUseHookInput = open("PreToolUseHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("PreToolUse"),
  tool_name: Schema.String,
  tool_input: Schema.Unknown,
  tool_use_id: Schema.String,
  mcp_server: optional(McpServerProvenance)
})
/** Before a tool runs. */
export type PreToolUseHookInput = typeof PreToolUseHookInput.Type

/** After a tool ran. `tool_response` is the tool's own result object, not the text the model gets. */
export const PostToolUseHookInput = open("PostToolUseHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("PostToolUse"),
  tool_name: Schema.String,
  tool_input: Schema.Unknown,
  tool_response: Schema.Unknown,
  tool_use_id: Schema.String,
  duration_ms: optional(Schema.Finite),
  mcp_server: optional(McpServerProvenance)
})
/** After a tool ran. */
export type PostToolUseHookInput = typeof PostToolUseHookInput.Type

/** After a tool failed. */
export const PostToolUseFailureHookInput = open("PostToolUseFailureHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("PostToolUseFailure"),
  tool_name: Schema.String,
  tool_input: Schema.Unknown,
  tool_use_id: Schema.String,
  error: Schema.String,
  is_interrupt: optional(Schema.Boolean),
  duration_ms: optional(Schema.Finite),
  mcp_server: optional(McpServerProvenance)
})
/** After a tool failed. */
export type PostToolUseFailureHookInput = typeof PostToolUseFailureHookInput.Type

/** After all the calls of one assistant message (2.1.197 and later). */
export const PostToolBatchHookInput = open("PostToolBatchHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("PostToolBatch"),
  tool_calls: Schema.Array(PostToolBatchToolCall)
})
/** After all the calls of one assistant message (2.1.197 and later). */
export type PostToolBatchHookInput = typeof PostToolBatchHookInput.Type

/** After auto mode refused a call. */
export const PermissionDeniedHookInput = open("PermissionDeniedHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("PermissionDenied"),
  tool_name: Schema.String,
  tool_input: Schema.Unknown,
  tool_use_id: Schema.String,
  reason: Schema.String,
  mcp_server: optional(McpServerProvenance)
})
/** After auto mode refused a call. */
export type PermissionDeniedHookInput = typeof PermissionDeniedHookInput.Type

/** When a sub-agent starts. */
export const SubagentStartHookInput = open("SubagentStartHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("SubagentStart"),
  agent_id: Schema.String,
  agent_type: Schema.String
})
/** When a sub-agent starts. */
export type SubagentStartHookInput = typeof SubagentStartHookInput.Type

/** Before a sub-agent ends. `agent_type` is empty for the CLI's own helpers. */
export const SubagentStopHookInput = open("SubagentStopHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("SubagentStop"),
  stop_hook_active: Schema.Boolean,
  agent_id: Schema.String,
  agent_transcript_path: Schema.String,
  agent_type: Schema.String,
  last_assistant_message: optional(Schema.String),
  background_tasks: optional(Schema.Array(BackgroundTaskSummary)),
  session_crons: optional(Schema.Array(SessionCronSummary))
})
/** Before a sub-agent ends. */
export type SubagentStopHookInput = typeof SubagentStopHookInput.Type

/** When a permission is asked for: before `can_use_tool` on 2.1.37, beside it later (§5.39). No `tool_use_id`. */
export const PermissionRequestHookInput = open("PermissionRequestHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("PermissionRequest"),
  tool_name: Schema.String,
  tool_input: Schema.Unknown,
  permission_suggestions: optional(Schema.Array(PermissionUpdate)),
  mcp_server: optional(McpServerProvenance)
})
/** When a permission is asked for: before `can_use_tool` on 2.1.37, beside it later (§5.39). */
export type PermissionRequestHookInput = typeof PermissionRequestHookInput.Type

/** When a teammate is about to go idle. */
export const TeammateIdleHookInput = open("TeammateIdleHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("TeammateIdle"),
  teammate_name: Schema.String,
  team_name: Schema.String
})
/** When a teammate is about to go idle. */
export type TeammateIdleHookInput = typeof TeammateIdleHookInput.Type

/** When a task is added to the list. */
export const TaskCreatedHookInput = open("TaskCreatedHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("TaskCreated"),
  task_id: Schema.String,
  task_subject: Schema.String,
  task_description: optional(Schema.String),
  teammate_name: optional(Schema.String),
  team_name: optional(Schema.String)
})
/** When a task is added to the list. */
export type TaskCreatedHookInput = typeof TaskCreatedHookInput.Type

/** When a task of the list is done. */
export const TaskCompletedHookInput = open("TaskCompletedHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("TaskCompleted"),
  task_id: Schema.String,
  task_subject: Schema.String,
  task_description: optional(Schema.String),
  teammate_name: optional(Schema.String),
  team_name: optional(Schema.String)
})
/** When a task of the list is done. */
export type TaskCompletedHookInput = typeof TaskCompletedHookInput.Type

/** When an MCP server asks the person something. */
export const ElicitationHookInput = open("ElicitationHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("Elicitation"),
  mcp_server_name: Schema.String,
  message: Schema.String,
  mode: optional(known("form", "url")),
  url: optional(Schema.String),
  elicitation_id: optional(Schema.String),
  requested_schema: optional(JsonObject)
})
/** When an MCP server asks the person something. */
export type ElicitationHookInput = typeof ElicitationHookInput.Type

/** When the person answered an MCP server. */
export const ElicitationResultHookInput = open("ElicitationResultHookInput", {
  ...baseHookFields,
  hook_event_name: Schema.Literal("ElicitationResult"),
  mcp_server_name: Schema.String,
  elicitation_id: optional(Schema.String),
  mode: optional(known("form", "url")),
  action: known("accept", "decline", "cancel"),
  content: optional(JsonObject)
})
/** When the person answered an MCP server. */
export type ElicitationResultHookInput = typeof ElicitationResultHookInput.Type
