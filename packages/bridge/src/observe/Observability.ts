/**
 * Everything that observes a bridge, as one layer: log, metrics and spans of its sessions.
 *
 * ```ts
 * layerObservability.pipe(Layer.provide(layerBridgeSessions(options)), Layer.provide(layerClaudeRuntime),
 *   Layer.provide(layerObservedAgents), ...)
 * ```
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { SessionStatus } from "../session/Session.ts"
import { Sessions } from "../session/Sessions.ts"
import { addSampler, metrics } from "./Metrics.ts"
import { sampleProcess } from "./ProcessMetrics.ts"
import { sessionLog } from "./SessionLog.ts"
import { sessionMetrics } from "./SessionMetrics.ts"
import { layerObservedSessions } from "./SessionObserver.ts"
import { sessionSpans } from "./SessionSpans.ts"

const statuses: { readonly [S in SessionStatus]: S } = {
  starting: "starting",
  connected: "connected",
  active: "active",
  idle: "idle",
  disconnected: "disconnected",
  terminated: "terminated"
}

/** Counts the sessions by status whenever the metrics are rendered. */
const sampleSessions = (sessions: Sessions["Service"]) =>
  addSampler(
    Effect.gen(function* () {
      const all = yield* sessions.statuses
      for (const status of Object.values(statuses))
        yield* Metric.update(metrics.sessions(status), all.filter((each) => each === status).length)
    })
  )

/** The same sessions: what they do is logged, counted and traced. */
export const layerObservability: Layer.Layer<Sessions, never, Sessions> = layerObservedSessions([
  sessionLog,
  sessionMetrics,
  sessionSpans
]).pipe(
  Layer.merge(Layer.effectDiscard(Effect.flatMap(Sessions, sampleSessions))),
  Layer.merge(Layer.effectDiscard(sampleProcess))
)
