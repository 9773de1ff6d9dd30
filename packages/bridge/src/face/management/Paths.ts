/**
 * The endpoints of the management API by name: method and path. Segments led by `:` are parameters.
 *
 * This half of the table imports nothing, so that the client in a browser carries no schemas; `Api.ts` is the other
 * half.
 */

/** Method and path of every endpoint. The name is how the client calls it: `sessions.list` is `client.sessions.list`. */
export const paths = {
  "server.health": "GET /health",
  "server.metrics": "GET /metrics",
  "server.agents": "GET /api/agents",
  "server.openapi": "GET /api/openapi.json",
  "sessions.list": "GET /api/sessions",
  "sessions.create": "POST /api/sessions",
  "sessions.adoptable": "GET /api/adoptable",
  "sessions.adopt": "POST /api/adoptable/:providerSessionId",
  "sessions.get": "GET /api/sessions/:threadId",
  "sessions.change": "PATCH /api/sessions/:threadId",
  "sessions.remove": "DELETE /api/sessions/:threadId",
  "sessions.start": "POST /api/sessions/:threadId/start",
  "sessions.disconnect": "POST /api/sessions/:threadId/disconnect",
  "sessions.send": "POST /api/sessions/:threadId/messages",
  "sessions.steer": "POST /api/sessions/:threadId/steer",
  "sessions.messages": "GET /api/sessions/:threadId/messages",
  "sessions.branches": "GET /api/sessions/:threadId/branches",
  "sessions.revert": "POST /api/sessions/:threadId/revert",
  "sessions.fork": "POST /api/sessions/:threadId/fork",
  "sessions.interrupt": "POST /api/sessions/:threadId/interrupt",
  "sessions.set": "PUT /api/sessions/:threadId/settings",
  "sessions.setModel": "PUT /api/sessions/:threadId/model",
  "sessions.setPermissionMode": "PUT /api/sessions/:threadId/permission-mode",
  "sessions.setThinkingTokens": "PUT /api/sessions/:threadId/thinking-tokens",
  "sessions.setEnvironment": "PUT /api/sessions/:threadId/environment",
  "sessions.contextUsage": "GET /api/sessions/:threadId/context-usage",
  "sessions.rewindFiles": "POST /api/sessions/:threadId/rewind-files",
  "sessions.events": "GET /api/sessions/:threadId/events",
  "sessions.wire": "GET /api/sessions/:threadId/wire",
  "sessions.tape": "GET /api/sessions/:threadId/tape",
  "workspaces.list": "GET /api/workspaces",
  "workspaces.open": "POST /api/workspaces",
  "workspaces.get": "GET /api/workspaces/:workspaceId",
  "workspaces.change": "PATCH /api/workspaces/:workspaceId",
  "workspaces.remove": "DELETE /api/workspaces/:workspaceId",
  "approvals.list": "GET /api/sessions/:threadId/approvals",
  "approvals.answer": "POST /api/sessions/:threadId/approvals/:requestId",
  "tools.answer": "POST /api/sessions/:threadId/tool-calls/:toolCallId",
  "mcp.status": "GET /api/sessions/:threadId/mcp",
  "mcp.setServers": "PUT /api/sessions/:threadId/mcp",
  "mcp.toggle": "POST /api/sessions/:threadId/mcp/:serverName/toggle",
  "mcp.reconnect": "POST /api/sessions/:threadId/mcp/:serverName/reconnect",
  "mcp.message": "POST /api/sessions/:threadId/mcp/:serverName/message"
} as const

/** Method and path of every endpoint. */
export type Paths = typeof paths

/** The name of an endpoint. */
export type EndpointName = keyof Paths

/** The names of the parameters in a path, in order. */
export type ParamNames<P extends string> = P extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? [Name, ...ParamNames<`/${More}`>]
    : [Rest]
  : []

/** The endpoints whose answers are streams of server-sent events. */
export const streams = ["sessions.events", "sessions.wire"] as const satisfies ReadonlyArray<EndpointName>

/** The endpoints whose answers are text. */
export const texts = ["server.metrics", "sessions.tape"] as const satisfies ReadonlyArray<EndpointName>

/** The endpoints whose answers are parts of a list: what one says as `before` is asked for the next with. */
export const paged = [
  "sessions.list",
  "sessions.messages",
  "sessions.branches",
  "sessions.adoptable"
] as const satisfies ReadonlyArray<EndpointName>

/** The methods whose requests have a body. */
export const methodsWithBody = ["POST", "PUT", "PATCH"] as const

/** The endpoints that take no body, though their method would let them. */
export const withoutBody = [
  "sessions.start",
  "sessions.disconnect",
  "mcp.reconnect"
] as const satisfies ReadonlyArray<EndpointName>
