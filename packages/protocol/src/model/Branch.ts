/**
 * The branches of a conversation: where each begins, and the path that leads through them.
 *
 * A conversation that goes back to an earlier entry continues on a branch of its own. What followed that entry stays where
 * it is, as a sibling. Positions count the entries of all branches together, so those of a branch are greater than the
 * position it began after.
 */
import * as Schema from "effect/Schema"

/** Where an entry of the transcript is. */
export const EntryPlace = Schema.Struct({ branch: Schema.Natural, position: Schema.Natural }).annotate({
  identifier: "ModelEntryPlace"
})

/** Where an entry of the transcript is. */
export type EntryPlace = typeof EntryPlace.Type

/** Where and when a branch begins. */
export const BranchBeginning = Schema.Struct({
  /** No entry of it is before this position. */
  position: Schema.Natural,
  /** In milliseconds since 1970. */
  at: Schema.Finite
}).annotate({ identifier: "ModelBranchBeginning" })

/** Where and when a branch begins. */
export type BranchBeginning = typeof BranchBeginning.Type

/** A part of a conversation: the entries of a branch, up to a position. */
export interface Segment {
  readonly branch: number
  /** The last position of the branch that counts. Absent: all of it. */
  readonly through?: number
}

/** By branch, the entry after which it began; null: before everything. */
export type Origins = ReadonlyArray<EntryPlace | null>

/** A conversation that has never branched. */
export const noBranches: Origins = [null]

/** The path of a conversation up to an entry; null: before everything. */
export const pathThrough = (origins: Origins, place: EntryPlace | null): ReadonlyArray<Segment> => {
  const path: Array<Segment> = []
  for (let at = place; at !== null; at = origins[at.branch] ?? null)
    path.unshift({ branch: at.branch, through: at.position })
  return path
}

/** The path of a conversation through a branch, to its end. */
export const pathOf = (origins: Origins, branch: number): ReadonlyArray<Segment> => [
  ...pathThrough(origins, origins[branch] ?? null),
  { branch }
]

/** Whether a path goes by an entry. */
export const isOnPath = (path: ReadonlyArray<Segment>, { branch, position }: EntryPlace): boolean =>
  path.some((segment) => segment.branch === branch && (segment.through === undefined || position <= segment.through))

/** The last entry that two paths have in common, or could have; undefined when they have nothing in common. */
export const forkOf = (one: ReadonlyArray<Segment>, other: ReadonlyArray<Segment>): EntryPlace | undefined => {
  let fork: EntryPlace | undefined
  for (const [index, { branch, through = Number.MAX_SAFE_INTEGER }] of one.entries()) {
    const beside = other[index]
    if (beside?.branch !== branch) return fork
    const limit = beside.through ?? Number.MAX_SAFE_INTEGER
    fork = { branch, position: Math.min(through, limit) }
    if (through !== limit) return fork
  }
  return fork
}
