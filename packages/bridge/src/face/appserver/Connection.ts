/**
 * A client of the app-server: one peer of JSON-RPC on one channel, with Codex's manners. It never writes `jsonrpc`, drops
 * what is no message without an answer, and numbers its own requests from 0.
 *
 * What goes to the client waits until its channel has taken it, and nothing is taken from a log before: a client that is
 * slow costs one message of memory for each thread that it follows, and slows nobody else.
 */
import { type Channel, makePeer, type Notice, type Refusal, type Request } from "@agentwire/protocol/jsonrpc"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { Sessions } from "../../session/Sessions.ts"
import type { Call, Client, Ephemeral, Follow, Introduction } from "./Call.ts"
import { dispatch } from "./Dispatch.ts"
import { startFollowing } from "./Following.ts"
import type { Shared } from "./Shared.ts"
import { tellTitles } from "./Titles.ts"

/** How long what a client has asked is answered after it has closed its end. */
export const lastAnswers = "3 seconds"

/** How many requests of a client are handled at once; more are refused. */
const maxHandled = 200

/** How many questions may wait for a client: one for each call that an agent wants to make. */
const maxWaiting = 1000

/** Serves a client until it is gone. What it began goes on without it. */
export const serveClient = (channel: Channel, shared: Shared): Effect.Effect<void, never, Sessions> =>
  Effect.scoped(
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const scope = yield* Effect.scope
      const clock = yield* Clock.Clock
      const follows = new Map<string, Follow & { readonly stop: Effect.Effect<void> }>()
      const ephemerals = new Map<string, Ephemeral>()
      /** What is to be done when a request has been answered. */
      const pending = new WeakMap<Request, Array<Effect.Effect<void>>>()
      let introduction: Introduction | undefined

      const handle = (request: Request): Effect.Effect<unknown, Refusal> => {
        const rest: Array<Effect.Effect<void>> = []
        pending.set(request, rest)
        const call: Call = { client, afterwards: (effect) => void rest.push(effect) }
        return Effect.provideService(dispatch(request, call), Sessions, sessions)
      }

      const peer = yield* makePeer(channel, {
        handle,
        answered: (request) => Effect.forEach(pending.get(request) ?? [], (effect) => effect, { discard: true }),
        noticed: logNotice,
        writesVersion: false,
        stamp: () => ({ emittedAtMs: clock.currentTimeMillisUnsafe() }),
        maxHandled,
        maxWaiting,
        lastAnswers
      })

      const unfollow = (threadId: string): Effect.Effect<boolean> =>
        Effect.suspend(() => {
          const follow = follows.get(threadId)
          follows.delete(threadId)
          return follow === undefined ? Effect.succeed(false) : Effect.as(follow.stop, true)
        })

      const notify: Client["notify"] = (method, params) =>
        // A client that is gone hears nothing; one that has not introduced itself, nothing yet.
        introduction === undefined || introduction.optOut.has(method)
          ? Effect.void
          : Effect.ignore(peer.notify(method, params))

      const client: Client = {
        shared,
        introduction: () => introduction,
        introduce: (said) => {
          introduction = said
          shared.listeners.add(client)
        },
        notify,
        titles: yield* tellTitles({ notify }),
        follows,
        follow: (session) =>
          Effect.gen(function* () {
            yield* unfollow(session.threadId)
            const own = yield* Scope.fork(scope)
            const follow = yield* startFollowing(session, client, peer).pipe(Scope.provide(own))
            follows.set(session.threadId, { ...follow, stop: Scope.close(own, Exit.void) })
            return follow
          }),
        unfollow,
        ephemerals
      }

      yield* Effect.addFinalizer(() =>
        Effect.suspend(() => {
          shared.listeners.delete(client)
          for (const threadId of ephemerals.keys()) shared.tools.keep(threadId, undefined)
          const begun = [...ephemerals].flatMap(([threadId, { isBegun }]) => (isBegun ? [threadId] : []))
          return Effect.forEach(begun, (threadId) => Effect.ignore(sessions.remove(threadId)), { discard: true })
        })
      )
      yield* peer.closed
    })
  )

/** What nobody asked for is told in the log, without its words: they may be a secret. */
const logNotice = (notice: Notice): Effect.Effect<void> => {
  switch (notice._tag) {
    case "NotAMessage":
      return Effect.annotateLogs(Effect.logWarning("A line of a client is no message, and was dropped."), {
        why: notice.why,
        characters: notice.text.length
      })
    case "UnexpectedAnswer":
      return Effect.logDebug("A client has answered a question that is closed.")
    case "Unsent":
      return Effect.logDebug("A client was gone before it was told.")
    case "HandlerBroke":
      return Effect.annotateLogs(Effect.logError("A request of a client could not be handled.", notice.cause), {
        method: notice.method
      })
  }
}
