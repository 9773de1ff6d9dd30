/**
 * What happened in a session: the events of its conversation in order, each with a sequence number, for ever. The store
 * has all of them.
 *
 * The session sees an event at once. Faces, inspectors and observers are cursors on the log, and see an event when it is
 * written: whatever somebody has seen outlives the process. Memory holds the newest events and the part of the
 * transcript that may still change; what is older is read from the store. A checkpoint is written at the end of every turn, and
 * when much was said since the last one, so that opening a thread and reading old events takes a bounded time.
 */
import * as Model from "@agentwire/protocol/model"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { weightOf } from "../eventloop/Weight.ts"
import type { Batch, Claim, Happened, Store } from "../store/Store.ts"
import type { ThreadChange } from "../store/StoredThread.ts"
import { type ClaimLost, StoreFailed } from "../store/StoreErrors.ts"
import { LogFailed, LogGap, makeBoundedLog, type ReadFailed } from "./BoundedLog.ts"
import { bridgeEnded, unheardTurn } from "./CutTurns.ts"
import { type EntryView, mapViewError, viewEntries } from "./EntryView.ts"
import { makeLogWriter } from "./LogWriter.ts"
import { type Moment, readMoment } from "./MomentReader.ts"
import { pageCursor } from "./PageCursor.ts"
import { afterLast, type LogEntry, type OpenAt, storedEntries, type TurnStart } from "./StoredEntries.ts"
import { readThreadEnd } from "./StoredThreadTail.ts"

export type { EntryView } from "./EntryView.ts"
export type { HistoryPage, Moment } from "./MomentReader.ts"
export type { LogEntry, OpenAt, TurnStart } from "./StoredEntries.ts"
export type { PageQuery } from "./TranscriptPages.ts"

/** What a log may hold in memory, and how large what it gives may be. */
export interface EventLogLimits {
  /** How many events are kept in memory. Default 2,000. */
  readonly maxEvents?: number
  /** About how many characters of events are kept in memory. Default 4,000,000. */
  readonly maxCharacters?: number
  /**
   * How large what was said may be, as JSON, for those who join; the oldest entries are left out. Default 8,000,000:
   * clients refuse an event of more than 10 MB, and what was said is one event to them.
   */
  readonly maxHistoryBytes?: number
  /** After how many events a checkpoint is written, in the middle of a turn, too. Default 5,000. */
  readonly checkpointEvents?: number
  /** After about how many characters of events a checkpoint is written. Default 1,000,000. */
  readonly checkpointCharacters?: number
  /**
   * About how many characters of events may wait for a store that takes its time. With more the log fails: nobody sees any
   * of them, and they would fill the memory. Default 64,000,000.
   */
  readonly maxPendingCharacters?: number
}

