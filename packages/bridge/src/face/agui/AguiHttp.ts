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
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { othersFirst } from "../../eventloop/Turns.ts"
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { SessionOptionName } from "../../session/OptionRules.ts"
import type { ThreadBusy } from "../../session/Session.ts"
import { type SessionRefused, Sessions } from "../../session/Sessions.ts"
import type { HttpLimits } from "../http/HttpLimits.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { logFailed, sessionRefused } from "../http/SessionRefusal.ts"
import { type ApprovalMode, aguiThread, type Reader } from "./AguiThread.ts"
import type { EventAnswer } from "./EventAnswer.ts"
import { newsProblem } from "./News.ts"
import { type Outgoing, runEvents } from "./RunEvents.ts"
import type { RunRequest } from "./RunRequest.ts"
import { applySettings, runSettings, sessionChoices } from "./SessionOptions.ts"
import { type RunRefused, submitInput } from "./Submission.ts"

/** Who asks: a plain AG-UI client, or a page of CopilotKit. */
export type ClientKind = "plain" | "copilotkit"

/**
 * How long a thread may be busy, or wait for an answer, before a plain client is refused. One that stops a run and asks for
 * the next at once uses two connections, and the end of the first may be heard after the request on the second.
 */
const patience = { schedule: Schedule.spaced("20 millis"), times: 12 }

/** Whether the end of a run that its client has left would make a difference. */
const mayPass = (refused: ThreadBusy | LogFailed | RunRefused): boolean =>
  refused._tag === "ThreadBusy" || (refused._tag === "RunRefused" && refused.code === "INTERRUPT_OPEN")

/** What runs may bring. */
export interface RunRules {
  /** The options of a session that a run may choose. Default none. */
  readonly sessionOptions?: ReadonlyArray<SessionOptionName>
  readonly limits?: HttpLimits
}

/** Starts a run on the thread it names; the thread is opened when there is none. */
export const answerRun = (
  request: RunRequest,
  client: ClientKind,
  approvals: ApprovalMode,
  rules: RunRules = {}
): Effect.Effect<EventAnswer, HttpRefusal, Sessions> =>
  submitRun(request, client, approvals, rules).pipe(
    Effect.catchTag("RunRefused", (refused) => Effect.succeed(failedRun(request, refused))),
    Effect.catch((failure) => {
      const refusal = refusalOf(failure)
      // CopilotKit takes every bad status of a run for a broken runtime.
      return client === "plain" ? Effect.fail(refusal) : Effect.succeed(refusedRun(request.dialect, refusal))
    })
  )

const submitRun = (
  { dialect, input }: RunRequest,
  client: ClientKind,
  approvals: ApprovalMode,
  { limits, sessionOptions = [] }: RunRules
) =>
  Effect.gen(function* () {
    const tooMuch = newsProblem(input, limits)
    if (tooMuch !== undefined) return yield* tooMuch
    // To look at so much is one step, to tell the agent of it the next.
    yield* othersFirst
    const sessions = yield* Sessions
    const choices = yield* sessionChoices(input, sessionOptions)
    const settings = yield* runSettings(input, sessionOptions)
    const session = yield* sessions.open(input.threadId, choices)
    yield* applySettings(session, settings)
    const thread = yield* aguiThread(session, approvals)
    const submit = submitInput(session, thread, input, approvals)
    const submitted = yield* client === "plain" ? Effect.retry(submit, { while: mayPass, ...patience }) : submit
    const { from, keepPlace } = thread.readerFor(input.messages, submitted)
    const arrived = thread.answers.begin(input)
    const events = runEvents(session.log, thread, { ...submitted, input, from })
    return {
      ...eventsOf(keepPlace, dialect, events, arrived),
      onReaderGone: client === "plain" ? Effect.asVoid(session.stop(input.runId)) : Effect.void
    }
  })

/** Events of a thread, whose reader's place is kept as they are sent. `arrived`: called when all of them were, to the end of a run. */
export const eventsOf = (
  keepPlace: Reader["keepPlace"],
  dialect: RunRequest["dialect"],
  events: EventAnswer["events"],
  arrived: () => void
): EventAnswer => {
  const end: Outgoing = { events: [], place: undefined }
  let isRunOpen = true
  return {
    _tag: "Events",
    dialect,
    events: Stream.concat(events, Stream.make(end)),
    endsRun: true,
    onDelivered: (outgoing) =>
      Effect.sync(() => {
        const { place } = outgoing
        if (outgoing === end && !isRunOpen) arrived()
        if (place === undefined) return
        isRunOpen = Agui.isRunOpen(place.writer)
        keepPlace(place)
      }),
    onReaderGone: Effect.void
  }
}

/** An answer without events, and without a run. */
export const noEvents = (dialect: RunRequest["dialect"]): EventAnswer => ({
  _tag: "Events",
  dialect,
  events: Stream.empty,
  endsRun: false,
  onDelivered: () => Effect.void,
  onReaderGone: Effect.void
})

/** A run that never begins, for clients that would not look at a status. */
export const refusedRun = (dialect: RunRequest["dialect"], { code, message, why }: HttpRefusal): EventAnswer => ({
  ...noEvents(dialect),
  events: Stream.make({ events: [{ type: "RUN_ERROR", code: why ?? code, message }], place: undefined })
})

/** A run that is refused. The agent hears nothing of it, so it may be sent again. */
const failedRun = (
  { dialect, input: { runId, threadId } }: RunRequest,
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

/** Why a thread cannot be had, as a refusal. */
export const refusalOf = (failure: HttpRefusal | SessionRefused | ThreadBusy | LogFailed): HttpRefusal => {
  switch (failure._tag) {
    case "HttpRefusal":
      return failure
    case "ThreadBusy":
      return refuse("THREAD_BUSY", failure.message)
    case "LogFailed":
      return logFailed(failure)
    case "SessionRefused":
      return sessionRefused(failure)
  }
}
