/**
 * A session's log as normalised events, from any number on: as if the reader had been there from the beginning.
 */
import * as Normalised from "@agentwire/protocol/normalised"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ReadFailed } from "../../log/BoundedLog.ts"
import type { EventLog } from "../../log/EventLog.ts"
import { quietBefore } from "../../log/QuietPoint.ts"
import type { Session } from "../../session/Session.ts"

/** What an entry of the log is to the reader. */
export interface NormalisedEntry {
  readonly seq: number
  readonly events: ReadonlyArray<Normalised.NormalisedEvent>
}

/** The entries from a number on, as they come, until the session is closed. */
export const normalisedFeed = (
  { log }: Pick<Session, "log">,
  options: Normalised.NormalisedOptions,
  from: number
): Stream.Stream<NormalisedEntry, ReadFailed> =>
  Stream.unwrap(
    Effect.map(cursorAt(log, options, from), (cursor) =>
      Stream.mapAccum(
        log.read(from),
        () => cursor,
        (before, entry): [Normalised.NormalisedCursor, ReadonlyArray<NormalisedEntry>] => {
          const [next, events] = Normalised.writeNormalised(before, entry)
          return [next, [{ seq: entry.seq, events }]]
        }
      )
    )
  )

/** The cursor of a reader that has had everything before a number. */
const cursorAt = (
  log: Pick<EventLog, "read" | "turnBefore">,
  options: Normalised.NormalisedOptions,
  seq: number
): Effect.Effect<Normalised.NormalisedCursor, ReadFailed> =>
  Effect.gen(function* () {
    const start = yield* quietBefore(log, seq)
    return yield* Stream.runFold(
      Stream.take(log.read(start.seq), Math.max(0, seq - start.seq)),
      () => Normalised.initialNormalised(options, start.situation),
      (before, entry) => Normalised.writeNormalised(before, entry)[0]
    )
  })
