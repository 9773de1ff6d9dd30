/**
 * What the person said, for a client that did not say it: a message with the role `user`. AG-UI streams text only; the
 * rest of it is in the snapshots (Messages.ts).
 */
import type { Content } from "../../model/Content.ts"
import type { Out, Writer } from "./Writer.ts"

/** Writes a prompt, unless its client has it: clients append what comes for a message to what they show of it. */
export const writePrompt = (writer: Writer, id: string, content: Content, out: Out): Writer => {
  if (writer.had.has(id) || writer.run?.brought.has(id) === true) return writer
  const delta = wordsOf(content)
  out.push({ type: "TEXT_MESSAGE_START", messageId: id, role: "user" })
  if (delta !== "") out.push({ type: "TEXT_MESSAGE_CONTENT", messageId: id, delta })
  out.push({ type: "TEXT_MESSAGE_END", messageId: id })
  return writer
}

const wordsOf = (content: Content): string =>
  typeof content === "string"
    ? content
    : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
