/**
 * What a host said in the person's name: the inverse of `promptLine`, for tapes.
 */
import * as Base64 from "effect/encoding/Base64"
import type { Said } from "../../model/Command.ts"
import type { Content, Part } from "../../model/Content.ts"
import { toolContent } from "../fold/ToolContent.ts"
import type { User } from "../User.ts"

type Block = Exclude<User["message"]["content"], string>[number]

/**
 * The prompt in a line of the host; undefined when there is none. Results of tools are the host's, text that is marked
 * as made up is a program's, and a line in another role is refused by the CLI.
 */
export const hostPrompt = (line: User, id: string): Said | undefined => {
  const { content, role } = line.message
  if (role !== "user" || typeof line.parent_tool_use_id === "string" || line.isSynthetic === true) return undefined
  const said = typeof content === "string" ? content : content.filter(({ type }) => type !== "tool_result")
  return said.length === 0 ? undefined : { id: line.uuid ?? id, content: promptContent(said) }
}

/** A prompt as the model has it: all blocks, in order; a single text as a string. */
const promptContent = (content: string | ReadonlyArray<Block>): Content => {
  if (typeof content === "string") return content
  if (!content.some((part) => part.type === "document")) return toolContent(content)
  return content.map(documentPart)
}

const documentPart = (block: Block): Part => {
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
