/**
 * How this process is doing: its memory, and how late its timers are.
 */
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import { addSampler, metrics } from "./Metrics.ts"

/** The quantiles that are reported. */
const quantiles = [0.5, 0.99, 1]

/** Samples the process whenever the metrics are rendered, until the scope closes. */
export const sampleProcess: Effect.Effect<void, never, Scope.Scope> = Effect.gen(function* () {
  const delays = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const delays = monitorEventLoopDelay({ resolution: 20 })
      delays.enable()
      return delays
    }),
    (delays) => Effect.sync(() => delays.disable())
  )
  yield* addSampler(
    Effect.gen(function* () {
      const { external, heapUsed, rss } = process.memoryUsage()
      for (const [kind, bytes] of Object.entries({ rss, heap: heapUsed, external }))
        yield* Metric.update(metrics.memory(kind), bytes)
      for (const quantile of quantiles)
        yield* Metric.update(metrics.loopDelay(String(quantile)), delays.percentile(quantile * 100) / 1e9)
      delays.reset()
    })
  )
})
