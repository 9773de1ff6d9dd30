/**
 * One conversation with an agent: the commands that faces give it, and the log they read.
 *
 * The interface alone; `SessionActor.ts` is the session that runs an agent.
 */
import type * as Model from "@agentwire/protocol/model"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { LogFailed } from "../log/BoundedLog.ts"
import type { EventLog } from "../log/EventLog.ts"
import type { WireLog } from "../log/WireLog.ts"
import type { WaitingPrompt } from "../store/StoredThread.ts"
import type { AgentOptions } from "./AgentOptions.ts"
import type { BranchFailed, WentBack } from "./Branching.ts"
import type { BranchPoint } from "./BranchPoint.ts"
import type { AgentKind } from "./Capabilities.ts"
import type { PointTarget } from "./PointTarget.ts"
import type { WaitingRequest } from "./Requests.ts"
import type { NativePort, StartFailed } from "./Runtime.ts"
import type { SettingFailed, Settings } from "./Settings.ts"
import type { ThreadTitle } from "./ThreadTitle.ts"

export type { WaitingPrompt } from "../store/StoredThread.ts"

/** What a session is doing. */
export type SessionStatus = "starting" | "connected" | "active" | "idle" | "disconnected" | "terminated"

/** Something was submitted to a busy thread, and the thread takes one thing at a time. */
export class ThreadBusy extends Schema.TaggedError<ThreadBusy>()("ThreadBusy", {
  message: Schema.String,
  threadId: Schema.String
}) {}

/** Words that cannot go into a turn. Nobody has heard them: they may be sent again. */
export class SteerRefused extends Schema.TaggedError<SteerRefused>()("SteerRefused", {
  /**
   * Stable: `NOTHING_TO_STEER` (no turn is open, another one is than was meant, or it is ending), `STEER_UNSUPPORTED` (the
   * agent hears nothing in the middle of a turn).
   */
  code: Schema.Literals(["NOTHING_TO_STEER", "STEER_UNSUPPORTED"]),
  message: Schema.String,
  threadId: Schema.String
}) {}

/** Nothing waits under this id. */
export class NothingPending extends Schema.TaggedError<NothingPending>()("NothingPending", {
  message: Schema.String,
  id: Schema.String
}) {}

/** A tool of the application that could not be called. */
export class ToolCallFailed extends Schema.TaggedError<ToolCallFailed>()("ToolCallFailed", {
  /** Stable: `NO_SUCH_TOOL`, `TOOL_TIMEOUT` (the application did not answer in time), `SESSION_CLOSED`. */
  code: Schema.Literals(["NO_SUCH_TOOL", "TOOL_TIMEOUT", "SESSION_CLOSED"]),
  message: Schema.String
}) {}

/** The conversation has gone back meanwhile: where somebody else wanted to go back to has to be looked up again. */
export class ConversationMoved extends Schema.TaggedError<ConversationMoved>()("ConversationMoved", {
  message: Schema.String,
  threadId: Schema.String
}) {}

/** What waits for somebody when a submission is read. */
export interface Waiting {
  readonly requests: ReadonlyArray<Model.Request>
  /** Calls of the application's tools that have no result, also those the agent has not asked for yet. */
  readonly pageCalls: ReadonlyArray<string>
  /** Whether a turn is open. */
  readonly inTurn: boolean
  /** The application's shared state; undefined until there is one. */
  readonly state: unknown
  /** The branch that the conversation is on. */
  readonly branch: number
}

/** What one request of a client asks for, all at once: answers first, then a prompt. */
export interface Submission {
  /** The client's name for it: what `stop` takes, and what the turn of its prompt is known by. */
  readonly ticket: string
  readonly answers: ReadonlyArray<{ readonly id: string; readonly answer: Model.Answer }>
  /** Results of calls that the agent has announced but not asked for yet. */
  readonly results: ReadonlyArray<{ readonly toolCallId: string; readonly answer: Model.Answer }>
  /** Tools of the application, in addition to those it has brought before. */
  readonly tools: ReadonlyArray<Model.PageTool>
  readonly prompt?: Model.Prompt
  /** The conversation goes back to here before the prompt. The turn that is open ends first. */
  readonly branch?: Omit<BranchPoint, "again">
  /** The application's shared state, where it has one. */
  readonly state?: { readonly state: unknown }
  /** Called when the session has accepted it, before anything else is read. */
  readonly onAccepted?: () => void
}

/** A submission that was accepted. */
export interface Accepted {
  /** The number of the first event that may result from it, and what was open then. */
  readonly at: number
  readonly situation: Model.Situation
  /**
   * Where the requested work begins: at `at`; or with the `turn_started` that carries the ticket, which comes once the open
   * turn has ended; or with the first of its words in the open turn, and with such a `turn_started` when they come too late.
   */
  readonly begins: "now" | "with_turn" | "with_words"
}

