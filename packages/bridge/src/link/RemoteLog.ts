/**
 * The log of a session of the runtime, in the gateway: its newest events in memory, read on as they come; all else is read
 * there. Whatever is lost here can be read again.
 *
 * What a command has done is seen here before the command is done: whoever asks for the situation then has it.
 */
import * as Model from "@agentwire/protocol/model"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { weightOf } from "../eventloop/Weight.ts"
import { LogFailed, type LogGap, makeBoundedLog, type ReadFailed } from "../log/BoundedLog.ts"
import type { EventLog, LogEntry, OpenAt } from "../log/EventLog.ts"
import { readMoment } from "../log/MomentReader.ts"
import { pageCursor } from "../log/PageCursor.ts"
import { Unreachable } from "../session/Unreachable.ts"
import { readChunkValue } from "../store/EventChunk.ts"
import type { LinkClient } from "./LinkClient.ts"
import type { LookGone, SessionGone } from "./LinkErrors.ts"
import type { MethodName, ParamsOf, ResultOf } from "./Methods.ts"
import { type AskLog, remoteView } from "./RemoteView.ts"
import type { EventsJson, Head } from "./Values.ts"

/** The log of a session of the runtime. */
export interface RemoteLog {
  readonly log: EventLog
  /** Waits until the events before a number are here. */
  readonly reach: (next: number) => Effect.Effect<void>
  /** Waits until no more will come. */
  readonly ended: Effect.Effect<void>
}

const limits = { maxEntries: 2000, maxCharacters: 4_000_000 }

/** How large what was said may be, as JSON, for those who join: as in the runtime. */
const maxHistoryBytes = 8_000_000

/** How often a look is begun again that was cut. */
const maxLooks = 5

/** A session that is gone, as its log says it. `runtime`: another one than the session was in. */
export const goneFrom = (isOther: boolean): LogFailed =>
  isOther
    ? new LogFailed({
        code: "RUNTIME_RESTARTED",
        message: "The process that had the session was started again. Ask for the thread again."
      })
    : new LogFailed({ code: "SESSION_CLOSED", message: "The session was closed. Ask for the thread again." })

