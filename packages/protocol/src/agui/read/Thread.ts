/**
 * What is remembered of a conversation between two requests of its client: which messages and answers there were,
 * and what the agent has been told.
 *
 * Plain JSON of bounded size, to be stored with the session. It may also be lost: then the places of the messages
 * say which are new (see `freshFrom`), and what the application wants known is told once more.
 */
import type { Message } from "../Message.ts"
import { nothingTold, type Told } from "./Background.ts"

/** What is remembered of a conversation. */
export interface Thread {
  /** Ids of the messages of the last request, oldest first. */
  readonly known: ReadonlyArray<string>
  /** Ids of the interrupts that were answered, oldest first. */
  readonly answered: ReadonlyArray<string>
  readonly told: Told
}

/** A conversation nothing is known about: a new one, or one from before a restart. */
export const emptyThread: Thread = { known: [], answered: [], told: nothingTold }

/**
 * The conversation after the agent has forgotten what it was told: after `/clear` and after a compaction. The next
 * prompt tells it again.
 */
export const forgetTold = (thread: Thread): Thread => ({ ...thread, told: nothingTold })

/** How many ids of each kind a thread remembers. */
export const maxRemembered = 1000

/** The list with more ids at its end, and no longer than a thread may remember. */
export const rememberIds = (ids: ReadonlyArray<string>, more: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (more.length === 0) return ids
  const newer = new Set(more.slice(-maxRemembered))
  return [...ids.filter((id) => !newer.has(id)), ...newer].slice(-maxRemembered)
}

/**
 * Where the new messages begin: after the last one that is known, and after the last one that the agent
 * said. A list that is longer than what a thread remembers does no harm: its last ids are remembered, and those
 * before a known one need not be. `answers` says which tool messages come from the application.
 */
export const freshFrom = (
  thread: Thread,
  messages: ReadonlyArray<Message>,
  answers: (message: Extract<Message, { role: "tool" }>) => boolean
): number => {
  const known = new Set(thread.known)
  const isOld = (message: Message): boolean =>
    known.has(message.id) || (message.role === "tool" ? !answers(message) : isSaid(message))
  return messages.findLastIndex(isOld) + 1
}

/** Whether a message is one of the agent's own. */
export const isSaid = ({ role }: Message): boolean =>
  role === "assistant" || role === "reasoning" || role === "activity"
