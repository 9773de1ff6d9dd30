/**
 * A conversation that was kept as AG-UI's messages, as a transcript.
 *
 * What AG-UI cannot hold (what a call does, the seal on a thought) is lost.
 */
import type { Transcript, TranscriptEntry } from "../../model/Transcript.ts"
import type { Message } from "../Message.ts"

/** The transcript of messages. */
export const transcriptFrom = (messages: ReadonlyArray<Message>): Transcript => ({
  entries: messages.flatMap(entriesOf),
  omitted: 0
})

const entriesOf = (message: Message): ReadonlyArray<TranscriptEntry> => {
  const { id } = message
  switch (message.role) {
    case "user":
      return [{ id, lane: null, kind: "prompt", content: message.content }]
    case "assistant":
      return [
        ...(typeof message.content === "string" && message.content !== ""
          ? [{ id, lane: message.subagentRunId ?? null, kind: "text" as const, text: message.content }]
          : []),
        ...(message.toolCalls ?? []).map((call) => ({
          id: call.id,
          lane: message.subagentRunId ?? null,
          kind: "call" as const,
          tool: call.function.name,
          action: "other" as const,
          parent: id,
          arguments: call.function.arguments
        }))
      ]
    case "reasoning":
      return [{ id, lane: message.subagentRunId ?? null, kind: "thought", text: message.content }]
    case "tool":
      return [
        {
          id: message.toolCallId,
          lane: message.subagentRunId ?? null,
          kind: "result",
          content: message.content,
          failed: message.error !== undefined
        }
      ]
    case "activity":
      return message.activityType === "task" ? [{ id, lane: null, kind: "task", content: message.content }] : []
    default:
      return []
  }
}
