/**
 * What a client has had, as it says so itself.
 *
 * AG-UI has no name for a client and no cursor, but every request brings the shared state back. So the session's part of
 * the state names the newest entry that the client was sent: when a turn begins, when its answer begins, and when a run
 * ends. A client has had what leads to that entry, and nothing else. An application that replaces the whole state takes the
 * mark away, and then nothing is known.
 */
import { type EntryPlace, isOnPath, type Origins, pathThrough } from "../../model/Branch.ts"
import { isRecord } from "../../wire/Json.ts"
import { sessionStateKey } from "../SessionState.ts"
import type { KnownEntry } from "./Divergence.ts"

/** The newest entry that a client has had. */
export interface SeenMark {
  readonly last: string
  readonly branch: number
}

/** The mark in a client's state. */
export const seenMarkIn = (state: unknown): SeenMark | undefined => {
  const session = isRecord(state) ? state[sessionStateKey] : undefined
  const mark = isRecord(session) ? session["conversation"] : undefined
  if (!isRecord(mark)) return undefined
  const { branch, last } = mark
  return typeof last === "string" && typeof branch === "number" ? { last, branch } : undefined
}

/**
 * Whether a client with a mark has had an entry: nothing, for all that is known, where there is no mark. `entries`: those
 * by the id of the mark, of all branches, and whatever others.
 */
export const hasSeen = (
  mark: SeenMark | undefined,
  entries: ReadonlyArray<KnownEntry>,
  origins: Origins
): ((entry: EntryPlace) => boolean) => {
  const newest = entries.find(
    ({ branch, entry }) => entry.kind !== "result" && entry.id === mark?.last && branch === mark.branch
  )
  if (newest === undefined) return () => false
  const path = pathThrough(origins, newest)
  return (entry) => isOnPath(path, entry)
}
