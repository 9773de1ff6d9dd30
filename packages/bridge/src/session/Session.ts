/**
 * One conversation with an agent: the commands that faces give it, and the log they read.
 *
 * The interface alone; `SessionActor.ts` is the session that runs an agent.
 */
import type { Agui, Claude, Translate } from "@agentwire/protocol"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { EventLog } from "../log/EventLog.ts"
import type { WireLog } from "../log/WireLog.ts"
import type { ControlFailed } from "../runtime/claude/ControlPlane.ts"

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

/** The agent could not be started. */
export class StartFailed extends Schema.TaggedError<StartFailed>()("StartFailed", {
  /** Stable: those of `LaunchFailed`, those of `ControlFailed`, and `START_FAILED`. */
  code: Schema.String,
  message: Schema.String
}) {}

/** A tool of the application that could not be called. */
export class ToolCallFailed extends Schema.TaggedError<ToolCallFailed>()("ToolCallFailed", {
  /** Stable: `NO_SUCH_TOOL`, `TOOL_TIMEOUT` (the application did not answer in time), `SESSION_CLOSED`. */
  code: Schema.Literals(["NO_SUCH_TOOL", "TOOL_TIMEOUT", "SESSION_CLOSED"]),
  message: Schema.String
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
  /** The folder the agent works in. */
  readonly cwd: string
  /** When the session was opened, in milliseconds since 1970. */
  readonly openedAt: number
  /** Events in AG-UI 1.0; faces write them in the dialect of their client. */
  readonly log: EventLog
  /** The lines between the session and its agent. */
  readonly wire: WireLog
  readonly status: Effect.Effect<SessionStatus>
  /** What the session is for, to the policy. */
  readonly mode: string | undefined
  /** The beginning of the first prompt; undefined until there is one. */
  readonly title: Effect.Effect<string | undefined>
  /** What the agent said of itself when it began its last turn; undefined until it has. */
  readonly init: Effect.Effect<Claude.SystemInit | undefined>
  /** What the agent answered when it was started: its commands, models and account. */
  readonly greeting: Effect.Effect<Claude.ResponseOf<"initialize"> | undefined>
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
  /** The tools of the application, as its runs brought them. */
  readonly tools: Effect.Effect<ReadonlyArray<Agui.Tool>>
  /**
   * Calls a tool of the application for somebody else than the agent: in a run of its own, once no other is open.
   * The result is the one the application sends with a later run.
   */
  readonly callTool: (
    name: string,
    input: Readonly<Record<string, unknown>>
  ) => Effect.Effect<Translate.CallToolResult, ToolCallFailed>
  /** The result of such a call, or of one of the agent's, where no run brings it. Whether the call waits for one. */
  readonly answerTool: (toolCallId: string, result: Translate.CallToolResult) => Effect.Effect<boolean>
  /** Starts the agent, unless it runs, and waits until it is ready. Without it, the first prompt does. */
  readonly start: Effect.Effect<void, StartFailed>
  /** Sends a message to the agent as it is, such as `update_environment_variables`. Fails when it does not run. */
  readonly send: (message: object) => Effect.Effect<void, StartFailed>
  /** Asks the agent something. */
  readonly control: <S extends Claude.ControlSubtype>(
    subtype: S,
    body?: Readonly<Record<string, unknown>>
  ) => Effect.Effect<Claude.ResponseOf<S>, ControlFailed>
  /** Ends the process; the thread stays and the next run starts it again. */
  readonly disconnect: Effect.Effect<void>
}
