/**
 * MCP servers as the CLI speaks of them: how they are configured, how they are doing, and the
 * JSON-RPC messages that `mcp_message` carries for servers that live in the host (§7).
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional, variants } from "../wire/Open.ts"

/** Which server a tool comes from, and where that server was configured (2.1.325). */
export const McpServerProvenance = open("McpServerProvenance", { name: Schema.String, source: Schema.String })
/** Which server a tool comes from. */
export type McpServerProvenance = typeof McpServerProvenance.Type

/** What a server's configuration decides about one of its tools. */
export const McpServerToolPolicy = open("McpServerToolPolicy", {
  name: Schema.String,
  permission_policy: optional(known("always_allow", "always_ask", "always_deny")),
  org_max_permission: optional(known("allow", "ask", "blocked"))
})
/** What a server's configuration decides about one of its tools. */
export type McpServerToolPolicy = typeof McpServerToolPolicy.Type

const stdio = {
  command: Schema.String,
  args: optional(Schema.Array(Schema.String)),
  env: optional(Schema.Record(Schema.String, Schema.String)),
  timeout: optional(Schema.Finite),
  alwaysLoad: optional(Schema.Boolean)
}

const remote = {
  url: Schema.String,
  headers: optional(Schema.Record(Schema.String, Schema.String)),
  tools: optional(Schema.Array(McpServerToolPolicy)),
  timeout: optional(Schema.Finite),
  alwaysLoad: optional(Schema.Boolean)
}

/** A server that is a child process. The only kind that may leave its `type` out. */
export const McpStdioServerConfig = open("McpStdioServerConfig", {
  type: optional(Schema.Literal("stdio")),
  ...stdio
})
/** A server that is a child process. */
export type McpStdioServerConfig = typeof McpStdioServerConfig.Type

/** A server over HTTP with server-sent events, the older remote transport. */
export const McpSSEServerConfig = open("McpSSEServerConfig", { type: Schema.Literal("sse"), ...remote })
/** A server over HTTP with server-sent events. */
export type McpSSEServerConfig = typeof McpSSEServerConfig.Type

/** A server over streamable HTTP. */
export const McpHttpServerConfig = open("McpHttpServerConfig", { type: Schema.Literal("http"), ...remote })
/** A server over streamable HTTP. */
export type McpHttpServerConfig = typeof McpHttpServerConfig.Type

/** A server inside the host: its JSON-RPC travels in `mcp_message` control requests. */
export const McpSdkServerConfig = open("McpSdkServerConfig", {
  type: Schema.Literal("sdk"),
  name: Schema.String,
  timeout: optional(Schema.Finite),
  tools: optional(Schema.Array(McpServerToolPolicy))
})
/** A server inside the host. */
export type McpSdkServerConfig = typeof McpSdkServerConfig.Type

/** A connector of a claude.ai account. Only ever seen in a status, never configured by a host. */
export const McpClaudeAIProxyServerConfig = open("McpClaudeAIProxyServerConfig", {
  type: Schema.Literal("claudeai-proxy"),
  url: Schema.String,
  id: Schema.String,
  timeout: optional(Schema.Finite)
})
/** A connector of a claude.ai account. */
export type McpClaudeAIProxyServerConfig = typeof McpClaudeAIProxyServerConfig.Type

// `stdio` is here a second time, with its type: so that a malformed one is not taken for a kind that came later.
const TypedServerConfig = variants("McpTypedServerConfig", "type", [
  open({ type: Schema.Literal("stdio"), ...stdio }),
  McpSSEServerConfig,
  McpHttpServerConfig,
  McpSdkServerConfig,
  McpClaudeAIProxyServerConfig
])

/** How a server is reached, as hosts configure it and as `mcp_status` reports it. */
export const McpServerConfig = Schema.Union([McpStdioServerConfig, TypedServerConfig]).annotate({
  identifier: "McpServerConfig"
})
/** How a server is reached. */
export type McpServerConfig = typeof McpServerConfig.Type

