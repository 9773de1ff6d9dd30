/**
 * What the connections of an app-server have in common: how it was started, who is connected, and the threads by the ids
 * that clients know them by.
 */
import type { NotificationMethod, ServerNotifications } from "@agentwire/protocol/codex"
import * as Effect from "effect/Effect"
import type { AgentOptions } from "../../session/AgentOptions.ts"
import type { SessionOptionName } from "../../session/OptionRules.ts"
import { type SessionRefused, Sessions } from "../../session/Sessions.ts"
import { makeThreadTools, type ThreadTools } from "./DynamicTools.ts"
import { isMadeOfName, wireIdOf } from "./ThreadIds.ts"
import { makeWishes, type Wishes } from "./Wishes.ts"

/** How an app-server is set up. */
export interface AppServerOptions {
  /** The agent of threads that name none. */
  readonly runtime: "claude" | "codex"
  /** What clients speak. Default: Codex's own. */
  readonly dialect?: "codex" | "claude-app-server"
  /** What all agents have in common: what a thread that chooses nothing is said to have. */
  readonly agent?: AgentOptions
  /** Where threads are that name no folder. */
  readonly cwd: string
  /** What clients may choose that widens what an agent may do: see `Leave.ts`. */
  readonly sessionOptions?: ReadonlyArray<SessionOptionName>
  /** The version of this program. */
  readonly version?: string
  /** The folder that is said to be Codex's home: an absolute path. Nothing is read or written there. */
  readonly home?: string
}

/** A notification of the server, by its method. */
export type NotificationName = keyof ServerNotifications

/** What a notification says. */
export type NotificationParams<M extends NotificationName> =
  ServerNotifications[M] extends NotificationMethod<infer P> ? P : never

/** Somebody who is connected, to the others. */
export interface Listener {
  readonly notify: <M extends NotificationName>(method: M, params: NotificationParams<M>) => Effect.Effect<void>
  /** The threads that it follows, by their names. */
  readonly follows: ReadonlyMap<string, unknown>
}

/** What connections have in common. */
export interface Shared {
  readonly options: AppServerOptions
  readonly listeners: Set<Listener>
  /** The tools that clients have brought for their threads. */
  readonly tools: ThreadTools
  /** What clients want of their threads. */
  readonly wishes: Wishes
  /** Tells everybody who is connected. One that is slow does not keep the others waiting. */
  readonly tellAll: <M extends NotificationName>(method: M, params: NotificationParams<M>) => Effect.Effect<void>
  /** The same for those who follow a thread. */
  readonly tellFollowers: <M extends NotificationName>(
    threadId: string,
    method: M,
    params: NotificationParams<M>
  ) => Effect.Effect<void>
  /** The name of the thread that an id of a client stands for. */
  readonly nameOf: (wireId: string) => Effect.Effect<string, SessionRefused, Sessions>
}

/** What connections have in common, before there is one. `inBackground` runs for as long as the server does. */
export const makeShared = (
  options: AppServerOptions,
  inBackground: (effect: Effect.Effect<void>) => Effect.Effect<unknown>
): Shared => {
  const listeners = new Set<Listener>()
  const tell = <M extends NotificationName>(to: Iterable<Listener>, method: M, params: NotificationParams<M>) =>
    Effect.forEach([...to], (listener) => inBackground(listener.notify(method, params)), { discard: true })
  return {
    options,
    listeners,
    wishes: makeWishes(),
    tools: makeThreadTools((client) => [...listeners].some((each) => each === client)),
    tellAll: (method, params) => tell(listeners, method, params),
    tellFollowers: (threadId, method, params) =>
      tell(
        [...listeners].filter(({ follows }) => follows.has(threadId)),
        method,
        params
      ),
    nameOf: (wireId) =>
      Effect.gen(function* () {
        if (!isMadeOfName(wireId)) return wireId
        const sessions = yield* Sessions
        let before: string | undefined
        do {
          const page = yield* sessions.page({ before })
          const found = page.sessions.find(({ threadId }) => wireIdOf(threadId) === wireId)
          if (found !== undefined) return found.threadId
          before = page.before
        } while (before !== undefined)
        return wireId
      })
  }
}
