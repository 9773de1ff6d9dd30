/**
 * What was said at one moment, as entries in their places: those of the store, and those of the tail in memory. For
 * whoever looks for an entry, or reads page by page.
 */
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import {
  defaultMaxBytes,
  defaultMaxEntries,
  type EntryPage,
  type EntryQuery,
  type PlacedEntry,
  type Store
} from "../store/Store.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import { settleTail, type TailCut, unsureOf } from "./TranscriptTail.ts"

/** A thread at one number of its log. */
export interface LogCut {
  readonly seq: number
  readonly situation: Model.Situation
  readonly tail: TailCut
}

/** What was said at one moment. `E`: why it cannot be read. */
export interface EntryView<E = StoreFailed> {
  readonly situation: Model.Situation
  /** Where the next entry will be. */
  readonly nextPosition: number
  /** The newest entries that fit: of the conversation, unless a path is given. */
  readonly page: (query?: Partial<EntryQuery>) => Effect.Effect<EntryPage, E>
  /** How many entries a path has: the conversation, unless one is given. */
  readonly count: (path?: EntryQuery["path"]) => Effect.Effect<number, E>
  /** All entries with these ids, on any branch, in order of their positions: a call and its result have the same. */
  readonly find: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<PlacedEntry>, E>
}

/** The same view, which fails otherwise. */
export const mapViewError = <E, F>(
  { count, find, page, ...view }: EntryView<E>,
  map: (error: E) => F
): EntryView<F> => ({
  ...view,
  page: (query) => Effect.mapError(page(query), map),
  count: (path) => Effect.mapError(count(path), map),
  find: (ids) => Effect.mapError(find(ids), map)
})

/** What was said at a cut. */
export const viewEntries = (
  store: Pick<Store["Service"], "entries" | "entriesById" | "countEntries">,
  threadId: string,
  { situation, tail }: LogCut
): Effect.Effect<EntryView, StoreFailed> =>
  Effect.gen(function* () {
    const unsure = unsureOf(tail)
    const settled = settleTail(tail, unsure.length === 0 ? [] : yield* store.entriesById(threadId, unsure))
    return {
      situation,
      nextPosition: settled.nextPosition,
      page: ({ before = settled.nextPosition, maxBytes, maxEntries = defaultMaxEntries, path = settled.path } = {}) =>
        Effect.map(
          store.entries(threadId, { path, before, maxEntries, ...(maxBytes !== undefined && { maxBytes }) }),
          ({ entries, more }) => {
            const first = more ? (entries[0]?.position ?? 0) : 0
            const own = settled.entries.filter(
              (each) => each.position < before && each.position >= first && Model.isOnPath(path, each)
            )
            return newest(joined(entries, own), more, maxEntries, maxBytes ?? defaultMaxBytes)
          }
        ),
      count: (path = settled.path) =>
        Effect.map(
          store.countEntries(threadId, { path }),
          (stored) => stored + settled.entries.filter((each) => !each.stored && Model.isOnPath(path, each)).length
        ),
      find: (ids) =>
        Effect.map(ids.length === 0 ? Effect.succeed([]) : store.entriesById(threadId, ids), (found) => {
          const wanted = new Set(ids)
          return joined(
            found,
            settled.entries.filter(({ entry }) => wanted.has(entry.id))
          )
        })
    }
  })

/** Entries of the store with those of the tail in their places. */
const joined = (stored: ReadonlyArray<PlacedEntry>, own: ReadonlyArray<PlacedEntry>): ReadonlyArray<PlacedEntry> => {
  if (own.length === 0) return stored
  const all = new Map(stored.map((each) => [each.position, each]))
  for (const { branch, entry, position } of own) all.set(position, { branch, entry, position })
  return [...all.values()].sort((a, b) => a.position - b.position)
}

/** The newest entries that fit: the tail may have brought more than there may be. */
const newest = (all: ReadonlyArray<PlacedEntry>, more: boolean, maxEntries: number, maxBytes: number): EntryPage => {
  let bytes = 0
  let from = all.length
  for (; from > 0 && all.length - from < maxEntries; from--) {
    bytes += Buffer.byteLength(JSON.stringify(all[from - 1]?.entry))
    if (bytes > maxBytes && from < all.length) break
  }
  return { entries: all.slice(from), more: more || from > 0 }
}
