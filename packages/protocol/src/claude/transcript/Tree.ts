/**
 * The lines of a session file as a tree, and for each the line that was said before it.
 *
 * What `parentUuid` tells is not enough to see all that was said (docs/wire/claude-code.md §12): it is null after a
 * compaction, it may name a line that is not there, and a second compaction in one process hangs the next line on one
 * from before the first. A line that is written again, as compactions do, is the line it was the first time.
 */
import { Ancestry } from "./Ancestry.ts"
import { isTold, type TranscriptNode } from "./Node.ts"
import { inOrderSaid } from "./Order.ts"
import { preservedBy } from "./Preserved.ts"
import type { Rewound } from "./Reader.ts"

/** The lines of a session file. Make one with {@link treeOf}. */
export interface TranscriptTree {
  /** In the order they were said. */
  readonly nodes: ReadonlyArray<TranscriptNode>
  /** By uuid. */
  readonly places: ReadonlyMap<string, number>
  /** For each node the one that was said before it; -1 for the first. It always has an earlier place. */
  readonly before: Int32Array
  /** What was said last in the conversation as it is: a message, or what a command printed after it. -1: nothing. */
  readonly leaf: number
}

/** The tree of the lines of a file; `rewound`: where the person last went back to. */
export const treeOf = (written: ReadonlyArray<TranscriptNode>, rewound?: Rewound): TranscriptTree => {
  const nodes = inOrderSaid(written)
  const places = new Map(nodes.map(({ index, uuid }) => [uuid, index]))
  const before = new Int32Array(nodes.length)
  const ancestry = new Ancestry(before)
  /** For each node what was said last in the main conversation, at or before it. */
  const spoken = new Int32Array(nodes.length)
  /** What is said after the last line that a compaction preserved comes after the summary. */
  const summaries = new Map<number, number>()
  // What was said last in the main conversation so far: what a line follows that does not say, or says wrongly.
  let newest = -1

  const beforeOf = (node: TranscriptNode): number => {
    const { index, isSidechain, parent, said } = node
    const place = typeof parent === "string" ? (places.get(parent) ?? -1) : -1
    if (place !== -1 && place < index) {
      const summary = summaries.get(place) ?? -1
      return summary !== -1 && summary < index ? summary : place
    }
    if (parent !== null) return isSidechain ? -1 : newest
    if (said?.name !== "system/compact_boundary" || isSidechain) return -1
    const logical = places.get(said.message.logicalParentUuid ?? "") ?? -1
    const last = logical === -1 || logical >= index ? -1 : at(spoken, logical)
    // Another branch may have been written to meanwhile: then the line that is named tells which one was compacted.
    return last === -1 || ancestry.isAncestor(last, newest) ? newest : last
  }

  for (const node of nodes) {
    const { index, said } = node
    before[index] = beforeOf(node)
    ancestry.add(index)
    spoken[index] = isTold(node) ? index : at(before, index) === -1 ? -1 : at(spoken, at(before, index))
    if (isTold(node)) newest = index
    const kept = said?.name === "system/compact_boundary" ? preservedBy(said.message, places) : undefined
    const tail = kept?.nodes.at(-1)
    if (kept !== undefined && tail !== undefined) summaries.set(tail, kept.anchor)
  }
  return { nodes, places, before, leaf: leafOf(nodes, places, rewound) }
}

const at = (values: Int32Array, index: number): number => values[index] ?? -1

/** What was said last, unless the person has gone back since: `--resume` goes on from there (2.1.325). */
const leafOf = (
  nodes: ReadonlyArray<TranscriptNode>,
  places: ReadonlyMap<string, number>,
  rewound: Rewound | undefined
): number =>
  rewound === undefined || nodes.some((node) => isTold(node) && node.line > rewound.line)
    ? nodes.findLastIndex(isTold)
    : (places.get(rewound.leaf ?? "") ?? -1)

/** The nodes from the first to this one, as they follow each other. */
export const pathTo = ({ before }: TranscriptTree, leaf: number): ReadonlyArray<number> => {
  const path: Array<number> = []
  for (let here = leaf; here !== -1; here = at(before, here)) path.push(here)
  return path.reverse()
}
