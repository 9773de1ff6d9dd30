/**
 * The sessions of a bridge: one for each thread, made when it is first asked for, up to a limit.
 *
 * A session that nobody used for a while loses its process and keeps its place. When the place is needed, the idle
 * session that was not used for the longest time goes; its thread stays in the index and can be opened again. All sessions end in
 * parallel when the scope of the layer closes.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { SessionIndex, type StoredSession } from "../store/SessionIndex.ts"
import type { Session, SessionStatus } from "./Session.ts"
import { type SessionChoices, SessionRefused, type SessionSummary, Sessions } from "./Sessions.ts"

/** A session to make. */
export interface SessionRequest {
  readonly threadId: string
  /** What was stored about the thread before. */
  readonly stored: StoredSession | undefined
  /** What was chosen for a new thread. */
  readonly choices: SessionChoices
  /** To be called when the provider's id of the conversation becomes known, or changes. */
  readonly remember: (session: Omit<StoredSession, "updatedAt">) => Effect.Effect<void>
}

/** Makes sessions. Closing the scope ends the session and all it started. */
export class SessionMaker extends Context.Service<
  SessionMaker,
  {
    /** What people call the agent of the sessions. */
    readonly agentName: string
    readonly make: (request: SessionRequest) => Effect.Effect<Session, never, Scope.Scope>
  }
>()("@agentwire/bridge/SessionMaker") {}

/** What may be chosen about the sessions of a bridge. */
export interface SessionRegistryOptions {
  /** How many sessions there may be at a time. Default 100. */
  readonly maxSessions?: number
  /** How long a session may be unused before its process ends. Default 15 minutes. */
  readonly idle?: Duration.Input
  /** How long a session that was just asked for keeps its place, whatever it does. Default 10 seconds. */
  readonly grace?: Duration.Input
}

/** A session and what the registry knows of it. */
interface Entry {
  readonly threadId: string
  readonly choices: SessionChoices
  readonly scope: Scope.Closeable
  /** Undefined when it was ended before it was made. */
  readonly session: Deferred.Deferred<Session | undefined>
  /** Completed when all of the session has ended. */
  readonly ended: Deferred.Deferred<void>
  usedAt: number
  /** How far the log had come when it was last looked at. */
  seq: number
  phase: "open" | "ending"
  /** The thread was removed: what the session still says about itself is not kept. */
  forgotten: boolean
}

/** The longest name of a thread. */
const maxThreadIdLength = 256

// Control characters would end up in logs and headers, half surrogate pairs cannot be written as UTF-8.
const unfit = /[\p{Cc}\p{Cs}]/u

/** Why a thread cannot have this name; undefined when it can. */
export const threadIdProblem = (threadId: string): string | undefined => {
  if (threadId === "") return "A thread id is needed."
  if (threadId.length > maxThreadIdLength) return `A thread id has at most ${maxThreadIdLength} characters.`
  return unfit.test(threadId) ? "A thread id has no control characters." : undefined
}

/** The sessions that a {@link SessionMaker} makes. */
export const layerSessions = (
  options: SessionRegistryOptions = {}
): Layer.Layer<Sessions, never, SessionMaker | SessionIndex> => Layer.effect(Sessions, makeSessions(options))

