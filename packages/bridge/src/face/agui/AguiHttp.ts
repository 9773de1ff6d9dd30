/**
 * Runs over HTTP: a `RunAgentInput` in, the events of the run out.
 *
 * Two kinds of client ask, and part differently (docs/wire/ag-ui.md §0 item 7). A plain AG-UI client has no stop
 * request: closing the connection is how it stops, so the run is stopped. CopilotKit has one, and a page that reloads
 * or loses its network closes the connection too: there the run goes on, and `connect` finds it.
 *
 * They are told differently that a thread is busy, too. A plain client gets 409, as the spec wants for input that is
 * rejected, and shows `HTTP 409` with the body. CopilotKit reads every bad status of a run as a runtime that is
 * broken; it gets a stream of one `RUN_ERROR` with code `THREAD_BUSY`, which reaches the application's `onError` with
 * its code and ends the run in good order (§4.6). CopilotKit's own runtime answers an empty stream, which nobody
 * notices (§4.3).
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { LogGap } from "../../log/BoundedLog.ts"
import type { EventLog, LogEntry } from "../../log/EventLog.ts"
import type { ThreadBusy } from "../../session/Session.ts"
import { type SessionRefused, Sessions } from "../../session/Sessions.ts"
import type { EventAnswer } from "../http/Answer.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import {
  endsRun,
  fitting,
  type Joining,
  joining,
  type Moment,
  momentOf,
  type Outgoing,
  type SeenRun,
  snapshots,
  startOf
} from "./Attach.ts"
import type { RunRequest } from "./RunRequest.ts"

/** Who asks: a plain AG-UI client, or a page of CopilotKit. */
export type Face = "plain" | "copilotkit"

/** Starts a run on the thread it names; the thread is opened when there is none. */
export const answerRun = (
  { dialect, input }: RunRequest,
  face: Face
): Effect.Effect<EventAnswer, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const session = yield* sessions.open(input.threadId).pipe(Effect.mapError(sessionRefused))
    // A run may have the id of an earlier one (§0 item 8). What starts from here on is this one.
    const notBefore = yield* session.log.next
    const ticket = yield* Effect.result(session.run(input))
    if (ticket._tag === "Failure") {
      if (face === "plain") return yield* refuse("THREAD_BUSY", ticket.failure.message)
      return { ...noEvents(dialect), events: Stream.make(busy(ticket.failure, notBefore)) }
    }
    const { from, runId } = ticket.success
    return {
      _tag: "Events",
      dialect,
      events: runEvents(session.log, from, input, (run) => isRun(run, runId, notBefore)),
      endsRun: true,
      delivered: session.delivered,
      whenGone: face === "plain" ? Effect.asVoid(session.stop(runId)) : Effect.void
    }
  })

/** An answer without events, and without a run. */
export const noEvents = (dialect: RunRequest["dialect"]): EventAnswer => ({
  _tag: "Events",
  dialect,
  events: Stream.empty,
  endsRun: false,
  delivered: () => Effect.void,
  whenGone: Effect.void
})

const busy = ({ message }: ThreadBusy, seq: number): Outgoing => ({
  events: [{ type: "RUN_ERROR", code: "THREAD_BUSY", message }],
  seq
})

const sessionRefused = ({ code, message }: SessionRefused): HttpRefusal =>
  refuse(code === "SESSION_LIMIT" ? "SESSION_LIMIT" : "BAD_THREAD_ID", message)

const isRun = ({ from, started }: SeenRun, runId: string, notBefore: number): boolean =>
  // Where so much was said since that the log has forgotten the start, it is the one that was asked for.
  started === undefined ? from > notBefore : started.event.runId === runId && started.seq >= notBefore

/**
 * A run's events, and before them what no client has had yet. That may begin in the middle of another run, whose
 * reader left, or be forgotten already: then the reader joins, as a connect does.
 */
const runEvents = (
  log: EventLog,
  from: number,
  asked: Joining,
  isOurs: (run: SeenRun) => boolean
): Stream.Stream<Outgoing, LogGap> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const first = yield* Stream.runHead(log.read(from)).pipe(
        Effect.catchTag("LogGap", () => Effect.succeed(Option.none<LogEntry>()))
      )
      if (Option.isSome(first) && first.value.event.type === "RUN_STARTED")
        return Stream.map(readUntilEnd(log, from, false, isOurs), ({ event, seq }) => ({
          events: [event],
          seq: seq + 1
        }))
      return yield* joinRun(log, asked, isOurs)
    })
  )

/** The entries from a number on, until the run ends that is ours. */
const readUntilEnd = (
  log: EventLog,
  from: number,
  inside: boolean,
  isOurs: (run: SeenRun) => boolean
): Stream.Stream<LogEntry, LogGap> => {
  let ours = inside
  return Stream.takeUntil(log.read(from), ({ event, seq }) => {
    if (event.type === "RUN_STARTED")
      ours = isOurs({ from: seq, started: { event, seq }, ended: undefined, opening: [] })
    return ours && endsRun(event)
  })
}

const joinRun = (
  log: EventLog,
  asked: Joining,
  isOurs: (run: SeenRun) => boolean
): Effect.Effect<Stream.Stream<Outgoing, LogGap>> =>
  Effect.gen(function* () {
    for (;;) {
      const moment = yield* momentOf(log)
      const ours = moment.runs.find(isOurs)
      const run = moment.runs.at(-1)
      if (ours?.ended !== undefined)
        return Stream.make({
          events: [startOf(ours, asked), ...snapshots(moment.history, asked.messages), ours.ended.event],
          seq: moment.seq
        })
      if (run !== undefined && run.ended === undefined) return follow(log, moment, run, asked, isOurs)
      // The run was accepted and has not started.
      const next = yield* Effect.option(Stream.runHead(log.read(moment.seq)))
      if (Option.isSome(next) && Option.isNone(next.value)) return Stream.empty
    }
  })

/** Joins a run that is open, and reads until the run ends that is ours. */
export const follow = (
  log: EventLog,
  moment: Moment,
  run: SeenRun,
  asked: Joining,
  isOurs: (run: SeenRun) => boolean
): Stream.Stream<Outgoing, LogGap> => {
  const fit = fitting(moment, run)
  return Stream.concat(
    Stream.make(joining(moment, run, asked)),
    Stream.map(readUntilEnd(log, moment.seq, isOurs(run), isOurs), ({ event, seq }) => ({
      events: fit(event),
      seq: seq + 1
    }))
  )
}