/** Words of a person for the turn that is open. */
export interface Steering {
  /**
   * The client's name for them: what `stop` takes, and what their own turn is known by when they come too late for the one
   * that is open.
   */
  readonly ticket: string
  /** At least one. The event that says that the agent has heard them has these ids. */
  readonly said: ReadonlyArray<Model.Said>
  /** What the application wants the agent to know besides. */
  readonly aside?: string
  /** The turn that they are meant for, by its number: `turns` of the situation. Default: whichever is open. */
  readonly turn?: number
}

/** Words that were accepted for a turn. */
export interface Steered {
  /** The number of the first event that may result from them. */
  readonly at: number
  /** The turn that is open, by its number: `turns` of its situation. */
  readonly turn: number
}

/** One conversation with an agent. */
export interface Session {
  readonly threadId: string
  /** The folder the agent works in. */
  readonly cwd: string
  /** When the thread was made, in milliseconds since 1970. */
  readonly createdAt: number
  /** When the session was opened, in milliseconds since 1970. */
  readonly openedAt: number
  readonly log: EventLog
  /** The lines between the session and its agent. */
  readonly wire: WireLog
  readonly status: Effect.Effect<SessionStatus>
  /** What the session is for, to the policy. */
  readonly mode: string | undefined
  /** The kind of the agent, and what it can do. Whether it can be steered depends on its version, too. */
  readonly agent: Effect.Effect<AgentKind>
  /** What was chosen about the agent for this session alone, when it was made and later. Not to be shown as it is. */
  readonly options: Effect.Effect<AgentOptions>
  /** What a person has called the thread, else the provider, else the beginning of the first prompt. */
  readonly title: Effect.Effect<string | undefined>
  /** Calls a function with every title that the thread is given from now on. Gives what ends that. */
  readonly onTitled: (heard: (title: ThreadTitle) => void) => () => void
  /** A person calls the thread something. */
  readonly rename: (title: string) => Effect.Effect<void, LogFailed>
  /** The provider's id of the conversation, when it is known. */
  readonly providerSessionId: Effect.Effect<string | undefined>
  /**
   * Submits what a client asks for. It is read when the session can take it, so that nothing changes in between. Done
   * when what was accepted is kept.
   */
  readonly submit: <E>(
    read: (waiting: Waiting) => Result.Result<Submission, E>
  ) => Effect.Effect<Accepted, ThreadBusy | LogFailed | E>
  /**
   * Says something to the agent in the middle of its turn, which goes on. Done when that is kept; the agent hears it when
   * it can, between two calls of its model or of its tools, and then the words are in the log (`item_started`), once. When the
   * turn ends before, they are the prompt of the next turn, before all that wait; it has their ticket.
   */
  readonly steer: (words: Steering) => Effect.Effect<Steered, SteerRefused | LogFailed>
  /**
   * Goes back, and waits until the agent is there. The turn that is open ends first. What followed stays on its branch. When
   * it cannot be, the conversation stays as it is.
   */
  readonly goBack: (target: PointTarget) => Effect.Effect<WentBack, ThreadBusy | BranchFailed>
  /**
   * Ends the turn of a ticket, or drops the prompt that waits for its turn; without a ticket, the turn that is open.
   * The questions of the turn are closed. True when there was anything to stop.
   */
  readonly stop: (ticket?: string) => Effect.Effect<boolean>
  /** What the agent has asked and nobody answered. */
  readonly waiting: Effect.Effect<ReadonlyArray<WaitingRequest>>
  /** The prompts that were accepted, and whose turn has not begun: they are in no transcript yet. */
  readonly prompts: Effect.Effect<ReadonlyArray<WaitingPrompt>>
  /** Answers a request. Done when that is kept. */
  readonly answer: (id: string, answer: Model.Answer) => Effect.Effect<void, NothingPending | LogFailed>
  /** The tools of the application. */
  readonly tools: Effect.Effect<ReadonlyArray<Model.PageTool>>
  /** Calls a tool of the application for somebody other than the agent. */
  readonly callTool: (
    name: string,
    input: Readonly<Record<string, unknown>>
  ) => Effect.Effect<Extract<Model.Answer, { readonly type: "result" }>, ToolCallFailed>
  /** Starts the agent, unless it runs, and waits until it is ready. Otherwise the first prompt starts it. */
  readonly start: Effect.Effect<void, StartFailed>
  /** Sets the model, the permission mode or the effort of the agent, for its next call of the model and all later ones. */
  readonly set: (settings: Settings) => Effect.Effect<void, SettingFailed | StartFailed>
  /** What only this kind of agent has. */
  readonly native: NativePort
  /** Ends the process; the thread stays and the next prompt starts it again. */
  readonly disconnect: Effect.Effect<void>
}
