/**
 * What was said up to a moment, as far as it fits: the newest messages, from the store and from the tail in memory.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { Store } from "../store/Store.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import type { LogCut } from "./EntryView.ts"
import { countMessages, type PageQuery, readPage, type TranscriptPage } from "./TranscriptPages.ts"
import { type SettledTail, settleTail, type TailCut, unsureOf } from "./TranscriptTail.ts"

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

/** What reads the entries of a transcript. */
export type EntryReader = Pick<Store["Service"], "entries" | "entriesById" | "messageParts" | "countMessages">

/** What was said at a cut, within a number of bytes. */
export const readMoment = (
  store: EntryReader,
  threadId: string,
  { seq, situation, tail }: LogCut,
  maxBytes: number
): Effect.Effect<Omit<Moment, "before"> & Pick<TranscriptPage, "before">, StoreFailed> =>
  Effect.gen(function* () {
    const settled = yield* settle(store, threadId, tail)
    const { before, entries, messages } = yield* readPage(store, threadId, settled, { maxBytes })
    const omitted = before === undefined ? 0 : (yield* countMessages(store, threadId, settled)) - messages
    const { session } = situation
    return { seq, situation, before, transcript: { entries, omitted, ...(session !== undefined && { session }) } }
  })

/** A page of what was said at a cut. */
export const readHistory = (
  store: EntryReader,
  threadId: string,
  tail: TailCut,
  query: PageQuery
): Effect.Effect<HistoryPage, StoreFailed> =>
  Effect.gen(function* () {
    const settled = yield* settle(store, threadId, tail)
    const page = yield* readPage(store, threadId, settled, query)
    if (query.before !== undefined) return { ...page, total: undefined }
    const total = page.before === undefined ? page.messages : yield* countMessages(store, threadId, settled)
    return { ...page, total }
  })

const settle = (store: EntryReader, threadId: string, tail: TailCut): Effect.Effect<SettledTail, StoreFailed> =>
  Effect.gen(function* () {
    const unsure = unsureOf(tail)
    return settleTail(tail, unsure.length === 0 ? [] : yield* store.entriesById(threadId, unsure))
  })
