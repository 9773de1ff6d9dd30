/** Conversations that were begun elsewhere, such as in a terminal: one that is chosen becomes a thread and goes on here. */
import { useState } from "react"
import { dateOf } from "./Date.ts"
import type { FoundConversations, Server } from "./Server.ts"

/** What the list is given. */
export interface ElsewhereProps {
  readonly server: Pick<Server, "adopt" | "elsewhere">
  /** Opens the thread that was made of one. */
  readonly open: (threadId: string) => void
}

const nothing: FoundConversations = { conversations: [], before: undefined }

/** The list. It is asked for when somebody opens it: the agents' own files are read for it. */
export const Elsewhere = ({ open, server }: ElsewhereProps) => {
  const [found, setFound] = useState<FoundConversations>()
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const trying = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    await work().catch((error: unknown) => setRefusal(error instanceof Error ? error.message : String(error)))
    setBusy(false)
  }
  const look = ({ before, conversations }: FoundConversations) =>
    trying(async () => {
      const next = await server.elsewhere(before)
      setFound({ ...next, conversations: [...conversations, ...next.conversations] })
    })
  const adopt = (id: string) =>
    trying(async () => {
      const threadId = await server.adopt(id)
      setFound((all = nothing) => ({ ...all, conversations: all.conversations.filter((each) => each.id !== id) }))
      open(threadId)
    })
  return (
    <details className="elsewhere" onToggle={({ currentTarget }) => currentTarget.open && void look(nothing)}>
      <summary>Begun elsewhere</summary>
      {found === undefined && isBusy && <p className="quiet">Looking for conversations…</p>}
      {found?.conversations.length === 0 && (
        <p className="quiet">No conversations of a terminal in the folders of this server.</p>
      )}
      <ul>
        {found?.conversations.map(({ id, title = `Conversation ${id.slice(0, 8)}`, usedAt }) => (
          <li key={id}>
            <button type="button" className="thread" title={title} disabled={isBusy} onClick={() => void adopt(id)}>
              <span className="thread-title">{title}</span>
              <span className="thread-facts">{dateOf(usedAt)}</span>
            </button>
          </li>
        ))}
      </ul>
      {found?.before !== undefined && (
        <button type="button" disabled={isBusy} onClick={() => void look(found)}>
          Older ones
        </button>
      )}
      {refusal !== undefined && (
        <p className="wrong" role="alert">
          {refusal}
        </p>
      )}
    </details>
  )
}
