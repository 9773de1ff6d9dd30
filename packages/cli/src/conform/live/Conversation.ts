/** The messages that a client puts into its requests. */
import { randomUUID } from "node:crypto"
import { deltasOf, type Item, stringAt, toolCallsOf } from "./Reading.ts"

/** A user's message. */
export const user = (content: string): Item => ({ id: randomUUID(), role: "user", content })

/** A tool message: what the client's tool gave. */
export const toolResult = (toolCallId: string, content: string): Item => ({
  id: randomUUID(),
  role: "tool",
  toolCallId,
  content
})

/** The assistant's message that a client would have made of these events. */
export const assistant = (events: ReadonlyArray<Item>): Item => {
  const start = events.find(({ type }) => type === "TEXT_MESSAGE_START" || type === "TEXT_MESSAGE_CHUNK")
  const toolCalls = toolCallsOf(events).map(({ args, id, name }) => ({
    id,
    type: "function",
    function: { name, arguments: args }
  }))
  return {
    id: stringAt(start, "messageId") ?? randomUUID(),
    role: "assistant",
    content: deltasOf(events).join(""),
    ...(toolCalls.length > 0 && { toolCalls })
  }
}
