/**
 * The answers a person gave about tool calls in this page.
 *
 * CopilotKit 1.74.0 keeps such an answer as if it were the tool's result, and when the real one has come, throws that
 * away; here it is the other way round. And when the run that brings an answer fails, its client keeps waiting for
 * the answer, and takes no prompt any more; here it does not.
 */
import type { AgentSubscriber } from "@copilotkit/react-core/v2"

const answered = new Set<string>()

/** Notes that a call was answered. */
export const noteAnswer = (toolCallId: string | undefined): void => {
  if (toolCallId !== undefined) answered.add(toolCallId)
}

/** Whether a call was answered in this page. */
export const wasAnswered = (toolCallId: string): boolean => answered.has(toolCallId)

/** Lets results take the places of answers, and questions end with the run that failed. */
export const settleAnswers: AgentSubscriber = {
  onToolCallResultEvent: ({ event, messages }) =>
    answered.has(event.toolCallId)
      ? { messages: messages.filter((message) => message.role !== "tool" || message.toolCallId !== event.toolCallId) }
      : undefined,
  onRunErrorEvent: ({ agent, event }) => {
    // A busy thread did not hear the answer.
    if (event.code !== "THREAD_BUSY") agent.pendingInterrupts = []
  }
}
