/**
 * A session to the clients that follow it: its log is read once, what they are told is made once, and each event is
 * encoded once, however many there are.
 *
 * A client that takes it is told at once. One that is behind goes at its own pace: it is told what it has not had from
 * the log, as is one that comes back, until it has caught up with the others. So a slow client misses nothing, and costs
 * nobody anything.
 */
import * as Gateway from "@agentwire/protocol/gateway"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { othersFirst } from "../../eventloop/Turns.ts"
import type { ReadFailed } from "../../log/BoundedLog.ts"
import type { LogEntry } from "../../log/EventLog.ts"
import { quietBefore } from "../../log/QuietPoint.ts"
import type { Session } from "../../session/Session.ts"
import type { Interests } from "./Interests.ts"
import type { Outbox } from "./Outbox.ts"

/** A client, to what it follows. */
export interface Audience {
  readonly outbox: Outbox
  readonly interests: Interests
}

/** Where a client is that goes on. */
interface Behind {
  cursor: Gateway.GatewayCursor
  /** How many events of the next entry it has had; undefined: not even the entry itself. */
  had: number | undefined
}

/** A client that follows. */
interface Follow {
  /** Undefined: it is told at once. */
  behind: Behind | undefined
}

/** An event, encoded when somebody wants it. */
class Frame {
  readonly name: string
  readonly #event: Gateway.SessionEvent
  #bytes: Buffer | undefined
  constructor(event: Gateway.SessionEvent) {
    this.name = event.event
    this.#event = event
  }
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(JSON.stringify(this.#event))
    return this.#bytes
  }
}

/** What is told of an entry: itself, and the events that are made of it. */
const framesOf = (
  before: Gateway.GatewayCursor,
  entry: LogEntry
): readonly [Gateway.GatewayCursor, ReadonlyArray<Frame>] => {
  const [cursor, events] = Gateway.writeGateway(before, entry)
  const whole = Gateway.modelEvent(before.sessionId, entry, events.length > 0)
  return [cursor, [whole, ...events].map((event) => new Frame(event))]
}

/** What is open. */
const openAt = (cursor: Gateway.GatewayCursor): ReadonlyArray<Frame> =>
  Gateway.joinGateway(cursor).map((event) => new Frame(event))

/** A session to its clients. */
export interface SessionFeed {
  readonly session: Session
  /** Follows from now on. What is open is told first. */
  readonly join: (audience: Audience) => Effect.Effect<void>
  /** Continues after what a client had. False: those numbers are not of this log. */
  readonly resume: (audience: Audience, position: Gateway.Position) => Effect.Effect<boolean>
  /** Continues where a client was in a feed of the same log. */
  readonly continueFrom: (audience: Audience, cursor: Gateway.GatewayCursor) => void
  readonly follows: (audience: Audience) => boolean
  readonly leave: (audience: Audience) => void
  /** How many follow. */
  readonly size: () => number
  /** Where each is, when the feed has ended. */
  readonly places: () => ReadonlyArray<readonly [Audience, Gateway.GatewayCursor]>
}

/** How many texts are sent before others have their turn. */
const maxBurst = 4000

/** The cursor of a reader that has had everything before a number. */
const cursorAt = ({ log, threadId }: Session, seq: number): Effect.Effect<Gateway.GatewayCursor, ReadFailed> =>
  Effect.gen(function* () {
    const start = yield* quietBefore(log, seq)
    return yield* Stream.runFold(
      Stream.take(log.read(start.seq), Math.max(0, seq - start.seq)),
      () => Gateway.initialGateway({ sessionId: threadId, seq: start.seq - 1 }, start.situation),
      (before, entry) => Gateway.writeGateway(before, entry)[0]
    )
  })

/** A session to its clients, from now on. `ended`: its log is closed, or cannot be read. */
export const makeSessionFeed = (
  session: Session,
  ended: (feed: SessionFeed) => void
): Effect.Effect<SessionFeed, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { log, threadId } = session
    const follows = new Map<Audience, Follow>()
    const begun = yield* Deferred.make<void>()
    const run = yield* FiberSet.makeRuntime<never>()
    /** The number of the next entry that is told. */
    let position = log.next()
    let cursor = Gateway.initialGateway({ sessionId: threadId, seq: position - 1 })

    const tell = ({ interests, outbox }: Audience, frames: ReadonlyArray<Frame>, from = 0): void => {
      for (let index = from; index < frames.length; index++) {
        const frame = frames[index]
        if (frame !== undefined && interests.wants(frame.name, threadId)) outbox.send(frame.bytes)
      }
    }

