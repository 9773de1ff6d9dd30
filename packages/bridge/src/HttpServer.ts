/**
 * The HTTP face of a bridge: a `node:http` server that listens for as long as its scope lives.
 *
 * When the scope closes, open streams end with `RUN_ERROR`, and what is still connected after a grace is cut off.
 */
import { createServer, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { unsafeGate } from "./Gate.ts"
import { type HandlerOptions, makeHandler } from "./HttpHandler.ts"
import { defaultHttpLimits } from "./HttpLimits.ts"
import type { Sessions } from "./Sessions.ts"

/** What a server is told. */
export interface HttpServerOptions extends HandlerOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Default 3210; 0 for any that is free. */
  readonly port?: number
  /** How long connections may go on after the server was told to close. Default 2 seconds. */
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
}

/** Listens until the scope closes. */
export const serveHttp = (
  options: HttpServerOptions
): Effect.Effect<Listening, HttpServerFailed, Sessions | Scope.Scope> =>
  Effect.gen(function* () {
    const { closeGrace = "2 seconds", host = "127.0.0.1", port = 3210 } = options
    const unsafe = unsafeGate(options.gate, host)
    if (unsafe !== undefined) return yield* new HttpServerFailed({ code: "UNSAFE", message: unsafe })
    const limits = { ...defaultHttpLimits, ...options.limits }
    const millis = (duration: Duration.Input) => Duration.toMillis(Duration.fromInputUnsafe(duration))
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const server = createServer({
          maxHeaderSize: limits.maxHeaderBytes,
          headersTimeout: millis(limits.headersTimeout),
          requestTimeout: millis(limits.requestTimeout),
          keepAliveTimeout: millis(limits.idleTimeout),
          // Node looks at its time limits twice a minute unless it is told to look more often.
          connectionsCheckingInterval: 2000
        })
        server.maxHeadersCount = limits.maxHeaders
        server.maxConnections = limits.maxConnections
        return server
      }),
      (server) => closeServer(server, closeGrace)
    )
    const idle = new Set<Socket>()
    yield* Effect.addFinalizer(() => Effect.sync(() => idle.forEach((socket) => void socket.destroy())))
    watchIdle(server, idle)
    // After the server, so that it is closed before it: its streams end while their connections are there.
    const handler = yield* makeHandler(options)
    server.on("request", handler)
    const address = yield* listen(server, host, port)
    const name = address.family === "IPv6" ? `[${address.address}]` : address.address
    return { host: address.address, port: address.port, url: `http://${name}:${address.port}` }
  })

const listenFailures: Readonly<Record<string, readonly [code: string, advice: string]>> = {
  EADDRINUSE: ["PORT_IN_USE", "The port is in use. Choose another, or stop the server that has it."],
  EACCES: ["PORT_FORBIDDEN", "The port may not be used without more rights. Choose one above 1023."],
  EADDRNOTAVAIL: ["HOST_UNKNOWN", "The host is no address of this machine."],
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

/**
 * Keeps the connections on which nothing is asked. Node closes those that had a request by itself, but not those that
 * never had one, which clients open in advance.
 */
const watchIdle = (server: Server, idle: Set<Socket>): void => {
  server.on("connection", (socket) => {
    idle.add(socket)
    socket.once("close", () => idle.delete(socket))
  })
  server.on("request", ({ socket }, response) => {
    idle.delete(socket)
    response.once("close", () => {
      if (server.listening) idle.add(socket)
      else socket.end()
    })
  })
}

/** Takes no more, lets what is being sent be sent, and cuts off the rest. */
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
