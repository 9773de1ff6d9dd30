/**
 * Counts what sessions do.
 */
import { type Agui, Claude, decodeLine } from "@agentwire/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { isRecord } from "../face/agui/RunRequest.ts"
import { Approvals } from "./Approvals.ts"
import { ControlTraffic, type Traffic } from "./ControlTraffic.ts"
import { metrics } from "./Metrics.ts"
import { type RunNote, RunReader } from "./RunReader.ts"
import type { SessionObserver } from "./SessionObserver.ts"

/** Counts what a session does. */
export const sessionMetrics: SessionObserver = (session) =>
  Effect.sync(() => {
    const runs = new RunReader()
    const traffic = new ControlTraffic()
    const approvals = new Approvals()
    /** What the turns of the agent have cost so far; the CLI tells the sum over its process. */
    let spent = 0

    const cost = (event: Agui.AguiEvent): Effect.Effect<void> => {
      if (event.type !== "CUSTOM" || event.name !== "result_stats" || !isRecord(event.value)) return Effect.void
      const total = event.value["total_cost_usd"]
      if (typeof total !== "number") return Effect.void
      const more = Math.max(0, total - spent)
      spent = total
      return Metric.update(metrics.cost(), more)
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
        const answered = approvals.ended(end)
        if (answered !== undefined) yield* add(metrics.answered(answered.decision))
        const decision = policyDecision(end)
        if (decision !== undefined) yield* add(metrics.policy(decision))
      })

    return {
      events: (entries) =>
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          const types = new Map<string, number>()
          for (const { event } of entries) {
            types.set(event.type, (types.get(event.type) ?? 0) + 1)
            yield* Effect.forEach(runs.read(event, at), countRun, { discard: true })
            const { length } = approvals.asked(event)
            if (length > 0) {
              yield* Metric.update(metrics.asked(), length)
              approvals.limits(yield* session.pending)
            }
            if (event.type === "RAW") yield* add(metrics.drift(driftOf(event.event)))
            yield* cost(event)
          }
          for (const [type, count] of types) yield* Metric.update(metrics.events(type), count)
        }),
      lines: (entries) =>
        Effect.forEach(entries, (entry) => Effect.forEach(traffic.read(entry), request, { discard: true }), {
          discard: true
        }),
      missed: (log, count) => Metric.update(metrics.missed(log), count),
      refused: () => add(metrics.runsRefused()),
      ended: Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        yield* Effect.forEach(runs.end(at), countRun, { discard: true })
        yield* Effect.forEach(traffic.end(at), request, { discard: true })
      })
    }
  })

const add = (counter: Metric.Counter<number>): Effect.Effect<void> => Metric.update(counter, 1)

const countRun = (note: RunNote): Effect.Effect<void> => {
  switch (note._tag) {
    case "Started":
      return add(metrics.runsStarted())
    case "Spoke":
      return Metric.update(metrics.firstEventSeconds(), (note.at - note.startedAt) / 1000)
    case "Ended": {
      const { at, code = "none", outcome, startedAt, usage } = note
      return Effect.all(
        [
          add(metrics.runsEnded(outcome, code)),
          Metric.update(metrics.runSeconds(outcome), (at - startedAt) / 1000),
          ...usage.flatMap(countTokens)
        ],
        { discard: true }
      )
    }
  }
}

const countTokens = ({
  cachedInputTokens = 0,
  cacheWriteInputTokens = 0,
  inputTokens = 0,
  model = "unknown",
  outputTokens = 0
}: Agui.TokenUsage): ReadonlyArray<Effect.Effect<void>> =>
  Object.entries({
    input: inputTokens,
    output: outputTokens,
    cache_read: cachedInputTokens,
    cache_write: cacheWriteInputTokens
  }).map(([kind, count]) => Metric.update(metrics.tokens(kind, model), count))

/** What the policy answered when the agent was about to call a tool. */
const policyDecision = ({ by, response, subtype }: Extract<Traffic, { _tag: "Ended" }>): string | undefined => {
  const output = by === "agent" && subtype === "hook_callback" ? response["hookSpecificOutput"] : undefined
  const decision = isRecord(output) ? output["permissionDecision"] : undefined
  return typeof decision === "string" ? decision : undefined
}

/** Why a line was passed on as it is. */
const driftOf = (raw: unknown): string =>
  decodeLine(typeof raw === "string" ? raw : (JSON.stringify(raw) ?? ""))._tag === "Unknown" ? "unknown" : "invalid"