    const publish = (entries: ReadonlyArray<LogEntry>): void => {
      const made: Array<readonly [Gateway.GatewayCursor, ReadonlyArray<Frame>]> = []
      for (const entry of entries) {
        const [next, frames] = framesOf(cursor, entry)
        made.push([cursor, frames])
        cursor = next
        position = entry.seq + 1
      }
      for (const [audience, follow] of follows) {
        if (follow.behind !== undefined) continue
        for (const [before, frames] of made) {
          if (audience.outbox.isBehind()) {
            fallBehind(audience, follow, { cursor: before, had: undefined })
            break
          }
          tell(audience, frames)
        }
      }
    }

    const fallBehind = (audience: Audience, follow: Follow, behind: Behind): void => {
      follow.behind = behind
      run(catchUp(audience, follow, behind))
    }

    /** Tells a client what it has not had, until it has had what the others have. */
    const catchUp = (audience: Audience, follow: Follow, behind: Behind): Effect.Effect<void> =>
      Effect.gen(function* () {
        yield* Deferred.await(begun)
        const isHere = (): boolean => follows.get(audience) === follow
        for (;;) {
          yield* audience.outbox.drained
          if (!isHere()) return
          const from = behind.cursor.seq + 1
          if (from >= position) {
            follow.behind = undefined
            return
          }
          yield* Stream.runForEach(Stream.take(log.read(from), position - from), (entry) =>
            Effect.suspend(() => {
              if (!isHere()) return Effect.void
              const [next, frames] = framesOf(behind.cursor, entry)
              tell(audience, frames, behind.had === undefined ? 0 : behind.had + 1)
              behind.cursor = next
              behind.had = undefined
              return audience.outbox.isBehind() ? audience.outbox.drained : Effect.void
            })
          )
        }
      }).pipe(
        // It cannot be told the rest; whoever reads the log for all ends the feed.
        Effect.catch(({ message }) => Effect.annotateLogs(Effect.logWarning(message), { thread: threadId }))
      )

    const feed: SessionFeed = {
      session,
      join: (audience) =>
        Effect.map(Deferred.await(begun), () => {
          if (follows.has(audience)) return
          follows.set(audience, { behind: undefined })
          tell(audience, openAt(cursor))
        }),
      resume: (audience, { epoch, part, seq }) =>
        Effect.gen(function* () {
          // Cut off while it was told what is open: it is told the rest of that, and then what came after.
          const joins = part === undefined ? undefined : Gateway.joinsAfter(part)
          const had = part === undefined || joins !== undefined ? undefined : part + 1
          const from = had === undefined ? seq + 1 : seq
          if (from > log.next() || from < 0 || (epoch !== undefined && epoch !== session.createdAt)) return false
          const cursor = yield* cursorAt(session, from)
          const follow: Follow = { behind: undefined }
          follows.set(audience, follow)
          if (joins !== undefined) tell(audience, openAt(cursor).slice(-joins))
          fallBehind(audience, follow, { cursor, had })
          return true
        }).pipe(Effect.catch(() => Effect.succeed(false))),
      continueFrom: (audience, cursor) => {
        const follow: Follow = { behind: undefined }
        follows.set(audience, follow)
        fallBehind(audience, follow, { cursor, had: undefined })
      },
      follows: (audience) => follows.has(audience),
      leave: (audience) => void follows.delete(audience),
      size: () => follows.size,
      places: () => [...follows].map(([audience, { behind }]) => [audience, behind?.cursor ?? cursor] as const)
    }

    const reading = Effect.gen(function* () {
      const from = position
      cursor = yield* cursorAt(session, from)
      yield* Deferred.succeed(begun, undefined)
      yield* Stream.runForEachArray(log.read(from), (entries) =>
        Effect.gen(function* () {
          for (let index = 0; index < entries.length; ) {
            const count = Math.max(1, Math.floor(maxBurst / (1 + follows.size)))
            publish(entries.slice(index, index + count))
            index += count
            if (index < entries.length) yield* othersFirst
          }
        })
      )
    }).pipe(
      Effect.catch(({ message }) => Effect.annotateLogs(Effect.logWarning(message), { thread: threadId })),
      Effect.tap(() => Effect.sync(() => ended(feed))),
      Effect.ensuring(Deferred.succeed(begun, undefined))
    )
    yield* Effect.forkScoped(reading)
    return feed
  })
