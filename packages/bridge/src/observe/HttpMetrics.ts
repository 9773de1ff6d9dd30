/**
 * Counts what the HTTP face does.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { metrics } from "./Metrics.ts"

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const routes = new WeakMap<IncomingMessage, string>()

/** Notes the pattern of the route that a request found. */
export const noteRoute = (request: IncomingMessage, path: string): void => void routes.set(request, path)

/** Counts an answer by the pattern of its route; `none` where there is no such route. */
export const countRequest = (request: IncomingMessage, response: ServerResponse): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { method = "" } = request
    // A connection that was gone before its answer has no status.
    const status = response.headersSent ? String(response.statusCode) : "none"
    return Metric.update(
      metrics.requests(methods.has(method) ? method : "other", routes.get(request) ?? "none", status),
      1
    )
  })

/** Counts a refusal. */
export const countRefusal = (code: string): Effect.Effect<void> => Metric.update(metrics.refusals(code), 1)

/** Counts a stream while it is written, and a reader that was cut off for being slow. */
export const countStream = <End extends string>(writing: Effect.Effect<End>): Effect.Effect<End> =>
  Effect.acquireUseRelease(
    Metric.modify(metrics.streams(), 1),
    () => writing,
    () => Metric.modify(metrics.streams(), -1)
  ).pipe(Effect.tap((end) => (end === "slow" ? Metric.update(metrics.slowReaders(), 1) : Effect.void)))
