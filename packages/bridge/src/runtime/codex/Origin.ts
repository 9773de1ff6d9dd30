/**
 * Where the next process of a conversation begins: with a new thread, at the end of one, or in a copy of one up to a turn,
 * so that the thread itself keeps what followed (`thread/fork` with `lastTurnId`, codex-cli 0.166).
 */
import type * as Model from "@agentwire/protocol/model"

/** Where a process begins. Without a thread: with a new one. */
export interface Origin {
  readonly threadId?: string
  /** The last turn that the copy has. Absent: no copy, the thread itself. */
  readonly lastTurnId?: string
}

/** The end of a thread. */
export const endOf = (threadId: string | undefined): Origin => (threadId === undefined ? {} : { threadId })

const prefix = "codex:"

/** The name of the point after a turn. */
export const anchorOf = (threadId: string, turnId: string): string => `${prefix}${threadId}/${turnId}`

/** The end of a turn is a point that the conversation can go back to. */
export const anchored = (events: ReadonlyArray<Model.Event>, anchor: string): ReadonlyArray<Model.Event> =>
  events.flatMap(
    (event): ReadonlyArray<Model.Event> =>
      event.type === "turn_ended" ? [{ type: "anchored", lane: null, anchor }, event] : [event]
  )

/** A point that the conversation goes back to; undefined when no point of Codex has that name. */
export const originAt = (anchor: string | null): Origin | undefined => {
  if (anchor === null) return {}
  const [threadId, lastTurnId, ...rest] = anchor.startsWith(prefix) ? anchor.slice(prefix.length).split("/") : []
  return threadId && lastTurnId && rest.length === 0 ? { threadId, lastTurnId } : undefined
}

/** Codex's words for a thread that it has nothing of: it was killed before it had written anything down. */
const noThread = /no rollout found|thread not found|not found: /i

/** Whether Codex says that it has nothing of a thread. */
export const isNoThread = (words: string): boolean => noThread.test(words)