/** What happened in a session. */
export interface EventLog {
  /** Adds events that came from a line of the wire, or from none. At once: there is one for every piece of text. */
  readonly append: (events: ReadonlyArray<Model.Event>, line?: number) => void
  /** Changes what is known of the thread besides. It is written with the next events. */
  readonly change: (change: ThreadChange) => void
  /** The sequence number the next event will have. */
  readonly next: () => number
  /** The position that the next entry of the transcript will have. */
  readonly nextPosition: () => number
  /** The number of the first event since the thread was opened: those that closed what was open are among them. */
  readonly openedAt: number
  /** Where the session began, after those: nothing was open. Of a session of another process: where this one came to it. */
  readonly opened: OpenAt
  /**
   * The position in the transcript up to which a bridge, the newest that did so, has left turns open, or had not begun them;
   * undefined when there was none.
   */
  readonly cutAt: number | undefined
  /**
   * The position in the transcript at which a bridge, the newest that did so, was gone without giving the thread back, or has
   * left turns open: its agent was killed with it. Undefined when there was none.
   */
  readonly leftAt: number | undefined
  /** The number of the oldest event that is in memory. */
  readonly oldest: () => number
  /** The events from a number on, as they are written, in chunks. Does not end until the log is closed. */
  readonly read: (from: number) => Stream.Stream<LogEntry, ReadFailed>
  /** Where the newest turn begins of those that began before a number: a reader of that number is in it or after it. */
  readonly turnBefore: (seq: number) => Effect.Effect<TurnStart, ReadFailed>
  /** What is open now, for the session itself: it may not be written yet. */
  readonly situation: () => Model.Situation
  /**
   * What was said and what is open, when all is written that was added until now. `branch`: of what was said, that which a
   * branch began with.
   */
  readonly moment: (options?: {
    readonly maxBytes?: number
    readonly branch?: number
  }) => Effect.Effect<Moment, LogFailed>
  /**
   * Looks at what was said, when all is written that was added until now. Nothing of it changes meanwhile. `seq`: the number
   * of the first event that is not in it.
   */
  readonly look: <A, E>(
    use: (view: EntryView<LogFailed>, seq: number) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | LogFailed>
  /** Waits until all that was added is written. */
  readonly settled: Effect.Effect<void, LogFailed>
  /** Waits until something cannot be written, or the thread is taken away. Nothing is added to the log from then on. */
  readonly failure: Effect.Effect<LogFailed>
  /** Takes no more events, and ends all readers once they have read the rest. */
  readonly close: Effect.Effect<void>
}

/** A thread whose log is to be opened. */
export interface EventLogParts {
  readonly store: Store["Service"]
  readonly claim: Claim
  readonly now: () => number
  readonly limits?: EventLogLimits
}

/** What is written at once. */
interface TakenBatch extends Batch {
  /** The number of the first event that is not in it. */
  readonly until: number
}

/**
 * The log of a thread: its newest checkpoint, and what happened since. What a bridge before has left open is closed. It is
 * closed with the scope.
 */
export const openEventLog = ({
  claim,
  limits = {},
  now,
  store
}: EventLogParts): Effect.Effect<EventLog, ClaimLost | StoreFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { threadId } = claim
    const { maxCharacters = 4_000_000, maxEvents = 2000, maxHistoryBytes = 8_000_000 } = limits
    const { checkpointCharacters = 1_000_000, checkpointEvents = 5000, maxPendingCharacters = 64_000_000 } = limits
    const written = storedEntries(store, threadId)
    const end = yield* readThreadEnd(store, claim)
    const { tail } = end
    let { situation } = end
    /** What was added since the last checkpoint. */
    const since = { events: end.events, characters: 0 }

    const window = makeBoundedLog<LogEntry, LogFailed>({ maxEntries: maxEvents, maxCharacters, first: claim.next })
    const failure = Deferred.makeUnsafe<LogFailed>()
    let pending: Array<Happened> = []
    let pendingCharacters = 0
    let change: ThreadChange | undefined
    let isCheckpointDue = false
    /** How many are reading what was said: a checkpoint would change it under their eyes. */
    let looking = 0
    let closed = false

    const isDue = (): boolean =>
      looking === 0 && (isCheckpointDue || since.events >= checkpointEvents || since.characters >= checkpointCharacters)

    const takeCheckpoint = (): Pick<Batch, "checkpoint" | "entries"> => {
      if (!isDue() || tail.unsure().length > 0) return {}
      isCheckpointDue = false
      since.events = 0
      since.characters = 0
      const entries = tail.takeChanged()
      const checkpoint = { seq: window.next(), situation: Model.situationToJson(situation), ...tail.place }
      return { checkpoint, entries }
    }

    const writer = makeLogWriter<TakenBatch, ClaimLost | StoreFailed>(
      {
        prepare: Effect.suspend(() => {
          const unsure = isDue() ? tail.unsure() : []
          return unsure.length === 0
            ? Effect.void
            : Effect.map(store.entriesById(threadId, unsure), (found) => tail.learn(unsure, found))
        }),
        take: () => {
          const events = pending
          const thread = change
          pending = []
          pendingCharacters = 0
          change = undefined
          const until = window.next()
          return {
            first: until - events.length,
            until,
            events,
            ...takeCheckpoint(),
            ...(thread !== undefined && { thread })
          }
        },
        write: (batch) => Effect.catchDefect(store.append(claim, batch), broken),
        written: ({ checkpoint, until }) => {
          window.wake(until)
          if (checkpoint !== undefined) tail.forget((id) => situation.items.has(id))
        },
        failed: (error) => fail(error)
      },
      yield* Effect.context<never>()
    )

