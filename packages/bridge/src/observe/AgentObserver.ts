/**
 * Observes agents: each start, each start that fails and each end is logged and counted.
 */
import * as Tape from "@agentwire/protocol/tape"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { type Agent, AgentLauncher } from "../runtime/claude/Agent.ts"
import { metrics } from "./Metrics.ts"

/** The agents that run, by the key of their session. */
export const RunningAgents = Context.Reference<Map<string, Pick<Agent, "version" | "transport">>>(
  "@agentwire/bridge/observe/RunningAgents",
  { defaultValue: () => new Map() }
)

/** The same agents, with what happens to them logged and counted. */
export const layerObservedAgents: Layer.Layer<AgentLauncher, never, AgentLauncher> = Layer.effect(
  AgentLauncher,
  Effect.gen(function* () {
    const { launch, ...launcher } = yield* AgentLauncher
    const running = yield* RunningAgents
    return {
      ...launcher,
      launch: (request) =>
        launch(request).pipe(
          Effect.tap((agent) => started(agent, request.sessionKey, running)),
          Effect.tapError(({ code, message }) =>
            Effect.andThen(
              Metric.update(metrics.agentFailures(code), 1),
              // The message may contain what the CLI wrote before it ended.
              Effect.annotateLogs(Effect.logError("agent not started"), { code, reason: Tape.redactText(message) })
            )
          ),
          Effect.annotateLogs({ session: request.sessionKey })
        )
    }
  })
)

const started = (agent: Agent, key: string, running: Map<string, Pick<Agent, "version" | "transport">>) =>
  Effect.gen(function* () {
    const { transport, version } = agent
    const known = { transport, version }
    running.set(key, known)
    yield* Metric.update(metrics.agentStarts(transport, version), 1)
    yield* Metric.modify(metrics.agents(), 1)
    yield* Effect.annotateLogs(Effect.log("agent started"), known)
    // Not in the scope of the agent: that ends before the agent has.
    yield* Effect.forkDetach(
      Effect.gen(function* () {
        const { code, signal } = yield* agent.exit
        if (running.get(key) === known) running.delete(key)
        yield* Metric.update(metrics.agentExits(signal ?? String(code)), 1)
        yield* Metric.modify(metrics.agents(), -1)
        yield* Effect.annotateLogs(Effect.log("agent ended"), signal === null ? { code } : { signal })
      })
    )
  })
