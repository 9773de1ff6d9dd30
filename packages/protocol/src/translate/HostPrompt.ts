/**
 * What a host said in the person's name, as a message of the conversation.
 *
 * The way back of `promptLine`: a `user` line in, the AG-UI message of the person out.
 */
import * as Base64 from "effect/encoding/Base64"
import type { Content, ContentPart } from "../agui/ContentPart.ts"
import type { UserMessage } from "../agui/Message.ts"
import type { User } from "../claude/User.ts"
import { toolContent } from "../claude/fold/ToolContent.ts"

type Part = Exclude<User["message"]["content"], string>[number]

/**
 * The prompt in a line of the host; undefined when it is none. Results of tools are the host's, text that is marked
 * as made up is a program's, and a line in another role is refused by the CLI.
 */
export const hostPrompt = (line: User, id: string): UserMessage | undefined => {
  const { content, role } = line.message
  if (role !== "user" || typeof line.parent_tool_use_id === "string" || line.isSynthetic === true) return undefined
  const said = typeof content === "string" ? content : content.filter(({ type }) => type !== "tool_result")
  return said.length === 0 ? undefined : { id: line.uuid ?? id, role: "user", content: promptContent(said) }
}

/** A prompt as AG-UI has it: all blocks, in order; a single text as a string. */
export const promptContent = (content: string | ReadonlyArray<Part>): Content => {
  if (typeof content === "string") return content
  if (!content.some((part) => part.type === "document")) return toolContent(content)
  return content.map(documentPart)
}

const documentPart = (block: Part): ContentPart => {
  const source = block.type === "document" ? (block.source as { type: string; data?: unknown }) : undefined
  const title = block.type === "document" && typeof block.title === "string" ? { metadata: { title: block.title } } : {}
  if (source?.type === "text" && typeof source.data === "string")
    return {
      type: "document",
      source: { type: "data", value: Base64.encode(source.data), mimeType: "text/plain" },
      ...title
    }
  const [part] = [toolContent([block])].flat()
  return part === undefined || typeof part === "string"
    ? { type: "text", text: part ?? "" }
    : { ...part, ...(part.type === "text" ? {} : title) }
}
