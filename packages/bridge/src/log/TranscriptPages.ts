/**
 * A transcript in pages of whole messages, the newest first.
 *
 * A message is in the page where it begins, with all that belongs to it: a text with the calls that hang on it, each call
 * with its result, however much later that came. So nothing is in two pages, and nothing between them. What was said before a page
 * begins is never read, and neither is what was said after it, but for those parts.
 */
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import { sizeInTurns } from "../eventloop/LongJson.ts"
import { messageOf } from "../store/MessageOf.ts"
import type { PlacedEntry } from "../store/Store.ts"
import type { EntryView } from "./EntryView.ts"

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

/** What belongs together: an entry, or a message with its calls and their results. */
interface Unit {
  /** The position at which it begins. */
  readonly root: number
  readonly parts: ReadonlyArray<PlacedEntry>
}

/** How many entries are read at once. */
const windowSize = { least: 32, most: 500 }

/** A page of a transcript. */
export const readPage = <E>(
  view: EntryView<E>,
  { atLeastOne = false, before = view.nextPosition, maxBytes, maxMessages = Number.POSITIVE_INFINITY }: PageQuery
): Effect.Effect<TranscriptPage, E> =>
  Effect.gen(function* () {
    const size = Math.max(windowSize.least, Math.min(windowSize.most, 2 * maxMessages))
    const taken: Array<Unit> = []
    let [messages, bytes] = [0, 0]
    for (let until = Math.min(before, view.nextPosition); ; ) {
      const window = yield* readWindow(view, { until, size, maxBytes })
      for (const unit of window.units) {
        const more = yield* sizeOf(unit)
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

const byPosition = (one: PlacedEntry, other: PlacedEntry): number => one.position - other.position

const pageOf = (taken: ReadonlyArray<Unit>, messages: number, before: number | undefined): TranscriptPage => ({
  entries: taken
    .flatMap(({ parts }) => parts)
    .sort(byPosition)
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

const sizeOf = ({ parts }: Unit): Effect.Effect<number> =>
  Effect.gen(function* () {
    let sum = 0
    for (const { entry } of parts) sum += (yield* sizeInTurns(entry)).bytes + entry.id.length + overhead
    return sum
  })

/** The units that begin in a part of the transcript, the newest first. */
const readWindow = <E>(
  view: EntryView<E>,
  { maxBytes, size, until }: { readonly until: number; readonly size: number; readonly maxBytes: number }
): Effect.Effect<{ readonly units: ReadonlyArray<Unit>; readonly from: number; readonly more: boolean }, E> =>
  Effect.gen(function* () {
    const { entries: window, more } = yield* view.page({ before: until, maxEntries: size, maxBytes })
    const from = more ? (window[0]?.position ?? 0) : 0
    const isSaid = (each: PlacedEntry): boolean => each.position < view.nextPosition && Model.isOnPath(view.path, each)
    /** Entries of the window, with those of the same kind beyond it: nothing is read twice. */
    const withOthers = (
      own: ReadonlyArray<PlacedEntry>,
      others: Effect.Effect<ReadonlyArray<PlacedEntry>, E>
    ): Effect.Effect<ReadonlyArray<PlacedEntry>, E> =>
      Effect.map(others, (found) => [...own, ...found.filter(isSaid)].sort(byPosition))
    const isResult = ({ entry }: PlacedEntry): boolean => entry.kind === "result"

    const shared = window.filter(({ entry }) => messageOf(entry) !== undefined)
    const names = shared.flatMap(({ entry }) => messageOf(entry) ?? [])
    const parts = yield* withOthers(shared, view.messageParts(names, { from, until }))
    const calls = new Set(parts.flatMap(({ entry }) => (entry.kind === "call" ? [entry.id] : [])))
    const asked = new Set([...calls, ...window.filter(isResult).map(({ entry }) => entry.id)])
    const answers = yield* withOthers(
      window.filter(({ entry }) => asked.has(entry.id)),
      view.find(asked, { from, until })
    )
    const called = new Set(answers.flatMap(({ entry }) => (entry.kind === "call" ? [entry.id] : [])))
    const units = unitsOf({
      alone: window.filter(
        (each) => messageOf(each.entry) === undefined && !(isResult(each) && called.has(each.entry.id))
      ),
      parts,
      results: answers.filter((each) => isResult(each) && calls.has(each.entry.id))
    }).filter(({ root }) => root >= from && root < until)
    return { units, from, more }
  })

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
