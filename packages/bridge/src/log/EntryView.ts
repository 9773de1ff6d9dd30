/**
 * What was said at one moment, as entries in their places: those of the store, with those of the tail in memory instead or
 * besides. Whoever looks for an entry, or reads page by page, reads through this.
 */
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import { newestThatFit } from "../store/EntryPages.ts"
import { messageOf } from "../store/MessageOf.ts"
import {
  defaultMaxBytes,
  defaultMaxEntries,
  type EntryPage,
  type EntryQuery,
  isBeyond,
  nowhere,
  type PlacedEntry,
  type Span,
  type Store
} from "../store/Store.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import type { ConversationPath } from "./ConversationPath.ts"
import { type SettledTail, settleTail, type TailCut, unsureOf } from "./TranscriptTail.ts"

/** A thread at one number of its log. */
export interface LogCut {
  readonly seq: number
  readonly situation: Model.Situation
  readonly tail: TailCut
}

/** What was said at one moment: where the conversation is, and its entries. `E`: why they cannot be read. */
export interface EntryView<E = StoreFailed> extends ConversationPath {
  readonly situation: Model.Situation
  /** The newest entries that fit: of the conversation, unless a path is given. */
  readonly page: (query?: Partial<EntryQuery>) => Effect.Effect<EntryPage, E>
  /** How many entries a path has: the conversation, unless one is given. */
  readonly count: (path?: EntryQuery["path"]) => Effect.Effect<number, E>
  /** How many messages the conversation has. */
  readonly countMessages: Effect.Effect<number, E>
  /** All entries with these ids, on any branch, in order of their positions: a call and its result have the same. */
  readonly find: (ids: Iterable<string>, except?: Span) => Effect.Effect<ReadonlyArray<PlacedEntry>, E>
  /** All texts with these ids and all calls that hang on them, on any branch, in order of their positions. */
  readonly messageParts: (ids: Iterable<string>, except?: Span) => Effect.Effect<ReadonlyArray<PlacedEntry>, E>
  /** The same moment, as if the conversation had taken another path. */
  readonly along: (path: EntryQuery["path"]) => EntryView<E>
}

/** What reads the entries of a transcript. */
export type EntryReader = Pick<
  Store["Service"],
  "entries" | "entriesById" | "messageParts" | "countEntries" | "countMessages"
>

/** The same view, which fails otherwise. */
export const mapViewError = <E, F>(
  { along, count, countMessages, find, messageParts, page, ...moment }: EntryView<E>,
  map: (error: E) => F
): EntryView<F> => ({
  ...moment,
  page: (query) => Effect.mapError(page(query), map),
  count: (path) => Effect.mapError(count(path), map),
  countMessages: Effect.mapError(countMessages, map),
  find: (ids, except) => Effect.mapError(find(ids, except), map),
  messageParts: (ids, except) => Effect.mapError(messageParts(ids, except), map),
  along: (path) => mapViewError(along(path), map)
})

/** What was said at a cut. */
export const viewEntries = (
  store: EntryReader,
  threadId: string,
  { situation, tail }: Omit<LogCut, "seq">
): Effect.Effect<EntryView, StoreFailed> =>
  Effect.gen(function* () {
    const unsure = unsureOf(tail)
    const found = unsure.length === 0 ? [] : yield* store.entriesById(threadId, unsure)
    return viewSettled(store, threadId, situation, settleTail(tail, found))
  })

/** What was said, where all is known about the tail. */
export const viewSettled = (
  store: EntryReader,
  threadId: string,
  situation: Model.Situation,
  { entries: tail, nextPosition, path: conversation }: SettledTail
): EntryView => {
  /** The entries of some names, by one of the store's ways to look them up. */
  const lookUp =
    (
      ask: EntryReader["entriesById"],
      nameOf: (entry: Model.TranscriptEntry) => string | undefined
    ): EntryView["find"] =>
    (ids, except = nowhere) =>
      Effect.suspend(() => {
        const names = [...new Set(ids)]
        if (names.length === 0) return Effect.succeed([])
        const wanted = new Set<string | undefined>(names)
        return Effect.map(ask(threadId, names, except), (stored) =>
          joined(
            stored,
            tail.filter(({ entry, position }) => isBeyond(position, except) && wanted.has(nameOf(entry)))
          )
        )
      })
  return {
    situation,
    path: conversation,
    nextPosition,
    page: ({
      before = nextPosition,
      maxBytes = defaultMaxBytes,
      maxEntries = defaultMaxEntries,
      path = conversation
    } = {}) =>
      Effect.flatMap(store.entries(threadId, { path, before, maxEntries, maxBytes }), ({ entries, more }) => {
        const first = more ? (entries[0]?.position ?? 0) : 0
        const own = tail.filter(
          (each) => each.position < before && each.position >= first && Model.isOnPath(path, each)
        )
        return own.length === 0
          ? Effect.succeed({ entries, more })
          : newest(joined(entries, own), more, maxEntries, maxBytes)
      }),
    count: (path = conversation) =>
      Effect.map(
        store.countEntries(threadId, { path }),
        (stored) => stored + tail.filter((each) => !each.stored && Model.isOnPath(path, each)).length
      ),
    countMessages: Effect.gen(function* () {
      const fresh = tail.filter((each) => !each.stored && Model.isOnPath(conversation, each))
      const shared = new Set(fresh.flatMap(({ entry }) => messageOf(entry) ?? []))
      const alone = fresh.filter(({ entry }) => messageOf(entry) === undefined).length
      const known = shared.size === 0 ? [] : yield* store.messageParts(threadId, [...shared])
      for (const part of known)
        if (part.position < nextPosition && Model.isOnPath(conversation, part))
          shared.delete(messageOf(part.entry) ?? "")
      const stored = yield* store.countMessages(threadId, { path: conversation, before: nextPosition })
      return stored + shared.size + alone
    }),
    find: lookUp(store.entriesById, ({ id }) => id),
    messageParts: lookUp(store.messageParts, messageOf),
    along: (path) => viewSettled(store, threadId, situation, { entries: tail, nextPosition, path })
  }
}

/** Entries of the store with those of the tail in their places. */
const joined = (stored: ReadonlyArray<PlacedEntry>, own: ReadonlyArray<PlacedEntry>): ReadonlyArray<PlacedEntry> => {
  if (own.length === 0) return stored
  const all = new Map(stored.map((each) => [each.position, each]))
  for (const { branch, entry, position } of own) all.set(position, { branch, entry, position })
  return [...all.values()].sort((a, b) => a.position - b.position)
}

/** The newest entries that fit: the tail may have brought more than there may be. */
const newest = (
  all: ReadonlyArray<PlacedEntry>,
  more: boolean,
  maxEntries: number,
  maxBytes: number
): Effect.Effect<EntryPage> =>
  Effect.map(newestThatFit(all, maxEntries, maxBytes), (entries) => ({
    entries,
    more: more || entries.length < all.length
  }))
