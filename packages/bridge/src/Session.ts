/**
 * One conversation with an agent: the commands that faces give it, and the log they read.
 *
 * The interface alone; `SessionActor.ts` is the session that runs an agent.
 */
import type { Agui, Claude } from "@agentwire/protocol"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ControlFailed } from "./ControlPlane.ts"
import type { EventLog } from "./EventLog.ts"

/** What a session is doing. */
export type SessionStatus = "starting" | "connected" | "active" | "idle" | "disconnected" | "terminated"

/** A run was asked for on a thread that is busy, and the thread takes one at a time. */
export class ThreadBusy extends Schema.TaggedError<ThreadBusy>()("ThreadBusy", {
  message: Schema.String,
  threadId: Schema.String
}) {}

/** Nothing waits under this id. */
export class NothingPending extends Schema.TaggedError<NothingPending>()("NothingPending", {
  message: Schema.String,
  id: Schema.String
}) {}

/** A run that was accepted. Its events are in the log; read from `from` until the run's terminal event. */
export interface RunTicket {
  readonly runId: string
  /** Where to begin: what no client has had yet, which may be runs the agent began by itself, then this run. */
  readonly from: number
}

/** A question that waits for an answer. */
export interface PendingQuestion {
  readonly requestId: string
  readonly request: unknown
  /** When it is answered with a refusal, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** One conversation with an agent. */
export interface Session {
  readonly threadId: string
  /** Events in AG-UI 1.0; faces write them in the dialect of their client. */
  readonly log: EventLog
  readonly status: Effect.Effect<SessionStatus>
  /** The provider's id of the conversation, when it is known. */
  readonly providerSessionId: Effect.Effect<string | undefined>
  /** Begins a run. */
  readonly run: (input: Agui.RunAgentInput) => Effect.Effect<RunTicket, ThreadBusy>
  /** Notes that a client has been sent everything before this number, so that the next run need not repeat it. */
  readonly delivered: (seq: number) => Effect.Effect<void>
  /** Stops the run that is open, if it is this one; any when no id is given. Whether there was one. */
  readonly stop: (runId?: string) => Effect.Effect<boolean>
  readonly pending: Effect.Effect<ReadonlyArray<PendingQuestion>>
  /** Answers a question, with the payloads that `resume` takes. */
  readonly answer: (requestId: string, payload: unknown) => Effect.Effect<void, NothingPending>
  /** Asks the agent something. */
  readonly control: <S extends Claude.ControlSubtype>(
    subtype: S,
    body?: Readonly<Record<string, unknown>>
  ) => Effect.Effect<Claude.ResponseOf<S>, ControlFailed>
  /** Ends the process; the thread stays and the next run starts it again. */
  readonly disconnect: Effect.Effect<void>
}
