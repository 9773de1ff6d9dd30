/**
 * What a session needs of an agent, whatever kind it is: a conversation that takes commands and reports what happens.
 *
 * The port alone. Each kind of agent has its own room under `runtime/`.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { WireLog } from "../log/WireLog.ts"
import type { PolicyDecision, ToolUse } from "../policy/Policy.ts"
import type { AgentOptions } from "./AgentOptions.ts"
import type { AgentKind } from "./Capabilities.ts"
import type { ProviderConversations } from "./ProviderConversations.ts"
import type { SettingFailed, Settings } from "./Settings.ts"

export type { AgentOptions } from "./AgentOptions.ts"

/** The agent could not be started, or is not there. */
export class StartFailed extends Schema.TaggedError<StartFailed>()("StartFailed", {
  /** Stable: see docs/errors.md. `GONE`: it is not running. `BRANCH_UNAVAILABLE`: it cannot go back there. */
  code: Schema.String,
  message: Schema.String
}) {}

/** A request that only one kind of agent understands, and that failed. */
export class NativeFailed extends Schema.TaggedError<NativeFailed>()("NativeFailed", {
  /** Stable: `GONE`, `TIMEOUT`, `UNSUPPORTED`, `REFUSED`, `BAD_ANSWER`, `CHECKPOINTING_OFF`. */
  code: Schema.String,
  method: Schema.String,
  message: Schema.String
}) {}

/** What a conversation tells its session. All of it is called under the session's lock. */
export interface ConversationHost {
  readonly locked: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The lines on the wire. */
  readonly wire: WireLog
  /** The number of the next event, for the lines of the wire. */
  readonly nextEvent: () => number
  readonly now: () => number
  /** Logs what happened, at once, with the number of the line that reported it: for events nobody has to act on. */
  readonly logEvents: (events: ReadonlyArray<Model.Event>, line: number | undefined) => void
  /** The same for events that somebody may have to act on, such as turns and requests. */
  readonly handleEvents: (events: ReadonlyArray<Model.Event>, line: number | undefined) => Effect.Effect<void>
  /** Decides about a tool that is about to run, whether or not the agent would ask. Undefined: nobody decides. */
  readonly judge: ((use: Omit<ToolUse, "mode">) => Effect.Effect<PolicyDecision>) | undefined
  /** Somebody has chosen something else while the agent ran: its next process is started with it, too. */
  readonly agentChanged: (agent: AgentOptions) => Effect.Effect<void>
  /** Somebody has given the agent other MCP servers: its next process gets them, too. */
  readonly serversChanged: (servers: Readonly<Record<string, unknown>>) => Effect.Effect<void>
  /** The provider calls the conversation something. */
  readonly titled: (title: string) => Effect.Effect<void>
  /**
   * Words that were to go into a turn, by the id of their command, have not and never will: the turn ended first, or the
   * agent refused them. What it has heard of them is told by events, as a prompt with the ids of what was said.
   */
  readonly unheard: (id: string) => Effect.Effect<void>
  /** Waits until all that was logged is kept. False: it cannot be, and the session is about to end. */
  readonly kept: Effect.Effect<boolean>
  /** The agent is starting, is ready, or is gone. */
  readonly agentBecame: (state: "starting" | "ready" | "gone") => Effect.Effect<void>
}

/** A conversation to open. */
export interface ConversationOptions {
  readonly threadId: string
  /** The name of the session, safe in a path. */
  readonly sessionKey: string
  readonly cwd: string
  /** The folder as it is when the agent is started: it may be gone by then, or lead elsewhere. */
  readonly folder: Effect.Effect<string, StartFailed>
  readonly agent: AgentOptions
  /** The MCP servers that somebody gave the agent before, by name, in place of those of `agent`. */
  readonly servers: Readonly<Record<string, unknown>> | undefined
  /** The provider's id of a conversation to resume. */
  readonly resume: string | undefined
  /** Where the conversation continues that went back before: the runtime's name for the point, null for a new one. */
  readonly goesOnAt?: { readonly anchor: string | null } | undefined
  /**
   * What was said last, where the bridge before was killed, and nobody has said anything since: the agent may not know all
   * of it.
   */
  readonly cut?: Effect.Effect<CutWords> | undefined
  /** How long the agent may take to start. */
  readonly startTimeout: Duration.Input
}

