/**
 * Refused requests in the log: a line for each, and a few lines for a flood.
 *
 * Whoever reaches the port can be refused as often as they like. For each code a few lines a second are written;
 * one more line says how many others there were when the second is over.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A request that was refused. Neither its address nor a header is logged: secrets end up there. */
export interface RefusedRequest {
  readonly code: string
  readonly status: number
  readonly method: string | undefined
}

/** How many lines a code may have in a second. */
export const refusalLinesPerSecond = 10

/** Logs a refusal. */
export type RefusalLog = (refused: RefusedRequest) => Effect.Effect<void>

/** A log of refusals. What is held back is logged when the scope closes, at the latest. */
export const makeRefusalLog: Effect.Effect<RefusalLog, never, Scope.Scope> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  /** The lines of the current second, by code. */
  const counts = new Map<string, number>()

  const summarize = (code: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const suppressed = (counts.get(code) ?? 0) - refusalLinesPerSecond
      counts.delete(code)
      return suppressed > 0
        ? Effect.annotateLogs(Effect.logWarning("suppressed"), { of: "request refused", code, count: suppressed })
        : Effect.void
    })

  yield* Effect.addFinalizer(() => Effect.forEach([...counts.keys()], summarize, { discard: true }))

  return ({ code, method, status }) =>
    Effect.gen(function* () {
      const before = counts.get(code) ?? 0
      counts.set(code, before + 1)
      if (before === 0) yield* Effect.forkIn(Effect.delay(summarize(code), "1 second"), scope)
      if (before < refusalLinesPerSecond)
        yield* Effect.annotateLogs(Effect.logWarning("request refused"), { code, status, method })
    })
})
