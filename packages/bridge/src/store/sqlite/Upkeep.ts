/**
 * What is done when nothing else is: putting events of the journal in their place, and deleting what removed threads have
 * left. In small steps, one with each commit, so that nobody waits for it. What a crash leaves undone is done later.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { Connection } from "./Connection.ts"
import type { EventTable } from "./EventTable.ts"
import { key, maxNumber, numberIn } from "./Rows.ts"

/** What is to be done. */
export interface Upkeep {
  /** A thread has much in the journal, or will not have more for a while. */
  readonly settle: (thread: number) => void
  /** A thread was removed. */
  readonly purge: (thread: number) => void
}

/** Does it for as long as the scope is open. */
export const makeUpkeep = (connection: Connection, events: EventTable): Effect.Effect<Upkeep, never, Scope.Scope> =>
  Effect.gen(function* () {
    const settling = new Set<number>()
    const purging = new Set<number>()
    const work = Latch.makeUnsafe(false)

    /** One small step; whatever is not finished by it comes last. */
    const step = (): void => {
      const [settled] = settling
      const [purged] = purging
      if (settled !== undefined) {
        settling.delete(settled)
        if (events.settle(settled)) settling.add(settled)
      } else if (purged !== undefined) {
        purging.delete(purged)
        if (purge(connection, purged)) purging.add(purged)
      } else work.closeUnsafe()
    }

    yield* Effect.forkScoped(
      Effect.forever(
        work.await.pipe(
          Effect.andThen(connection.write(() => Result.succeed(step()))),
          // Nobody needs it: what cannot be done stays as it is, and whoever reads it is told what is wrong.
          Effect.catch(({ code, message }) => Effect.annotateLogs(Effect.logDebug(message), { code }))
        )
      )
    )
    const begin =
      (threads: Set<number>) =>
      (thread: number): void => {
        threads.add(thread)
        work.openUnsafe()
      }
    return { settle: begin(settling), purge: begin(purging) }
  })

/** How many rows of each table are deleted in one step: pieces are as long as many rows of the others. */
const rowsAtOnce = { events: 500, checkpoints: 500, entries: 500, pieces: 50 }

/** Deletes some of what a removed thread has left. True when there may be more of it. */
const purge = (connection: Connection, thread: number): boolean => {
  for (const [table, limit] of Object.entries(rowsAtOnce)) {
    const deleted = connection
      .sql(
        `DELETE FROM ${table} WHERE key IN (
           SELECT key FROM ${table} WHERE key BETWEEN ${key("?1", "0")} AND ${key("?1", maxNumber.toString())} LIMIT ${limit}
         )`
      )
      .run(thread)
    if (deleted > 0) return true
  }
  connection.sql("DELETE FROM removed WHERE thread = ?").run(thread)
  return false
}

/** Threads that were removed, and of which rows may be left. */
export const removedThreads = (connection: Connection): ReadonlyArray<number> =>
  connection
    .sql("SELECT thread FROM removed")
    .all()
    .map((row) => numberIn(row, "thread"))
