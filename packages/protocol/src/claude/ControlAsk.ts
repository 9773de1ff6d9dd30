/**
 * What the CLI asks the host: may this tool run, call this hook, pass this on to your MCP server, ask
 * the person. Everything here wants an answer; the CLI waits for it.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional, variants } from "../wire/Open.ts"
import { HookInput } from "./HookInput.ts"
import { JsonRpcMessage, McpServerProvenance } from "./Mcp.ts"
import { DecisionReasonType, PermissionUpdate } from "./Permission.ts"

/**
 * May this tool run? Answered with a `PermissionResult`. From 2.1.197 it can come before the message
 * that announces the tool is over (§5.4). A sub-agent's has `agent_id`, never the parent's tool use
 * (§5.36). `input` is `{}` for ExitPlanMode on 2.1.325 (§5.33).
 */
export const CanUseToolRequest = open("CanUseToolRequest", {
  subtype: Schema.Literal("can_use_tool"),
  tool_name: Schema.String,
  tool_use_id: Schema.String,
  input: JsonObject,
  mcp_server: optional(McpServerProvenance),
  permission_suggestions: optional(Schema.Array(PermissionUpdate)),
  blocked_path: optional(Schema.String),
  decision_reason: optional(Schema.String),
  decision_reason_type: optional(DecisionReasonType),
  decision_reason_code: optional(Schema.String),
  decision_reason_rule_source: optional(Schema.String),
  decision_reason_hook_event: optional(known("PreToolUse", "tool.check")),
  decision_reason_hook_source: optional(Schema.String),
  decision_reason_hook_plugin_id: optional(Schema.String),
  server_policy_ask_only: optional(Schema.Boolean),
  classifier_approvable: optional(Schema.Boolean),
  suppress_always_allow_rule: optional(Schema.Boolean),
  default_to_no: optional(Schema.Boolean),
  matched_ask_rule: optional(
    open({ source: Schema.String, tool_name: Schema.String, rule_content: optional(Schema.String) })
  ),
  title: optional(Schema.String),
  display_name: optional(Schema.String),
  description: optional(Schema.String),
  agent_id: optional(Schema.String),
  plugin: optional(Schema.String),
  requires_user_interaction: optional(Schema.Boolean)
})
/** May this tool run? */
export type CanUseToolRequest = typeof CanUseToolRequest.Type

/** Calls a hook the host registered in `initialize`. Answered with a `HookOutput`; an error is not fatal. */
export const HookCallbackRequest = open("HookCallbackRequest", {
  subtype: Schema.Literal("hook_callback"),
  callback_id: Schema.String,
  input: HookInput,
  tool_use_id: optional(Schema.String),
  issued_at: optional(Schema.Finite),
  deadline_ms: optional(Schema.Finite)
})
/** Calls a hook the host registered. */
export type HookCallbackRequest = typeof HookCallbackRequest.Type

/**
 * A JSON-RPC message between the CLI and an MCP server inside the host, in either direction (§7). The
 * CLI asks one `tools/call` at a time and waits as long as it takes.
 */
export const McpMessageRequest = open("McpMessageRequest", {
  subtype: Schema.Literal("mcp_message"),
  server_name: Schema.String,
  message: JsonRpcMessage
})
/** A JSON-RPC message to or from an MCP server inside the host. */
export type McpMessageRequest = typeof McpMessageRequest.Type

/** The server's answer. To a notification hosts answer an empty result, the CLI nothing at all. */
export const McpMessageResponse = open("McpMessageResponse", { mcp_response: optional(JsonRpcMessage) })
/** The server's answer. */
export type McpMessageResponse = typeof McpMessageResponse.Type

/** An MCP server asks the person something: a form, or a page to visit (2.1.113 and later). */
export const ElicitationRequest = open("ElicitationRequest", {
  subtype: Schema.Literal("elicitation"),
  mcp_server_name: Schema.String,
  message: Schema.String,
  mode: optional(known("form", "url")),
  url: optional(Schema.String),
  elicitation_id: optional(Schema.String),
  requested_schema: optional(JsonObject),
  property_order: optional(Schema.Array(Schema.String)),
  title: optional(Schema.String),
  display_name: optional(Schema.String),
  description: optional(Schema.String)
})
/** An MCP server asks the person something. */
export type ElicitationRequest = typeof ElicitationRequest.Type

/** The person's answer. `content` fills the form, with `accept` only. */
export const ElicitationResponse = open("ElicitationResponse", {
  action: known("accept", "decline", "cancel"),
  content: optional(JsonObject)
})
/** The person's answer. */
export type ElicitationResponse = typeof ElicitationResponse.Type

/** Shows a dialog of a kind the host listed in `initialize.supportedDialogKinds`. Never recorded. */
export const RequestUserDialogRequest = open("RequestUserDialogRequest", {
  subtype: Schema.Literal("request_user_dialog"),
  dialog_kind: Schema.String,
  payload: JsonObject,
  tool_use_id: optional(Schema.String)
})
/** Shows a dialog. */
export type RequestUserDialogRequest = typeof RequestUserDialogRequest.Type

/** A dialog that was answered. */
export const UserDialogCompleted = open("UserDialogCompleted", {
  behavior: Schema.Literal("completed"),
  result: optional(Schema.Unknown)
})
/** A dialog that was answered. */
export type UserDialogCompleted = typeof UserDialogCompleted.Type

/** A dialog that was closed. */
export const UserDialogCancelled = open("UserDialogCancelled", { behavior: Schema.Literal("cancelled") })
/** A dialog that was closed. */
export type UserDialogCancelled = typeof UserDialogCancelled.Type

/** What became of a dialog. */
export const RequestUserDialogResponse = variants("RequestUserDialogResponse", "behavior", [
  UserDialogCompleted,
  UserDialogCancelled
])
/** What became of a dialog. */
export type RequestUserDialogResponse = typeof RequestUserDialogResponse.Type
