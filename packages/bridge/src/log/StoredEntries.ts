/**
 * Events that are not in memory any more, read from the store, each with what was open before it: recomputed from the
 * checkpoint before.
 */
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { Store, StoredEvent } from "../store/Store.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import { LogGap } from "./BoundedLog.ts"

/** An event of a session. */
export interface LogEntry {
  readonly seq: number
  /** When it happened, in milliseconds since 1970. */
  readonly at: number
  readonly event: Model.Event
  /** What was open before it, for readers that join here. */
  readonly before: Model.Situation
  /** The number of the line of the wire that it came from, where it came from one and that line may still be there. */
  readonly line: number | undefined
}

/** What was open before the event of a number. */
export interface OpenAt {
  readonly seq: number
  readonly situation: Model.Situation
}

/** A turn's beginning, or the place from which on there is none. */
export type TurnStart = OpenAt

/** How many entries are read at once: an embedded store reads in one go, and large ones take their time. */
const chunkSize = 128

type Events = Pick<Store["Service"], "events" | "checkpointBefore">

/** Entries that are written. */
export interface StoredEntries {
  /** The entries from a place on, at most so many as are read at once, and before a number. */
  readonly chunk: (from: OpenAt, until: number) => Effect.Effect<ReadonlyArray<LogEntry>, LogGap | StoreFailed>
  /** What was open before an event that is written, or before the next one. */
  readonly openAt: (seq: number) => Effect.Effect<OpenAt, LogGap | StoreFailed>
  /** Where the newest turn begins of those that began before a number. */
  readonly turnBefore: (seq: number) => Effect.Effect<TurnStart, LogGap | StoreFailed>
}

/** The entries of a thread that are written. */
export const storedEntries = (store: Events, threadId: string): StoredEntries => {
  /** The nearest place at or before a number of which it is known what was open. */
  const base = (seq: number): Effect.Effect<OpenAt, StoreFailed> =>
    Effect.map(store.checkpointBefore(threadId, seq), (checkpoint) =>
      checkpoint === undefined
        ? { seq: 0, situation: Model.emptySituation }
        : { seq: checkpoint.seq, situation: Model.situationFromJson(checkpoint.situation) }
    )

  const read = (from: number, limit: number): Effect.Effect<ReadonlyArray<StoredEvent>, LogGap | StoreFailed> =>
    Effect.flatMap(store.events(threadId, from, limit), (events) =>
      events[0]?.seq === from
        ? Effect.succeed(events)
        : Effect.fail(
            new LogGap({ message: "These events are not kept any more.", wanted: from, oldest: events[0]?.seq ?? from })
          )
    )

  const chunk: StoredEntries["chunk"] = ({ seq, situation }, until) =>
    Effect.map(read(seq, Math.min(chunkSize, until - seq)), (events) => {
      let before = situation
      return events.map(({ at, event, seq }): LogEntry => {
        const entry = { seq, at, event, before, line: undefined }
        before = Model.applyToSituation(before, event)
        return entry
      })
    })

  /** Calls back with all entries between two numbers, and says what is open after them. */
  const walk = (
    from: OpenAt,
    until: number,
    visit: (entry: LogEntry) => void
  ): Effect.Effect<OpenAt, LogGap | StoreFailed> =>
    Effect.gen(function* () {
      let at = from
      while (at.seq < until) {
        const entries = yield* chunk(at, until)
        for (const entry of entries) visit(entry)
        at = afterLast(entries, at)
      }
      return at
    })

  return {
    chunk,
    openAt: (seq) => Effect.flatMap(base(seq), (from) => walk(from, seq, () => undefined)),
    turnBefore: (seq) =>
      Effect.gen(function* () {
        let until = seq
        for (let at = seq; ; at = until - 1) {
          const from = yield* base(at)
          let found: TurnStart | undefined
          yield* walk(from, until, ({ before, event, seq }) => {
            if (event.type === "turn_started") found = { seq, situation: before }
          })
          if (found !== undefined) return found
          if (from.seq === 0) return from
          until = from.seq
        }
      })
  }
}

/** What is open after entries. */
export const afterLast = (entries: ReadonlyArray<LogEntry>, before: OpenAt): OpenAt => {
  const last = entries.at(-1)
  return last === undefined ? before : { seq: last.seq + 1, situation: Model.applyToSituation(last.before, last.event) }
}
