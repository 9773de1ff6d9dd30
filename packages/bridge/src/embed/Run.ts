/**
 * A run that a program began with `sendMessage`: its events as they come, and how it ended.
 */
import * as Agui from "@agentwire/protocol/agui"
import type * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { aguiFeed } from "../face/agui/AguiFeed.ts"
import type { ApprovalMode } from "../face/agui/AguiThread.ts"
import type { Session } from "../session/Session.ts"
import { BridgeError, bridgeErrorOf } from "./BridgeError.ts"

/** How a run ended. */
export interface RunResult {
  /**
   * `success`; `interrupt`: the agent waits for the answers in `approvals` (only where approvals are `interrupt`);
   * `cancelled`: it was stopped, or its session was; `error`: `error` says why.
   */
  readonly outcome: "success" | "interrupt" | "cancelled" | "error"
  /** What the agent said last. */
  readonly text: string
  /** The ids of the questions that the agent waits for. */
  readonly approvals: ReadonlyArray<string>
  /** Why it failed, or which limit it reached; its code is that of `RUN_ERROR`. */
  readonly error: BridgeError | undefined
}

/**
 * A run that was accepted. Where the prompt went into a run that was open (`busy: "steer"`), it is the rest of that, from the
 * prompt on, and has no `RUN_STARTED`. Read it with `for await`, as often as wanted, or wait for its `result`.
 */
export interface Run extends AsyncIterable<Agui.AguiEvent> {
  readonly threadId: string
  readonly runId: string
  /** The id of the prompt in the conversation. */
  readonly messageId: string
  /** How it ended. Never rejected: a run that fails has the outcome `error`. */
  readonly result: Promise<RunResult>
  /** Stops it, unless it is over. True when it was open. */
  readonly stop: () => Promise<boolean>
}

/** The events of one run, with its first and its last. */
const runEvents = ({
  approvals,
  from,
  messageId,
  runId,
  session
}: Pick<RunParts, "approvals" | "from" | "messageId" | "runId" | "session">): Stream.Stream<
  Agui.AguiEvent,
  BridgeError
> => {
  let inside = false
  return aguiFeed(session, from, approvals).pipe(
    Stream.flatMap(({ events }) => Stream.fromIterable(events)),
    Stream.filter((event) => {
      if (event.type === "RUN_STARTED") inside = event.runId === runId
      // A prompt that went into an open run is answered in the rest of that.
      if ("messageId" in event && event.messageId === messageId) inside = true
      // Whoever sent the prompt knows it.
      return inside && !("messageId" in event && event.messageId === messageId)
    }),
    Stream.takeUntil(Agui.endsRun),
    Stream.mapError(
      (failure) =>
        new BridgeError(
          failure._tag === "LogFailed"
            ? failure
            : { code: "EVENTS_LOST", message: "Events of the run are no longer kept." }
        )
    )
  )
}

/** What is known about an open run. */
interface Heard {
  readonly text: string
  readonly end: Agui.AguiEvent | undefined
}

const hear = (heard: Heard, event: Agui.AguiEvent): Heard => {
  // What sub-agents say is not the answer.
  if ("subagentRunId" in event && event.subagentRunId !== undefined) return heard
  if (event.type === "TEXT_MESSAGE_START") return { ...heard, text: "" }
  if (event.type === "TEXT_MESSAGE_CONTENT") return { ...heard, text: heard.text + event.delta }
  return Agui.endsRun(event) ? { ...heard, end: event } : heard
}

const resultOf = ({ end, text }: Heard): RunResult => {
  const ended = { text, approvals: [], error: undefined }
  if (end?.type === "RUN_FINISHED") {
    const said = typeof end.result === "string" ? { ...ended, text: end.result } : ended
    return end.outcome?.type === "interrupt"
      ? { ...said, outcome: "interrupt", approvals: end.outcome.interrupts.map(({ id }) => id) }
      : { ...said, outcome: end.outcome?.type === "cancelled" ? "cancelled" : "success" }
  }
  const { code = "RUN_FAILED", message } =
    end?.type === "RUN_ERROR"
      ? end
      : { code: "SESSION_CLOSED", message: "The session was closed before the run had ended." }
  return { ...ended, outcome: "error", error: new BridgeError({ code, message }) }
}

/** A run to make. */
export interface RunParts {
  readonly threadId: string
  readonly runId: string
  readonly messageId: string
  readonly session: Session
  readonly from: number
  /** How questions are told: with `interrupt` the run ends with them. */
  readonly approvals: ApprovalMode
  readonly context: Context.Context<never>
  readonly stop: () => Promise<boolean>
}

/** A run that was accepted. It is read to its end from now on, so that the result cannot miss anything. */
export const makeRun = (parts: RunParts): Run => {
  const { context, messageId, runId, stop, threadId } = parts
  const reading = Stream.runFold(runEvents(parts), (): Heard => ({ text: "", end: undefined }), hear).pipe(
    Effect.map(resultOf)
  )
  return {
    threadId,
    runId,
    messageId,
    stop,
    result: Effect.runPromiseExitWith(context)(reading).then((exit) =>
      Exit.isSuccess(exit) ? exit.value : failed(exit.cause)
    ),
    [Symbol.asyncIterator]: () => Stream.toAsyncIterableWith(runEvents(parts), context)[Symbol.asyncIterator]()
  }
}

const failed = (cause: Cause.Cause<BridgeError>): RunResult => ({
  outcome: "error",
  text: "",
  approvals: [],
  error: bridgeErrorOf(cause)
})
