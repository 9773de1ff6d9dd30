/**
 * A transcript in pages of whole messages, the newest first.
 *
 * A message is in the page where it begins, with all that belongs to it: a text with the calls that hang on it, each call
 * with its result, however much later that came. So nothing is in two pages, and nothing between them. What was said before a page
 * begins is never read, and neither is what was said after it, but for those parts.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import { messageOf } from "../store/MessageOf.ts"
import type { PlacedEntry, Store } from "../store/Store.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import { isOnPath } from "./ConversationPath.ts"
import type { SettledTail } from "./TranscriptTail.ts"

/** Which messages are wanted: the newest that fit. */
export interface PageQuery {
  /** Only messages that begin before this position. */
  readonly before?: number | undefined
  /** About how many messages at most: one comes with the results of its calls. Default: as many as fit. */
  readonly maxMessages?: number | undefined
  /** How many bytes at most, as the JSON of messages. */
  readonly maxBytes: number
  /** Whether the newest message is given even when it is larger. Default no. */
  readonly atLeastOne?: boolean | undefined
}

/** Messages of a transcript, as the entries that they are made of. */
export interface TranscriptPage {
  /** In order of their positions. */
  readonly entries: ReadonlyArray<Model.TranscriptEntry>
  /** How many messages they are. */
  readonly messages: number
  /** The position before which the page before this one ends; undefined when there is none. */
  readonly before: number | undefined
}

type Entries = Pick<Store["Service"], "entries" | "entriesById" | "messageParts" | "countMessages">

/** What belongs together: an entry, or a message with its calls and their results. */
interface Unit {
  /** The position at which it begins. */
  readonly root: number
  readonly parts: ReadonlyArray<PlacedEntry>
}

/** How many entries are read at once. */
const windowSize = { least: 32, most: 500 }

/** A page of a transcript, of which the end may be in memory. */
export const readPage = (
  store: Entries,
  threadId: string,
  tail: SettledTail,
  { atLeastOne = false, before = tail.nextPosition, maxBytes, maxMessages = Number.POSITIVE_INFINITY }: PageQuery
): Effect.Effect<TranscriptPage, StoreFailed> =>
  Effect.gen(function* () {
    const size = Math.max(windowSize.least, Math.min(windowSize.most, 2 * maxMessages))
    const taken: Array<Unit> = []
    let [messages, bytes] = [0, 0]
    for (let until = Math.min(before, tail.nextPosition); ; ) {
      const window = yield* readWindow(store, threadId, tail, { until, size, maxBytes })
      for (const unit of window.units) {
        const more = sizeOf(unit)
        const fits = messages + countOf(unit) <= maxMessages && bytes + more <= maxBytes
        if (!fits && !(atLeastOne && taken.length === 0)) return pageOf(taken, messages, taken.at(-1)?.root ?? before)
        taken.push(unit)
        messages += countOf(unit)
        bytes += more
      }
      if (!window.more) return pageOf(taken, messages, undefined)
      until = window.from
      // A long page must not keep others waiting.
      yield* Effect.yieldNow
    }
  })

/** How many messages a transcript has, of which the end may be in memory. */
export const countMessages = (
  store: Entries,
  threadId: string,
  tail: SettledTail
): Effect.Effect<number, StoreFailed> =>
  Effect.gen(function* () {
    const fresh = tail.entries.filter((entry) => !entry.stored && isOfTranscript(tail, entry))
    const shared = new Set(fresh.flatMap(({ entry }) => messageOf(entry) ?? []))
    const alone = fresh.filter(({ entry }) => messageOf(entry) === undefined).length
    const known = shared.size === 0 ? [] : yield* store.messageParts(threadId, [...shared])
    for (const part of known) if (isOfTranscript(tail, part)) shared.delete(messageOf(part.entry) ?? "")
    const stored = yield* store.countMessages(threadId, { path: tail.path, before: tail.nextPosition })
    return stored + shared.size + alone
  })

const pageOf = (taken: ReadonlyArray<Unit>, messages: number, before: number | undefined): TranscriptPage => ({
  entries: taken
    .flatMap(({ parts }) => parts)
    .sort((one, other) => one.position - other.position)
    .map(({ entry }) => entry),
  messages,
  before
})

/** How many messages a unit is: one, and one for each result. */
const countOf = ({ parts }: Unit): number => {
  const results = parts.filter(({ entry }) => entry.kind === "result").length
  return results + (parts.length > results ? 1 : 0)
}

