/**
 * The HTTP server of a bridge: a `node:http` server that listens for as long as its scope lives.
 *
 * When the scope closes, open streams end with `RUN_ERROR`, and what is still connected after a grace period is cut off.
 */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { makeAppServer } from "../face/appserver/AppServer.ts"
import type { AppServerOptions } from "../face/appserver/Shared.ts"
import { appServerEntrance } from "../face/appserver/SocketDoor.ts"
import type { GatewayOptions } from "../face/gateway/Call.ts"
import { makeGateway } from "../face/gateway/Gateway.ts"
import { unsafeAccess } from "../face/http/Access.ts"
import { defaultHttpLimits } from "../face/http/HttpLimits.ts"
import type { HttpRefusal } from "../face/http/HttpRefusal.ts"
import { refusalOf, tunnelRefusal, unsupportedExpectation, writeRawRefusal } from "../face/http/RawRefusal.ts"
import { makeUpgradeDoor } from "../face/http/UpgradeDoor.ts"
import { makeRefusalLog } from "../log/RefusalLog.ts"
import { countRefusal } from "../observe/HttpMetrics.ts"
import { Sessions } from "../session/Sessions.ts"
import { type Connections, watchConnections } from "./Connections.ts"
import { type HandlerOptions, makeHandler } from "./HttpHandler.ts"

/** The options of a server. */
export interface HttpServerOptions extends HandlerOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Default 3210; 0 for any free port. */
  readonly port?: number
  /** Lets clients of Codex's app-server in, by WebSocket, at `/` and `/app-server`. Default: nobody. */
  readonly appServer?: AppServerOptions
  /** Lets clients of the gateway in, by WebSocket, at `/ws`. Default: nobody. */
  readonly gateway?: Pick<GatewayOptions, "limits">
  /** How long connections may continue after the server was told to close. Default 2 seconds. */
  readonly closeGrace?: Duration.Input
}

/** A server could not start. */
export class HttpServerFailed extends Schema.TaggedError<HttpServerFailed>()("HttpServerFailed", {
  /** Stable: `UNSAFE`, `PORT_IN_USE`, `PORT_FORBIDDEN`, `HOST_UNKNOWN`, `LISTEN_FAILED`. */
  code: Schema.String,
  message: Schema.String
}) {}

/** A server that listens. */
export interface Listening {
  readonly host: string
  readonly port: number
  /** Such as `http://127.0.0.1:3210`. */
  readonly url: string
  /** How many connections there are. */
  readonly connections: Effect.Effect<number>
}

/** Listens until the scope closes. */
export const serveHttp = (
  options: HttpServerOptions
): Effect.Effect<Listening, HttpServerFailed, Sessions | Scope.Scope> =>
  Effect.gen(function* () {
    const { closeGrace = "2 seconds", host = "127.0.0.1", port = 3210 } = options
    const unsafe = unsafeAccess(options.access, host)
    if (unsafe !== undefined) return yield* new HttpServerFailed({ code: "UNSAFE", message: unsafe })
    const limits = { ...defaultHttpLimits, ...options.limits }
    const millis = (duration: Duration.Input) => Duration.toMillis(Duration.fromInputUnsafe(duration))
    const timeouts = { headers: millis(limits.headersTimeout), request: millis(limits.requestTimeout) }
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const server = createServer({
          maxHeaderSize: limits.maxHeaderBytes,
          headersTimeout: timeouts.headers,
          // Waiting for room and reading have limits of their own, with error messages of their own, which come first.
          requestTimeout: timeouts.headers + 2 * timeouts.request,
          keepAliveTimeout: millis(limits.idleTimeout),
          // Node looks at its time limits twice a minute unless it is told to look more often.
          connectionsCheckingInterval: Math.min(2000, timeouts.headers / 2, timeouts.request / 2),
          // `checkAccess` requires it, with an error message of its own.
          requireHostHeader: false
        })
        // One more than allowed, to notice that there are too many.
        server.maxHeadersCount = limits.maxHeaders + 1
        return server
      }),
      (server) => closeServer(server, closeGrace)
    )
    const connections = watchConnections(server, limits.maxConnections)
    yield* Effect.addFinalizer(() => Effect.sync(connections.closeIdle))
    yield* refuseUnread(server, connections)
    yield* openDoors(server, options)
    const address = yield* listen(server, host, port)
    const name = address.family === "IPv6" ? `[${address.address}]` : address.address
    const count = Effect.callback<number>((resume) => {
      server.getConnections((_, found = 0) => resume(Effect.succeed(found)))
    })
    return { host: address.address, port: address.port, url: `http://${name}:${address.port}`, connections: count }
  })

