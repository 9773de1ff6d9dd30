/** `@agentwire/bridge/observe`: log, metrics and spans of a bridge, and observers of your own. */
import { layerBridgeSessions } from "@agentwire/bridge"
import { layerClaudeRuntime } from "@agentwire/bridge/claude"
import {
  layerLog,
  layerObservability,
  layerObservedAgents,
  layerObservedSessions,
  layerOtlpSpans,
  metricsContentType,
  renderMetrics,
  type SessionObserver,
  sessionLog,
  sessionMetrics,
  sessionSpans
} from "@agentwire/bridge/observe"
import { replayLauncher } from "@agentwire/bridge/replay"
import { Sessions } from "@agentwire/bridge/session"
import { Effect, Layer } from "effect"

// Agents and sessions that are looked on at: all of it …
const agents = layerObservedAgents.pipe(Layer.provide(replayLauncher({ tapes: [] })))
const sessions = layerBridgeSessions({ session: { cwd: process.cwd() } }).pipe(
  Layer.provide(layerClaudeRuntime),
  Layer.provide(agents)
)
const observed = layerObservability.pipe(Layer.provide(sessions))

// … or the parts that you want, with one of your own.
const counting: SessionObserver = ({ threadId }) =>
  Effect.succeed({ events: (entries) => Effect.log(`${threadId}: ${entries.length} events`) })
export const chosen = layerObservedSessions([sessionLog, sessionMetrics, sessionSpans, counting]).pipe(
  Layer.provide(sessions)
)

// Where the log goes, and the spans.
const log = layerLog({ write: (line) => console.log(line.includes("session started")), json: true, level: "info" }) // true
export const spans = layerOtlpSpans({ url: "http://127.0.0.1:4318", serviceName: "my-bridge" })

// What Prometheus reads.
const scrape = Effect.gen(function* () {
  yield* Effect.flatMap(Sessions, ({ open }) => open("morning"))
  return { type: metricsContentType, text: yield* renderMetrics }
})
const { text, type } = await Effect.runPromise(scrape.pipe(Effect.provide(observed), Effect.provide(log)))
console.log(type, text.includes("agentwire_sessions")) // text/plain; version=0.0.4; charset=utf-8 true