/** The end of a conversation whose bridge was killed. */
export interface CutWords {
  /** In order. */
  readonly entries: ReadonlyArray<Model.TranscriptEntry>
  /** There is more before them. */
  readonly more: boolean
  /** A turn was open then. */
  readonly isInTurn: boolean
}

/**
 * A conversation with an agent, whose process comes and goes. All but `native`, `set`, `whenReady` and `goBack` is called under the
 * session's lock.
 */
export interface Conversation {
  /**
   * Sends a prompt, words for the open turn, an answer or a list of tools. A process is started when one is needed. Words for
   * the open turn are either heard, in this turn or in one that the agent begins with them, or `unheard`.
   */
  readonly send: (command: Exclude<Model.Command, { readonly type: "interrupt" }>) => Effect.Effect<void>
  /** Whether the agent hears words in the middle of a turn. */
  readonly canSteer: () => boolean
  /** Asks the agent to end its turn. A prompt that has not been sent yet is dropped, and the turn ends at once. */
  readonly interrupt: Effect.Effect<void>
  /** Starts the process, unless there is one. */
  readonly start: Effect.Effect<void>
  /** Waits until the process that was started last is ready. Not under the lock. */
  readonly whenReady: Effect.Effect<void, StartFailed>
  /** Ends the process, and the turn with it: cancelled, when there is one. */
  readonly disconnect: Effect.Effect<void>
  /**
   * Goes back to a point, by the runtime's name for it; null: a new conversation. The process is ended, and one is started
   * that continues from there. When it cannot, the conversation stays as it is. Not under the lock.
   */
  readonly goBack: (anchor: string | null) => Effect.Effect<void, StartFailed>
  readonly isRunning: () => boolean
  /**
   * The rule of just this call: what "for the session" means where the agent has no rule of its own to offer. The session
   * keeps it. Undefined: nothing may be remembered. Absent: the agent keeps by itself whatever is allowed for the session.
   */
  readonly ruleOf?: (request: Model.PermissionRequest) => Model.Rule | undefined
  /** Where the agent's shell is now. */
  readonly cwd: () => string
  /**
   * Sets the model, the permission mode or the effort, from the next call of the model on and for later processes. They are
   * among its kind's `settingsLater`. Not under the lock.
   */
  readonly set: (settings: Settings) => Effect.Effect<void, SettingFailed>
  /** What only this kind of agent has. */
  readonly native: NativePort
}

/** What only one kind of agent has, by the names of its own protocol. Typed by whoever knows the kind. */
export interface NativePort {
  readonly request: (method: string, body: Readonly<Record<string, unknown>>) => Effect.Effect<unknown, NativeFailed>
  /** Sends a message as it is. */
  readonly send: (message: object) => Effect.Effect<void, StartFailed>
  /** What the agent said about itself, by name. */
  readonly facts: Effect.Effect<Readonly<Record<string, unknown>>>
}

/** Opens conversations with one kind of agent. */
export class Runtime extends Context.Service<
  Runtime,
  {
    readonly kind: string
    /** The kinds that a session may choose from, where there are several: the option `runtime`. Absent: only its own. */
    readonly kinds?: ReadonlyArray<string> | undefined
    /** What people call the agent. */
    readonly name: string
    /** The kinds of agents, the one of sessions that name none first, and what each can do. */
    readonly agents: ReadonlyArray<AgentKind>
    /** What the agent has kept of its conversations by itself. Absent: nothing. */
    readonly conversations?: ProviderConversations | undefined
    /** A conversation without a process yet. It ends with the scope. */
    readonly open: (
      options: ConversationOptions,
      host: ConversationHost
    ) => Effect.Effect<Conversation, never, Scope.Scope>
  }
>()("@agentwire/bridge/Runtime") {}
