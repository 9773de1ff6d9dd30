/**
 * What a tool of the application gave back, as the model has it.
 */
import type { Content, Part } from "../../model/Content.ts"
import type { Answer } from "../../model/Request.ts"
import type { ToolMessage } from "../Message.ts"

/** The result in a tool message. What went wrong is the last thing it says, once. */
export const readToolResult = ({ content, error }: ToolMessage): Extract<Answer, { readonly type: "result" }> => {
  if (error === undefined) return { type: "result", content, failed: false }
  const parts: ReadonlyArray<Part> = typeof content === "string" ? [text(content)] : content
  const says = (part: Part) => part.type !== "text" || (part.text.trim() !== "" && part.text !== error)
  return { type: "result", content: bare([...parts.filter(says), text(error)]), failed: true }
}

const text = (text: string): Part => ({ type: "text", text })

const bare = (parts: ReadonlyArray<Part>): Content => {
  const [first, ...more] = parts
  return first?.type === "text" && more.length === 0 ? first.text : parts
}
