/**
 * Finding the point of a conversation that somebody wants to go back to: as much of what was said before it is read as it
 * takes to know its name.
 */
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { EntryView } from "../log/EventLog.ts"
import type { PlacedEntry } from "../store/Store.ts"
import { type BranchPoint, branchPoint } from "./BranchPoint.ts"

/** How many entries are read at once: a turn is rarely longer. */
const pageSize = 100

/** The point after an entry of any branch; null: before everything. Undefined: nobody can go back there. */
export const findPoint = <E>(
  view: EntryView<E>,
  place: Model.EntryPlace | null
): Effect.Effect<BranchPoint | undefined, E> =>
  Effect.gen(function* () {
    const path = Model.pathThrough(view.situation.origins, place)
    let entries: ReadonlyArray<PlacedEntry> = []
    for (let before = place === null ? 0 : place.position + 1; ; ) {
      const page = yield* view.page({ path, before, maxEntries: pageSize })
      entries = [...page.entries, ...entries]
      const found = branchPoint(entries, !page.more)
      if (found === "unavailable") return undefined
      if (found !== "look_further") return found
      before = entries[0]?.position ?? 0
    }
  })
