/**
 * A bridge without agents, in a process of its own: what it tells is how long its event loop stood still, and how much
 * of the processor it used meanwhile, which does not depend on what else the machine does.
 */
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { serveHttp } from "../../packages/bridge/src/server/HttpServer.ts"
import { fakeSessions } from "../../packages/bridge/test/FakeSessions.ts"
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

// An agent takes its time.
const fakes = fakeSessions((fake) => void setImmediate(() => fake.finish()))
fakes.get("t")

process.on("message", (order) => {
  if (order === "reset") {
    globalThis.gc?.()
    delay.reset()
    last = process.cpuUsage()
    busiest = 0
  }
  process.send?.({ delayMs: delay.max / 1e6, busyMs: busiest })
})

const serving = Effect.gen(function* () {
  const { port } = yield* serveHttp({ port: 0, access: { token: Redacted.make(token) } })
  yield* Effect.sync(() => process.send?.({ port }))
  return yield* Effect.never
})
process.once("disconnect", () => process.exit())
await Effect.runPromise(Effect.provide(Effect.scoped(serving), fakes.layer))
