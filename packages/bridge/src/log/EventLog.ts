/**
 * What happened in a session: the events of its conversation in order, each with a sequence number.
 *
 * Faces, inspectors and observers are cursors on the log; nothing in it is tailored to any one of them. It
 * keeps a bounded number of events; what is older lives on in the transcript. A reader that falls out of the window
 * is told so, and can begin again from the transcript.
 */
import * as Model from "@agentwire/protocol/model"
import type * as Stream from "effect/Stream"
import { type LogGap, makeBoundedLog } from "./BoundedLog.ts"
import { weightOf } from "./Weight.ts"

/** An event of a session. */
export interface LogEntry {
  readonly seq: number
  /** When it happened, in milliseconds since 1970. */
  readonly at: number
  readonly event: Model.Event
  /** What was open before it, for readers that join here. */
  readonly before: Model.Situation
  /** The number of the line of the wire that it came from, where it came from one. */
  readonly line: number | undefined
}

/** A moment of a session: what was said and what is open, before the event of a number. */
export interface Moment {
  readonly seq: number
  readonly transcript: Model.Transcript
  readonly situation: Model.Situation
}

/** What a log may hold. */
export interface EventLogLimits {
  /** How many events are kept. Default 10,000. */
  readonly maxEvents?: number
  /** About how many characters of events are kept. Default 16,000,000. */
  readonly maxCharacters?: number
  /**
   * How large the transcript may be, as JSON; the oldest entries go. Default 8,000,000: clients refuse an event of
   * more than 10 MB, and what was said is one event to those who join.
   */
  readonly maxHistoryBytes?: number
}

/** What happened in a session. */
export interface EventLog {
  /** Adds events that came from a line of the wire, or from none. At once: there is one for every piece of text. */
  readonly append: (events: ReadonlyArray<Model.Event>, line?: number) => void
  /** The sequence number the next event will have. */
  readonly next: () => number
  /** The number of the oldest event that is kept. */
  readonly oldest: () => number
  /** The events from a number on, as they come, in chunks. Does not end until the log is closed. */
  readonly read: (from: number) => Stream.Stream<LogEntry, LogGap>
  /** What is open now. */
  readonly situation: () => Model.Situation
  /** What was said and what is open now. */
  readonly moment: () => Moment
  /** Ends all readers once they have read the rest. */
  readonly close: () => void
}

/** A log that begins with what was said before. */
export const makeEventLog = (
  now: () => number,
  { maxCharacters = 16_000_000, maxEvents = 10_000, maxHistoryBytes = 8_000_000 }: EventLogLimits = {},
  before: Model.Transcript = Model.emptyTranscript
): EventLog => {
  const entries = makeBoundedLog<LogEntry>({ maxEntries: maxEvents, maxCharacters })
  const transcript = new Model.TranscriptBuilder(before)
  let situation: Model.Situation = { ...Model.emptySituation, session: before.session }
  let closed = false

  return {
    append: (events, line) => {
      if (events.length === 0 || closed) return
      const at = now()
      for (const event of events) {
        const open = situation
        situation = Model.applyToSituation(open, event)
        transcript.apply(event)
        if (event.type === "turn_ended") transcript.bound(maxHistoryBytes)
        entries.add((seq) => ({ seq, at, event, before: open, line }), sizeOf(event))
      }
      entries.wake()
    },
    next: entries.next,
    oldest: entries.oldest,
    read: entries.read,
    situation: () => situation,
    moment: () => ({ seq: entries.next(), transcript: transcript.snapshot(), situation }),
    close: () => {
      closed = true
      entries.close()
    }
  }
}

/** About how many characters an event has. */
const sizeOf = (event: Model.Event): number => (event.type === "item_grew" ? 100 + event.delta.length : weightOf(event))
