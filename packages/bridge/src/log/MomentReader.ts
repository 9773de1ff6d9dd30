/**
 * What was said up to a moment, as far as it fits: the newest entries, from the store and from the tail in memory.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { PlacedEntry, Store } from "../store/Store.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import { type SettledTail, settleTail, type TailCut, unsureOf } from "./TranscriptTail.ts"

/** A thread at one number of its log. */
export interface LogCut {
  readonly seq: number
  readonly situation: Model.Situation
  readonly tail: TailCut
}

/** A moment of a session: what was said and what is open, before the event of a number. */
export interface Moment {
  readonly seq: number
  /** The newest entries that fit; `omitted` says how many there are before them. */
  readonly transcript: Model.Transcript
  readonly situation: Model.Situation
}

/** More entries than any client could show: the size is what counts. */
const maxEntries = 1_000_000

/** What was said at a cut, within a number of bytes as JSON. */
export const readMoment = (
  store: Pick<Store["Service"], "entries" | "entriesById" | "countEntries">,
  threadId: string,
  { seq, situation, tail }: LogCut,
  maxBytes: number
): Effect.Effect<Moment, StoreFailed> =>
  Effect.gen(function* () {
    const unsure = unsureOf(tail)
    const settled = settleTail(tail, unsure.length === 0 ? [] : yield* store.entriesById(threadId, unsure))
    const { nextPosition, path } = settled
    const page = yield* store.entries(threadId, { path, before: nextPosition, maxBytes, maxEntries })
    const kept = bounded(joined(page.entries, settled, page.more), maxBytes)
    const total =
      page.more || kept.dropped > 0
        ? (yield* store.countEntries(threadId, { path, before: nextPosition })) + unstored(settled)
        : kept.entries.length
    const { session } = situation
    const omitted = total - kept.entries.length
    return { seq, situation, transcript: { entries: kept.entries, omitted, ...(session !== undefined && { session }) } }
  })

const unstored = ({ entries }: SettledTail): number => entries.filter(({ stored }) => !stored).length

/** The entries of a page with those of the tail in their places. `more`: what is before the page is left out. */
const joined = (
  page: ReadonlyArray<PlacedEntry>,
  { entries }: SettledTail,
  more: boolean
): ReadonlyArray<PlacedEntry> => {
  if (entries.length === 0) return page
  const first = more ? (page[0]?.position ?? 0) : 0
  const all = new Map(page.map((each) => [each.position, each]))
  for (const each of entries) if (each.position >= first) all.set(each.position, each)
  return [...all.values()].sort((a, b) => a.position - b.position)
}

/** The newest entries within a number of bytes. A result goes with its call: clients do not accept one alone. */
const bounded = (
  all: ReadonlyArray<PlacedEntry>,
  maxBytes: number
): { readonly entries: ReadonlyArray<Model.TranscriptEntry>; readonly dropped: number } => {
  let bytes = 0
  let from = all.length
  for (; from > 0; from--) {
    bytes += Buffer.byteLength(JSON.stringify(all[from - 1]?.entry))
    if (bytes > maxBytes && from < all.length) break
  }
  const kept = all.slice(from).map(({ entry }) => entry)
  const calls = new Set(kept.flatMap(({ id, kind }) => (kind === "call" ? [id] : [])))
  const whole = from === 0 ? kept : kept.filter(({ id, kind }) => kind !== "result" || calls.has(id))
  return { entries: whole, dropped: all.length - whole.length }
}