const makeSessions = Effect.fnUntraced(function* (
  options: SessionRegistryOptions
): Effect.fn.Return<Sessions["Service"], never, SessionMaker | SessionIndex | Scope.Scope> {
  const maker = yield* SessionMaker
  const index = yield* SessionIndex
  const maxSessions = options.maxSessions ?? 100
  const idle = Duration.toMillis(Duration.fromInputUnsafe(options.idle ?? "15 minutes"))
  const grace = Duration.toMillis(Duration.fromInputUnsafe(options.grace ?? "10 seconds"))
  // In parallel: each agent may take seconds to end.
  const scope = yield* Scope.fork(yield* Effect.scope, "parallel")
  const entries = new Map<string, Entry>()

  const opened = (): ReadonlyArray<Entry> => [...entries.values()].filter(({ phase }) => phase === "open")

  /** Gives a thread its place. */
  const begin = (threadId: string, usedAt: number, choices: SessionChoices): Entry => {
    const entry: Entry = {
      threadId,
      choices,
      scope: Scope.forkUnsafe(scope),
      session: Deferred.makeUnsafe(),
      ended: Deferred.makeUnsafe(),
      usedAt,
      seq: 0,
      phase: "open",
      forgotten: false
    }
    entries.set(threadId, entry)
    return entry
  }

  const remember =
    (entry: Entry): SessionRequest["remember"] =>
    (session) =>
      Effect.suspend(() => (entry.forgotten ? Effect.void : index.set(entry.threadId, session)))

  /** In the session's own scope, so that it does not depend on who asked first and ends with the session. */
  const make = (entry: Entry): Effect.Effect<void> =>
    Effect.gen(function* () {
      yield* Scope.addFinalizer(entry.scope, Deferred.succeed(entry.session, undefined))
      yield* index.get(entry.threadId).pipe(
        Effect.flatMap((stored) =>
          maker.make({ threadId: entry.threadId, stored, choices: entry.choices, remember: remember(entry) })
        ),
        Scope.provide(entry.scope),
        Effect.onExit((exit) => {
          if (Exit.isSuccess(exit)) return Deferred.succeed(entry.session, exit.value)
          // Interrupted: its scope is being closed, and closing it tells those who wait.
          if (Cause.hasInterruptsOnly(exit.cause)) return Effect.void
          // In another fiber, because the end waits for this one; and started before anybody can ask again.
          return Effect.forkIn(end(entry), scope, { startImmediately: true }).pipe(
            Effect.andThen(Deferred.failCause(entry.session, exit.cause))
          )
        }),
        Effect.exit,
        Effect.forkIn(entry.scope)
      )
    }).pipe(Effect.uninterruptible)

  /** Ends a session. Its place in the map is only free when it is gone: no thread has two agents. */
  const end = (entry: Entry): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (entry.phase === "ending") return Deferred.await(entry.ended)
      entry.phase = "ending"
      return Scope.close(entry.scope, Exit.void).pipe(
        Effect.ensuring(
          Effect.suspend(() => {
            entries.delete(entry.threadId)
            return Deferred.succeed(entry.ended, undefined)
          })
        ),
        Effect.asVoid
      )
    }).pipe(Effect.uninterruptible)

  const create = (threadId: string, choices: SessionChoices): Effect.Effect<Session, SessionRefused> =>
    Effect.gen(function* () {
      const known = entries.has(threadId) || (yield* index.get(threadId)) !== undefined
      // Nothing can happen between this check and `open` taking the place: neither waits in between.
      const session = yield* known
        ? new SessionRefused({ code: "THREAD_EXISTS", message: "A thread with this id exists already." })
        : open(threadId, choices)
      // Whoever asked for a planner must not get anything else, even if the bridge is killed now. A disk that refuses is
      // logged, and tried again.
      yield* Effect.ignore(index.flush)
      return session
    })

  const open = (threadId: string, choices: SessionChoices = {}): Effect.Effect<Session, SessionRefused> =>
    Effect.gen(function* () {
      const problem = threadIdProblem(threadId)
      if (problem !== undefined) return yield* new SessionRefused({ code: "BAD_THREAD_ID", message: problem })
      for (;;) {
        if (scope.state._tag === "Closed")
          return yield* new SessionRefused({ code: "CLOSING", message: "The bridge is closing." })
        const now = yield* Clock.currentTimeMillis
        const entry = entries.get(threadId)
        if (entry?.phase === "ending") yield* Deferred.await(entry.ended)
        else if (entry !== undefined) {
          entry.usedAt = now
          const session = yield* Deferred.await(entry.session)
          if (session !== undefined && (yield* session.status) !== "terminated") return session
          yield* end(entry)
        } else if (opened().length < maxSessions) yield* make(begin(threadId, now, choices))
        else yield* makeRoom(now)
      }
    })

  /** Begins to end the idle session that was used longest ago. */
  const makeRoom = (now: number): Effect.Effect<void, SessionRefused> =>
    Effect.gen(function* () {
      const candidates = opened()
        .filter(({ usedAt }) => now - usedAt >= grace)
        .sort((a, b) => a.usedAt - b.usedAt)
      for (const entry of candidates) {
        const session = yield* made(entry)
        if (session === undefined || !(yield* isFree(session))) continue
        // Its place is free at once; only its own thread has to wait until it is gone.
        yield* Effect.forkIn(end(entry), scope, { startImmediately: true })
        return
      }
      return yield* new SessionRefused({
        code: "SESSION_LIMIT",
        message: `All ${maxSessions} sessions are in use. Wait until one is idle, or remove one.`
      })
    })

  const sweepOne = (entry: Entry, now: number): Effect.Effect<void> =>
    Effect.gen(function* () {
      const session = yield* made(entry)
      if (session === undefined) return
      const seq = session.log.next()
      if (seq !== entry.seq || !(yield* isFree(session))) {
        entry.seq = seq
        entry.usedAt = now
      }
      if (now - entry.usedAt < idle || (yield* session.status) === "disconnected") return
      yield* session.disconnect
    })

  /** Ends the processes of sessions that nobody used for a while. What an agent says by itself counts as use. */
  const sweep = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // In parallel: each agent may take seconds to end.
    yield* Effect.forEach(opened(), (entry) => sweepOne(entry, now), { concurrency: "unbounded", discard: true })
  }).pipe(Effect.catchCause((cause) => Effect.logError("An idle session could not be ended.", cause)))

  yield* sweep.pipe(Effect.delay(Math.max(1, idle / 4)), Effect.forever, Effect.forkIn(scope))

  const find = (threadId: string): Effect.Effect<Session | undefined> =>
    Effect.gen(function* () {
      const entry = entries.get(threadId)
      if (entry?.phase === "ending") yield* Deferred.await(entry.ended)
      const known = entries.has(threadId) || (yield* index.get(threadId)) !== undefined
      return known ? yield* open(threadId) : undefined
    }).pipe(
      Effect.catch(({ code, message }) =>
        Effect.logWarning(`An earlier thread could not be opened: ${message}`).pipe(
          Effect.annotateLogs({ code }),
          Effect.as(undefined)
        )
      )
    )

  const list: Effect.Effect<ReadonlyArray<SessionSummary>> = Effect.gen(function* () {
    const here = yield* Effect.forEach(opened(), summary)
    const known = new Set(here.map(({ threadId }) => threadId))
    const stored = (yield* index.entries).filter(([threadId]) => !known.has(threadId))
    return [
      ...here,
      ...stored.map(
        ([threadId, { cwd, mode, providerSessionId, title, updatedAt }]): SessionSummary => ({
          threadId,
          status: "disconnected",
          providerSessionId,
          cwd,
          mode,
          title,
          usedAt: updatedAt
        })
      )
    ]
  })

  const remove = (threadId: string): Effect.Effect<boolean> =>
    Effect.gen(function* () {
      const entry = entries.get(threadId)
      if (entry !== undefined) entry.forgotten = true
      const stored = yield* index.remove(threadId)
      if (entry !== undefined) yield* end(entry)
      return stored || entry !== undefined
    })

  return { agentName: maker.agentName, open, create, find, list, remove }
})

/** The session of an entry, when it is made. */
const made = (entry: Entry): Effect.Effect<Session | undefined> =>
  Effect.suspend(() => (Deferred.isDoneUnsafe(entry.session) ? Deferred.await(entry.session) : Effect.undefined)).pipe(
    // Whoever opened it has been told.
    Effect.catchCause(() => Effect.undefined)
  )

const summary = (entry: Entry): Effect.Effect<SessionSummary> =>
  Effect.gen(function* () {
    const session = yield* made(entry)
    return {
      threadId: entry.threadId,
      status: session === undefined ? "starting" : yield* session.status,
      providerSessionId: session === undefined ? undefined : yield* session.providerSessionId,
      cwd: session?.cwd,
      mode: session?.mode,
      title: session === undefined ? undefined : yield* session.title,
      usedAt: entry.usedAt
    }
  })

/** Whether a session can be ended without taking anything from anybody. */
const isFree = (session: Session): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    return !busy.has(yield* session.status) && (yield* session.waiting).length === 0
  })

/** The statuses in which a session must not be ended. */
const busy: ReadonlySet<SessionStatus> = new Set<SessionStatus>(["starting", "active"])
