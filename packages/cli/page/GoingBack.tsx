/**
 * Going back in the chat: another answer to a message, and other words in the place of a message. The page changes its list
 * and runs; the bridge sees where the list differs (docs/wire/ag-ui.md §4.8).
 */
import type { CopilotChatUserMessageProps, Message } from "@copilotkit/react-core/v2"
import { CopilotChatUserMessage, useAgent, useCopilotKit } from "@copilotkit/react-core/v2"
import { useEffect, useId, useRef, useState } from "react"

/** What a person can do with a message that was said before. Nothing happens while the agent works. */
export const useGoingBack = () => {
  const { agent } = useAgent()
  const { copilotkit } = useCopilotKit()
  const runWith = (messages: ReadonlyArray<Message>): void => {
    if (agent.isRunning) return
    agent.setMessages([...messages])
    void copilotkit.runAgent({ agent })
  }
  const before = (id: string): ReadonlyArray<Message> =>
    agent.messages.slice(
      0,
      agent.messages.findIndex((message) => message.id === id)
    )
  return {
    /** Asks for another answer in the place of one. */
    regenerate: (answer: Pick<Message, "id">): void => {
      const messages = before(answer.id)
      const prompt = messages.findLastIndex(({ role }) => role === "user")
      if (prompt !== -1) runWith(messages.slice(0, prompt + 1))
    },
    /** Says something else in the place of a message. It keeps its id: so the first message can be edited, too. */
    edit: (id: string, content: string): void => runWith([...before(id), { id, role: "user", content }])
  }
}

/** A message of the person, which can be edited. */
export const UserMessage = ({ message, ...props }: CopilotChatUserMessageProps) => {
  const { agent } = useAgent()
  const { edit } = useGoingBack()
  const [isEdited, setIsEdited] = useState(false)
  const { content, id } = message
  // What is attached would be lost.
  if (typeof content !== "string") return <CopilotChatUserMessage message={message} {...props} />
  return isEdited ? (
    <EditForm
      words={content}
      onCancel={() => setIsEdited(false)}
      onSend={(words) => {
        setIsEdited(false)
        edit(id, words)
      }}
    />
  ) : (
    <CopilotChatUserMessage
      message={message}
      {...props}
      onEditMessage={() => setIsEdited(true)}
      editButton={{ disabled: agent.isRunning }}
    />
  )
}

interface EditFormProps {
  readonly words: string
  readonly onSend: (words: string) => void
  readonly onCancel: () => void
}

const EditForm = ({ onCancel, onSend, words }: EditFormProps) => {
  const [now, setNow] = useState(words)
  const field = useRef<HTMLTextAreaElement>(null)
  const label = useId()
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className="edit"
      onSubmit={(event) => {
        event.preventDefault()
        if (now.trim() !== "") onSend(now)
      }}
      onKeyDown={({ key }) => {
        if (key === "Escape") onCancel()
      }}
    >
      <label htmlFor={label}>Your message</label>
      <textarea id={label} ref={field} rows={3} value={now} onChange={({ target }) => setNow(target.value)} />
      <p>What follows it is left, and the agent answers this instead.</p>
      <div className="actions">
        <button type="submit" className="primary" disabled={now.trim() === ""}>
          Send instead
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
