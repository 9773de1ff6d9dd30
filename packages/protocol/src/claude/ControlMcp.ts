/**
 * Control requests about MCP servers: their status, changing them, calling them without the model.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../wire/Open.ts"
import { McpServerConfig, McpServerStatus } from "./Mcp.ts"

/** Asks how the servers are doing. */
export const McpStatusRequest = open("McpStatusRequest", {
  subtype: Schema.Literal("mcp_status"),
  liveReply: optional(Schema.Boolean)
})
/** Asks how the servers are doing. */
export type McpStatusRequest = typeof McpStatusRequest.Type

/** How the servers are doing. */
export const McpStatusResponse = open("McpStatusResponse", { mcpServers: Schema.Array(McpServerStatus) })
/** How the servers are doing. */
export type McpStatusResponse = typeof McpStatusResponse.Type

/**
 * Replaces the servers the host added; those of `initialize.sdkMcpServers` count among them and go when
 * they are left out. Answered with an `McpSetServersResult`.
 */
export const McpSetServersRequest = open("McpSetServersRequest", {
  subtype: Schema.Literal("mcp_set_servers"),
  servers: Schema.Record(Schema.String, McpServerConfig)
})
/** Replaces the servers the host added. */
export type McpSetServersRequest = typeof McpSetServersRequest.Type

/** Connects again. An error for `sdk` servers, and on 2.1.37 for every server added at run time. */
export const McpReconnectRequest = open("McpReconnectRequest", {
  subtype: Schema.Literal("mcp_reconnect"),
  serverName: Schema.String
})
/** Connects again. */
export type McpReconnectRequest = typeof McpReconnectRequest.Type

/** Switches a server on or off. On 2.1.37 an error for servers added at run time. */
export const McpToggleRequest = open("McpToggleRequest", {
  subtype: Schema.Literal("mcp_toggle"),
  serverName: Schema.String,
  enabled: Schema.Boolean
})
/** Switches a server on or off. */
export type McpToggleRequest = typeof McpToggleRequest.Type

const stagedFile = { name: Schema.String, lane_path: Schema.String }

/** Calls a tool (`mcp__server__tool`) without the model. `sdk` servers are refused: the host has them itself. */
export const McpCallRequest = open("McpCallRequest", {
  subtype: Schema.Literal("mcp_call"),
  tool: Schema.String,
  arguments: optional(JsonObject),
  expires_at: optional(Schema.String),
  timeout_ms: optional(Schema.Finite),
  result_not_for_model: optional(Schema.Boolean),
  check_permissions: optional(Schema.Boolean),
  input_files: optional(Schema.Array(open(stagedFile))),
  output_files: optional(Schema.Array(open({ ...stagedFile, if_match: optional(Schema.String) })))
})
/** Calls a tool without the model. */
export type McpCallRequest = typeof McpCallRequest.Type

/**
 * The tool's result. `content` is what the model would get: the JSON text of the structured content when
 * there is some, else blocks of the model API; with `result_not_for_model` (2.1.325) MCP's own blocks.
 * A tool that fails is an error answer.
 */
export const McpCallResponse = open("McpCallResponse", {
  content: Schema.Unknown,
  structuredContent: optional(JsonObject),
  _meta: optional(JsonObject),
  staging: optional(
    open({
      ok: Schema.Boolean,
      outputs: optional(Schema.Array(open({ lane_path: Schema.String, etag: Schema.String, bytes: Schema.Finite }))),
      inputs_used: optional(Schema.Array(open({ lane_path: Schema.String, etag: Schema.String }))),
      error_code: optional(
        known("expired", "input_missing", "output_too_large", "output_conflict", "timeout", "tool_error")
      ),
      detail: optional(Schema.String),
      retryable: optional(Schema.Boolean),
      refusal_limit: optional(Schema.Boolean)
    })
  )
})
/** The tool's result. */
export type McpCallResponse = typeof McpCallResponse.Type

/** Reads a resource; only `ui://` ones, and not of `sdk` servers (2.1.325). */
export const McpReadResourceRequest = open("McpReadResourceRequest", {
  subtype: Schema.Literal("mcp_read_resource"),
  serverName: Schema.String,
  uri: Schema.String
})
/** Reads a resource. */
export type McpReadResourceRequest = typeof McpReadResourceRequest.Type

/** What the resource holds. */
export const McpReadResourceResponse = open("McpReadResourceResponse", {
  contents: Schema.Array(
    open({
      uri: Schema.String,
      mimeType: optional(Schema.String),
      text: optional(Schema.String),
      blob: optional(Schema.String),
      _meta: optional(JsonObject)
    })
  )
})
/** What the resource holds. */
export type McpReadResourceResponse = typeof McpReadResourceResponse.Type

/** Gives one server a permission mode of its own; null takes it back. Undocumented; answered from 2.1.197. */
export const SetMcpPermissionModeOverrideRequest = open("SetMcpPermissionModeOverrideRequest", {
  subtype: Schema.Literal("set_mcp_permission_mode_override"),
  serverName: Schema.String,
  mode: Schema.NullOr(known("default", "auto")),
  askForTools: optional(Schema.NullOr(Schema.Array(open({ name: Schema.String }))))
})
/** Gives one server a permission mode of its own. */
export type SetMcpPermissionModeOverrideRequest = typeof SetMcpPermissionModeOverrideRequest.Type

/** A warning when the server is not there yet. */
export const SetMcpPermissionModeOverrideResponse = open("SetMcpPermissionModeOverrideResponse", {
  warning: optional(Schema.String)
})
/** A warning when the server is not there yet. */
export type SetMcpPermissionModeOverrideResponse = typeof SetMcpPermissionModeOverrideResponse.Type

/** Forgets the sign-in of an HTTP or SSE server. Undocumented; answered from 2.1.113. */
export const McpClearAuthRequest = open("McpClearAuthRequest", {
  subtype: Schema.Literal("mcp_clear_auth"),
  serverName: Schema.String
})
/** Forgets the sign-in of a server. */
export type McpClearAuthRequest = typeof McpClearAuthRequest.Type
