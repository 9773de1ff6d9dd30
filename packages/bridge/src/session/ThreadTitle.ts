/**
 * What a thread is called in a list: the beginning of its first prompt.
 */
import type { Agui } from "@agentwire/protocol"

/** How many characters a title has at most. */
const maxTitle = 80

/** The title of a conversation; undefined until somebody has said something. */
export const titleOf = ({ messages }: Agui.History): string | undefined => {
  const prompt = messages.find((message) => message.role === "user")
  if (prompt?.role !== "user") return undefined
  const { content } = prompt
  const text =
    typeof content === "string"
      ? content
      : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ")
  const line = text.trim().replace(/\s+/g, " ")
  return line === "" ? undefined : [...line].slice(0, maxTitle).join("")
}
