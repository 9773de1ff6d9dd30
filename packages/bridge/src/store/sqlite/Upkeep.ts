/**
 * What is done when nothing else is: merging chunks of events, and deleting what removed threads have left. In small
 * steps, one with each commit, so that nobody waits for it. What a crash leaves undone is done later.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { Connection } from "./Connection.ts"
import type { LogTable } from "./LogTable.ts"

/** What is to be done. */
export interface Upkeep {
  /** The events of a thread before a number can be merged. */
  readonly merge: (thread: number, until: number) => void
  /** A thread was removed. */
  readonly purge: (thread: number) => void
}

/** Does it for as long as the scope is open. */
export const makeUpkeep = (connection: Connection, logs: LogTable): Effect.Effect<Upkeep, never, Scope.Scope> =>
  Effect.gen(function* () {
    const merges = new Map<number, number>()
    const purges = new Set<number>()
    const work = Latch.makeUnsafe(false)

    /** One small step of what is to be done first; whatever is not finished by it comes last. */
    const step = (): void => {
      const [merge] = merges
      const [purge] = purges
      if (merge !== undefined) {
        const [thread, until] = merge
        merges.delete(thread)
        if (logs.merge(thread, until)) merges.set(thread, Math.max(until, merges.get(thread) ?? 0))
      } else if (purge !== undefined) {
        purges.delete(purge)
        if (logs.purge(purge)) purges.add(purge)
      } else work.closeUnsafe()
    }

    yield* Effect.forkScoped(
      Effect.forever(
        work.await.pipe(
          Effect.andThen(connection.write(() => Result.succeed(step()))),
          // It is not needed: what cannot be merged stays as it is, and whoever reads it is told what is wrong.
          Effect.catch(({ code, message }) => Effect.annotateLogs(Effect.logDebug(message), { code }))
        )
      )
    )
    return {
      merge: (thread, until) => {
        merges.set(thread, until)
        work.openUnsafe()
      },
      purge: (thread) => {
        purges.add(thread)
        work.openUnsafe()
      }
    }
  })
