/**
 * What a tool gave back, as the model has it: all blocks, in order.
 *
 * A string stays the string it is. Blocks become parts, and a single text block becomes its text. What is neither
 * text nor media is written as JSON.
 */
import type { Content, Part, Source } from "../../model/Content.ts"
import { fieldsIn } from "./Fields.ts"

/** The content of a tool's result. */
export const toolContent = (content: unknown): Content => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : JSON.stringify(content)
  const parts = content.map(partOf)
  const [first, ...more] = parts
  if (first === undefined) return ""
  return more.length === 0 && first.type === "text" ? first.text : parts
}

const partOf = (block: unknown): Part => {
  const { source, text, type } = fieldsIn(block)
  if (type === "text" && typeof text === "string") return { type: "text", text }
  if (type === "image" || type === "document") {
    const where = sourceOf(fieldsIn(source))
    if (where !== undefined) return { type, source: where }
  }
  return { type: "text", text: JSON.stringify(block) ?? "null" }
}

const sourceOf = ({ data, file_id, media_type, type, url }: Readonly<Record<string, unknown>>): Source | undefined => {
  if (type === "base64" && typeof data === "string" && typeof media_type === "string")
    return { type: "data", value: data, mimeType: media_type }
  if (type === "url" && typeof url === "string") return { type: "url", value: url }
  if (type === "file" && typeof file_id === "string") return { type: "file", value: file_id, provider: "anthropic" }
  return undefined
}

/** The words of a content. */
export const wordsOf = (content: Content): string =>
  typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join("\n")
