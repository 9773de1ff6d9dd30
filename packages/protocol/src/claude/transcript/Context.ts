/**
 * What the model has before it when a session is resumed: the chain of `parentUuid` from the newest message back to the
 * last compaction. It is what the Agent SDK's `getSessionMessages` gives, message for message.
 *
 * A compaction may preserve messages: they are not written again, but stand behind the summary, and what comes after
 * the summary stands behind them.
 */
import { isRecord } from "../../wire/Json.ts"
import { answersIn, callsIn, isMain, messageIdOf, type TranscriptNode } from "./Node.ts"
import { preservedBy } from "./Preserved.ts"
import type { Families } from "./Thread.ts"
import type { TranscriptTree } from "./Tree.ts"

/** A message that the model has before it. */
export interface ContextMessage {
  readonly type: "user" | "assistant"
  readonly uuid: string
  /** As the API has it: role, content, and what else the line has of it. */
  readonly message: Readonly<Record<string, unknown>>
  /** The place of its node. */
  readonly index: number
}

/** The messages that the model has before it when the session is resumed. */
export const contextOf = (tree: TranscriptTree, families: Families): ReadonlyArray<ContextMessage> => {
  const parents = relinked(tree)
  const path: Array<number> = []
  const seen = new Set<number>()
  let here = lastMessage(tree)
  while (here !== -1 && !seen.has(here)) {
    seen.add(here)
    path.push(here)
    here = parents[here] ?? -1
  }
  return withFamilies(tree, families, path.reverse()).flatMap((index) => messageOf(tree.nodes[index]))
}

/** The last message of the conversation as it is. -1 when there is none. */
const lastMessage = ({ before, leaf, nodes }: TranscriptTree): number => {
  let here = leaf
  for (let node = nodes[here]; node !== undefined && !isMain(node); node = nodes[here]) here = before[here] ?? -1
  return here
}

/** For each node the place of its parent, after all compactions. -1 where it has none, or none that is there. */
const relinked = ({ nodes, places }: TranscriptTree): Int32Array => {
  const parents = Int32Array.from(nodes, ({ parent }) => (typeof parent === "string" ? (places.get(parent) ?? -1) : -1))
  const children = new Map<number, Array<number>>()
  const hang = (node: number, parent: number): void => {
    parents[node] = parent
    const known = children.get(parent)
    if (known === undefined) children.set(parent, [node])
    else known.push(node)
  }
  parents.forEach((parent, node) => {
    if (parent !== -1) hang(node, parent)
  })
  for (const { said } of nodes) {
    if (said?.name !== "system/compact_boundary") continue
    const kept = preservedBy(said.message, places)
    const [head, tail] = [kept?.nodes[0], kept?.nodes.at(-1)]
    if (kept === undefined || head === undefined || tail === undefined) continue
    const followers = (children.get(kept.anchor) ?? []).filter((node) => parents[node] === kept.anchor)
    kept.nodes.reduce((before, node) => {
      hang(node, before)
      return node
    }, kept.anchor)
    for (const node of followers) if (node !== head) hang(node, tail)
  }
  return parents
}

/** A path, with the blocks and results that belong to each of its answers behind the last block on the path. */
const withFamilies = (
  { nodes }: TranscriptTree,
  { answers, blocks }: Families,
  path: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const members = new Set(path)
  const lastOf = new Map<string, number>()
  const answered = new Set<string>()
  for (const index of path) {
    const node = nodes[index]
    if (node === undefined) continue
    const message = messageIdOf(node)
    if (message !== undefined) lastOf.set(message, index)
    for (const call of answersIn(node)) answered.add(call)
  }
  const added = new Map<number, ReadonlyArray<number>>()
  for (const [message, last] of lastOf) {
    const family = blocks.get(message) ?? []
    const others = family.filter((index) => !members.has(index))
    const results = new Set(
      family.flatMap((index) => {
        const node = nodes[index]
        return node === undefined
          ? []
          : callsIn(node).flatMap((call) => (answered.has(call) ? [] : first(answers.get(call))))
      })
    )
    const more = [...others, ...[...results].sort((a, b) => a - b)].filter((index) => !members.has(index))
    for (const index of more) members.add(index)
    if (more.length > 0) added.set(last, more)
  }
  return path.flatMap((index) => [index, ...(added.get(index) ?? [])])
}

const first = (places: ReadonlyArray<number> | undefined): ReadonlyArray<number> => places?.slice(0, 1) ?? []

/** What the model sees of a line, if it is a message. What the CLI made up besides is not. */
const messageOf = (node: TranscriptNode | undefined): ReadonlyArray<ContextMessage> => {
  const said = node?.isSidechain === false ? node.said : undefined
  if (node === undefined || said === undefined) return []
  switch (said.name) {
    case "user":
    case "assistant": {
      const { message } = said
      if (said.name === "user" && said.message.isMeta === true) return []
      // The line as it came: one that was odd lacks what was odd about it.
      const raw: unknown = isRecord(said.raw) ? said.raw["message"] : undefined
      return [
        {
          type: said.name,
          uuid: node.uuid,
          message: isRecord(raw) ? raw : (message.message as object as Readonly<Record<string, unknown>>),
          index: node.index
        }
      ]
    }
    case "attachment/queued_command": {
      const { isMeta, prompt, source_uuid } = said.message.attachment
      return isMeta === true
        ? []
        : [
            {
              type: "user",
              uuid: source_uuid === undefined || source_uuid === "" ? node.uuid : source_uuid,
              message: { role: "user", content: prompt },
              index: node.index
            }
          ]
    }
    default:
      return []
  }
}
