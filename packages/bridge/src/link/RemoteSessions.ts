/**
 * The sessions of the runtime, as the faces of the gateway have them. Nothing is kept here that cannot be read again: each
 * session that was asked for is one object, with the newest part of its log, for as long as it is open in the runtime.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Session } from "../session/Session.ts"
import type { SessionSummary } from "../session/SessionList.ts"
import { refused, SessionRefused } from "../session/SessionRefused.ts"
import { Sessions, type Titled } from "../session/Sessions.ts"
import type { Unreachable } from "../session/Unreachable.ts"
import type { LinkClient } from "./LinkClient.ts"
import type { ResultOf } from "./Methods.ts"
import { makeRemoteSession, type RemoteSession } from "./RemoteSession.ts"
import type { Head } from "./Values.ts"

interface Held extends RemoteSession {
  readonly scope: Scope.Closeable
}

/** The sessions of the runtime at the other end of a link. */
export const makeRemoteSessions = (link: LinkClient): Effect.Effect<Sessions["Service"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const held = new Map<string, Held>()
    const listeners = new Set<(session: Session) => Effect.Effect<void>>()
    const hearTitles = new Set<(titled: Titled) => void>()
    // One at a time: an instance is one session.
    const opening = Semaphore.makeUnsafe(1)

    const reachable = <A, E>(
      work: Effect.Effect<A, E | Unreachable>
    ): Effect.Effect<A, Exclude<E, Unreachable> | SessionRefused> =>
      Effect.mapError(work, (failed) => {
        const { _tag } = failed as { readonly _tag?: string }
        return _tag === "Unreachable" ? refused(failed as Unreachable) : (failed as Exclude<E, Unreachable>)
      })

    const drop = (threadId: string, own: Held | undefined): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (own === undefined) return Effect.void
        if (held.get(threadId) === own) held.delete(threadId)
        return Scope.close(own.scope, Exit.void)
      })

    /** The session of a head: the one that is held, or a new one. */
    const sessionOf = (head: Head): Effect.Effect<Session, SessionRefused> =>
      Effect.gen(function* () {
        const { instance, next, threadId } = head
        const known = held.get(threadId)
        if (known?.instance === instance) {
          yield* known.reach(next)
          return known.session
        }
        // It is known no more, and the runtime has not told it whole.
        if (head.from === undefined) return yield* Effect.fail(stale)
        yield* drop(threadId, known)
        const own = Scope.forkUnsafe(scope)
        const remote = yield* Scope.provide(makeRemoteSession(link, head), own)
        const mine: Held = { ...remote, scope: own }
        held.set(threadId, mine)
        // It is let go when it has ended in the runtime.
        const ended = Effect.ensuring(
          remote.ended,
          Effect.forkIn(
            Effect.suspend(() => drop(threadId, mine)),
            scope
          )
        )
        yield* Effect.forkIn(ended, own)
        yield* Effect.forEach([...listeners], (listener) => listener(remote.session), { discard: true })
        return remote.session
      })

    const opened = (
      asking: (knows: string | undefined) => Effect.Effect<Head, SessionRefused | Unreachable>,
      threadId: string
    ) =>
      opening.withPermits(1)(
        Effect.gen(function* () {
          const head = yield* reachable(asking(held.get(threadId)?.instance))
          return yield* sessionOf(head).pipe(
            Effect.catch((failed) =>
              failed === stale ? Effect.flatMap(reachable(asking(undefined)), sessionOf) : Effect.fail(failed)
            )
          )
        })
      )

    const openedIfAny = (
      asking: (
        knows: string | undefined
      ) => Effect.Effect<{ readonly head?: Head | undefined }, SessionRefused | Unreachable>,
      threadId: string
    ): Effect.Effect<Session | undefined, SessionRefused> =>
      opened(
        (knows) =>
          Effect.flatMap(asking(knows), ({ head }) =>
            head === undefined ? Effect.fail(nobody) : Effect.succeed(head)
          ),
        threadId
      ).pipe(Effect.catch((failed) => (failed === nobody ? Effect.undefined : Effect.fail(failed))))

    const find: Sessions["Service"]["find"] = (threadId) =>
      openedIfAny((knows) => link.call("sessions.find", { threadId, knows }), threadId)

    /** Somebody who hears of sessions is to hear of one that others have opened. */
    const come = (threadId: string): Effect.Effect<void> =>
      listeners.size === 0 ? Effect.void : Effect.ignore(find(threadId))

    const follow = Effect.gen(function* () {
      let boot: string | undefined
      let after: number | undefined
      for (;;) {
        const now = link.runtime().boot
        if (now !== boot) after = undefined
        boot = now
        const { news, next, open = [] } = yield* link.call("news", { after }, { patient: true })
        after = next
        yield* Effect.forEach(open, come, { discard: true })
        for (const each of news)
          if (each.type === "opened") yield* come(each.threadId)
          else {
            for (const heard of hearTitles) heard(each.titled)
            held.get(each.titled.threadId)?.titled(each.titled)
          }
      }
    }).pipe(Effect.catch((failed) => Effect.logWarning(`No news of sessions come: ${failed.message}`)))
    yield* Effect.forkScoped(follow)

    const workspaces: Sessions["Service"]["workspaces"] = {
      list: Effect.map(reachable(link.call("workspaces.list", {})), (found) => found.workspaces),
      get: (id) => Effect.map(reachable(link.call("workspaces.get", { id })), ({ workspace }) => workspace),
      ofFolder: (folder, name) =>
        Effect.map(reachable(link.call("workspaces.ofFolder", { folder, name })), ({ workspace }) => workspace),
      change: (id, change) =>
        Effect.map(reachable(link.call("workspaces.change", { id, change })), ({ workspace }) => workspace),
      remove: (id) => Effect.map(reachable(link.call("workspaces.remove", { id })), ({ removed }) => removed)
    }

    return {
      get agentName() {
        return link.runtime().agentName
      },
      get agents() {
        return link.runtime().agents
      },
      open: (threadId, choices) =>
        opened((knows) => link.call("sessions.open", { threadId, choices, knows }), threadId),
      create: (threadId, choices) => opened(() => link.call("sessions.create", { threadId, choices }), threadId),
      find,
      list: Effect.map(reachable(link.call("sessions.list", {})), ({ sessions }) => sessions.map(summaryOf)),
      page: (query) =>
        Effect.map(reachable(link.call("sessions.page", query)), ({ before, sessions }) => ({
          sessions: sessions.map(summaryOf),
          before
        })),
      history: (threadId, query) =>
        Effect.map(
          reachable(link.call("sessions.history", { threadId, query })),
          ({ page }) => page && { before: undefined, total: undefined, ...page }
        ),
      branches: (threadId, query) =>
        Effect.map(
          reachable(link.call("sessions.branches", { threadId, query })),
          ({ page }) =>
            page && {
              before: page.before,
              branches: page.branches.map((branch) => ({ after: undefined, firstWords: undefined, ...branch }))
            }
        ),
      fork: (from, request) => openedIfAny(() => link.call("sessions.fork", { from, ...request }), request.threadId),
      summary: (threadId) =>
        Effect.map(
          reachable(link.call("sessions.summary", { threadId })),
          ({ summary }) => summary && summaryOf(summary)
        ),
      change: (threadId, change) =>
        Effect.map(
          reachable(link.call("sessions.change", { threadId, change })),
          ({ summary }) => summary && summaryOf(summary)
        ),
      onTitled: (heard) =>
        Effect.acquireRelease(
          Effect.sync(() => void hearTitles.add(heard)),
          () => Effect.sync(() => hearTitles.delete(heard))
        ),
      workspaces,
      adoptable: (query) =>
        Effect.map(reachable(link.call("sessions.adoptable", query)), ({ before, conversations }) => ({
          conversations,
          before
        })),
      adopt: (request) =>
        opened(() => link.call("sessions.adopt", request), request.threadId ?? request.providerSessionId),
      onOpen: (listener) =>
        Effect.acquireRelease(
          Effect.gen(function* () {
            listeners.add(listener)
            const known = new Set([...held.keys()])
            yield* Effect.forEach([...held.values()], ({ session }) => listener(session), { discard: true })
            // What was open before anybody wanted to hear of it.
            const { open = [] } = yield* Effect.orElseSucceed(link.call("news", {}), () => ({ open: [] }))
            const others = open.filter((threadId) => !known.has(threadId))
            yield* Effect.forkIn(Effect.forEach(others, come, { discard: true }), scope)
          }),
          () => Effect.sync(() => listeners.delete(listener))
        ),
      statuses: Effect.map(Effect.orDie(link.call("sessions.statuses", {})), ({ statuses }) => statuses),
      remove: (threadId) => Effect.map(reachable(link.call("sessions.remove", { threadId })), ({ removed }) => removed)
    }
  })

/** The sessions of the runtime at the other end of a link. */
export const layerRemoteSessions = (link: LinkClient): Layer.Layer<Sessions> =>
  Layer.effect(Sessions, makeRemoteSessions(link))

const stale = new SessionRefused({ code: "RUNTIME_UNREACHABLE", message: "The session is to be asked for again." })
const nobody = new SessionRefused({ code: "SESSION_NOT_FOUND", message: "There is no such thread." })

/** What is not there in JSON is undefined here. */
const summaryOf = (told: NonNullable<ResultOf<"sessions.summary">["summary"]>): SessionSummary => ({
  providerSessionId: undefined,
  cwd: undefined,
  mode: undefined,
  title: undefined,
  summary: undefined,
  workspaceId: undefined,
  forkOf: undefined,
  ...told
})
