/**
 * A session's events in AG-UI for those who read along: inspectors, programs and pages that show what happens without
 * having started it. Unless they want it otherwise, questions are events, and each turn is one run.
 */
import * as Agui from "@agentwire/protocol/agui"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { LogFailed, ReadFailed } from "../../log/BoundedLog.ts"
import type { EventLog, LogEntry } from "../../log/EventLog.ts"
import type { Session } from "../../session/Session.ts"
import { type ApprovalMode, writeOptions } from "./AguiThread.ts"

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
    Effect.map(writerAt(log, writeOptions(threadId, approvals), from), (writer) =>
      log.read(from).pipe(
        Stream.mapAccum(
          () => writer,
          (before, entry): [Agui.Writer, ReadonlyArray<Told>] => {
            const [next, events] = tell(before, entry)
            return [next, [{ entry, events }]]
          }
        ),
        Stream.mapArrayEffect((told) => withConversations(log, told))
      )
    )
  )

/** What readers are told of an entry. */
interface Told {
  readonly entry: LogEntry
  readonly events: ReadonlyArray<Agui.AguiEvent>
}

/**
 * Tells a reader of an entry. That a conversation goes back is told at once, and not with the next turn, which may be long in
 * coming: in a run of its own, with the messages that are left.
 */
const tell = (writer: Agui.Writer, { event }: LogEntry): Agui.Written => {
  const [next, events] = Agui.write(writer, event)
  if (event.type !== "branched") return [next, events]
  if (Agui.isRunOpen(next)) return [next, [...events, conversation]]
  const [begun, started] = Agui.beginRun(next, { runId: `${next.settings.threadId}:branch-${event.branch}` })
  const [ended, end] = Agui.closeRun(begun, Agui.successEnding)
  return [ended, [...events, ...started, conversation, ...end]]
}

/** Where the messages that are left belong. Only the store has them. */
const conversation: Agui.AguiEvent = { type: "MESSAGES_SNAPSHOT", messages: [] }

const withConversations = (
  log: EventLog,
  told: readonly [Told, ...ReadonlyArray<Told>]
): Effect.Effect<readonly [FedEntry, ...ReadonlyArray<FedEntry>], LogFailed> => {
  const fed = ({ entry: { line, seq }, events }: Told): FedEntry => ({ seq, events, line })
  const fill = (each: Told): Effect.Effect<FedEntry, LogFailed> => {
    const { event } = each.entry
    if (event.type !== "branched") return Effect.succeed(fed(each))
    return Effect.map(log.moment({ branch: event.branch }), ({ before, transcript }) => {
      const messages = Agui.messagesOf(transcript, before)
      return fed({
        ...each,
        events: each.events.map((told) => (told === conversation ? { type: "MESSAGES_SNAPSHOT", messages } : told))
      })
    })
  }
  return told.some(({ entry }) => entry.event.type === "branched")
    ? Effect.forEach(told, fill)
    : Effect.succeed(Arr.map(told, fed))
}

/** The writer for a reader that has had all events before a number, as if it had read the turn that is open there. */
const writerAt = (log: EventLog, options: Agui.WriteOptions, seq: number): Effect.Effect<Agui.Writer, ReadFailed> =>
  Effect.gen(function* () {
    const start = yield* log.turnBefore(seq)
    const begun = Agui.initialWriter(options, start.situation)
    // The start of the turn is not kept any more.
    const [joined] =
      start.situation.turn === undefined
        ? [begun]
        : Agui.joinRun(begun, { runId: start.situation.turn.ticket ?? options.threadId })
    return yield* Stream.runFold(
      Stream.take(log.read(start.seq), Math.max(0, seq - start.seq)),
      () => joined,
      (before, entry) => tell(before, entry)[0]
    )
  })
