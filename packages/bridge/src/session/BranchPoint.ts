/**
 * Where a conversation goes back to: an entry of its transcript, and the runtime's name for the point after it.
 *
 * Not every entry has such a name. Sub-agents and tasks are no part of what the model is told. A prompt whose turn never
 * began is told again. What was cut off on its way is not known to the agent: the point is that of what it does know of the
 * turn. Where nothing in the turn has a name, nobody can go back.
 */
import type * as Model from "@agentwire/protocol/model"

/** A point of a conversation. */
export interface BranchPoint {
  /** The entry after which the conversation continues; null: before everything. */
  readonly from: Model.EntryPlace | null
  /** The id of that entry. */
  readonly after: string | null
  /** The runtime's name for the point; null: a new conversation. */
  readonly anchor: string | null
  /** What people said before the point that the agent does not know: it has to be said again. */
  readonly again: ReadonlyArray<Model.Said>
}

/** An entry in its place. */
export interface PlacedEntry extends Model.EntryPlace {
  readonly entry: Model.TranscriptEntry
}

/** What is known so far: the point, that there is none, or that more of the conversation has to be looked at. */
export type FoundPoint = BranchPoint | "unavailable" | "look_further"

/**
 * The point after the last of some entries, which are those of the conversation up to there, without gaps. `isWhole`: they
 * begin with its beginning.
 */
export const branchPoint = (entries: ReadonlyArray<PlacedEntry>, isWhole: boolean): FoundPoint => {
  const again: Array<Model.Said> = []
  let last = entries.length - 1
  let isCutOff = false
  for (let at = entries.length - 1; at >= 0; at--) {
    const { entry } = entries[at] as PlacedEntry
    if (entry.lane !== null || entry.kind === "task") continue
    if (entry.anchor !== undefined) return { ...placeOf(entries[last]), anchor: entry.anchor, again }
    if (entry.kind === "prompt") {
      // Something was answered, and nobody knows where that is.
      if (isCutOff) return "unavailable"
      again.unshift({ id: entry.id, content: entry.content })
      last = at - 1
    } else isCutOff = true
  }
  if (!isWhole) return "look_further"
  return isCutOff ? "unavailable" : { ...placeOf(entries[last]), anchor: null, again }
}

const placeOf = (placed: PlacedEntry | undefined): Pick<BranchPoint, "from" | "after"> =>
  placed === undefined
    ? { from: null, after: null }
    : { from: { branch: placed.branch, position: placed.position }, after: placed.entry.id }
