/**
 * Observes sessions: reads the log of each, and the lines of its agent, beside its clients.
 *
 * A session does not know of it. A slow observer misses entries and is told how many; one that fails is dropped,
 * and a line in the log says so. Each observer reads at its own pace.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { ReadFailed } from "../log/BoundedLog.ts"
import type { LogEntry } from "../log/EventLog.ts"
import type { WireEntry } from "../log/WireLog.ts"
import { type Session, ThreadBusy } from "../session/Session.ts"
import { sessionKeyOf } from "../session/SessionKey.ts"
import { Sessions } from "../session/Sessions.ts"

/** What an observer does with one session. All of it happens in order. */
export interface SessionWatch {
  readonly events?: (entries: ReadonlyArray<LogEntry>) => Effect.Effect<void>
  /** A line comes after all events that were there before it. */
  readonly lines?: (entries: ReadonlyArray<WireEntry>) => Effect.Effect<void>
  /** This many entries were gone before they could be read. */
  readonly missed?: (log: "events" | "lines", count: number) => Effect.Effect<void>
  /** A run was refused because the thread is busy. */
  readonly refused?: (ticket: string) => Effect.Effect<void>
  /** The session is over, or nobody observes it any more. */
  readonly ended?: Effect.Effect<void>
}

/** Observes a session that was opened. */
export type SessionObserver = (session: Session) => Effect.Effect<SessionWatch>

/** The same sessions, with observers. */
export const layerObservedSessions = (
  observers: ReadonlyArray<SessionObserver>
): Layer.Layer<Sessions, never, Sessions> =>
  Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const inner = yield* Sessions
      const scope = yield* Effect.scope
      const known = new WeakMap<Session, Session>()

      const observed = (session: Session): Effect.Effect<Session> =>
        Effect.gen(function* () {
          const before = known.get(session)
          if (before !== undefined) return before
          const watches: Array<SessionWatch> = []
          const decorated = decorate(session, watches)
          known.set(session, decorated)
          for (const observer of observers)
            yield* observer(session).pipe(
              Effect.tap((watch) => Effect.sync(() => watches.push(watch))),
              Effect.flatMap((watch) => follow(session, watch)),
              Effect.catchCause(letGo),
              Effect.annotateLogs(namesOf(session)),
              Effect.forkIn(scope, { startImmediately: true })
            )
          return decorated
        })

      return {
        ...inner,
        open: (threadId, choices) => Effect.flatMap(inner.open(threadId, choices), observed),
        create: (threadId, choices) => Effect.flatMap(inner.create(threadId, choices), observed),
        find: (threadId) =>
          Effect.flatMap(inner.find(threadId), (session) =>
            session === undefined ? Effect.undefined : observed(session)
          )
      }
    })
  )

/** The names of a session in the log: its thread, and the key its agents are known by. */
const namesOf = ({ threadId }: Session) => ({ thread: threadId, session: sessionKeyOf(threadId) })

/** An agent is started by whoever asks first, so that what is logged of it has the names of the session. */
const decorate = (session: Session, watches: ReadonlyArray<SessionWatch>): Session => ({
  ...session,
  start: Effect.annotateLogs(session.start, namesOf(session)),
  submit: (read) => {
    let ticket = ""
    return session
      .submit((waiting) =>
        Result.map(read(waiting), (submission) => {
          ticket = submission.ticket
          return submission
        })
      )
      .pipe(
        Effect.tapError((error) =>
          error instanceof ThreadBusy
            ? Effect.forEach(watches, ({ refused }) => Effect.catchCause(refused?.(ticket) ?? Effect.void, letGo), {
                discard: true
              })
            : Effect.void
        ),
        Effect.annotateLogs(namesOf(session))
      )
  }
})

const letGo = (cause: Cause.Cause<never>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("observer failed", cause)

/** Reads a session to its end. */
const follow = (session: Session, watch: SessionWatch): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { ended = Effect.void, events, lines, missed = () => Effect.void } = watch
    /** How many events were read. */
    let seen = events === undefined ? Number.POSITIVE_INFINITY : session.log.openedAt
    let more = Latch.makeUnsafe(false)
    const saw = (count: number): void => {
      seen = count
      const waiting = more
      more = Latch.makeUnsafe(false)
      waiting.openUnsafe()
    }
    const until = (count: number): Effect.Effect<void> =>
      Effect.suspend(() => (seen >= count ? Effect.void : Effect.flatMap(more.await, () => until(count))))

    const readEvents = (take: NonNullable<SessionWatch["events"]>) =>
      readOn(
        session.log.read,
        (entries: ReadonlyArray<LogEntry>) =>
          Effect.andThen(
            take(entries),
            Effect.sync(() => saw((entries.at(-1)?.seq ?? 0) + 1))
          ),
        (count) => missed("events", count),
        session.log.openedAt
      ).pipe(Effect.ensuring(Effect.sync(() => saw(Number.POSITIVE_INFINITY))))

    const readLines = (take: NonNullable<SessionWatch["lines"]>) =>
      readOn(
        session.wire.read,
        (entries: ReadonlyArray<WireEntry>) =>
          Effect.forEach(batches(entries), (batch) => Effect.andThen(until(batch[0].events), take(batch)), {
            discard: true
          }),
        (count) => missed("lines", count),
        0
      )

    return Effect.all(
      [events === undefined ? Effect.void : readEvents(events), lines === undefined ? Effect.void : readLines(lines)],
      { concurrency: "unbounded", discard: true }
    ).pipe(Effect.ensuring(ended))
  })

/** Lines that came with the same number of events before them. */
const batches = (entries: ReadonlyArray<WireEntry>): ReadonlyArray<readonly [WireEntry, ...Array<WireEntry>]> => {
  const found: Array<[WireEntry, ...Array<WireEntry>]> = []
  for (const entry of entries) {
    const last = found.at(-1)
    if (last !== undefined && last[0].events === entry.events) last.push(entry)
    else found.push([entry])
  }
  return found
}

/** Reads a log to its end, whatever ends it. What is gone is counted, and reading continues at the oldest that is kept. */
const readOn = <A>(
  read: (from: number) => Stream.Stream<A, ReadFailed>,
  take: (entries: ReadonlyArray<A>) => Effect.Effect<void>,
  missed: (count: number) => Effect.Effect<void>,
  from: number
): Effect.Effect<void> =>
  Stream.runForEachArray(read(from), take).pipe(
    Effect.catchTags({
      LogGap: ({ oldest, wanted }) => Effect.andThen(missed(oldest - wanted), readOn(read, take, missed, oldest)),
      LogFailed: () => Effect.void
    })
  )
