/**
 * `@agentwire/bridge`: the bridge itself, as a class with promises and as layers. Recorded sessions answer here, so
 * that no account is needed.
 */
import { Bridge, type BridgeConfig, BridgeError, errorAreas, layerBridge, layerBridgeSessions } from "@agentwire/bridge"
import { layerClaudeRuntime } from "@agentwire/bridge/claude"
import { HttpServer } from "@agentwire/bridge/http"
import { replayLauncher } from "@agentwire/bridge/replay"
import { Sessions } from "@agentwire/bridge/session"
import { findTape } from "@agentwire/fixtures"
import { Effect, Layer, Redacted } from "effect"

const tapes = findTape({ scenario: "plain_text", version: "2.1.325" })?.file ?? ""

// The class: sessions, runs, approvals and events. `start()` instead of `open()` listens.
const config: BridgeConfig = { agent: { tapes }, approvals: "event" }
const bridge = new Bridge(config)
bridge.on("status", ({ threadId }) => threadId)
await bridge.open()
const { threadId } = await bridge.createSession()
console.log((await (await bridge.sendMessage(threadId, "Hello!")).result).text) // Hello there.

// What its promises are rejected with, and what every code means.
try {
  await bridge.getSession("nobody")
} catch (error) {
  if (error instanceof BridgeError) console.log(error.code) // SESSION_NOT_FOUND
}
console.log(errorAreas.flatMap(({ codes }) => Object.keys(codes)).includes("SESSION_NOT_FOUND")) // true
await bridge.stop()

// The layers: a bridge that listens, and the sessions of one without a port.
const session = { cwd: process.cwd() }
const listening = layerBridge({
  session,
  http: { port: 0, access: { token: Redacted.make("sixteen-or-more-characters") } }
})
const agents = layerClaudeRuntime.pipe(Layer.provide(replayLauncher({ tapes })))
const { host } = await Effect.runPromise(HttpServer.pipe(Effect.provide(listening.pipe(Layer.provide(agents)))))
console.log(host) // 127.0.0.1
const sessions = layerBridgeSessions({ session }).pipe(Layer.provide(agents))
const list = Effect.flatMap(Sessions, ({ list }) => list).pipe(Effect.provide(sessions))
console.log(await Effect.runPromise(list)) // []