/** The log of a session. It is read on until it ends, or the scope. */
export const makeRemoteLog = (
  link: LinkClient,
  { createdAt, cutAt, from, instance, leftAt, threadId }: Head
): Effect.Effect<RemoteLog, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { boot } = link.runtime()
    const opened: OpenAt = {
      seq: from?.seq ?? 0,
      situation: from === undefined ? Model.emptySituation : Model.situationFromJson(from.situation)
    }
    const window = makeBoundedLog<LogEntry, LogFailed>({ ...limits, first: opened.seq })
    const failure = Deferred.makeUnsafe<LogFailed>()
    const ended = Deferred.makeUnsafe<void>()
    /** Failures of looks that were cut, and can be begun again. */
    const cuts = new WeakSet<LogFailed>()
    let { situation } = opened
    let closed = false

    const gone = (): LogFailed => goneFrom(link.runtime().boot !== boot)

    const asLogFailure = (failed: LogFailed | LogGap | SessionGone | LookGone | Unreachable): LogFailed => {
      if (failed._tag === "LogFailed") return failed
      if (failed._tag === "SessionGone") return gone()
      if (failed._tag === "LookGone") {
        const cut = new LogFailed({ code: "RUNTIME_UNREACHABLE", message: failed.message })
        cuts.add(cut)
        return cut
      }
      return new LogFailed({
        code: failed._tag === "Unreachable" ? failed.code : "STORE_UNREADABLE",
        message: failed.message
      })
    }

    const ask: AskLog = <M extends MethodName>(method: M, params: Omit<ParamsOf<M>, "threadId" | "instance">) =>
      Effect.mapError(link.call(method, { ...params, threadId, instance } as unknown as ParamsOf<M>), (failed) =>
        asLogFailure(failed as Parameters<typeof asLogFailure>[0])
      ) as Effect.Effect<ResultOf<M>, LogFailed>

    const add = (entries: ReadonlyArray<LogEntry>): void => {
      for (const { event, ...rest } of entries) {
        const before = situation
        situation = Model.applyToSituation(before, event)
        const size = event.type === "item_grew" ? 100 + event.delta.length : weightOf(event)
        window.add((seq) => ({ ...rest, event, seq, before }), size)
      }
      window.wake()
    }

    const close = (failed?: LogFailed): void => {
      if (closed) return
      closed = true
      if (failed !== undefined) Deferred.doneUnsafe(failure, Effect.succeed(failed))
      window.close(failed)
      Deferred.doneUnsafe(ended, Exit.void)
    }

    const follow = Effect.gen(function* () {
      for (;;) {
        const from = window.next()
        const taken = yield* link.call("log.take", { threadId, instance, from }, { patient: true })
        if (taken.ended === true) return close()
        add(yield* entriesOf(taken, from, situation))
        // Readers have theirs before the next is asked for.
        yield* Effect.yieldNow
      }
    }).pipe(
      Effect.catch((failed) =>
        Effect.sync(() =>
          close(failed._tag === "SessionGone" && link.runtime().boot === boot ? undefined : asLogFailure(failed))
        )
      )
    )
    yield* Effect.forkScoped(follow)
    yield* Effect.addFinalizer(() => Effect.sync(() => close()))

    /** Events that are not in memory any more. */
    const older = (seq: number): Effect.Effect<ReadonlyArray<LogEntry>, ReadFailed> =>
      Effect.gen(function* () {
        const limit = Math.max(1, window.oldest() - seq)
        const params = { threadId, instance, from: seq, limit, situation: true }
        const taken = yield* link.call("log.take", params, { patient: true })
        const before = taken.situation === undefined ? Model.emptySituation : Model.situationFromJson(taken.situation)
        return yield* entriesOf(taken, seq, before)
      }).pipe(Effect.mapError((failed) => (failed._tag === "LogGap" ? failed : asLogFailure(failed))))

    const readChunk = (seq: number): Effect.Effect<ReadonlyArray<LogEntry>, ReadFailed> =>
      seq < window.oldest()
        ? older(seq)
        : // It was dropped while the reader waited for its turn.
          Effect.catchTag(window.take(seq), "LogGap", () => older(seq))

    const reach: RemoteLog["reach"] = (next) =>
      Effect.suspend(() => (next <= window.next() || closed ? Effect.void : Effect.ignore(window.take(next - 1))))

    const atCut = <A, E>(
      use: (look: ResultOf<"look.open">) => Effect.Effect<A, E | LogFailed>,
      times = 1
    ): Effect.Effect<A, E | LogFailed> =>
      Effect.acquireUseRelease(ask("look.open", {}), use, ({ look }) =>
        Effect.forkDetach(Effect.ignore(ask("look.close", { look })))
      ).pipe(
        Effect.catch((failed) =>
          failed instanceof LogFailed && cuts.has(failed) && times < maxLooks
            ? atCut(use, times + 1)
            : Effect.fail(failed)
        )
      )

    const log: EventLog = {
      append: notHere,
      change: notHere,
      next: window.next,
      nextPosition: notHere,
      openedAt: opened.seq,
      opened,
      cutAt,
      leftAt,
      oldest: window.oldest,
      read: (from) =>
        Stream.paginate(from, (at) =>
          Effect.map(
            readChunk(at),
            (entries) =>
              [entries, entries.length === 0 ? Option.none<number>() : Option.some(at + entries.length)] as const
          )
        ),
      turnBefore: (seq) =>
        link.call("log.turnBefore", { threadId, instance, seq: Math.min(seq, window.next()) }).pipe(
          Effect.map((start) => ({ seq: start.seq, situation: Model.situationFromJson(start.situation) })),
          Effect.mapError((failed) => (failed._tag === "LogGap" ? failed : asLogFailure(failed)))
        ),
      situation: () => situation,
      moment: ({ branch, maxBytes = maxHistoryBytes } = {}) =>
        atCut((look) => {
          const view = remoteView(ask, look)
          const { branch: current, origins } = view.situation
          const seen = branch === undefined ? view : view.along(Model.pathThrough(origins, origins[branch] ?? null))
          return Effect.map(readMoment(seen, maxBytes), ({ before, ...moment }) => ({
            seq: look.seq,
            ...moment,
            before: before === undefined ? undefined : pageCursor(createdAt, branch ?? current, before)
          }))
        }),
      look: (use) => atCut((look) => use(remoteView(ask, look), look.seq)),
      settled: Effect.flatMap(ask("log.settled", {}), ({ next = 0 }) => reach(next)),
      failure: Deferred.await(failure),
      close: Effect.sync(() => close())
    }
    return { log, reach, ended: Deferred.await(ended) }
  })

/** Only the runtime writes. */
const notHere = (): never => {
  throw new Error("Only the process that has the session writes its log.")
}

/** The events of an answer, as a log has them. */
const entriesOf = (
  { chunk, lines }: typeof EventsJson.Type,
  from: number,
  situation: Model.Situation
): Effect.Effect<ReadonlyArray<LogEntry>, Unreachable> => {
  const events = readChunkValue(chunk, from)
  if (Result.isFailure(events))
    return new Unreachable({ code: "LINK_BROKEN", message: `Events of the runtime cannot be read: ${events.failure}.` })
  const lineOf = new Map(lines)
  let before = situation
  return Effect.succeed(
    events.success.map((each, at): LogEntry => {
      const entry = { ...each, before, line: lineOf.get(at) }
      before = Model.applyToSituation(before, each.event)
      return entry
    })
  )
}
