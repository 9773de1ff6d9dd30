/**
 * Is the plan good? The agent begins, or is told what to change.
 *
 * The request of 2.1.325 is without the plan (docs/wire/claude-code.md §5.33), so it is taken from the tool call.
 */
import { parseJson } from "@agentwire/protocol/wire"
import { CopilotChatAssistantMessage, useAgent } from "@copilotkit/react-core/v2"
import { useId, useState } from "react"
import type { QuestionProps } from "./QuestionForm.ts"

/** The form for a plan. */
export const PlanForm = ({ answer, interrupt }: QuestionProps) => {
  const [reason, setReason] = useState("")
  const field = useId()
  const { agent } = useAgent()
  const call = agent.messages
    .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
    .find(({ id }) => id === interrupt.toolCallId)
  const plan = planOf(interrupt.metadata?.["input"]) ?? planOf(parseJson(call?.function.arguments ?? ""))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        answer({ approved: false, ...(reason.trim() !== "" && { reason: reason.trim() }) })
      }}
    >
      <h2 id="approval-title">{interrupt.message ?? "May the agent begin?"}</h2>
      <div className="plan" id="approval-about">
        <CopilotChatAssistantMessage.MarkdownRenderer content={plan ?? "The agent did not write the plan down."} />
      </div>
      <div className="actions">
        <button type="button" className="primary" onClick={() => answer({ approved: true })}>
          Begin
        </button>
      </div>
      <label htmlFor={field}>What should be different?</label>
      <input id={field} value={reason} placeholder="Optional" onChange={(event) => setReason(event.target.value)} />
      <div className="actions">
        <button type="submit">Keep planning</button>
      </div>
    </form>
  )
}

const planOf = (input: unknown): string | undefined => {
  const { plan } = (input ?? {}) as { readonly plan?: unknown }
  return typeof plan === "string" ? plan : undefined
}
