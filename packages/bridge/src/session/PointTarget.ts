/**
 * Where somebody wants a conversation to continue, in their words: after a message, before one, or at the end of a branch.
 *
 * A message is what its client knows as one: a text, the calls that hang on it and their results. It is kept or left as a
 * whole, because no model accepts a call without its result.
 */
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { EntryView } from "../log/EventLog.ts"
import { messageOf } from "../store/MessageOf.ts"
import type { PlacedEntry } from "../store/Store.ts"
import type { BranchPoint } from "./BranchPoint.ts"
import { findPoint } from "./FindPoint.ts"
import { SessionRefused } from "./SessionRefused.ts"

/** Where a conversation is to continue. Messages are named by the ids of their entries; the first that is found counts. */
export type PointTarget =
  /** This message is the last that stays. */
  | { readonly after: ReadonlyArray<string> }
  /** This message is the first that goes. */
  | { readonly before: ReadonlyArray<string> }
  /** All that was said on this branch, and on the way to it, stays. */
  | { readonly branch: number }

/** The point that somebody means. */
export const findTarget = <E>(
  view: EntryView<E>,
  target: PointTarget
): Effect.Effect<BranchPoint, E | SessionRefused> =>
  Effect.gen(function* () {
    const point = yield* findPoint(view, yield* placeOf(view, target))
    return point ?? (yield* unnamed)
  })

const placeOf = <E>(
  view: EntryView<E>,
  target: PointTarget
): Effect.Effect<Model.EntryPlace | null, E | SessionRefused> =>
  Effect.gen(function* () {
    const { origins } = view.situation
    if ("branch" in target) {
      if (origins[target.branch] === undefined) return yield* noSuchBranch
      return yield* lastOn(view, Model.pathOf(origins, target.branch), view.nextPosition)
    }
    const message = yield* findMessage(view, "after" in target ? target.after : target.before)
    const [first, last] = [message[0], message.at(-1)]
    if (first === undefined || last === undefined) return yield* noSuchMessage
    if (first.entry.lane !== null) return yield* ofSubagent
    if ("after" in target) return last
    return yield* lastOn(view, Model.pathThrough(origins, first), first.position)
  })

/** The last entry of a path before a position; null: there is none. */
const lastOn = <E>(
  view: EntryView<E>,
  path: ReadonlyArray<Model.Segment>,
  before: number
): Effect.Effect<PlacedEntry | null, E> =>
  Effect.map(view.page({ path, before, maxEntries: 1 }), ({ entries }) => entries[0] ?? null)

/** The entry at a place; null: before everything. */
export const entryAt = <E>(
  view: EntryView<E>,
  place: Model.EntryPlace | null
): Effect.Effect<Model.TranscriptEntry | undefined, E> =>
  Effect.map(
    lastOn(view, Model.pathThrough(view.situation.origins, place), place === null ? 0 : place.position + 1),
    (found) => found?.entry
  )

/**
 * All entries of a message, in order. One that was said on several branches is meant where the conversation has it, else where
 * it was said last.
 */
const findMessage = <E>(
  view: EntryView<E>,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<PlacedEntry>, E> =>
  Effect.gen(function* () {
    const { situation } = view
    for (const name of names) {
      const found = [...(yield* view.find([name])), ...(yield* view.messageParts([name]))]
      const here = Model.pathIn(situation)
      const meant = found.findLast((each) => Model.isOnPath(here, each)) ?? found.at(-1)
      if (meant === undefined) continue
      const path = Model.isOnPath(here, meant) ? here : Model.pathOf(situation.origins, meant.branch)
      const parts = yield* partsOf(view, meant.entry)
      return [...parts, meant]
        .filter((each) => Model.isOnPath(path, each))
        .sort((one, other) => one.position - other.position)
    }
    return []
  })

/** What belongs to a message with calls: all of them, and their results. */
const partsOf = <E>(view: EntryView<E>, entry: Model.TranscriptEntry): Effect.Effect<ReadonlyArray<PlacedEntry>, E> =>
  Effect.gen(function* () {
    // A result is part of the message of its call.
    const called = entry.kind === "result" ? yield* view.find([entry.id]) : []
    const message = messageOf(called.find((each) => each.entry.kind === "call")?.entry ?? entry)
    if (message === undefined) return []
    const parts = yield* view.messageParts([message])
    const calls = parts.flatMap(({ entry }) => (entry.kind === "call" ? [entry.id] : []))
    return [...parts, ...(yield* view.find(calls)).filter(({ entry }) => entry.kind === "result")]
  })

const noSuchMessage = new SessionRefused({
  code: "MESSAGE_NOT_FOUND",
  message: "No message with this id was said in this thread, on any of its branches."
})

/** Nobody has begun this branch. */
export const noSuchBranch = new SessionRefused({
  code: "BRANCH_NOT_FOUND",
  message: "This thread has no such branch."
})

const ofSubagent = new SessionRefused({
  code: "BRANCH_UNAVAILABLE",
  message: "A sub-agent said this. Only to messages of the conversation itself can anybody go back."
})

const unnamed = new SessionRefused({
  code: "BRANCH_UNAVAILABLE",
  message: "The agent never said where in its transcript this message is, so it cannot go back there."
})