/** What a message has besides the entry that it is made of, at most, but for ids. */
const overhead = 150

const sizeOf = ({ parts }: Unit): number =>
  parts.reduce((sum, { entry }) => sum + Buffer.byteLength(JSON.stringify(entry)) + entry.id.length + overhead, 0)

const isOfTranscript = ({ nextPosition, path }: SettledTail, entry: PlacedEntry): boolean =>
  entry.position < nextPosition && isOnPath({ path }, entry)

/** The units that begin in a part of the transcript, the newest first. */
const readWindow = (
  store: Entries,
  threadId: string,
  tail: SettledTail,
  { maxBytes, size, until }: { readonly until: number; readonly size: number; readonly maxBytes: number }
): Effect.Effect<{ readonly units: ReadonlyArray<Unit>; readonly from: number; readonly more: boolean }, StoreFailed> =>
  Effect.gen(function* () {
    const page = yield* store.entries(threadId, { path: tail.path, before: until, maxEntries: size, maxBytes })
    const from = page.more ? (page.entries[0]?.position ?? 0) : 0
    /** Entries of the store, and those that memory has instead or besides. */
    const withTail = (
      found: ReadonlyArray<PlacedEntry>,
      isWanted: (entry: PlacedEntry) => boolean
    ): ReadonlyArray<PlacedEntry> => {
      const all = new Map(found.filter((each) => isOfTranscript(tail, each)).map((each) => [each.position, each]))
      for (const { branch, entry, position } of tail.entries) {
        const placed = { branch, entry, position }
        const isOurs = all.has(position) || isWanted(placed)
        if (isOurs && isOfTranscript(tail, placed)) all.set(position, placed)
      }
      return [...all.values()].sort((one, other) => one.position - other.position)
    }

    const window = withTail(page.entries, ({ position }) => position >= from && position < until)
    const names = new Set(window.flatMap(({ entry }) => messageOf(entry) ?? []))
    const isPart = ({ entry }: PlacedEntry): boolean => {
      const name = messageOf(entry)
      return name !== undefined && names.has(name)
    }
    const parts = withTail(yield* named(store.messageParts, threadId, names), isPart).filter(isPart)
    const isResult = ({ entry }: PlacedEntry): boolean => entry.kind === "result"
    const calls = new Set(parts.flatMap(({ entry }) => (entry.kind === "call" ? [entry.id] : [])))
    const asked = new Set([...calls, ...window.filter(isResult).map(({ entry }) => entry.id)])
    const answers = withTail(yield* named(store.entriesById, threadId, asked), ({ entry }) => asked.has(entry.id))
    const called = new Set(answers.flatMap(({ entry }) => (entry.kind === "call" ? [entry.id] : [])))
    const units = unitsOf({
      alone: window.filter(
        (each) => messageOf(each.entry) === undefined && !(isResult(each) && called.has(each.entry.id))
      ),
      parts,
      results: answers.filter((each) => isResult(each) && calls.has(each.entry.id))
    }).filter(({ root }) => root >= from && root < until)
    return { units, from, more: page.more }
  })

const named = (
  ask: Entries["entriesById"],
  threadId: string,
  names: ReadonlySet<string>
): Effect.Effect<ReadonlyArray<PlacedEntry>, StoreFailed> =>
  names.size === 0 ? Effect.succeed([]) : ask(threadId, [...names])

/** Entries as units, the newest first. */
const unitsOf = (found: {
  /** Each is a unit. */
  readonly alone: ReadonlyArray<PlacedEntry>
  /** Texts, and the calls that hang on them. */
  readonly parts: ReadonlyArray<PlacedEntry>
  /** The results of those calls. */
  readonly results: ReadonlyArray<PlacedEntry>
}): ReadonlyArray<Unit> => {
  const shared = new Map<string, Array<PlacedEntry>>()
  const owners = new Map<string, Array<PlacedEntry>>()
  for (const part of found.parts) {
    const name = messageOf(part.entry) ?? ""
    const own = shared.get(name) ?? []
    own.push(part)
    shared.set(name, own)
    if (part.entry.kind === "call" && !owners.has(part.entry.id)) owners.set(part.entry.id, own)
  }
  // Behind all parts: its root is the position of the first, whenever results came.
  for (const result of found.results) owners.get(result.entry.id)?.push(result)
  return [...found.alone.map((each) => [each]), ...shared.values()]
    .map((parts) => ({ root: parts[0]?.position ?? 0, parts }))
    .sort((one, other) => other.root - one.root)
}
