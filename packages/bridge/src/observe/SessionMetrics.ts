/**
 * Counts what sessions do.
 */

import * as Claude from "@agentwire/protocol/claude"
import { decodeLine } from "@agentwire/protocol/claude"
import * as Model from "@agentwire/protocol/model"
import { isRecord } from "@agentwire/protocol/wire"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { askedBy, decisionOf } from "./Approvals.ts"
import { ControlTraffic, type Traffic } from "./ControlTraffic.ts"
import { metrics } from "./Metrics.ts"
import type { SessionObserver } from "./SessionObserver.ts"
import { type TurnNote, TurnReader } from "./TurnReader.ts"

/** Counts what a session does. */
export const sessionMetrics: SessionObserver = () =>
  Effect.sync(() => {
    const turns = new TurnReader()
    const traffic = new ControlTraffic()
    /** The questions that are open. */
    const asked = new Set<string>()
    /** What the turns of the agent have cost so far; the CLI reports the sum over its process. */
    let spent = 0

    const cost = (event: Model.Event): Effect.Effect<void> => {
      if (event.type !== "noticed" || event.name !== "result_stats" || !isRecord(event.value)) return Effect.void
      const total = event.value["total_cost_usd"]
      if (typeof total !== "number") return Effect.void
      const more = Math.max(0, total - spent)
      spent = total
      return Metric.update(metrics.cost(), more)
    }

    const question = (event: Model.Event): Effect.Effect<void> => {
      const id = askedBy(event)
      if (id !== undefined) {
        asked.add(id)
        return add(metrics.asked())
      }
      return event.type === "request_closed" && asked.delete(event.id)
        ? add(metrics.answered(decisionOf(event)))
        : Effect.void
    }

    const request = (end: Traffic): Effect.Effect<void> =>
      Effect.gen(function* () {
        if (end._tag === "Asked") {
          // Another agent, which counts from nothing.
          if (end.by === "host" && end.subtype === "initialize") spent = 0
          return
        }
        const { by, outcome, subtype } = end
        yield* add(metrics.control(by, Claude.isControlSubtype(subtype) ? subtype : "other", outcome))
        const decision = policyDecision(end)
        if (decision !== undefined) yield* add(metrics.policy(decision))
      })

    return {
      events: (entries) =>
        Effect.gen(function* () {
          const types = new Map<string, number>()
          for (const entry of entries) {
            const { event } = entry
            types.set(event.type, (types.get(event.type) ?? 0) + 1)
            yield* Effect.forEach(turns.read(entry), countTurn, { discard: true })
            yield* question(event)
            if (event.type === "unknown") yield* add(metrics.drift(driftKindOf(event.raw), "none"))
            yield* cost(event)
          }
          for (const [type, count] of types) yield* Metric.update(metrics.events(type), count)
        }),
      lines: (entries) =>
        Effect.gen(function* () {
          for (const entry of entries) {
            if (entry.odd !== undefined) yield* add(metrics.drift("odd", entry.odd))
            yield* Effect.forEach(traffic.read(entry), request, { discard: true })
          }
        }),
      missed: (log, count) => Metric.update(metrics.missed(log), count),
      refused: () => add(metrics.runsRefused()),
      ended: Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        yield* Effect.forEach(turns.end(at), countTurn, { discard: true })
        for (let open = asked.size; open > 0; open--) yield* add(metrics.answered("unanswered"))
        yield* Effect.forEach(traffic.end(at), request, { discard: true })
      })
    }
  })

const add = (counter: Metric.Counter<number>): Effect.Effect<void> => Metric.update(counter, 1)

const countTurn = (note: TurnNote): Effect.Effect<void> => {
  switch (note._tag) {
    case "Started":
      return add(metrics.runsStarted())
    case "Spoke":
      return Metric.update(metrics.firstEventSeconds(), (note.at - note.startedAt) / 1000)
    case "Ended": {
      const { at, code = "none", model, outcome, startedAt, usage } = note
      return Effect.all(
        [
          add(metrics.runsEnded(outcome, code)),
          Metric.update(metrics.runSeconds(outcome), (at - startedAt) / 1000),
          ...countTokens(usage, model)
        ],
        { discard: true }
      )
    }
  }
}

const countTokens = (usage: Model.Usage = Model.noUsage, model = "unknown"): ReadonlyArray<Effect.Effect<void>> =>
  Object.entries({
    input: usage.input,
    output: usage.output,
    cache_read: usage.cachedInput,
    cache_write: usage.cacheWriteInput
  }).map(([kind, count]) => Metric.update(metrics.tokens(kind, model), count))

/** What the policy answered when the agent was about to call a tool. */
const policyDecision = ({ by, response, subtype }: Extract<Traffic, { _tag: "Ended" }>): string | undefined => {
  const output = by === "agent" && subtype === "hook_callback" ? response["hookSpecificOutput"] : undefined
  const decision = isRecord(output) ? output["permissionDecision"] : undefined
  return typeof decision === "string" ? decision : undefined
}

/** Why a line was passed on as it is. */
const driftKindOf = (raw: unknown): string =>
  decodeLine(typeof raw === "string" ? raw : (JSON.stringify(raw) ?? ""))._tag === "Unknown" ? "unknown" : "invalid"
