/**
 * What a thread is called in a list: what a person has called it, else the provider, else the beginning of its first
 * prompt.
 */
import type * as Model from "@agentwire/protocol/model"
import type { StoredThread } from "../store/StoredThread.ts"

/** What a thread is called, and by whom. */
export interface ThreadTitle {
  readonly title: string
  readonly titleBy: NonNullable<StoredThread["titleBy"]>
}

const weights: Readonly<Record<ThreadTitle["titleBy"], number>> = { prompt: 0, provider: 1, person: 2 }

/** Whether a title is to replace another: whoever gave it counts at least as much. */
export const isBetter = (next: ThreadTitle, before: ThreadTitle | undefined): boolean =>
  next.title !== "" &&
  (before === undefined || weights[next.titleBy] >= weights[before.titleBy]) &&
  (next.title !== before?.title || next.titleBy !== before.titleBy)

/** How many characters a title has at most that nobody has written as one. */
const maxTitle = 80

/** A text as a title: one line, and not too long. */
export const shortened = (text: string): string => [...text.trim().replace(/\s+/g, " ")].slice(0, maxTitle).join("")

/** The title that a prompt gives its thread; undefined when it has no words. */
export const titleOf = (content: Model.Content): string | undefined => {
  const text =
    typeof content === "string"
      ? content
      : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ")
  const line = shortened(text)
  return line === "" ? undefined : line
}
