/**
 * What a tool gave back, as the model has it: all blocks, in order.
 *
 * A string stays the string it is. Blocks become parts, and a single text block becomes its text. What is neither
 * text nor media is written as JSON.
 */
import type { Content, Part, Source } from "../../model/Content.ts"

/** A block of any kind, known or not. */
interface AnyBlock {
  readonly type: string
  readonly [key: string]: unknown
}

/** The content of a tool's result. */
export const toolContent = (content: string | ReadonlyArray<unknown> | undefined): Content => {
  if (content === undefined) return ""
  if (typeof content === "string") return content
  const parts = content.map(part)
  const [first, ...more] = parts
  if (first === undefined) return ""
  return more.length === 0 && first.type === "text" ? first.text : parts
}

const part = (block: unknown): Part => {
  const { source, text, type } = (typeof block === "object" && block !== null ? block : {}) as Partial<AnyBlock>
  if (type === "text" && typeof text === "string") return { type: "text", text }
  if (type === "image" || type === "document") {
    const where = sourceOf(source)
    if (where !== undefined) return { type, source: where }
  }
  return { type: "text", text: JSON.stringify(block) }
}

const sourceOf = (source: unknown): Source | undefined => {
  const { data, file_id, media_type, type, url } = (
    typeof source === "object" && source !== null ? source : {}
  ) as Record<string, unknown>
  if (type === "base64" && typeof data === "string" && typeof media_type === "string")
    return { type: "data", value: data, mimeType: media_type }
  if (type === "url" && typeof url === "string") return { type: "url", value: url }
  if (type === "file" && typeof file_id === "string") return { type: "file", value: file_id, provider: "anthropic" }
  return undefined
}
