/**
 * One conversation of a session file, whole: all that was said up to a line, in the order it was written.
 *
 * The path to the line is not all of it. Blocks of one answer, and the results of calls that ran beside each other,
 * hang on different lines of that answer: only one of them is on the path, and the others belong to it.
 */
import { answersIn, callsIn, isMain, isSynthetic, isTold, messageIdOf, type TranscriptNode } from "./Node.ts"
import { pathTo, type TranscriptTree } from "./Tree.ts"

/** A conversation: the places of its nodes, in the order they were written. */
export type Thread = ReadonlyArray<number>

/** What of a tree is found by the API's names. Made once for all threads. */
export interface Families {
  /** The lines of a message of the model, by its id. */
  readonly blocks: ReadonlyMap<string, ReadonlyArray<number>>
  /** The lines that answer a call, by its id. */
  readonly answers: ReadonlyMap<string, ReadonlyArray<number>>
  /** What the CLI said besides and nothing followed, by the line it was said after: errors of the API, notices. */
  readonly asides: ReadonlyMap<number, ReadonlyArray<number>>
}

/** What of a tree is found by the API's names. */
export const familiesOf = ({ before, nodes }: TranscriptTree): Families => {
  const blocks = new Map<string, Array<number>>()
  const answers = new Map<string, Array<number>>()
  const asides = new Map<number, Array<number>>()
  const followed = new Set(nodes.flatMap((node) => (isTold(node) ? [before[node.index]] : [])))
  const add = <K>(map: Map<K, Array<number>>, key: K, index: number) => {
    const known = map.get(key)
    if (known === undefined) map.set(key, [index])
    else known.push(index)
  }
  for (const node of nodes) {
    if (!isTold(node)) continue
    if ((isSynthetic(node) || !isMain(node)) && !followed.has(node.index))
      add(asides, before[node.index] ?? -1, node.index)
    if (!isMain(node)) continue
    const message = messageIdOf(node)
    if (message !== undefined) add(blocks, message, node.index)
    for (const call of answersIn(node)) add(answers, call, node.index)
  }
  return { blocks, answers, asides }
}

/** The conversation that ends with a line: the live one when none is given. */
export const threadOf = (tree: TranscriptTree, families: Families, leaf: number = tree.leaf): Thread =>
  completed(tree, families, pathTo(tree, leaf))

/** A path with what belongs to its answers. */
export const completed = (
  { nodes }: TranscriptTree,
  { answers, asides, blocks }: Families,
  path: ReadonlyArray<number>
): Thread => {
  const members = new Set(path)
  const of = (index: number): TranscriptNode | undefined => nodes[index]
  const answered = new Set(path.flatMap((index) => answersOf(of(index))))
  const messages = new Set(path.flatMap((index) => messageOf(of(index))))
  for (const message of messages) {
    for (const index of blocks.get(message) ?? []) members.add(index)
  }
  // A call has one result: the one on the path, or the first that was written.
  for (const index of [...members])
    for (const call of callsOf(of(index))) {
      const [first] = answered.has(call) ? [] : (answers.get(call) ?? [])
      if (first !== undefined) members.add(first)
    }
  // When a stream breaks, up to 2.1.197 the error hangs on the call, and the conversation goes on with its result. So
  // does structured output on the call that gave it.
  for (const index of [...members]) for (const aside of asides.get(index) ?? []) members.add(aside)
  return [...members].sort((a, b) => a - b)
}

const answersOf = (node: TranscriptNode | undefined): ReadonlyArray<string> =>
  node === undefined ? [] : answersIn(node)
const callsOf = (node: TranscriptNode | undefined): ReadonlyArray<string> => (node === undefined ? [] : callsIn(node))
const messageOf = (node: TranscriptNode | undefined): ReadonlyArray<string> => {
  const id = node === undefined || !isMain(node) ? undefined : messageIdOf(node)
  return id === undefined ? [] : [id]
}

/** Another conversation of the same file: somebody went back and said something else. */
export interface Branch {
  /** Its last message. */
  readonly leaf: number
  /** The last node it has in common with those before it in the list, the live one first; -1 when it has none. */
  readonly from: number
}

/** All conversations of a file but the live one, the newest first. */
export const branchesOf = (tree: TranscriptTree, families: Families): ReadonlyArray<Branch> => {
  const told = new Set(threadOf(tree, families))
  const branches: Array<Branch> = []
  for (let index = tree.nodes.length - 1; index >= 0; index--) {
    const node = tree.nodes[index]
    if (node === undefined || told.has(index) || !isTold(node)) continue
    const path: Array<number> = []
    let here = index
    while (here !== -1 && !told.has(here)) {
      path.push(here)
      here = tree.before[here] ?? -1
    }
    for (const each of completed(tree, families, path)) told.add(each)
    branches.push({ leaf: index, from: here })
  }
  return branches
}