    const fail = ({ code, message }: Pick<LogFailed, "code" | "message">): void => {
      if (closed) return
      closed = true
      const failed = new LogFailed({ code, message })
      window.close(failed)
      Deferred.doneUnsafe(failure, Effect.succeed(failed))
    }

    const append: EventLog["append"] = (events, line) => {
      if (events.length === 0 || closed) return
      const at = now()
      for (const event of events) {
        const before = situation
        situation = Model.applyToSituation(before, event)
        tail.apply(event)
        if (event.type === "branched") tail.follow(Model.pathIn(situation))
        const size = sizeOf(event)
        since.events++
        since.characters += size
        if (event.type === "turn_ended" || event.type === "branched") isCheckpointDue = true
        if (isMessage(event)) change = { ...change, activeAt: at }
        if (event.type === "state_changed") change = { ...change, state: event.state }
        pending.push({ at, event })
        pendingCharacters += size
        window.add((seq) => ({ seq, at, event, before, line }), size)
      }
      if (pendingCharacters > maxPendingCharacters) fail(stalled)
      else writer.kick()
    }

    const readChunk = (
      from: OpenAt | number
    ): Effect.Effect<readonly [ReadonlyArray<LogEntry>, OpenAt | number], ReadFailed> =>
      Effect.suspend(() => {
        const seq = typeof from === "number" ? from : from.seq
        const isInMemory = seq >= window.oldest()
        if (isInMemory)
          return Effect.map(window.take(seq), (entries) => [entries, seq + entries.length] as const).pipe(
            // It was dropped while the reader waited for its turn.
            Effect.catchTag("LogGap", () => readChunk(from))
          )
        return Effect.gen(function* () {
          const place = typeof from === "number" ? yield* written.openAt(from) : from
          const entries = yield* written.chunk(place, window.visible())
          return [entries, afterLast(entries, place)] as const
        }).pipe(
          Effect.catchTag("StoreFailed", asFailure),
          // The thread was removed: memory has the rest. It begins later than what was wanted, so who goes on there gets on.
          Effect.catchTag("LogGap", ({ message }) =>
            Effect.fail(new LogGap({ message, wanted: seq, oldest: window.oldest() }))
          )
        )
      })

    const read: EventLog["read"] = (from) =>
      Stream.paginate(from as OpenAt | number, (at) =>
        Effect.map(
          readChunk(at),
          ([entries, next]) => [entries, entries.length === 0 ? Option.none() : Option.some(next)] as const
        )
      )

    const close: Effect.Effect<void> = Effect.suspend(() => {
      if (closed) return Effect.void
      closed = true
      if (since.events > 0) {
        isCheckpointDue = true
        writer.kick()
      }
      return Effect.matchEffect(
        writer.look(() => undefined),
        {
          onFailure: ({ code, message }) => Effect.sync(() => window.close(new LogFailed({ code, message }))),
          onSuccess: () => Effect.sync(() => window.close())
        }
      )
    })
    yield* Effect.addFinalizer(() => close)
    yield* Effect.forkScoped(Effect.map(store.lost(claim), fail))
    const { waiting = [] } = claim.thread
    const isCut = situation.turn !== undefined || waiting.length > 0
    if (claim.thread.waiting !== undefined) change = { waiting: undefined }
    append([
      ...Model.closeSituation(situation, bridgeEnded),
      ...waiting.flatMap(({ said, ticket }) => unheardTurn(ticket, said, bridgeEnded))
    ])
    // Of those who were there then, some come back after a further restart: it is written with the end of the turns.
    const cutAt = isCut ? tail.place.nextPosition : claim.thread.cutAt
    if (isCut) change = { ...change, cutAt }
    const isLeft = isCut || claim.abandoned === true
    const leftAt = isLeft ? tail.place.nextPosition : claim.thread.leftAt
    if (isLeft) change = { ...change, leftAt }
    if (change !== undefined) writer.kick()
    const opened: OpenAt = yield* writer.look(() => ({ seq: window.next(), situation }))

