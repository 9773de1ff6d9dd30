/**
 * The sessions of a bridge by their threads. The interface alone; `SessionRegistry.ts` is the one that makes them.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { AdoptablePage, AdoptableQuery, AdoptRequest } from "./Adoption.ts"
import type { AgentOptions } from "./AgentOptions.ts"
import type { AgentKind } from "./Capabilities.ts"
import type { ForkRequest } from "./Fork.ts"
import type { Session, SessionStatus } from "./Session.ts"
import type { SessionPage, SessionQuery, SessionSummary } from "./SessionList.ts"
import type { SessionRefused } from "./SessionRefused.ts"
import type { BranchPage, BranchQuery } from "./ThreadBranches.ts"
import type { HistoryQuery, ThreadHistory } from "./ThreadHistory.ts"
import type { ThreadTitle } from "./ThreadTitle.ts"
import type { Workspaces } from "./Workspaces.ts"

export type { SessionSummary } from "./SessionList.ts"
export { SessionRefused } from "./SessionRefused.ts"

/** What may be chosen for one session; the rest is the same for the whole bridge. */
export interface SessionChoices {
  /** An absolute path under a root of the bridge. */
  readonly cwd?: string
  /** What the session is for, to the policy. */
  readonly mode?: string
  readonly agent?: AgentOptions
}

/** What may change about a thread at any time. */
export interface SessionChange {
  /** What a person calls it. */
  readonly title?: string | undefined
  /** What it is about. */
  readonly summary?: string | undefined
  readonly archived?: boolean | undefined
}

/** A thread was given a title. */
export interface Titled extends ThreadTitle {
  readonly threadId: string
}

/** The sessions of a bridge. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** What people call the agent of these sessions. */
    readonly agentName: string
    /** The kinds of agents that a session may be with, the default one first, and what each can do. */
    readonly agents: ReadonlyArray<AgentKind>
    /**
     * The session of a thread, made when there is none. Its process starts with the first prompt. The choices are for a
     * session that is made; one that exists stays as it is.
     */
    readonly open: (threadId: string, choices?: SessionChoices) => Effect.Effect<Session, SessionRefused>
    /** A new session with choices of its own. Refused when the thread is known. */
    readonly create: (threadId: string, choices: SessionChoices) => Effect.Effect<Session, SessionRefused>
    /** The session of a thread, if there is one. Threads known from before a restart count. */
    readonly find: (threadId: string) => Effect.Effect<Session | undefined, SessionRefused>
    /** All threads, that with the newest message first. */
    readonly list: Effect.Effect<ReadonlyArray<SessionSummary>, SessionRefused>
    /** A page of the list of threads, that with the newest message first. */
    readonly page: (query: SessionQuery) => Effect.Effect<SessionPage, SessionRefused>
    /** A page of what was said in a thread. Nothing is started for it. Undefined: there is no such thread. */
    readonly history: (
      threadId: string,
      query: HistoryQuery
    ) => Effect.Effect<ThreadHistory | undefined, SessionRefused>
    /** A page of the branches of a thread. Nothing is started for it. Undefined: there is no such thread. */
    readonly branches: (threadId: string, query: BranchQuery) => Effect.Effect<BranchPage | undefined, SessionRefused>
    /**
     * Makes a thread of another one, which stays as it is: with its history up to a point, its folder, its options and its
     * state. Undefined: there is no such thread.
     */
    readonly fork: (threadId: string, request: ForkRequest) => Effect.Effect<Session | undefined, SessionRefused>
    /** A thread as a list shows it. Undefined: there is no such thread. */
    readonly summary: (threadId: string) => Effect.Effect<SessionSummary | undefined, SessionRefused>
    /** Changes what people know a thread by. Undefined: there is no such thread. */
    readonly change: (
      threadId: string,
      change: SessionChange
    ) => Effect.Effect<SessionSummary | undefined, SessionRefused>
    /** Calls a function with every title that a thread is given here, by whomever, until the scope is closed. */
    readonly onTitled: (heard: (titled: Titled) => void) => Effect.Effect<void, never, Scope.Scope>
    /** The folders that people work in. */
    readonly workspaces: Workspaces
    /** Conversations that were begun without a bridge, such as in a terminal, and that no thread continues. */
    readonly adoptable: (query: AdoptableQuery) => Effect.Effect<AdoptablePage, SessionRefused>
    /** Makes a thread of such a conversation: with its history, and to be continued. */
    readonly adopt: (request: AdoptRequest) => Effect.Effect<Session, SessionRefused>
    /**
     * Tells of each session that is opened, as long as the scope lives. Absent where nobody here opens sessions: then
     * those are known that were asked for.
     */
    readonly onOpen?: (listener: (session: Session) => Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
    /** What the sessions that have a place here are doing. */
    readonly statuses: Effect.Effect<ReadonlyArray<SessionStatus>>
    /** Ends a session for good; the thread is forgotten. */
    readonly remove: (threadId: string) => Effect.Effect<boolean, SessionRefused>
  }
>()("@agentwire/bridge/Sessions") {}
