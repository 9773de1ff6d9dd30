/**
 * The numbers of a bridge: every metric it has, and all of them as Prometheus text.
 *
 * They live in Effect's own registry (`Metric.MetricRegistry`), so a program that exports it has them, too. No label
 * is chosen by a client: values are short and plain, and a metric has a bounded number of series, whatever comes.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import type * as Scope from "effect/Scope"

/** How many series a metric has at most. What comes later is counted with all its labels `other`. */
export const maxSeries = 200

const plain = /^[\w./:+-]{1,64}$/

/** The series of a metric by the values of its labels, in their order. */
const series = <M>(labels: ReadonlyArray<string>, make: (attributes: Readonly<Record<string, string>>) => M) => {
  const known = new Map<string, M>()
  const find = (values: ReadonlyArray<string>): M => {
    const key = values.join(" ")
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= maxSeries && values.some((value) => value !== "other")) return find(labels.map(() => "other"))
    const made = make(Object.fromEntries(labels.map((label, index) => [label, values[index] ?? ""])))
    known.set(key, made)
    return made
  }
  return (...values: ReadonlyArray<string>): M =>
    find(labels.map((_, index) => (plain.test(values[index] ?? "") ? (values[index] ?? "") : "other")))
}

const counter = (name: string, description: string, ...labels: ReadonlyArray<string>) =>
  series(labels, (attributes) => Metric.counter(`agentwire_${name}`, { description, attributes, incremental: true }))

const gauge = (name: string, description: string, ...labels: ReadonlyArray<string>) =>
  series(labels, (attributes) => Metric.gauge(`agentwire_${name}`, { description, attributes }))

const histogram = (
  name: string,
  description: string,
  boundaries: ReadonlyArray<number>,
  ...labels: ReadonlyArray<string>
) => series(labels, (attributes) => Metric.histogram(`agentwire_${name}`, { description, attributes, boundaries }))

const seconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800]

/** Every metric, by what it counts. Called with the values of its labels, in the order they are named here. */
export const metrics = {
  sessions: gauge("sessions", "Sessions by what they are doing.", "status"),
  runsStarted: counter("runs_started_total", "Runs that began."),
  /** The code says why a turn failed, else `none`. `cut`: nobody observes it any more. */
  runsEnded: counter("runs_ended_total", "Runs that ended.", "outcome", "code"),
  runsRefused: counter("runs_refused_total", "Runs that were refused because their thread is busy."),
  runSeconds: histogram("run_duration_seconds", "How long runs took.", seconds, "outcome"),
  firstEventSeconds: histogram(
    "run_first_event_seconds",
    "From the start of a run to the first that the agent says or does.",
    seconds
  ),
  events: counter("events_total", "Events of all sessions.", "type"),
  missed: counter(
    "observer_missed_total",
    "Entries that were gone before the bridge's own observers read them.",
    "log"
  ),
  agents: gauge("agents", "Agents that run."),
  agentStarts: counter("agent_starts_total", "Agents that were started.", "transport", "version"),
  agentFailures: counter("agent_start_failures_total", "Agents that could not be started.", "code"),
  /** The reason is the exit code, or the name of the signal. */
  agentExits: counter("agent_exits_total", "Agents that ended.", "reason"),
  /** A line that no schema knows, or that does not fit its schema: the CLI has changed. The message of an odd one. */
  drift: counter(
    "agent_drift_lines_total",
    "Lines of agents that are of an unknown kind, or not as they should be.",
    "kind",
    "message"
  ),
  control: counter("control_requests_total", "Control requests that came to an end.", "from", "subtype", "outcome"),
  asked: counter("approvals_asked_total", "Questions that a person was asked."),
  answered: counter("approvals_ended_total", "Questions that wait for a person no longer.", "decision"),
  policy: counter("policy_decisions_total", "What the policy said about tool calls.", "decision"),
  tokens: counter("tokens_total", "Tokens that runs spent; the cached ones are part of the input.", "kind", "model"),
  cost: counter("cost_usd_total", "What turns cost, as reported by the CLI, in US dollars."),
  requests: counter("http_requests_total", "HTTP requests that were answered.", "method", "route", "status"),
  refusals: counter("http_refusals_total", "HTTP requests that were refused.", "code"),
  streams: gauge("http_streams", "Event streams that are open."),
  slowReaders: counter("http_slow_readers_total", "Readers of streams that were cut off for being slow."),
  memory: gauge("process_memory_bytes", "Memory of this process.", "kind"),
  loopDelay: gauge("event_loop_delay_seconds", "How late timers were since the last look.", "quantile")
} as const

/** Sets gauges that are looked up rather than counted. */
export type Sampler = Effect.Effect<void>

/** What is looked up whenever the metrics are rendered. Shared by default, as the registry is. */
export const Samplers = Context.Reference<Set<Sampler>>("@agentwire/bridge/observe/Samplers", {
  defaultValue: () => new Set()
})

/** Runs a sampler whenever the metrics are rendered, until the scope closes. */
export const addSampler = (sampler: Sampler): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(Samplers, (samplers) =>
    Effect.acquireRelease(
      Effect.sync(() => samplers.add(sampler)),
      () => Effect.sync(() => samplers.delete(sampler))
    )
  )

/** The type of {@link renderMetrics}' text. */
export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8"

/** All metrics of the registry, as Prometheus text. */
export const renderMetrics: Effect.Effect<string> = Effect.gen(function* () {
  for (const sampler of [...(yield* Samplers)])
    yield* Effect.catchCause(sampler, (cause) => Effect.logDebug("A metric could not be looked up.", cause))
  return yield* PrometheusMetrics.format()
})
