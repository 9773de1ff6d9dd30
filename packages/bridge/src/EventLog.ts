/**
 * What happened in a session: its AG-UI events in order, each with a sequence number.
 *
 * Runs, connects and inspectors are cursors on the log. It keeps a bounded number of events; what is older lives on
 * in the conversation folded from it. A reader that falls out of the window is told so, and can begin again from
 * the conversation.
 */
import { Agui } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { boundHistory } from "./HistoryBound.ts"

/** An event of a session, in AG-UI 1.0. */
export interface LogEntry {
  readonly seq: number
  readonly event: Agui.AguiEvent
}

/** The reader is so slow that what it wanted next is gone. It can begin again from the conversation. */
export class LogGap extends Schema.TaggedError<LogGap>()("LogGap", {
  message: Schema.String,
  /** What the reader wanted. */
  wanted: Schema.Finite,
  /** The oldest there is. */
  oldest: Schema.Finite
}) {}

/** What a log may hold. */
export interface EventLogLimits {
  /** How many events are kept. Default 10,000. */
  readonly maxEvents?: number
  /** About how many characters of events are kept. Default 16,000,000. */
  readonly maxCharacters?: number
  /**
   * How large the conversation may be, as JSON; the oldest messages go. Default 8,000,000: a client refuses an
   * event of more than 10 MB, and the conversation is one.
   */
  readonly maxHistoryBytes?: number
}

/** What happened in a session. */
export interface EventLog {
  /** Adds events. */
  readonly append: (events: ReadonlyArray<Agui.AguiEvent>) => Effect.Effect<void>
  /** The sequence number the next event will have. */
  readonly next: Effect.Effect<number>
  /** The events from a number on, as they come, in chunks. Does not end until the log is closed. */
  readonly read: (from: number) => Stream.Stream<LogEntry, LogGap>
  /** The conversation up to now, and the number of the first event that is not in it. */
  readonly history: Effect.Effect<{ readonly history: Agui.History; readonly seq: number }>
  /** Ends all readers once they have read what there is. */
  readonly close: Effect.Effect<void>
}

/** An empty log. */
export const makeEventLog = (
  { maxCharacters = 16_000_000, maxEvents = 10_000, maxHistoryBytes = 8_000_000 }: EventLogLimits = {},
  before: Agui.History = Agui.emptyHistory
): Effect.Effect<EventLog> =>
  Effect.sync(() => {
    const entries: Array<{ readonly entry: LogEntry; readonly size: number } | undefined> = []
    let head = 0
    let next = 0
    let characters = 0
    let history = before
    let closed = false
    let news = Latch.makeUnsafe(false)

    const oldest = (): number => next - (entries.length - head)

    const trim = (): void => {
      while (entries.length - head > 1 && (entries.length - head > maxEvents || characters > maxCharacters)) {
        characters -= entries[head]?.size ?? 0
        entries[head++] = undefined
      }
      // Moving the rest costs its length, so it is done when at least as much is dropped.
      if (head > 1000 && head * 2 > entries.length) {
        entries.splice(0, head)
        head = 0
      }
    }

    const wake = (): void => {
      const waiting = news
      news = Latch.makeUnsafe(false)
      waiting.openUnsafe()
    }

    const append = (events: ReadonlyArray<Agui.AguiEvent>): Effect.Effect<void> =>
      Effect.sync(() => {
        if (events.length === 0 || closed) return
        for (const event of events) {
          const size = sizeOf(event)
          entries.push({ entry: { seq: next++, event }, size })
          characters += size
        }
        history = Agui.foldEvents(events, history)
        if (events.some(({ type }) => type === "RUN_FINISHED" || type === "RUN_ERROR"))
          history = boundHistory(history, maxHistoryBytes)
        trim()
        wake()
      })

    const take = (from: number): ReadonlyArray<LogEntry> | LogGap | undefined => {
      if (from < oldest()) return new LogGap({ message: "The reader was too slow.", wanted: from, oldest: oldest() })
      const found = entries
        .slice(head + (from - oldest()), head + (from - oldest()) + 512)
        .flatMap((held) => held?.entry ?? [])
      return found.length === 0 ? undefined : found
    }

    const read = (from: number): Stream.Stream<LogEntry, LogGap> =>
      Stream.paginate(from, (at) =>
        Effect.gen(function* () {
          for (;;) {
            const waiting = news
            const found = take(at)
            if (found instanceof LogGap) return yield* found
            if (found !== undefined) return [found, Option.some(at + found.length)] as const
            if (closed) return [[], Option.none<number>()] as const
            yield* waiting.await
          }
        })
      )

    return {
      append,
      next: Effect.sync(() => next),
      read,
      history: Effect.sync(() => ({ history, seq: next })),
      close: Effect.sync(() => {
        closed = true
        wake()
      })
    }
  })

/** About how many characters an event has: its longest fields are counted, the rest is guessed. */
const sizeOf = (event: Agui.AguiEvent): number => {
  if ("delta" in event && typeof event.delta === "string") return 100 + event.delta.length
  return JSON.stringify(event).length
}