    const failing = <A>(effect: Effect.Effect<A, ClaimLost | StoreFailed>): Effect.Effect<A, LogFailed> =>
      Effect.catch(effect, asFailure)

    /** No checkpoint is written while somebody looks. */
    const atCut = <A, E>(
      use: (view: EntryView<LogFailed>, seq: number) => Effect.Effect<A, E>
    ): Effect.Effect<A, E | LogFailed> =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          looking++
        }),
        () =>
          Effect.gen(function* () {
            const cut = yield* failing(writer.look(() => ({ seq: window.next(), situation, tail: tail.cut() })))
            return yield* use(mapViewError(yield* failing(viewEntries(store, threadId, cut)), failureOf), cut.seq)
          }),
        () =>
          Effect.sync(() => {
            looking--
            if (isDue()) writer.kick()
          })
      )

    return {
      append,
      change: (fields) => {
        if (closed) return
        change = { ...change, ...fields }
        writer.kick()
      },
      next: window.next,
      nextPosition: () => tail.place.nextPosition,
      openedAt: claim.next,
      opened,
      cutAt,
      leftAt,
      oldest: window.oldest,
      read,
      turnBefore: (seq) =>
        Effect.suspend(() => {
          const visible = Math.min(seq, window.visible())
          return Effect.catchTag(written.turnBefore(visible), "StoreFailed", asFailure)
        }),
      situation: () => situation,
      moment: ({ branch, maxBytes = maxHistoryBytes } = {}) =>
        atCut((view, seq) => {
          const { branch: current, origins } = view.situation
          const seen = branch === undefined ? view : view.along(Model.pathThrough(origins, origins[branch] ?? null))
          return Effect.map(readMoment(seen, maxBytes), ({ before, ...moment }) => ({
            seq,
            ...moment,
            before: before === undefined ? undefined : pageCursor(claim.thread.createdAt, branch ?? current, before)
          }))
        }),
      look: (use) => atCut(use),
      // Who waits for a store that does not answer learns when it is given up.
      settled: Effect.raceFirst(
        failing(writer.look(() => undefined)),
        Effect.flatMap(Deferred.await(failure), Effect.fail)
      ),
      failure: Deferred.await(failure),
      close
    }
  })

/** A store that does not answer is one that fails, once too much waits for it. */
const stalled = {
  code: "STORE_UNWRITABLE",
  message: "What happens cannot be kept: the store does not answer, and too much waits for it. Look at its disk."
}

/** A store that breaks is one that fails: whoever waits for what is written must not wait for ever. */
const broken = (defect: unknown): Effect.Effect<never, StoreFailed> =>
  Effect.andThen(
    Effect.logError("The store broke while it was written.", defect),
    new StoreFailed({ code: "STORE_UNWRITABLE", path: "", message: "What happens cannot be kept: the log says why." })
  )

/** A failure of the store as one of the log. */
const failureOf = ({ code, message }: Pick<LogFailed, "code" | "message">): LogFailed =>
  new LogFailed({ code, message })

const asFailure = (failure: Pick<LogFailed, "code" | "message">): Effect.Effect<never, LogFailed> =>
  Effect.fail(failureOf(failure))

/** Whether an event is a sign of life of the thread: somebody says something. */
const isMessage = (event: Model.Event): boolean =>
  event.type === "item_started" && event.lane === null && (event.item.kind === "prompt" || event.item.kind === "text")

/** About how many characters an event has. */
const sizeOf = (event: Model.Event): number => (event.type === "item_grew" ? 100 + event.delta.length : weightOf(event))
