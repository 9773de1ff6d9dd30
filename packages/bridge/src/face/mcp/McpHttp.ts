/**
 * The application's tools for MCP clients other than the agent: a Streamable HTTP server for each thread, at
 * `/mcp/:threadId`. Who gets in is decided as for everything else.
 *
 * The protocol is the official SDK's (`McpSdk.ts`). A client's connection lives until it is deleted, has not been used
 * for a while, or is the oldest when there are too many.
 */

import { randomUUID } from "node:crypto"
import * as Claude from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import type { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import type { CallToolResult, ListToolsResult } from "@modelcontextprotocol/sdk/types.js"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { toolList } from "../../session/PageTools.ts"
import type { Session } from "../../session/Session.ts"
import { Sessions } from "../../session/Sessions.ts"
import type { OwnAnswer } from "../http/Answer.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import type { Asked, Route } from "../http/Route.ts"
import { sessionRefused } from "../http/SessionRefusal.ts"
import { type McpSdk, mcpSdk } from "./McpSdk.ts"

/** What may be chosen about the MCP server. */
export interface McpOptions {
  /** How many clients may be connected at a time; the one used longest ago goes. Default 100. */
  readonly maxClients?: number
  /** How long a client may ask nothing until it has to connect again. Default 30 minutes. */
  readonly idle?: Duration.Input
}

/** A client that is connected. */
interface Client {
  readonly threadId: string
  readonly server: Server
  readonly transport: StreamableHTTPServerTransport
  /** Ends what is done for the client. */
  readonly leaving: AbortController
  usedAt: number
}

/** The routes of the MCP server. Its clients are disconnected when the scope closes. */
export const makeMcpRoutes = ({
  idle = "30 minutes",
  maxClients = 100
}: McpOptions = {}): Effect.Effect<ReadonlyArray<Route>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = yield* FiberSet.makeRuntimePromise()
    const limit = Duration.toMillis(Duration.fromInputUnsafe(idle))
    // The order of a map is that of insertion: the one used longest ago is first.
    const clients = new Map<string, Client>()

    const forget = (id: string): Client | undefined => {
      const client = clients.get(id)
      clients.delete(id)
      client?.leaving.abort()
      return client
    }

    const disconnect = (id: string): Effect.Effect<void> =>
      Effect.promise(async () => {
        await forget(id)?.server.close()
      })
    yield* Effect.addFinalizer(() => Effect.forEach([...clients.keys()], disconnect, { discard: true }))

    const makeRoom: Effect.Effect<void> = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const [id, { usedAt }] of clients)
        if (now - usedAt > limit || clients.size >= maxClients) yield* disconnect(id)
    })

    const connect = (session: Session): Effect.Effect<Client, HttpRefusal> =>
      Effect.gen(function* () {
        const sdk = yield* mcpSdk
        yield* makeRoom
        const { server, transport } = yield* Effect.promise(() =>
          makeServer(sdk, session, (call, signal) => run(call, { signal }), {
            opened: (id) => void clients.set(id, client),
            closed: (id) => void forget(id)
          })
        )
        const client: Client = {
          threadId: session.threadId,
          server,
          transport,
          leaving: new AbortController(),
          usedAt: yield* Clock.currentTimeMillis
        }
        const changes = Effect.ignoreCause(announceChanges(session, server))
        void run(changes, { signal: client.leaving.signal }).catch(() => undefined)
        return client
      })

    const clientOf = (session: Session, id: string): Effect.Effect<Client, HttpRefusal> =>
      Effect.gen(function* () {
        const client = clients.get(id)
        // The status is what tells MCP clients to connect again.
        if (client?.threadId !== session.threadId)
          return yield* refuse("SESSION_NOT_FOUND", "This MCP session is not known any more. Connect again.")
        client.usedAt = yield* Clock.currentTimeMillis
        clients.delete(id)
        clients.set(id, client)
        return client
      })

    const answer = ({ body, hasBody, headers, params }: Asked): Effect.Effect<OwnAnswer, HttpRefusal, Sessions> =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const session = yield* sessions.find(params["threadId"] ?? "").pipe(Effect.mapError(sessionRefused))
        if (session === undefined) return yield* refuse("SESSION_NOT_FOUND", "This thread has no session.")
        const message = hasBody ? yield* body : undefined
        const id = headers["mcp-session-id"]
        if (id === undefined && !isInitialize(message))
          return yield* refuse("BAD_INPUT", "Begin with `initialize`, and send the Mcp-Session-Id it gives you.")
        const { transport } = yield* id === undefined ? connect(session) : clientOf(session, String(id))
        return {
          _tag: "Own",
          write: (request, response) => Effect.promise(() => transport.handleRequest(request, response, message))
        }
      })

    return (["POST", "GET", "DELETE"] as const).map((method) => ({ method, path: "/mcp/:threadId", answer }))
  })

const isInitialize = (message: unknown): boolean => isRecord(message) && message["method"] === "initialize"

/** A server for one client. */
const makeServer = async (
  { CallToolRequestSchema, ListToolsRequestSchema, Server, StreamableHTTPServerTransport }: McpSdk,
  session: Session,
  run: (call: Effect.Effect<CallToolResult>, signal: AbortSignal) => Promise<CallToolResult>,
  { closed, opened }: { readonly opened: (id: string) => void; readonly closed: (id: string) => void }
): Promise<Pick<Client, "server" | "transport">> => {
  const server = new Server(
    { name: "agentwire", title: "Tools of the application", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } }
  )
  server.setRequestHandler(ListToolsRequestSchema, () => Effect.runPromise(Effect.map(session.tools, listed)))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    run(call(session, params.name, params.arguments ?? {}), signal)
  )
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: opened,
    onsessionclosed: closed
  })
  // The SDK's own types do not agree with each other on optional fields.
  await server.connect(transport as Parameters<Server["connect"]>[0])
  return { server, transport }
}

// The schemas come from the application, as JSON; the SDK checks what it is given.
const listed = (tools: Parameters<typeof toolList>[0]): ListToolsResult =>
  ({ tools: toolList(tools) }) as unknown as ListToolsResult

/** A call. A call that failed is a result, too: the caller's model reads why. */
const call = (
  session: Session,
  name: string,
  input: Readonly<Record<string, unknown>>
): Effect.Effect<CallToolResult> =>
  session.callTool(name, input).pipe(
    Effect.map((result) => Claude.callToolResult(result) as CallToolResult),
    Effect.catch(({ message }) =>
      Effect.succeed({ content: [{ type: "text" as const, text: message }], isError: true })
    )
  )

/** Tells a client when the tools change. Runs bring them. */
const announceChanges = (session: Session, server: Server): Effect.Effect<void> =>
  Effect.gen(function* () {
    let known = yield* session.tools
    yield* Stream.runForEachArray(session.log.read(session.log.next()), () =>
      Effect.gen(function* () {
        const tools = yield* session.tools
        if (tools === known) return
        known = tools
        yield* Effect.promise(() => server.sendToolListChanged())
      })
    )
  }).pipe(
    Effect.catchTags({
      LogGap: () => Effect.suspend(() => announceChanges(session, server)),
      LogFailed: () => Effect.void
    })
  )
