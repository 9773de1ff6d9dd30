/**
 * What was said up to a moment, as far as it fits: the newest messages, from the store and from the tail in memory.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { EntryView } from "./EntryView.ts"
import { type PageQuery, readPage, type TranscriptPage } from "./TranscriptPages.ts"

/** A moment of a session: what was said and what is open, before the event of a number. */
export interface Moment {
  readonly seq: number
  /** The newest messages that fit; `omitted` says how many there are before them. */
  readonly transcript: Model.Transcript
  /** The cursor of the page before them, when some were left out. */
  readonly before: string | undefined
  readonly situation: Model.Situation
}

/** Messages of a thread. */
export interface HistoryPage extends TranscriptPage {
  /** How many messages there are in all. Only the newest page says so. */
  readonly total: number | undefined
}

/** What was said at a moment, within a number of bytes. */
export const readMoment = <E>(
  view: EntryView<E>,
  maxBytes: number
): Effect.Effect<Omit<Moment, "seq" | "before"> & Pick<TranscriptPage, "before">, E> =>
  Effect.gen(function* () {
    const { before, entries, messages } = yield* readPage(view, { maxBytes })
    // Counting takes its time, too, in a thread that is longer than what fits.
    const omitted = before === undefined ? 0 : (yield* Effect.andThen(Effect.yieldNow, view.countMessages)) - messages
    const { situation } = view
    const { session } = situation
    return { situation, before, transcript: { entries, omitted, ...(session !== undefined && { session }) } }
  })

/** A page of what was said at a moment. */
export const readHistory = <E>(view: EntryView<E>, query: PageQuery): Effect.Effect<HistoryPage, E> =>
  Effect.gen(function* () {
    const page = yield* readPage(view, query)
    if (query.before !== undefined) return { ...page, total: undefined }
    const total = page.before === undefined ? page.messages : yield* view.countMessages
    return { ...page, total }
  })
