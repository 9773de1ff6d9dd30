/**
 * The sessions of a bridge: one for each thread, made when it is first asked for, up to a limit.
 *
 * Threads are in the store. A session that nobody used for a while loses its process and keeps its place. When the place is
 * needed, the idle session that was not used for the longest time goes; its thread can be opened again. A session whose
 * thread cannot be written any more ends, and so does its agent. All sessions end in parallel when the scope of the
 * layer closes.
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
import * as Semaphore from "effect/Semaphore"
import { type Claim, Store } from "../store/Store.ts"
import type { StoredThread } from "../store/StoredThread.ts"
import type { ClaimLost, StoreFailed } from "../store/StoreErrors.ts"
import { type AdoptedThread, type AdoptRequest, readAdoptable, readAdopted } from "./Adoption.ts"
import type { AgentKind } from "./Capabilities.ts"
import { type ForkRequest, readFork } from "./Fork.ts"
import { makeLookAtThread } from "./LookAtThread.ts"
import { openThread, threadExists } from "./OpenThread.ts"
import type { ProviderConversations } from "./ProviderConversations.ts"
import type { Session, SessionStatus } from "./Session.ts"
import { refused, SessionRefused } from "./SessionRefused.ts"
import { type SessionChange, type SessionChoices, type SessionSummary, Sessions, type Titled } from "./Sessions.ts"
import { makeThreadBook } from "./ThreadBook.ts"
import { readBranches } from "./ThreadBranches.ts"
import { readThreadHistory } from "./ThreadHistory.ts"
import type { ThreadTitle } from "./ThreadTitle.ts"

/** What a thread is made with. */
export type ThreadTerms = Pick<StoredThread, "cwd" | "mode" | "options">

/** Makes sessions. Closing the scope ends the session and all it started. */
export class SessionMaker extends Context.Service<
  SessionMaker,
  {
    /** What people call the agent of the sessions. */
    readonly agentName: string
    /** The kinds of agents that a session may be with, and what each can do. */
    readonly agents: ReadonlyArray<AgentKind>
    /** The folder that a path leads to. Refused where agents may not work there. */
    readonly folder: (cwd: string) => Effect.Effect<string, SessionRefused>
    /** What the agent has kept of its conversations by itself; undefined: nothing. */
    readonly conversations: ProviderConversations | undefined
    /** What a new thread is made with, given what was chosen for it. */
    readonly terms: (choices: SessionChoices) => ThreadTerms
    readonly make: (claim: Claim) => Effect.Effect<Session, ClaimLost | StoreFailed, Scope.Scope>
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
  /** For a thread that is not there yet. */
  readonly choices: SessionChoices
  readonly scope: Scope.Closeable
  /** Undefined when it was ended before it was made. */
  readonly session: Deferred.Deferred<Session | undefined, SessionRefused>
  /** Completed when all of the session has ended. */
  readonly ended: Deferred.Deferred<void>
  usedAt: number
  /** How far the log had come when it was last looked at. */
  seq: number
  phase: "open" | "ending"
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
): Layer.Layer<Sessions, never, SessionMaker | Store> => Layer.effect(Sessions, makeSessions(options))

