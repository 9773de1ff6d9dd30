/**
 * Puts the lines of a conversation and of its sub-agents into one order: by the time they were said, each file in its
 * own order, and no sub-agent before the call that started it.
 */
import type { TranscriptAgent } from "./Agents.ts"
import { callsIn, type TranscriptNode } from "./Node.ts"

/** A line, and who said it: an agent, or nobody else than the main thread. */
export interface WovenLine {
  readonly node: TranscriptNode
  readonly agent: TranscriptAgent | undefined
  /** It is the last line of its agent. */
  readonly isLast: boolean
  /** When it was said, in milliseconds since 1970: the time of the line before it where it does not tell. */
  readonly at: number
}

/** One file that is being read. */
interface Strand {
  readonly agent: TranscriptAgent | undefined
  readonly nodes: ReadonlyArray<TranscriptNode>
  /** Sub-agents come before the main thread where the times are the same: a result is said after what led to it. */
  readonly rank: number
  next: number
  at: number
}

/** The lines in one order. Sub-agents whose call is not among them belong to another conversation, and are left out. */
export const weave = (
  main: ReadonlyArray<TranscriptNode>,
  agents: ReadonlyArray<TranscriptAgent>
): ReadonlyArray<WovenLine> => {
  const waiting = new Map<string, Array<Strand>>()
  const ready: Array<Strand> = []
  const begin = (strand: Strand, since: number): void => {
    strand.at = Math.max(since, strand.nodes[0]?.at ?? since)
    if (strand.nodes.length > 0) push(ready, strand)
  }
  agents.forEach((agent, rank) => {
    const strand: Strand = { agent, nodes: agent.nodes, rank, next: 0, at: 0 }
    if (agent.call === undefined) begin(strand, 0)
    else {
      const others = waiting.get(agent.call)
      if (others === undefined) waiting.set(agent.call, [strand])
      else others.push(strand)
    }
  })
  begin({ agent: undefined, nodes: main, rank: agents.length, next: 0, at: 0 }, 0)
  const woven: Array<WovenLine> = []
  for (let strand = pop(ready); strand !== undefined; strand = pop(ready)) {
    const { agent, at, nodes } = strand
    const node = nodes[strand.next++]
    if (node === undefined) continue
    const following = nodes[strand.next]
    woven.push({ node, agent, at, isLast: following === undefined })
    for (const call of callsIn(node)) {
      for (const started of waiting.get(call) ?? []) begin(started, at)
      waiting.delete(call)
    }
    if (following === undefined) continue
    strand.at = Math.max(at, following.at ?? at)
    push(ready, strand)
  }
  return woven
}

const isBefore = (a: Strand, b: Strand): boolean => a.at < b.at || (a.at === b.at && a.rank < b.rank)

/** A heap: the strand whose next line was said first is the first. */
const push = (heap: Array<Strand>, strand: Strand): void => {
  let at = heap.push(strand) - 1
  while (at > 0) {
    const above = (at - 1) >> 1
    const [mine, parent] = [heap[at], heap[above]]
    if (mine === undefined || parent === undefined || !isBefore(mine, parent)) return
    heap[at] = parent
    heap[above] = mine
    at = above
  }
}

const pop = (heap: Array<Strand>): Strand | undefined => {
  const first = heap[0]
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return first
  heap[0] = last
  for (let at = 0; ; ) {
    const [left, right] = [2 * at + 1, 2 * at + 2]
    const smaller = isSmaller(heap, right, left) ? right : left
    if (!isSmaller(heap, smaller, at)) return first
    const [mine, child] = [heap[at], heap[smaller]]
    if (mine === undefined || child === undefined) return first
    heap[at] = child
    heap[smaller] = mine
    at = smaller
  }
}

const isSmaller = (heap: ReadonlyArray<Strand>, a: number, b: number): boolean => {
  const [one, other] = [heap[a], heap[b]]
  return one !== undefined && (other === undefined || isBefore(one, other))
}
