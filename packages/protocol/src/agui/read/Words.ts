/**
 * What a message says: whether it says anything, and whether two of them say the same.
 */
import type { Content } from "../ContentPart.ts"

/** Whether there is anything but blanks. */
export const saysSomething = (content: Content): boolean =>
  typeof content === "string"
    ? content.trim() !== ""
    : content.some((part) => part.type !== "text" || part.text.trim() !== "")

/**
 * Whether two contents say the same: the words, and what is attached. A client to which a message was streamed has its
 * words alone, because AG-UI streams nothing else.
 */
export const saysTheSame = (one: Content, other: Content): boolean => {
  if (wordsOf(one) !== wordsOf(other)) return false
  const [attached, others] = [attachedTo(one), attachedTo(other)]
  return attached === "[]" || others === "[]" || attached === others
}

/** Blanks do not count: clients trim, and put parts together in their own ways. */
const wordsOf = (content: Content): string =>
  (typeof content === "string"
    ? content
    : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ")
  )
    .replaceAll(/\s+/g, " ")
    .trim()

const attachedTo = (content: Content): string =>
  JSON.stringify(
    typeof content === "string" ? [] : content.flatMap((part) => (part.type === "text" ? [] : [part.source.value]))
  )
