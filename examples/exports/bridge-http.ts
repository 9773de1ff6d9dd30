/** `@agentwire/bridge/http`: sessions over HTTP. */
import { createServer } from "node:http"
import { layerBridgeSessions } from "@agentwire/bridge"
import { layerClaudeRuntime } from "@agentwire/bridge/claude"
import {
  type AccessOptions,
  defaultHttpLimits,
  type HttpLimits,
  HttpServer,
  HttpServerFailed,
  makeHandler
} from "@agentwire/bridge/http"
import { replayLauncher } from "@agentwire/bridge/replay"
import { Effect, Layer, Redacted } from "effect"

const sessions = layerBridgeSessions({ session: { cwd: process.cwd() } }).pipe(
  Layer.provide(layerClaudeRuntime),
  Layer.provide(replayLauncher({ tapes: [] }))
)

// Who may come in: with the token, and from pages of these origins.
const access: AccessOptions = {
  token: Redacted.make("sixteen-or-more-characters"),
  allowedOrigins: ["http://localhost:3000"]
}

// How much a request may take: twice as large a body as by default.
const limits: HttpLimits = { maxBodyBytes: 2 * defaultHttpLimits.maxBodyBytes }

// A server that listens as long as the layer lives.
const asked = Effect.gen(function* () {
  const { url } = yield* HttpServer
  return yield* Effect.promise(async () => (await fetch(`${url}/info`)).status)
})
const server = HttpServer.layer({ port: 0, access, limits }).pipe(Layer.provide(sessions))
console.log(await Effect.runPromise(asked.pipe(Effect.provide(server)))) // 401

// What would not be safe does not start.
const open = HttpServer.layer({ host: "0.0.0.0", access: { token: "none" } }).pipe(Layer.provide(sessions))
const unsafe = await Effect.runPromise(Effect.flip(HttpServer.pipe(Effect.provide(open))))
console.log(unsafe instanceof HttpServerFailed && unsafe.code) // UNSAFE

// A handler for a server that you have already.
export const mounted = Effect.gen(function* () {
  const handler = yield* makeHandler({ access, basePath: "/copilotkit" })
  return createServer(handler)
}).pipe(Effect.provide(sessions))
