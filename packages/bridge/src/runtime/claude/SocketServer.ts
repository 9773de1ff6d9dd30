/**
 * Where CLIs that speak over WebSocket connect, and where they post what they say in the hybrid transport: a server on
 * loopback that lets in whoever has the token of a session, at the path of that session. It starts to listen with the
 * first session.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { type WebSocket, WebSocketServer } from "ws"
import { makeRefusalLog, type RefusedRequest } from "../../log/RefusalLog.ts"
import { LaunchFailed } from "./Agent.ts"

/** What a CLI has to know to connect. */
export interface Invitation {
  readonly url: string
  /** For the environment of the CLI, and for nobody else. */
  readonly token: string
}

/** A server that CLIs connect to. */
export interface SocketServer {
  /** Lets the CLI of a session in, as often as it comes, until the scope is closed. `posted`: also what it posts. */
  readonly invite: (
    sessionKey: string,
    welcome: (socket: WebSocket, request: IncomingMessage) => void,
    posted?: (request: IncomingMessage, response: ServerResponse) => void
  ) => Effect.Effect<Invitation, LaunchFailed, Scope.Scope>
}

/** What a server may take. */
export interface SocketServerLimits {
  /** The longest frame, in bytes; a longer one closes the connection. Default 64 MiB. */
  readonly maxFrameBytes?: number
}

/** Far more than there are sessions; each has one connection, or two for a moment. */
const maxConnections = 1000

/** Longer than a CLI is silent in a turn: it tries again half a second later when a connection ends as it is used. */
const keepAliveMs = 120_000

interface Guest {
  readonly path: string
  /** Where it posts: the path of its socket as the CLI changes it (docs/wire/claude-code.md §2). */
  readonly postPath: string
  readonly token: Buffer
  readonly onSocket: (socket: WebSocket, request: IncomingMessage) => void
  readonly onPost: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
}

/** A server that is closed with its scope. */
export const makeSocketServer = ({
  maxFrameBytes = 64 * 1024 * 1024
}: SocketServerLimits = {}): Effect.Effect<SocketServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const guests = new Set<Guest>()
    const run = yield* FiberSet.makeRuntime<never>()
    const refusals = yield* makeRefusalLog
    const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false })
    const server = createServer({
      headersTimeout: 10_000,
      requestTimeout: 10_000,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: 2000
    })
    server.maxConnections = maxConnections
    server.on("request", (request, response) => {
      const found = posterOf(guests, request)
      if (!("status" in found)) return found.onPost(request, response)
      run(refusals({ ...found, method: request.method }))
      response.writeHead(found.status, { connection: "close" }).end()
    })
    server.on("upgrade", (request, socket, head) => {
      const found = guestOf(guests, request, ({ path }) => path)
      if ("status" in found) {
        run(refusals({ ...found, method: request.method }))
        refuseUpgrade(socket, found)
      } else sockets.handleUpgrade(request, socket, head, (open) => found.onSocket(open, request))
    })
    // Errors while it listens, such as no descriptor being left for a connection. Unhandled, they would end the process.
    server.on("error", () => undefined)

    const listen = yield* Effect.cached(
      Effect.callback<number, LaunchFailed>((resume) => {
        server.once("error", ({ message }) =>
          resume(Effect.fail(new LaunchFailed({ code: "SPAWN_FAILED", message: `No port on loopback: ${message}` })))
        )
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
      })
    )

    yield* Effect.addFinalizer(() =>
      Effect.callback<void>((resume) => {
        for (const socket of sockets.clients) socket.terminate()
        if (!server.listening) return resume(Effect.void)
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
    )

    return {
      invite: (sessionKey, onSocket, onPost) =>
        Effect.gen(function* () {
          const port = yield* listen
          const key = encodeURIComponent(sessionKey)
          const path = `/ws/cli/${key}`
          const postPath = `/session/cli/${key}/events`
          const token = randomBytes(32).toString("base64url")
          const guest: Guest = { path, postPath, token: digest(`Bearer ${token}`), onSocket, onPost }
          yield* Effect.acquireRelease(
            Effect.sync(() => guests.add(guest)),
            () => Effect.sync(() => guests.delete(guest))
          )
          return { url: `ws://127.0.0.1:${port}${path}`, token }
        })
    }
  })

type Refusal = Pick<RefusedRequest, "code" | "status">

/** No session waits for an agent here. */
const notFound: Refusal = { code: "NOT_FOUND", status: 404 }

/** Whoever is not a CLI that posts has to come with a WebSocket. */
const upgradeRequired: Refusal = { code: "UPGRADE_REQUIRED", status: 426 }

/** The token is missing or wrong. */
const unauthorized: Refusal = { code: "UNAUTHORIZED", status: 401 }

/** The CLI reads nothing but the status. */
const refuseUpgrade = (socket: Duplex, { code, status }: Refusal): void => {
  socket.on("error", () => undefined)
  // The other side may never close its half.
  socket.end(`HTTP/1.1 ${status} ${code}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
}

/** Of equal length whatever was sent, so that comparing them tells nothing by its time. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Who is posting: a guest that may, or the reason for a refusal. */
const posterOf = (
  guests: Iterable<Guest>,
  request: IncomingMessage
): { readonly onPost: NonNullable<Guest["onPost"]> } | Refusal => {
  if (request.method !== "POST") return upgradeRequired
  const found = guestOf(guests, request, ({ onPost, postPath }) => (onPost === undefined ? undefined : postPath))
  if ("status" in found) return found === notFound ? upgradeRequired : found
  return found.onPost === undefined ? upgradeRequired : { onPost: found.onPost }
}

/**
 * Who is connecting: a guest, or the reason for a refusal. Two agents can have the same path while one takes the place
 * of the other; the token tells them apart.
 */
const guestOf = (
  guests: Iterable<Guest>,
  { headersDistinct, url = "" }: IncomingMessage,
  pathOf: (guest: Guest) => string | undefined
): Guest | Refusal => {
  const here = [...guests].filter((guest) => pathOf(guest) === url.split("?")[0])
  if (here.length === 0) return notFound
  const [authorization = "", ...more] = headersDistinct["authorization"] ?? []
  if (more.length > 0) return unauthorized
  const shown = digest(authorization)
  return here.find(({ token }) => timingSafeEqual(token, shown)) ?? unauthorized
}