/** A tool in a server's status. The hints of MCP lose their `Hint` here; no version sends `description` yet. */
export const McpToolStatus = open("McpToolStatus", {
  name: Schema.String,
  description: optional(Schema.String),
  annotations: optional(
    open({
      readOnly: optional(Schema.Boolean),
      destructive: optional(Schema.Boolean),
      openWorld: optional(Schema.Boolean)
    })
  ),
  _meta: optional(JsonObject)
})
/** A tool in a server's status. */
export type McpToolStatus = typeof McpToolStatus.Type

/**
 * How a server is doing. On 2.1.37 a server that failed is listed twice after `mcp_set_servers`.
 * `config` is absent for `sdk` servers; `transport` and `source` come from 2.1.325.
 */
export const McpServerStatus = open("McpServerStatus", {
  name: Schema.String,
  status: known("connected", "failed", "needs-auth", "pending", "disabled"),
  serverInfo: optional(
    open({
      name: Schema.String,
      version: Schema.String,
      title: optional(Schema.String),
      description: optional(Schema.String),
      websiteUrl: optional(Schema.String),
      icons: optional(Schema.Array(JsonObject))
    })
  ),
  error: optional(Schema.String),
  config: optional(McpServerConfig),
  transport: optional(known("stdio", "sse", "http", "sdk")),
  scope: optional(Schema.String),
  source: optional(Schema.String),
  tools: optional(Schema.Array(McpToolStatus))
})
/** How a server is doing. */
export type McpServerStatus = typeof McpServerStatus.Type

/**
 * What `mcp_set_servers` did. A server that could not be reached is in `added` and in `errors`.
 */
export const McpSetServersResult = open("McpSetServersResult", {
  added: Schema.Array(Schema.String),
  removed: Schema.Array(Schema.String),
  errors: Schema.Record(Schema.String, Schema.String)
})
/** What `mcp_set_servers` did. */
export type McpSetServersResult = typeof McpSetServersResult.Type

const jsonrpc = Schema.Literal("2.0")
const id = Schema.Union([Schema.String, Schema.Finite])

/** A JSON-RPC request. `params._meta["claudecode/toolUseId"]` of a `tools/call` is the `tool_use` it answers (§7). */
export const JsonRpcRequest = open("JsonRpcRequest", {
  jsonrpc,
  id,
  method: Schema.String,
  params: optional(JsonObject)
})
/** A JSON-RPC request. */
export type JsonRpcRequest = typeof JsonRpcRequest.Type

/** A JSON-RPC notification: a request without `id`. */
export const JsonRpcNotification = open("JsonRpcNotification", {
  jsonrpc,
  method: Schema.String,
  params: optional(JsonObject)
})
/** A JSON-RPC notification. */
export type JsonRpcNotification = typeof JsonRpcNotification.Type

/** A JSON-RPC result. */
export const JsonRpcResult = open("JsonRpcResult", { jsonrpc, id, result: JsonObject })
/** A JSON-RPC result. */
export type JsonRpcResult = typeof JsonRpcResult.Type

/** A JSON-RPC error. Its `id` is missing or null when the request could not be read. */
export const JsonRpcError = open("JsonRpcError", {
  jsonrpc,
  id: optional(Schema.NullOr(id)),
  error: open({ code: Schema.Finite, message: Schema.String, data: optional(Schema.Unknown) })
})
/** A JSON-RPC error. */
export type JsonRpcError = typeof JsonRpcError.Type

/**
 * A JSON-RPC message as `mcp_message` carries it. It has no tag: what has a `method` and an `id` is a
 * request, and the notification comes last, because a request would pass for one.
 */
export const JsonRpcMessage = Schema.Union([JsonRpcRequest, JsonRpcResult, JsonRpcError, JsonRpcNotification]).annotate(
  { identifier: "JsonRpcMessage" }
)
/** A JSON-RPC message as `mcp_message` carries it. */
export type JsonRpcMessage = typeof JsonRpcMessage.Type
