/**
 * The sessions of a bridge by their threads. The interface alone; `SessionRegistry.ts` is the one that makes them.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AgentOptions } from "./AgentOptions.ts"
import type { Session, SessionStatus } from "./Session.ts"

/** There is no room for another session, or the thread may not be opened. */
export class SessionRefused extends Schema.TaggedError<SessionRefused>()("SessionRefused", {
  /**
   * Stable: `SESSION_LIMIT`, `BAD_THREAD_ID`, `THREAD_EXISTS`, `THREAD_ELSEWHERE`, `BAD_OPTION`, `CLOSING` (the bridge
   * ends), and those of `WorkingFolderRefused` and `StoreFailed`.
   */
  code: Schema.String,
  message: Schema.String
}) {}

/** What may be chosen for one session; the rest is the same for the whole bridge. */
export interface SessionChoices {
  /** An absolute path under a root of the bridge. */
  readonly cwd?: string
  /** What the session is for, to the policy. */
  readonly mode?: string
  readonly agent?: AgentOptions
}

/** A session as a list shows it. */
export interface SessionSummary {
  readonly threadId: string
  readonly status: SessionStatus
  readonly providerSessionId: string | undefined
  readonly cwd: string | undefined
  readonly mode: string | undefined
  /** What a person has called it, else the provider, else the beginning of the first prompt. */
  readonly title: string | undefined
  /** When the last message was said in it, in milliseconds since 1970. Being looked at does not count. */
  readonly usedAt: number
}

/** The sessions of a bridge. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** What people call the agent of these sessions. */
    readonly agentName: string
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
    /** What the sessions that have a place here are doing. */
    readonly statuses: Effect.Effect<ReadonlyArray<SessionStatus>>
    /** Ends a session for good; the thread is forgotten. */
    readonly remove: (threadId: string) => Effect.Effect<boolean, SessionRefused>
  }
>()("@agentwire/bridge/Sessions") {}
