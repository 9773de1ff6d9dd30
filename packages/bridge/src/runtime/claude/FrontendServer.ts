/**
 * The MCP server of the frontend tools: it lives in the host, and its JSON-RPC travels in `mcp_message` control
 * requests (docs/wire/claude-code.md §7). Pure: a message in, what to do about it out.
 *
 * Everything but a call is answered at once. A call is handed to whoever has the tools, and is answered later with
 * {@link callResponse} or {@link errorResponse}.
 */

import * as Claude from "@agentwire/protocol/claude"
import type * as Model from "@agentwire/protocol/model"
import { isRecord } from "@agentwire/protocol/wire"
import { plainToolName, toolList } from "../../session/PageTools.ts"

/** The id of a JSON-RPC request. */
export type JsonRpcId = Claude.JsonRpcRequest["id"]

/** A message that is answered at once. */
export interface Reply {
  readonly _tag: "Reply"
  /** The `mcp_response` of the answer. */
  readonly response: Claude.JsonRpcResult | Claude.JsonRpcError
  /** The call that nobody waits for any more: the message was MCP's `notifications/cancelled`. */
  readonly cancels?: JsonRpcId
}

/** A call of a frontend tool. */
export interface Call {
  readonly _tag: "Call"
  /** What the answer has to name. */
  readonly id: JsonRpcId
  /** The tool, as the application calls it. */
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** The `tool_use` of the model that this is. */
  readonly toolUseId: string
}

/** The codes of JSON-RPC that are used here. */
export const jsonRpcCodes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603
} as const

/** The answer to a call. */
export const callResponse = (id: JsonRpcId, result: Claude.CallToolResult): Claude.JsonRpcResult => ({
  jsonrpc: "2.0",
  id,
  result: { ...result }
})

/** An answer that says the request itself was wrong. A tool that failed gives a result with `isError` instead. */
export const errorResponse = (id: JsonRpcId, code: number, message: string): Claude.JsonRpcError => ({
  jsonrpc: "2.0",
  id,
  error: { code, message }
})

/** What to do about a message of the CLI. */
export const answerMcp = (
  tools: ReadonlyArray<Model.PageTool>,
  serverName: string,
  message: Claude.JsonRpcMessage
): Reply | Call => {
  if (!("method" in message)) return acknowledged
  // A notification may have any further key, and an `id` that is none among them.
  if (!("id" in message) || !isId(message.id)) return notified(message)
  const { id } = message
  // What a message carries beside its kind is not checked when it is read.
  const method: unknown = message.method
  const params = isRecord(message.params) ? message.params : {}
  if (typeof method !== "string")
    return { _tag: "Reply", response: errorResponse(id, jsonRpcCodes.invalidRequest, "The method is not a text.") }
  if (method === "tools/call") return call(tools, serverName, id, params)
  const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
  return {
    _tag: "Reply",
    response:
      answer === undefined
        ? errorResponse(id, jsonRpcCodes.methodNotFound, `Method not found: ${method}`)
        : { jsonrpc: "2.0", id, result: answer(tools, params) }
  }
}

const isId = (id: unknown): id is JsonRpcId => typeof id === "string" || typeof id === "number"

// The control request wants an answer though the notification does not; every recorded host gives this one.
const acknowledged: Reply = { _tag: "Reply", response: { jsonrpc: "2.0", id: 0, result: {} } }

const notified = ({ method, params }: Claude.JsonRpcNotification): Reply => {
  const cancels = isRecord(params) ? params["requestId"] : undefined
  return method === "notifications/cancelled" && isId(cancels) ? { ...acknowledged, cancels } : acknowledged
}

type Answer = (
  tools: ReadonlyArray<Model.PageTool>,
  params: Readonly<Record<string, unknown>>
) => Readonly<Record<string, unknown>>

const methods: Readonly<Record<string, Answer>> = {
  initialize: (_, { protocolVersion }) => ({
    // What is said here is the same in every revision of MCP, so the client's is as good as any.
    protocolVersion: typeof protocolVersion === "string" ? protocolVersion : "2025-06-18",
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "agentwire", title: "Tools of the application", version: "1.0.0" }
  }),
  ping: () => ({}),
  "tools/list": (tools) => ({ tools: toolList(tools).map((tool) => ({ ...tool, _meta: alwaysLoad })) })
}

