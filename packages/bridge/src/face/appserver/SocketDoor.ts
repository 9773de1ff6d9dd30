/**
 * Where clients of the app-server come in by WebSocket. Who may is decided as for every request over HTTP: by the `Host`,
 * the `Origin` and the token. On a unix socket the file says who may.
 */
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { WebSocketServer } from "ws"
import { makeRefusalLog } from "../../log/RefusalLog.ts"
import { countRefusal } from "../../observe/HttpMetrics.ts"
import type { Sessions } from "../../session/Sessions.ts"
import { type AccessOptions, checkAccess } from "../http/Access.ts"
import { noteEntry } from "../http/Entry.ts"
import { defaultHttpLimits, type HttpLimits } from "../http/HttpLimits.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { tooManyHeaders, writeRawRefusal } from "../http/RawRefusal.ts"
import { accessRequestOf } from "../http/RequestHandler.ts"
import type { AppServer } from "./AppServer.ts"
import { socketChannel } from "./SocketChannel.ts"

/** Who comes in. */
export interface SocketDoorOptions {
  /** `file`: whoever may open the socket. */
  readonly access: AccessOptions | "file"
  readonly limits?: HttpLimits | undefined
}

/** Takes what asks to become a WebSocket, in `node:http`: a listener of `upgrade`. */
export type SocketDoor = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Where clients are let in. Codex's TUI takes no address with a path, so the root is one of them. */
const paths: ReadonlySet<string> = new Set(["/", "/app-server"])

/** A door that is closed with its scope, and so are the connections of those who came in. */
export const makeSocketDoor = (
  server: AppServer,
  { access, limits = {} }: SocketDoorOptions
): Effect.Effect<SocketDoor, never, Sessions | Scope.Scope> =>
  Effect.gen(function* () {
    const { maxBodyBytes, maxConnections, maxHeaders } = { ...defaultHttpLimits, ...limits }
    const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes, perMessageDeflate: false })
    const run = yield* FiberSet.makeRuntime<Sessions>()
    const refusals = yield* makeRefusalLog
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const socket of sockets.clients) socket.terminate()
      })
    )

    const refusalFor = (request: IncomingMessage): HttpRefusal | undefined => {
      const [path = ""] = (request.url ?? "").split("?")
      if (!paths.has(path)) return refuse("NOT_FOUND", "There is no WebSocket here. The app-server is at /app-server.")
      if (sockets.clients.size >= maxConnections) return refuse("SESSION_LIMIT", "Too many clients are connected.")
      const tooMany = tooManyHeaders(request, maxHeaders)
      if (tooMany !== undefined || access === "file") return tooMany
      const verdict = checkAccess(access, accessRequestOf(request))
      return verdict._tag === "Refused" ? verdict.refusal : undefined
    }

    return (request, socket, head) => {
      socket.on("error", () => undefined)
      const refusal = refusalFor(request)
      if (refusal !== undefined) {
        const { code, status } = refusal
        run(Effect.andThen(countRefusal(code), refusals({ code, status, method: request.method })))
        return writeRawRefusal(socket, refusal)
      }
      noteEntry(socket)
      sockets.handleUpgrade(request, socket, head, (open) => {
        open.on("error", () => open.terminate())
        run(server.serve(socketChannel(open)))
      })
    }
  })
