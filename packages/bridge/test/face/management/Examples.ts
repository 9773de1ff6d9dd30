/**
 * A request for every endpoint of the management API that an agent who agrees to everything answers.
 */

import type { EndpointName } from "../../../src/face/management/Paths.ts"
import { routeOf } from "../../../src/face/management/Routes.ts"
import { workspaceIdOf } from "../../../src/session/Workspaces.ts"
import { echo } from "../../AgentLines.ts"
import type { Behaviour, Line } from "../../FakeAgent.ts"
import { ask, entering, type Got } from "../../Serving.ts"
import type { Managed } from "./Managed.ts"

/** A request: the query and the body. Parameters of the path are the same for all. */
export interface Example {
  readonly query?: string
  readonly body?: unknown
}

/** The parameters of paths. The thread has a name that paths do not like. */
export const params: Readonly<Record<string, string>> = {
  threadId: "a/b c?d#e%2F..",
  requestId: "ask-1",
  toolCallId: "call-1",
  serverName: "files/2",
  // Sessions are made in the folder `/`.
  workspaceId: workspaceIdOf("/"),
  providerSessionId: "5f1de3a2-94d3-4a58-8a3f-d61dd1a9d0c1"
}

/** A request for every endpoint. */
export const examples: { readonly [N in EndpointName]: Example } = {
  "server.health": {},
  "server.metrics": {},
  "server.agents": {},
  "server.openapi": {},
  "sessions.list": { query: "?limit=5&archived=false" },
  "sessions.create": {
    body: {
      cwd: "/",
      mode: "planner",
      model: "m",
      permissionMode: "plan",
      jsonSchema: { type: "object" },
      addDirs: ["/"]
    }
  },
  "sessions.get": {},
  "sessions.change": { body: { title: "Words", summary: "About words", archived: true } },
  "sessions.messages": { query: "?limit=5&branch=0" },
  "sessions.branches": { query: "?limit=5" },
  "sessions.revert": { body: { branch: 0 } },
  "sessions.fork": { body: { threadId: "forked", title: "Another way" } },
  "sessions.adoptable": { query: "?limit=5" },
  "sessions.adopt": { body: { threadId: "adopted", mode: "planner", model: "m", permissionMode: "plan" } },
  "workspaces.list": {},
  "workspaces.open": { body: { folder: "/", name: "All" } },
  "workspaces.get": {},
  "workspaces.change": { body: { name: "Everything", activeThreadId: null } },
  "workspaces.remove": {},
  "sessions.start": {},
  "sessions.send": { body: { content: [{ type: "text", text: "Hi" }] } },
  "sessions.steer": { body: { content: "And left" } },
  "sessions.interrupt": { body: {} },
  "sessions.set": { body: { model: "m", permissionMode: "plan" } },
  "sessions.setModel": { body: { model: "m" } },
  "sessions.setPermissionMode": { body: { mode: "plan" } },
  "sessions.setThinkingTokens": { body: { maxThinkingTokens: 1000 } },
  "sessions.setEnvironment": { body: { variables: { A_B: "c" } } },
  "sessions.contextUsage": { query: "?detail=summary" },
  "sessions.rewindFiles": { body: { messageId: "u", dryRun: true } },
  "sessions.events": { query: "?from=0" },
  "sessions.wire": { query: "?from=0" },
  "sessions.tape": { query: "?redact=false" },
  "approvals.list": {},
  "approvals.answer": { body: { behavior: "allow" } },
  "tools.answer": { body: { content: "done" } },
  "mcp.status": {},
  "mcp.setServers": { body: { servers: { files: { type: "http", url: "http://127.0.0.1:1/" } } } },
  "mcp.toggle": { body: { enabled: false } },
  "mcp.reconnect": {},
  "mcp.message": { body: { message: { jsonrpc: "2.0", method: "notifications/tools/list_changed" } } },
  "sessions.disconnect": {},
  "sessions.remove": {}
}

/** The path of an endpoint, with its parameters. */
export const pathOf = (name: EndpointName, own: Readonly<Record<string, string>> = params): string =>
  routeOf(name).path.replaceAll(/:(\w+)/g, (_, param: string) => encodeURIComponent(own[param] ?? ""))

/** Asks an endpoint. */
export const send = (
  { server }: Pick<Managed, "server">,
  name: EndpointName,
  { body, query = "" }: Example = examples[name],
  own = params,
  headers: Readonly<Record<string, string>> = entering
): Promise<Got> => {
  const text = body === undefined ? "" : JSON.stringify(body)
  const length = { "content-length": String(Buffer.byteLength(text)) }
  return ask(server, routeOf(name).method, pathOf(name, own) + query, { ...headers, ...length }, text)
}

const usage: Line = {
  categories: [{ name: "Messages", tokens: 1, color: "red" }],
  totalTokens: 1,
  maxTokens: 2,
  rawMaxTokens: 2,
  percentage: 50,
  gridRows: [],
  model: "m",
  memoryFiles: [],
  mcpTools: [],
  agents: [],
  isAutoCompactEnabled: true,
  apiUsage: null
}

const responses: Readonly<Record<string, Line>> = {
  get_context_usage: usage,
  rewind_files: { canRewind: true, filesChanged: ["/a"], insertions: 1, deletions: 0 },
  mcp_status: { mcpServers: [{ name: "files", status: "connected" }] },
  mcp_set_servers: { added: ["files"], removed: [], errors: {} },
  set_permission_mode: { mode: "plan" }
}

/** An agent that agrees to everything, and has nothing to say. */
export const agreeable: Behaviour = (message, say) => {
  const { subtype } = (message["request"] ?? {}) as { readonly subtype?: string }
  if (message["type"] !== "control_request") return echo(message, say)
  const response = responses[subtype ?? ""] ?? {}
  return say({
    type: "control_response",
    response: { subtype: "success", request_id: message["request_id"], response }
  })
}
