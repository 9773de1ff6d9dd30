/**
 * What was said up to a moment, as far as it fits: the newest entries, from the store and from the tail in memory.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { PlacedEntry, Store } from "../store/Store.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import { type LogCut, viewEntries } from "./EntryView.ts"

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
    const view = yield* viewEntries(store, threadId, { seq, situation, tail })
    const page = yield* view.page({ maxBytes, maxEntries })
    const entries = page.more ? withCalls(page.entries) : page.entries
    const omitted = page.more ? (yield* view.count()) - entries.length : 0
    const { session } = situation
    return {
      seq,
      situation,
      transcript: {
        entries: entries.map(({ entry }) => entry),
        omitted,
        ...(session !== undefined && { session })
      }
    }
  })

/** Entries without the results of calls that are not among them: clients do not accept one alone. */
const withCalls = (entries: ReadonlyArray<PlacedEntry>): ReadonlyArray<PlacedEntry> => {
  const calls = new Set(entries.flatMap(({ entry: { id, kind } }) => (kind === "call" ? [id] : [])))
  return entries.filter(({ entry: { id, kind } }) => kind !== "result" || calls.has(id))
}
