/** What a bridge does, for those who run it: log, metrics, spans, and observers of your own. */

/** Counts agents and notes their versions. */
export { layerObservedAgents } from "./observe/AgentObserver.ts"
/** The log, a line for each thing that happened. */
export { type LogLevel, type LogOptions, layerLog } from "./observe/Log.ts"
/** The metrics as Prometheus reads them. */
export { metricsContentType, renderMetrics } from "./observe/Metrics.ts"
/** Log, metrics and spans of every session, and the gauges of the process. */
export { layerObservability } from "./observe/Observability.ts"
/** Sends spans to a collector. */
export { layerOtlpSpans, type OtlpSpansOptions } from "./observe/OtlpSpans.ts"
export { sessionLog } from "./observe/SessionLog.ts"
export { sessionMetrics } from "./observe/SessionMetrics.ts"
/** Observers of sessions: those above, one by one, or your own. */
export { layerObservedSessions, type SessionObserver, type SessionWatch } from "./observe/SessionObserver.ts"
export { sessionSpans } from "./observe/SessionSpans.ts"
