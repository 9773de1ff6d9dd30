/**
 * The order in which lines were said, where a file has them in another one.
 *
 * 2.1.37 writes what it has gathered in pieces, and the second piece may come before the first (docs/wire/claude-code.md
 * §12): so a line waits until the line that it names as its parent is there. A line whose parent is nowhere, or that is
 * its own ancestor, keeps its place.
 */
import type { TranscriptNode } from "./Node.ts"

/** The nodes so that each comes after its parent, and otherwise as they were written; each has its new place as `index`. */
export const inOrderSaid = (nodes: ReadonlyArray<TranscriptNode>): ReadonlyArray<TranscriptNode> => {
  const known = new Set(nodes.map(({ uuid }) => uuid))
  const placed = new Set<string>()
  const waiting = new Map<string, Array<TranscriptNode>>()
  const order: Array<TranscriptNode> = []
  const place = (first: TranscriptNode): void => {
    // Not by calling itself: a chain may be as long as the file.
    const ready = [first]
    for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
      placed.add(node.uuid)
      order.push(node)
      const next = waiting.get(node.uuid) ?? []
      waiting.delete(node.uuid)
      for (let at = next.length - 1; at >= 0; at--) {
        const child = next[at]
        if (child !== undefined) ready.push(child)
      }
    }
  }
  for (const node of nodes) {
    const parent = followed(node)
    if (parent === undefined || placed.has(parent) || !known.has(parent)) place(node)
    else {
      const others = waiting.get(parent)
      if (others === undefined) waiting.set(parent, [node])
      else others.push(node)
    }
  }
  // What is left goes round in circles.
  for (const node of nodes) if (!placed.has(node.uuid)) place(node)
  return order.map((node, index) => (node.index === index ? node : { ...node, index }))
}

/** The line that a line comes after: its parent, or what a compaction summarised last. */
const followed = ({ parent, said }: TranscriptNode): string | undefined => {
  if (typeof parent === "string") return parent
  const logical = said?.name === "system/compact_boundary" ? said.message.logicalParentUuid : undefined
  return typeof logical === "string" ? logical : undefined
}
