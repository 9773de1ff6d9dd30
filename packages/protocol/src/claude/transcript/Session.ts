/**
 * A session as its files tell it: its conversations, its sub-agents, and what it has spent.
 *
 * The files are read with {@link TranscriptReader}; here they are put together. Nothing here reads a disk.
 */

import type { Transcript } from "../../model/Transcript.ts"
import { transcriptOf } from "../../model/Transcript.ts"
import type { FoldOptions } from "../fold/State.ts"
import { agentsOf, type TranscriptAgent } from "./Agents.ts"
import { type ContextMessage, contextOf } from "./Context.ts"
import type { TranscriptFacts } from "./Facts.ts"
import { inOrderSaid } from "./Order.ts"
import type { TranscriptFile } from "./Reader.ts"
import { type Observe, type TimedEvent, tellLines } from "./Tell.ts"
import { type Branch, branchesOf, type Families, familiesOf, threadOf } from "./Thread.ts"
import { type TranscriptTree, treeOf } from "./Tree.ts"
import { type MessageUsage, usageByMessage } from "./Usage.ts"
import { weave } from "./Weave.ts"

/** The files of a session, read. */
export interface SessionFiles {
  /** The session's id: what its file is called by. */
  readonly sessionId: string
  readonly main: TranscriptFile
  /** The files of its sub-agents, each with what the file beside it says. */
  readonly agents?: ReadonlyArray<{ readonly id: string; readonly file: TranscriptFile; readonly meta?: unknown }>
}

/** A session. Make one with {@link sessionOf}. */
export interface TranscriptSession {
  readonly sessionId: string
  readonly facts: TranscriptFacts
  readonly tree: TranscriptTree
  readonly families: Families
  readonly agents: ReadonlyArray<TranscriptAgent>
  /** What each message of the API has spent, those of sub-agents and of all branches included. */
  readonly usage: ReadonlyMap<string, MessageUsage>
}

/** Puts the files of a session together. */
export const sessionOf = ({ agents = [], main, sessionId }: SessionFiles): TranscriptSession => {
  const tree = treeOf(main.nodes, main.rewound)
  const found = agentsOf(
    tree,
    agents.map(({ file, id, meta }) => ({ id, nodes: inOrderSaid(file.nodes), meta }))
  )
  return {
    sessionId,
    facts: main.facts,
    tree,
    families: familiesOf(tree),
    agents: found,
    usage: usageByMessage([...tree.nodes, ...found.flatMap(({ nodes }) => nodes)])
  }
}

/** Which conversation of a session is told, and how. */
export interface ConversationOptions extends Omit<FoldOptions, "replayWindow"> {
  /** The uuid of its last message: the live conversation when it is left out. */
  readonly leaf?: string
}

/**
 * A conversation of a session as events of the model, from its beginning; none when there is no such leaf. `observe` is
 * told the same as the wire would have it.
 */
export const sessionEvents = (
  session: TranscriptSession,
  { leaf, ...options }: ConversationOptions = {},
  observe?: Observe
): ReadonlyArray<TimedEvent> => {
  const { agents, families, sessionId, tree, usage } = session
  const end = leaf === undefined ? undefined : (tree.places.get(leaf) ?? -1)
  const thread = threadOf(tree, families, end).flatMap((index) => tree.nodes[index] ?? [])
  return tellLines(weave(thread, agents), { ...options, sessionId, usage }, observe)
}

/** What was said in a conversation of a session. */
export const sessionTranscript = (session: TranscriptSession, options?: ConversationOptions): Transcript =>
  transcriptOf(sessionEvents(session, options).map(({ event }) => event))

/** The other conversations of a session, the newest first: somebody went back and said something else. */
export const sessionBranches = ({ families, tree }: TranscriptSession): ReadonlyArray<Branch> =>
  branchesOf(tree, families)

/** The messages that the model has before it when the session is resumed. */
export const sessionContext = ({ families, tree }: TranscriptSession): ReadonlyArray<ContextMessage> =>
  contextOf(tree, families)
