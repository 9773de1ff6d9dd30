/** The list of threads: open one, begin one, delete one. */
import { useState } from "react"
import { newThreadId, openThread } from "./Address.ts"
import { dateOf } from "./Date.ts"
import { Elsewhere } from "./Elsewhere.tsx"
import type { Server, SessionItem } from "./Server.ts"

/** What the list is given. */
export interface ThreadsProps {
  readonly server: Pick<Server, "adopt" | "elsewhere">
  readonly threadId: string
  /** Undefined until they are known. */
  readonly sessions: ReadonlyArray<SessionItem> | undefined
  readonly remove: (threadId: string) => Promise<void>
  /** Told when a thread was chosen. */
  readonly onOpen: () => void
}

/** The list of threads. */
export const Threads = ({ onOpen, remove, server, sessions, threadId }: ThreadsProps) => {
  const [asked, setAsked] = useState<string>()
  const sorted = [...(sessions ?? [])].sort((left, right) => right.usedAt - left.usedAt)
  const open = (id: string): void => {
    openThread(id)
    onOpen()
  }
  return (
    <nav className="threads" aria-label="Threads">
      <button type="button" className="new-thread" onClick={() => open(newThreadId())}>
        New thread
      </button>
      {sessions === undefined && <p className="quiet">Looking for threads…</p>}
      {sessions?.length === 0 && <p className="quiet">No threads yet. The first message begins one.</p>}
      <ul>
        {sorted.map((session) => {
          const title = session.title ?? `Thread ${session.threadId.slice(0, 8)}`
          const isAsked = asked === session.threadId
          return (
            <li key={session.threadId} aria-current={session.threadId === threadId ? "page" : undefined}>
              <button type="button" className="thread" title={title} onClick={() => open(session.threadId)}>
                <span className="thread-title">{title}</span>
                <span className="thread-facts">{session.status === "active" ? "running" : dateOf(session.usedAt)}</span>
              </button>
              <button
                type="button"
                className="thread-remove"
                data-asked={isAsked}
                aria-label={isAsked ? `Really delete ${title}` : `Delete ${title}`}
                onBlur={() => setAsked(undefined)}
                onClick={() => {
                  if (!isAsked) return setAsked(session.threadId)
                  setAsked(undefined)
                  void remove(session.threadId)
                }}
              >
                {isAsked ? "Delete?" : "×"}
              </button>
            </li>
          )
        })}
      </ul>
      <Elsewhere server={server} open={open} />
    </nav>
  )
}
