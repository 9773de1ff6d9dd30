/**
 * What a compaction leaves in place: messages that are not written again, but stand behind the summary.
 */
import type { CompactBoundaryLine } from "./SystemLine.ts"

/** Messages that a compaction preserved. */
export interface Preserved {
  /** The place of the summary that they stand behind. */
  readonly anchor: number
  /** Their places, in order; where only the ends are told, these. */
  readonly nodes: ReadonlyArray<number>
}

/** What a compaction preserved; undefined when it preserved nothing, or what is not there. */
export const preservedBy = (
  { compactMetadata }: CompactBoundaryLine,
  places: ReadonlyMap<string, number>
): Preserved | undefined => {
  const { preservedMessages, preservedSegment } = compactMetadata ?? {}
  const anchor = places.get((preservedMessages ?? preservedSegment)?.anchorUuid ?? "")
  const uuids =
    preservedMessages === undefined
      ? [...new Set([preservedSegment?.headUuid ?? "", preservedSegment?.tailUuid ?? ""])]
      : (preservedMessages.uuids ?? [])
  const nodes = uuids.map((uuid) => places.get(uuid) ?? -1)
  return anchor === undefined || nodes.length === 0 || nodes.includes(-1) ? undefined : { anchor, nodes }
}