/** Lets clients in, by HTTP and by WebSocket, to the same sessions. */
const openDoors = (server: Server, options: HttpServerOptions): Effect.Effect<void, never, Sessions | Scope.Scope> =>
  Effect.gen(function* () {
    const { access, appServer, limits, sessionOptions } = options
    const gateway =
      options.gateway === undefined
        ? undefined
        : yield* makeGateway({ ...options.gateway, ...(sessionOptions !== undefined && { sessionOptions }) })
    const entrances = [
      ...(appServer === undefined ? [] : [appServerEntrance(yield* makeAppServer(appServer))]),
      ...(gateway === undefined ? [] : [gateway.entrance])
    ]
    const all = yield* Sessions
    const sessions = gateway === undefined ? all : yield* gateway.watch(all)
    // Made after the server, so that it closes first: its streams end while their connections still exist.
    yield* Effect.gen(function* () {
      server.on("request", yield* makeHandler({ ...options, ...(gateway && { gatewayHealth: gateway.health }) }))
      if (entrances.length > 0) server.on("upgrade", yield* makeUpgradeDoor(entrances, { access, limits }))
    }).pipe(Effect.provideService(Sessions, sessions))
  })

/** Refuses what does not become a request, with a line in the log. */
const refuseUnread = (server: Server, connections: Connections): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = yield* FiberSet.makeRuntime<never>()
    const refusals = yield* makeRefusalLog
    const warn = (message: string, facts: Readonly<Record<string, unknown>>): Effect.Effect<void> =>
      Effect.annotateLogs(Effect.logWarning(message), facts)
    const refuseRaw = (socket: Duplex, refusal: HttpRefusal): void => {
      const { code, status } = refusal
      run(Effect.andThen(countRefusal(code), refusals({ code, status, method: undefined })))
      writeRawRefusal(socket, refusal)
    }
    server.on("connect", (_, socket) => refuseRaw(socket, tunnelRefusal))
    server.on("checkExpectation", ({ socket }) => refuseRaw(socket, unsupportedExpectation))
    server.on("clientError", (error, socket) => {
      const refusal = refusalOf(error)
      // In the middle of an answer there is no place for another.
      if (refusal === undefined || connections.isAnswered(socket) || !socket.writable) socket.destroy()
      else refuseRaw(socket, refusal)
    })
    let closed = 0
    connections.onTooMany(() => {
      if (closed++ > 0) return
      const told = Effect.suspend(() => {
        const count = closed
        closed = 0
        return warn("Connections were closed: there are too many.", { code: "CONNECTION_LIMIT", count })
      })
      // One line for a flood of them.
      run(Effect.delay(told, "1 second"))
    })
    // Errors while it listens, such as no descriptor being left for a connection. Unhandled, they would end the process.
    server.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      if (server.listening) run(warn("A connection could not be taken.", { code, reason: message }))
    })
    return refuseRaw
  })

const listenFailures: Readonly<Record<string, readonly [code: string, advice: string]>> = {
  EADDRINUSE: ["PORT_IN_USE", "The port is in use. Choose another, or stop the server that has it."],
  EACCES: ["PORT_FORBIDDEN", "The port may not be used without more rights. Choose one above 1023."],
  EADDRNOTAVAIL: ["HOST_UNKNOWN", "The host is not an address of this machine."],
  ENOTFOUND: ["HOST_UNKNOWN", "The host is not known."]
}

const listen = (server: Server, host: string, port: number): Effect.Effect<AddressInfo, HttpServerFailed> =>
  Effect.callback<AddressInfo, HttpServerFailed>((resume) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const [code, advice] = listenFailures[error.code ?? ""] ?? ["LISTEN_FAILED", error.message]
      resume(Effect.fail(new HttpServerFailed({ code, message: `Cannot listen on ${host}, port ${port}. ${advice}` })))
    }
    server.once("error", onError)
    server.listen({ host, port }, () => {
      server.off("error", onError)
      resume(Effect.succeed(server.address() as AddressInfo))
    })
  })

/** Accepts no more, lets answers in progress finish, and cuts off the rest. */
const closeServer = (server: Server, grace: Duration.Input): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    server.close(() => resume(Effect.void))
    server.closeIdleConnections()
  }).pipe(
    Effect.timeoutOrElse({
      duration: grace,
      orElse: () => Effect.sync(() => server.closeAllConnections())
    })
  )

/** The HTTP face as a service: where it listens. */
export class HttpServer extends Context.Service<HttpServer, Listening>()("@agentwire/bridge/HttpServer") {
  /** Listens as long as the layer lives. */
  static readonly layer = (options: HttpServerOptions): Layer.Layer<HttpServer, HttpServerFailed, Sessions> =>
    Layer.effect(HttpServer, serveHttp(options))
}
