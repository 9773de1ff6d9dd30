/**
 * What happened in a session: its AG-UI events in order, each with a sequence number.
 *
 * Runs, connects and inspectors are cursors on the log. It keeps a bounded number of events; what is older lives on
 * in the conversation folded from it. A reader that falls out of the window is told so, and can begin again from
 * the conversation.
 */
import { Agui } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { boundHistory } from "../store/HistoryBound.ts"
import { type LogGap, makeBoundedLog } from "./BoundedLog.ts"

/** An event of a session, in AG-UI 1.0. */
export interface LogEntry {
  readonly seq: number
  readonly event: Agui.AguiEvent
}

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
  /** The same at once, where an effect for each event would cost more than the event. */
  readonly appendUnsafe: (events: ReadonlyArray<Agui.AguiEvent>) => void
  /** The sequence number the next event will have. */
  readonly next: Effect.Effect<number>
  /** The same at once. */
  readonly nextUnsafe: () => number
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
    const entries = makeBoundedLog<LogEntry>({ maxEntries: maxEvents, maxCharacters })
    let history = before
    let closed = false

    const append = (events: ReadonlyArray<Agui.AguiEvent>): void => {
      if (events.length === 0 || closed) return
      for (const event of events) entries.add((seq) => ({ seq, event }), sizeOf(event))
      history = Agui.foldEvents(events, history)
      if (events.some(({ type }) => type === "RUN_FINISHED" || type === "RUN_ERROR"))
        history = boundHistory(history, maxHistoryBytes)
      entries.wake()
    }

    return {
      append: (events) => Effect.sync(() => append(events)),
      appendUnsafe: append,
      next: Effect.sync(entries.next),
      nextUnsafe: entries.next,
      read: entries.read,
      history: Effect.sync(() => ({ history, seq: entries.next() })),
      close: Effect.sync(() => {
        closed = true
        entries.close()
      })
    }
  })

/** About how many characters an event has: its longest fields are counted, the rest is guessed. */
const sizeOf = (event: Agui.AguiEvent): number => {
  if ("delta" in event && typeof event.delta === "string") return 100 + event.delta.length
  return JSON.stringify(event).length
}
