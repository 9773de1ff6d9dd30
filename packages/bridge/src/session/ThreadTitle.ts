/**
 * What a thread is called in a list: the beginning of its first prompt.
 */
import type * as Model from "@agentwire/protocol/model"

/** How many characters a title has at most. */
const maxTitle = 80

/** The title that a prompt gives its thread; undefined when it has no words. */
export const titleOf = (content: Model.Content): string | undefined => {
  const text =
    typeof content === "string"
      ? content
      : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ")
  const line = text.trim().replace(/\s+/g, " ")
  return line === "" ? undefined : [...line].slice(0, maxTitle).join("")
}
