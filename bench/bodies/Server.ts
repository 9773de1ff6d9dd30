/**
 * A bridge in a process of its own, with an agent that says one word; with `--kept` its threads are in a database. What it tells is how long its event loop stood
 * still, how much of the processor it used meanwhile, which does not depend on what else the machine does, and the memory.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { layerBridge } from "../../packages/bridge/src/embed/BridgeLayer.ts"
import { layerClaudeRuntime } from "../../packages/bridge/src/runtime/claude/ClaudeRuntime.ts"
import { cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { HttpServer } from "../../packages/bridge/src/server/HttpServer.ts"
import { layerSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"
import { token } from "./Shapes.ts"

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()

/** The most that was used from one turn of the event loop to the next, in milliseconds. */
let busiest = 0
let last = process.cpuUsage()
const look = (): void => {
  const { system, user } = process.cpuUsage(last)
  last = process.cpuUsage()
  busiest = Math.max(busiest, (system + user) / 1000)
  setImmediate(look)
}
setImmediate(look)

/** The longest that a timer of five milliseconds was late. */
let latest = 0
let due = performance.now() + 5
setInterval(() => {
  const now = performance.now()
  latest = Math.max(latest, now - due)
  due = now + 5
}, 5)

let mostMemory = 0
setInterval(() => {
  mostMemory = Math.max(mostMemory, process.memoryUsage().rss)
}, 20)

process.on("message", (order) => {
  if (order === "reset") {
    globalThis.gc?.()
    delay.reset()
    last = process.cpuUsage()
    busiest = 0
    latest = 0
    due = performance.now() + 5
    mostMemory = process.memoryUsage().rss
  }
  process.send?.({ delayMs: latest, busyMs: busiest, memory: mostMemory })
})

const folder = mkdtempSync(join(tmpdir(), "agentwire-bodies-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
const cliPath = fileURLToPath(new URL("Agent.mjs", import.meta.url))
const bridge = layerBridge({
  session: { cwd: folder, approvals: "interrupt" },
  ...(process.argv.includes("--kept") && { store: layerSqliteStore({ folder: join(folder, "kept") }) }),
  http: { port: 0, access: { token: Redacted.make(token) }, sessionOptions: ["env", "mcpServers"] }
}).pipe(Layer.provide(layerClaudeRuntime), Layer.provide(cliLauncher({ cliPath })))

const serving = Effect.gen(function* () {
  const { port } = yield* HttpServer
  yield* Effect.sync(() => process.send?.({ port }))
  return yield* Effect.never
})
process.once("disconnect", () => process.exit())
await Effect.runPromise(Effect.provide(serving, Layer.merge(bridge, Logger.layer([]))))
