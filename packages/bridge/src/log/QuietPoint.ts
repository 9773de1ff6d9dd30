/**
 * Where a reader may begin that is to know all that later events refer to.
 */
import * as Effect from "effect/Effect"
import type { ReadFailed } from "./BoundedLog.ts"
import type { EventLog, TurnStart } from "./EventLog.ts"

/** The beginning of the newest turn before which nobody was at work: later events refer to nothing older. */
export const quietBefore = (log: Pick<EventLog, "turnBefore">, seq: number): Effect.Effect<TurnStart, ReadFailed> =>
  Effect.gen(function* () {
    let start = yield* log.turnBefore(seq)
    while (start.seq > 0 && start.situation.lanes.size > 0) start = yield* log.turnBefore(start.seq)
    return start
  })