/**
 * Without it current CLIs tell the model no more than the tool's name, until it searches for it (§9). Older ones do not
 * know it and leave it alone.
 */
const alwaysLoad = { "anthropic/alwaysLoad": true }

const call = (
  tools: ReadonlyArray<Model.PageTool>,
  serverName: string,
  id: JsonRpcId,
  params: Readonly<Record<string, unknown>>
): Reply | Call => {
  const refuse = (why: string): Reply => ({
    _tag: "Reply",
    response: errorResponse(id, jsonRpcCodes.invalidParams, why)
  })
  const { _meta: meta, arguments: input = {}, name } = params
  if (typeof name !== "string") return refuse("tools/call has no name.")
  if (!isRecord(input)) return refuse(`The arguments of ${name} are not an object.`)
  const tool =
    tools.findLast((tool) => tool.name === name) ??
    tools.findLast((tool) => plainToolName(tool.name) === plainToolName(name))
  if (tool === undefined) return refuse(`Unknown tool of ${serverName}: ${name}`)
  const toolUseId = isRecord(meta) ? meta["claudecode/toolUseId"] : undefined
  // Every measured version says it; without it nobody could tell whose result is whose.
  if (typeof toolUseId !== "string") return refuse(`The call of ${name} does not say which tool use it is.`)
  return { _tag: "Call", id, name: tool.name, arguments: input, toolUseId }
}

/** How the CLI learns of other tools: the control requests to make, one after the other. */
export interface ToolListChange {
  readonly requests: ReadonlyArray<ToolListRequest>
  /** The server's name from then on. */
  readonly server: string
}

/** A control request to make, without its id. */
export type ToolListRequest = {
  readonly [S in "mcp_message" | "mcp_set_servers"]: {
    readonly subtype: S
    readonly body: Omit<Claude.RequestOf<S>, "subtype">
  }
}["mcp_message" | "mcp_set_servers"]

/** The other servers the host added, without the frontend's: `mcp_set_servers` takes away those it does not name. */
export type OtherServers = Claude.McpSetServersRequest["servers"]

/**
 * What a version of the CLI has to be told when the tools of a server changed (§7, §9). What it answers to the last of
 * the requests does not mean that it has asked for the tools already. Where nobody knows what a version wants, the server
 * gets a new name: every version that was tried asks a server it has not heard of.
 */
export const toolListChange = (version: string, server: string, others: OtherServers = {}): ToolListChange => {
  const { assumed, value } = Claude.lookup("toolListChange", version)
  return changes[assumed ? "new_name" : value](server, others)
}

const changes: Readonly<
  Record<Claude.Facts["toolListChange"], (server: string, others: OtherServers) => ToolListChange>
> = {
  none: (server) => ({ requests: [], server }),
  list_changed: (server) => ({
    requests: [
      {
        subtype: "mcp_message",
        body: { server_name: server, message: { jsonrpc: "2.0", method: "notifications/tools/list_changed" } }
      }
    ],
    server
  }),
  set_servers_twice: (server, others) => ({ requests: [setServers(others), setServers(others, server)], server }),
  new_name: (before, others) => {
    const server = nextName(before)
    return { requests: [setServers(others, server)], server }
  }
}

const setServers = (others: OtherServers, name?: string): ToolListRequest => ({
  subtype: "mcp_set_servers",
  body: name === undefined ? { servers: others } : withFrontendServer(others, name)
})

/** The body of `mcp_set_servers` that keeps the application's tools: what is not named in it is dropped. */
export const withFrontendServer = (others: OtherServers, name: string): { readonly servers: OtherServers } => ({
  servers: { ...others, [name]: { type: "sdk", name } }
})

/** Why an MCP server cannot have the name of the one with the application's tools. */
export const taken = (name: string): string =>
  `An MCP server cannot be called ${name}: that is where the tools of the application are.`

// `frontend`, `frontend_2`, `frontend_3`: the model reads it in the tool's name, so it stays plain.
const nextName = (name: string): string => {
  const { count, stem = name } = /^(?<stem>.*)_(?<count>\d+)$/.exec(name)?.groups ?? {}
  return `${stem}_${Number(count ?? 1) + 1}`
}
