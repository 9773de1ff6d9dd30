/**
 * Runs over HTTP: a `RunAgentInput` in, the events of the run out.
 *
 * Two kinds of client ask, and leave differently (docs/wire/ag-ui.md §0 item 7). A plain AG-UI client has no stop
 * request: closing the connection is how it stops, so the turn is stopped. CopilotKit has one, and a page that reloads
 * or loses its network closes the connection too: there the turn continues, and `connect` finds it.
 *
 * They also learn differently that a thread is busy. A plain client gets 409, as the spec wants for input that is
 * rejected, and shows `HTTP 409` with the body. CopilotKit takes every bad status of a run for a broken
 * runtime; it gets a stream of one `RUN_ERROR` with code `THREAD_BUSY`, which reaches the application's `onError` with
 * its code and ends the run in good order (§4.6). CopilotKit's own runtime answers an empty stream, which nobody
 * notices (§4.3).
 */
import * as Agui from "@agentwire/protocol/agui"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { ThreadBusy } from "../../session/Session.ts"
import { type SessionRefused, Sessions } from "../../session/Sessions.ts"
import type { HttpLimits } from "../http/HttpLimits.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { type ApprovalMode, aguiThread, type Reader } from "./AguiThread.ts"
import type { EventAnswer } from "./EventAnswer.ts"
import { newsProblem } from "./News.ts"
import { type Outgoing, runEvents } from "./RunEvents.ts"
import type { RunRequest } from "./RunRequest.ts"
import { type ReadRun, type RunRefused, readSubmission } from "./Submission.ts"

/** Who asks: a plain AG-UI client, or a page of CopilotKit. */
export type ClientKind = "plain" | "copilotkit"

/**
 * How long a thread may be busy before a plain client is refused. One that stops a run and asks for the next at once
 * uses two connections, and the end of the first may be heard after the request on the second.
 */
const patience = { schedule: Schedule.spaced("20 millis"), times: 12 }

/** Starts a run on the thread it names; the thread is opened when there is none. */
export const answerRun = (
  { dialect, input }: RunRequest,
  client: ClientKind,
  approvals: ApprovalMode,
  limits?: HttpLimits
): Effect.Effect<EventAnswer, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const tooMuch = newsProblem(input, limits)
    if (tooMuch !== undefined) return yield* tooMuch
    const sessions = yield* Sessions
    const session = yield* sessions.open(input.threadId).pipe(Effect.mapError(sessionRefused))
    const thread = aguiThread(session, approvals)
    let read: ReadRun = { echo: { ...input, messages: [] }, answered: new Set() }
    const submit = session.submit((waiting) =>
      Result.map(readSubmission(thread, input, approvals, waiting), (submission) => {
        read = submission
        return submission
      })
    )
    const submitted = yield* Effect.result(
      client === "plain" ? Effect.retry(submit, { while: ({ _tag }) => _tag === "ThreadBusy", ...patience }) : submit
    )
    if (submitted._tag === "Failure") {
      if (submitted.failure._tag === "RunRefused") return failedRun(dialect, input, submitted.failure)
      if (client === "plain") return yield* refuse("THREAD_BUSY", submitted.failure.message)
      return { ...noEvents(dialect), events: Stream.make(busy(submitted.failure)) }
    }
    const { from, keepPlace } = thread.readerFor(input.messages)
    const events = runEvents(session.log, thread, { ...read, input, accepted: submitted.success, from })
    return {
      ...eventsOf(keepPlace, dialect, events),
      onReaderGone: client === "plain" ? Effect.asVoid(session.stop(input.runId)) : Effect.void
    }
  })

/** Events of a thread, whose reader's place is kept as they are sent. */
export const eventsOf = (
  keepPlace: Reader["keepPlace"],
  dialect: RunRequest["dialect"],
  events: EventAnswer["events"]
): EventAnswer => ({
  _tag: "Events",
  dialect,
  events,
  endsRun: true,
  onDelivered: ({ place }) =>
    Effect.sync(() => {
      if (place !== undefined) keepPlace(place)
    }),
  onReaderGone: Effect.void
})

/** An answer without events, and without a run. */
export const noEvents = (dialect: RunRequest["dialect"]): EventAnswer => ({
  _tag: "Events",
  dialect,
  events: Stream.empty,
  endsRun: false,
  onDelivered: () => Effect.void,
  onReaderGone: Effect.void
})

const busy = ({ message }: ThreadBusy): Outgoing => ({
  events: [{ type: "RUN_ERROR", code: "THREAD_BUSY", message }],
  place: undefined
})

/** A run that is refused. The agent hears nothing of it, so it may be sent again. */
const failedRun = (
  dialect: RunRequest["dialect"],
  { runId, threadId }: Agui.RunAgentInput,
  { code, message }: RunRefused
): EventAnswer => ({
  ...noEvents(dialect),
  events: Stream.make({
    events: [
      { type: "RUN_STARTED", threadId, runId, protocolVersion: Agui.PROTOCOL_VERSION },
      { type: "RUN_ERROR", code, message }
    ],
    place: undefined
  })
})

const sessionRefused = ({ code, message }: SessionRefused): HttpRefusal =>
  refuse(code === "SESSION_LIMIT" ? "SESSION_LIMIT" : "BAD_THREAD_ID", message)
