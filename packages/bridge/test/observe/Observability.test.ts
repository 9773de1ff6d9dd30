/** All that looks on, as one layer. */

import { tmpdir } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { layerBridgeSessions } from "../../src/embed/BridgeLayer.ts"
import { layerLog } from "../../src/observe/Log.ts"
import { renderMetrics, Samplers } from "../../src/observe/Metrics.ts"
import { layerObservability } from "../../src/observe/Observability.ts"
import { layerClaudeRuntime } from "../../src/runtime/claude/ClaudeRuntime.ts"
import { Sessions } from "../../src/session/Sessions.ts"
import { echo } from "../AgentLines.ts"
import { fakeAgents } from "../FakeAgent.ts"
import { parsePrometheus, total } from "./Prometheus.ts"

describe("observability", () => {
  it.live("has the sessions by status and the process as they are now, for as long as the layer lives", () =>
    Effect.gen(function* () {
      const { layer } = fakeAgents(echo)
      const samplers = new Set<Effect.Effect<void>>()
      const sessions = layerObservability.pipe(
        Layer.provide(layerBridgeSessions({ session: { cwd: tmpdir() } })),
        Layer.provide(layerClaudeRuntime),
        Layer.provide(layer)
      )
      yield* Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const { open } = yield* Sessions
          yield* Effect.forEach(["a", "b", "c"], (threadId) => open(threadId))
          const samples = parsePrometheus(yield* renderMetrics)
          expect(total(samples, "agentwire_sessions")).toBe(3)
          expect(total(samples, "agentwire_sessions", { status: "idle" })).toBe(3)
          expect(total(samples, "agentwire_process_memory_bytes", { kind: "rss" })).toBeGreaterThan(1_000_000)
          expect(samples.filter(({ name }) => name === "agentwire_event_loop_delay_seconds")).toHaveLength(3)
          expect(samplers.size).toBe(2)
        }).pipe(Effect.provide(sessions))
        expect(samplers.size).toBe(0)
      }).pipe(
        Effect.provide(layerLog({ write: () => undefined, json: true })),
        Effect.provideService(Metric.MetricRegistry, new Map()),
        Effect.provideService(Samplers, samplers)
      )
    })
  )
})
