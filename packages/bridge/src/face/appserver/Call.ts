/**
 * A request that is being handled, and the connection that it came on.
 */
import type { ClientMethod, ParamsOf, ResultOf } from "@agentwire/protocol/codex"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import type * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import type { SessionChoices, Sessions } from "../../session/Sessions.ts"
import type { Listener, Shared } from "./Shared.ts"
import type { Titles } from "./Titles.ts"

/** What a client said of itself. */
export interface Introduction {
  readonly name: string
  readonly version: string
  readonly experimental: boolean
  /** The notifications that it does not want, by their exact names. */
  readonly optOut: ReadonlySet<string>
}

/** A thread that a client follows. */
export interface Follow {
  readonly session: Session
  /** Nothing of the thread is told while somebody has it: an answer comes before what follows from it. */
  readonly hold: Effect.Effect<void>
  readonly release: Effect.Effect<void>
}

/** A thread that is gone with its connection. Its agent, if it needs one, starts with its first turn. */
export interface Ephemeral {
  readonly choices: SessionChoices
  /** It has a session. */
  isBegun: boolean
}

/** A connection, to those who handle its requests. */
export interface Client extends Listener {
  readonly shared: Shared
  /** Undefined until it has introduced itself. */
  readonly introduction: () => Introduction | undefined
  readonly introduce: (introduction: Introduction) => void
  /** What it follows, by the names of the threads. */
  readonly follows: ReadonlyMap<string, Follow>
  /** Follows a thread from now on, and asks what waits for an answer there. */
  readonly follow: (session: Session) => Effect.Effect<Follow>
  /** True when it was followed. */
  readonly unfollow: (threadId: string) => Effect.Effect<boolean>
  /** The names of threads that it is told. */
  readonly titles: Titles
  /** Its threads that are gone with it. */
  readonly ephemerals: Map<string, Ephemeral>
}

/** A request, to its handler. */
export interface Call {
  readonly client: Client
  /** Is done when the answer has been written. */
  readonly afterwards: (effect: Effect.Effect<void>) => void
}

/** Does the work of a method. */
export type Handler<M extends ClientMethod> = (
  params: ParamsOf<M>,
  call: Call
) => Effect.Effect<ResultOf<M>, Refusal, Sessions>

/** The methods that are answered. */
export type Handlers = { readonly [M in ClientMethod]?: Handler<M> }
