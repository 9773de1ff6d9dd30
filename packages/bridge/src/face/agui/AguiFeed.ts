/**
 * A session's events in AG-UI for those who read along: inspectors, programs and pages that show what happens without
 * having started it. Unless they want it otherwise, questions are events, and each turn is one run.
 */
import * as Agui from "@agentwire/protocol/agui"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ReadFailed } from "../../log/BoundedLog.ts"
import type { EventLog } from "../../log/EventLog.ts"
import type { Session } from "../../session/Session.ts"
import { type ApprovalMode, type Place, writeOptions } from "./AguiThread.ts"
import { followLog } from "./RunEvents.ts"

/** What an entry of the log is in AG-UI. */
export interface FedEntry {
  readonly seq: number
  readonly events: ReadonlyArray<Agui.AguiEvent>
  /** The number of the line of the wire that it came from, where it came from one. */
  readonly line: number | undefined
}

/** The entries from a number on, as they come, until the session is closed. `approvals`: how questions are told. */
export const aguiFeed = (
  { log, threadId }: Session,
  from: number,
  approvals: ApprovalMode = "event"
): Stream.Stream<FedEntry, ReadFailed> =>
  Stream.unwrap(
    Effect.map(placeAt(log, writeOptions(threadId, approvals), from), (place) =>
      Stream.map(followLog(log, place), ({ events, line, place: { seq } }) => ({ seq: seq - 1, events, line }))
    )
  )

/** The place of a reader that has had all events before a number, as if it had read the turn that is open there. */
const placeAt = (log: EventLog, options: Agui.WriteOptions, seq: number): Effect.Effect<Place, ReadFailed> =>
  Effect.gen(function* () {
    const start = yield* log.turnBefore(seq)
    const begun = Agui.initialWriter(options, start.situation)
    // The start of the turn is not kept any more.
    const [joined] =
      start.situation.turn === undefined
        ? [begun]
        : Agui.joinRun(begun, { runId: start.situation.turn.ticket ?? options.threadId })
    const writer = yield* Stream.runFold(
      Stream.take(log.read(start.seq), Math.max(0, seq - start.seq)),
      () => joined,
      (before, { event }) => Agui.write(before, event)[0]
    )
    return { writer, seq, last: undefined }
  })