const makeSessions = Effect.fnUntraced(function* (
  options: SessionRegistryOptions
): Effect.fn.Return<Sessions["Service"], never, SessionMaker | Store | Scope.Scope> {
  const maker = yield* SessionMaker
  const store = yield* Store
  const maxSessions = options.maxSessions ?? 100
  const idle = Duration.toMillis(Duration.fromInputUnsafe(options.idle ?? "15 minutes"))
  const grace = Duration.toMillis(Duration.fromInputUnsafe(options.grace ?? "10 seconds"))
  // In parallel: each agent may take seconds to end.
  const scope = yield* Scope.fork(yield* Effect.scope, "parallel")
  const entries = new Map<string, Entry>()
  const hearTitles = new Set<(titled: Titled) => void>()
  const listeners = new Set<(session: Session) => Effect.Effect<void>>()

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
      phase: "open"
    }
    entries.set(threadId, entry)
    return entry
  }

  /** What the session of a thread is doing. Without one, the thread has no agent. */
  const statusIn = (threadId: string): Effect.Effect<SessionStatus> =>
    Effect.suspend(() => statusOf(entries.get(threadId)))

  const book = makeThreadBook(store, maker.folder, statusIn)

  const newThread = (threadId: string, choices: SessionChoices): Effect.Effect<StoredThread> =>
    Effect.map(Clock.currentTimeMillis, (now) => ({
      threadId,
      ...maker.terms(choices),
      archived: false,
      createdAt: now,
      activeAt: now
    }))

  const makeSession = ({ choices, threadId }: Entry): Effect.Effect<Session, SessionRefused, Scope.Scope> =>
    newThread(threadId, choices).pipe(
      Effect.flatMap((thread) => openThread({ ...store, create: book.add }, thread)),
      Effect.tap(book.settle),
      Effect.flatMap(maker.make),
      Effect.mapError(refused)
    )

  /** In the session's own scope, so that it does not depend on who asked first and ends with the session. */
  const make = (entry: Entry): Effect.Effect<void> =>
    Effect.gen(function* () {
      yield* Scope.addFinalizer(entry.scope, Deferred.succeed(entry.session, undefined))
      yield* makeSession(entry).pipe(
        Effect.tap((session) => Effect.forkIn(endWhenLost(entry, session), entry.scope)),
        Effect.tap((session) => Effect.sync(() => void session.onTitled((title) => tellTitle(entry, title)))),
        Effect.tap((session) => Effect.forEach([...listeners], (listener) => listener(session), { discard: true })),
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

  const tellTitle = ({ threadId }: Entry, title: ThreadTitle): void => {
    for (const heard of hearTitles) heard({ ...title, threadId })
  }

  /** Ends a session whose thread cannot be written any more, and its agent with it. */
  const endWhenLost = (entry: Entry, session: Session): Effect.Effect<void> =>
    Effect.gen(function* () {
      const { code, message } = yield* session.log.failure
      yield* Effect.annotateLogs(Effect.logError(`A session ends: ${message}`), { thread: entry.threadId, code })
      // In another fiber, because the end waits for this one.
      yield* Effect.forkIn(end(entry), scope, { startImmediately: true })
    })

  /**
   * Ends a session. Its place in the map is only free when it is gone, and what is done then, too: no thread has two
   * agents.
   */
  const end = (entry: Entry, then: Effect.Effect<void> = Effect.void): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (entry.phase === "ending") return Effect.andThen(Deferred.await(entry.ended), then)
      entry.phase = "ending"
      return Scope.close(entry.scope, Exit.void).pipe(
        Effect.ensuring(then),
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
      yield* check(threadId)
      // Whoever asked for a planner must not get anything else, even if the bridge is killed now: the thread comes first.
      return yield* openNew(yield* newThread(threadId, choices))
    })

  /** Makes a thread and opens it: both or nothing. */
  const openNew = (
    thread: StoredThread,
    beginning?: AdoptedThread["beginning"]
  ): Effect.Effect<Session, SessionRefused> =>
    Effect.gen(function* () {
      if (!(yield* Effect.mapError(book.add(thread, beginning), refused))) return yield* threadExists
      return yield* open(thread.threadId).pipe(Effect.tapError(() => Effect.ignore(book.forget(thread.threadId))))
    })

  // One at a time: a conversation has one thread.
  const adopting = yield* Semaphore.make(1)

  const adopt = (request: AdoptRequest): Effect.Effect<Session, SessionRefused> =>
    adopting.withPermits(1)(
      Effect.gen(function* () {
        yield* check(request.threadId ?? request.providerSessionId)
        const { beginning, thread } = yield* readAdopted(store, maker.conversations, request)
        return yield* openNew({ ...thread, cwd: yield* maker.folder(thread.cwd) }, beginning)
      })
    )

  const check = (threadId: string): Effect.Effect<void, SessionRefused> => {
    const problem = threadIdProblem(threadId)
    return problem === undefined
      ? Effect.void
      : Effect.fail(new SessionRefused({ code: "BAD_THREAD_ID", message: problem }))
  }

  const open = (threadId: string, choices: SessionChoices = {}): Effect.Effect<Session, SessionRefused> =>
    Effect.gen(function* () {
      yield* check(threadId)
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
      // It ended by itself, and nobody asked for its thread since.
      if ((yield* session.status) === "terminated") return yield* end(entry)
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

  const find = (threadId: string): Effect.Effect<Session | undefined, SessionRefused> =>
    Effect.gen(function* () {
      if (threadIdProblem(threadId) !== undefined) return undefined
      const entry = entries.get(threadId)
      if (entry?.phase === "ending") yield* Deferred.await(entry.ended)
      const known = entries.has(threadId) || (yield* Effect.mapError(store.thread(threadId), refused)) !== undefined
      return known ? yield* open(threadId) : undefined
    })

  /** The session of a thread that is open here. */
  const openHere = (threadId: string): Effect.Effect<Session | undefined> =>
    Effect.suspend(() => {
      const entry = entries.get(threadId)
      return entry?.phase === "open" ? made(entry) : Effect.undefined
    })

  const look = makeLookAtThread(store, openHere)

  const fork = (threadId: string, request: ForkRequest): Effect.Effect<Session | undefined, SessionRefused> =>
    Effect.gen(function* () {
      yield* check(request.threadId)
      const forked = yield* readFork(store, look, threadId, request)
      if (forked === undefined) return undefined
      const cwd = yield* maker.folder(forked.thread.cwd)
      return yield* openNew({ ...forked.thread, cwd }, forked.beginning)
    })

  const change = (
    threadId: string,
    { archived, summary, title }: SessionChange
  ): Effect.Effect<SessionSummary | undefined, SessionRefused> =>
    Effect.gen(function* () {
      if (threadIdProblem(threadId) !== undefined) return undefined
      if (title !== undefined) {
        // Whoever has the thread has to know what it is called: else the next title of the agent would replace it.
        const session = yield* find(threadId)
        if (session !== undefined) yield* session.rename(title)
      }
      yield* store.change(threadId, {
        ...(archived !== undefined && { archived }),
        ...(summary !== undefined && { summary })
      })
      return yield* book.summary(threadId)
    }).pipe(Effect.mapError(refused))

  const remove = (threadId: string): Effect.Effect<boolean, SessionRefused> =>
    Effect.gen(function* () {
      if (threadIdProblem(threadId) !== undefined) return false
      const entry = entries.get(threadId)
      if (entry === undefined) return yield* book.forget(threadId)
      const removed = yield* Deferred.make<boolean, SessionRefused>()
      yield* end(entry, Effect.asVoid(Deferred.into(book.forget(threadId), removed)))
      return yield* Deferred.await(removed)
    })

  return {
    agentName: maker.agentName,
    agents: maker.agents,
    open,
    create,
    find,
    list: book.list,
    page: book.page,
    summary: (threadId) => Effect.mapError(book.summary(threadId), refused),
    history: (threadId, query) => look(threadId, (seen) => readThreadHistory(seen, query)),
    branches: (threadId, query) => look(threadId, (seen) => readBranches(seen, query)),
    fork,
    change,
    onTitled: (heard) =>
      Effect.acquireRelease(
        Effect.sync(() => hearTitles.add(heard)),
        () => Effect.sync(() => hearTitles.delete(heard))
      ).pipe(Effect.asVoid),
    workspaces: book.workspaces,
    adoptable: (query) =>
      Effect.gen(function* () {
        const cwd = query.cwd === undefined ? undefined : yield* maker.folder(query.cwd)
        return yield* readAdoptable(store, maker.conversations, { ...query, cwd })
      }),
    adopt,
    onOpen: (listener) =>
      Effect.acquireRelease(
        Effect.sync(() => void listeners.add(listener)),
        () => Effect.sync(() => listeners.delete(listener))
      ),
    statuses: Effect.suspend(() => Effect.forEach(opened(), statusOf)),
    remove
  }
})

/** The session of an entry, when it is made. */
const made = (entry: Entry): Effect.Effect<Session | undefined> =>
  Effect.suspend(() => (Deferred.isDoneUnsafe(entry.session) ? Deferred.await(entry.session) : Effect.undefined)).pipe(
    // Whoever opened it has been told.
    Effect.catchCause(() => Effect.undefined)
  )

/** What the session of a thread is doing. Without one, the thread has no agent. */
const statusOf = (entry: Entry | undefined): Effect.Effect<SessionStatus> =>
  Effect.gen(function* () {
    if (entry === undefined || entry.phase === "ending") return "disconnected"
    const session = yield* made(entry)
    return session === undefined ? "starting" : yield* session.status
  })

/** Whether a session can be ended without taking anything from anybody. */
const isFree = (session: Session): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    return !busy.has(yield* session.status) && (yield* session.waiting).length === 0
  })

/** The statuses in which a session must not be ended. */
const busy: ReadonlySet<SessionStatus> = new Set<SessionStatus>(["starting", "active"])
