/**
 * Which sessions are followed, and by whom: those that are open and that a client wants events of. Whoever opened them:
 * the sessions tell, or every door of the server has them from here.
 */
import type { GatewayCursor, Position } from "@agentwire/protocol/gateway"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Session } from "../../session/Session.ts"
import type { Sessions } from "../../session/Sessions.ts"
import { type Audience, makeSessionFeed, type SessionFeed } from "./SessionFeed.ts"

/** Which sessions are followed. */
export interface Feeds {
  /** The same sessions: one that is opened is followed by those who want its events, as long as the scope lives. */
  readonly watch: (sessions: Sessions["Service"]) => Effect.Effect<Sessions["Service"], never, Scope.Scope>
  /** Somebody is connected. */
  readonly enter: (audience: Audience) => void
  /** Somebody is gone. */
  readonly leave: (audience: Audience) => Effect.Effect<void>
  /** What somebody wants is different now. Done when all that is open and wanted is followed. */
  readonly changed: (audience: Audience) => Effect.Effect<void>
  /** Somebody goes on in a session after what it had. False: it follows from now on. */
  readonly resume: (audience: Audience, session: Session, position: Position) => Effect.Effect<boolean>
}

interface Running {
  readonly feed: SessionFeed
  readonly scope: Scope.Closeable
}

/** No session is followed yet. All that are, are left when the scope is closed. */
export const makeFeeds: Effect.Effect<Feeds, never, Scope.Scope> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const audiences = new Set<Audience>()
  // One at a time: a session has one feed.
  const opening = Semaphore.makeUnsafe(1)
  const open = new Map<string, Session>()
  const running = new Map<string, Running>()
  /** Where those were who followed a session that is closed: it may be opened again. */
  const left = new Map<string, { readonly epoch: number; readonly places: Map<Audience, GatewayCursor> }>()

  const stop = (threadId: string, { scope }: Running): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (running.get(threadId)?.scope === scope) running.delete(threadId)
      return Scope.close(scope, Exit.void)
    })

  const ended = (feed: SessionFeed): void => {
    const { createdAt, threadId } = feed.session
    const places = feed.places().filter(([audience]) => audiences.has(audience))
    if (places.length > 0) left.set(threadId, { epoch: createdAt, places: new Map(places) })
    if (running.get(threadId)?.feed === feed) running.delete(threadId)
    if (open.get(threadId)?.log === feed.session.log) open.delete(threadId)
  }

  const feedOf = (session: Session): Effect.Effect<SessionFeed> =>
    Effect.gen(function* () {
      const { threadId } = session
      const before = running.get(threadId)
      if (before?.feed.session.log === session.log) return before.feed
      if (before !== undefined) {
        ended(before.feed)
        yield* stop(threadId, before)
      }
      const own = Scope.forkUnsafe(scope)
      const feed = yield* makeSessionFeed(session, ended).pipe(Scope.provide(own))
      running.set(threadId, { feed, scope: own })
      const were = left.get(threadId)
      left.delete(threadId)
      // A session that was made anew has other numbers.
      if (were?.epoch === session.createdAt)
        for (const [audience, cursor] of were.places)
          if (audiences.has(audience) && audience.interests.wantsSession(threadId)) feed.continueFrom(audience, cursor)
      return feed
    }).pipe(opening.withPermits(1), Effect.uninterruptible)

  const follow = (audience: Audience, session: Session): Effect.Effect<void> =>
    Effect.gen(function* () {
      const feed = yield* feedOf(session)
      if (!feed.follows(audience)) yield* feed.join(audience)
    })

  /** Nobody reads a log for nobody. */
  const unfollow = (audience: Audience, threadId: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const each = running.get(threadId)
      each?.feed.leave(audience)
      return each === undefined || each.feed.size() > 0 ? Effect.void : stop(threadId, each)
    })

  /** Nobody tells of sessions that are closed and not followed, and they are not to be kept for that. */
  const forgetClosed = Effect.gen(function* () {
    for (const [threadId, session] of [...open])
      if ((yield* session.status) === "terminated" && open.get(threadId) === session) open.delete(threadId)
  })

  const opened = (session: Session): Effect.Effect<void> =>
    Effect.gen(function* () {
      const { log, threadId } = session
      if (open.get(threadId)?.log === log) return
      yield* forgetClosed
      open.set(threadId, session)
      const wanting = [...audiences].filter(({ interests }) => interests.wantsSession(threadId))
      if (wanting.length === 0) return
      // Who opens it need not wait until it is followed: what happens meanwhile is in its log.
      yield* feedOf(session)
      const following = Effect.forEach(wanting, (audience) => follow(audience, session), { discard: true })
      yield* Effect.forkIn(following, scope)
    })

  return {
    watch: (sessions) =>
      sessions.onOpen === undefined
        ? Effect.succeed(asked(sessions, opened))
        : Effect.as(sessions.onOpen(opened), sessions),
    enter: (audience) => void audiences.add(audience),
    leave: (audience) =>
      Effect.suspend(() => {
        audiences.delete(audience)
        for (const [threadId, { places }] of left) {
          places.delete(audience)
          if (places.size === 0) left.delete(threadId)
        }
        return Effect.forEach([...running.keys()], (threadId) => unfollow(audience, threadId), { discard: true })
      }),
    changed: (audience) =>
      Effect.gen(function* () {
        yield* forgetClosed
        for (const [threadId, session] of [...open])
          yield* audience.interests.wantsSession(threadId) ? follow(audience, session) : unfollow(audience, threadId)
      }),
    resume: (audience, session, position) =>
      Effect.gen(function* () {
        const feed = yield* feedOf(session)
        if (yield* feed.resume(audience, position)) return true
        if (!feed.follows(audience)) yield* feed.join(audience)
        return false
      })
  }
})

/** The same sessions: each that somebody asks for is told of, once it is open. */
const asked = (
  sessions: Sessions["Service"],
  opened: (session: Session) => Effect.Effect<void>
): Sessions["Service"] => {
  const told = <E>(asking: Effect.Effect<Session, E>): Effect.Effect<Session, E> => Effect.tap(asking, opened)
  const toldIfAny = <E>(asking: Effect.Effect<Session | undefined, E>): Effect.Effect<Session | undefined, E> =>
    Effect.tap(asking, (session) => (session === undefined ? Effect.void : opened(session)))
  return {
    ...sessions,
    open: (threadId, choices) => told(sessions.open(threadId, choices)),
    create: (threadId, choices) => told(sessions.create(threadId, choices)),
    adopt: (request) => told(sessions.adopt(request)),
    find: (threadId) => toldIfAny(sessions.find(threadId)),
    fork: (threadId, request) => toldIfAny(sessions.fork(threadId, request))
  }
}
