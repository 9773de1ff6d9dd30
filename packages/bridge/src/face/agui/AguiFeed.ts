/**
 * A session's events in AG-UI for those who read along: inspectors, programs and pages that show what happens without
 * having started it. Unless they want it otherwise, questions are events, and each turn is one run.
 */
import * as Agui from "@agentwire/protocol/agui"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { LogGap } from "../../log/BoundedLog.ts"
import type { EventLog, Moment } from "../../log/EventLog.ts"
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
): Stream.Stream<FedEntry, LogGap> =>
  Stream.unwrap(
    Effect.map(placeAt(log, writeOptions(threadId, approvals), from), (place) =>
      Stream.map(followLog(log, place), ({ events, line, place: { seq } }) => ({ seq: seq - 1, events, line }))
    )
  )

/** The place of a reader that has had all events before a number, as if it had read the turn that is open there. */
const placeAt = (log: EventLog, options: Agui.WriteOptions, seq: number): Effect.Effect<Place, LogGap> =>
  Effect.gen(function* () {
    const oldest = log.oldest()
    const kept = seq <= oldest ? [] : yield* Stream.runCollect(Stream.take(log.read(oldest), seq - oldest))
    const begin = kept.findLastIndex(({ event }) => event.type === "turn_started")
    const turn = kept.slice(Math.max(0, begin))
    const first = turn[0]?.before ?? (yield* situationAt(log, seq))
    let writer = Agui.initialWriter(options, first)
    // The start of the turn is not kept any more.
    if (first.turn !== undefined) [writer] = Agui.joinRun(writer, { runId: first.turn.ticket ?? options.threadId })
    for (const { event } of turn) [writer] = Agui.write(writer, event)
    return { writer, seq, last: undefined }
  })

const situationAt = (log: EventLog, seq: number): Effect.Effect<Moment["situation"], LogGap> =>
  Effect.suspend(() =>
    seq >= log.next()
      ? Effect.succeed(log.situation())
      : Effect.map(Stream.runCollect(Stream.take(log.read(seq), 1)), ([entry]) => entry?.before ?? log.situation())
  )
