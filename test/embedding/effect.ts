import { layerBridge } from "@agentwire/bridge"
import { cliLauncher, layerClaudeRuntime } from "@agentwire/bridge/claude"
import { HttpServer } from "@agentwire/bridge/http"
import { Sessions } from "@agentwire/bridge/session"
import { Effect, Layer, Redacted } from "effect"

const bridge = layerBridge({
  session: { cwd: process.cwd(), approvals: "interrupt" },
  http: { port: Number(process.env["PORT"] ?? 3210), access: { token: Redacted.make("a-token-of-your-own-making") } }
}).pipe(Layer.provide(layerClaudeRuntime), Layer.provide(cliLauncher()))

const program = Effect.gen(function* () {
  const { url } = yield* HttpServer
  const sessions = yield* Sessions
  yield* sessions.create("morning", { mode: "planner" })
  yield* Effect.sync(() => console.log(`Connect to ${url} with the token a-token-of-your-own-making`))
  yield* Effect.never
})

const running = Effect.runFork(program.pipe(Effect.provide(bridge)))
process.once("SIGINT", () => running.interruptUnsafe())
