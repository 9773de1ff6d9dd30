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
const isBetter = (next: ThreadTitle, before: ThreadTitle | undefined): boolean =>
  next.title !== "" &&
  (before === undefined || weights[next.titleBy] >= weights[before.titleBy]) &&
  (next.title !== before?.title || next.titleBy !== before.titleBy)

/** How many characters a title has at most that a person may have written. */
const maxFork = 200

/** What a fork is called: as the thread it was made of, with a mark and a number. */
export const forkTitle = ({
  title,
  titleBy = "prompt"
}: Pick<StoredThread, "title" | "titleBy">): ThreadTitle | undefined => {
  if (title === undefined) return undefined
  const { count, words = title } = /^(?<words>.*) \(fork(?: (?<count>\d{1,6}))?\)$/s.exec(title)?.groups ?? {}
  const isFork = words !== title
  const mark = isFork ? ` (fork ${Number(count ?? 1) + 1})` : " (fork)"
  return { title: `${[...words].slice(0, maxFork - mark.length).join("")}${mark}`, titleBy }
}

/** How many characters a title has at most that nobody has written as one. */
const maxTitle = 80

/** A text as a title: one line, and not too long. No more of it is read than that needs: it may have megabytes. */
export const shortened = (text: string): string => {
  let title = ""
  let isApart = false
  for (const [piece] of text.matchAll(/\s+|\S{1,80}/g)) {
    const isGap = piece.trim() === ""
    if (!isGap) title += isApart && title !== "" ? ` ${piece}` : piece
    isApart = isGap
    // A character has two units at most.
    if (title.length >= 2 * maxTitle) break
  }
  return [...title].slice(0, maxTitle).join("")
}

/** The title that a prompt gives its thread; undefined when it has no words. */
export const titleOf = (content: Model.Content): string | undefined => {
  const text =
    typeof content === "string"
      ? content
      : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ")
  const line = shortened(text)
  return line === "" ? undefined : line
}

/** The titles of a thread, as they are given. */
export interface Titles {
  readonly current: () => ThreadTitle | undefined
  /** Calls the thread something, unless somebody whose word counts more has done so. */
  readonly call: (title: ThreadTitle) => void
  /** Calls a thread that has no title by the words of a prompt. */
  readonly callByPrompt: (prompt: Model.Prompt) => void
}

/** The titles of a thread. `change`: keeps one. */
export const makeTitles = (
  { title, titleBy = "prompt" }: Pick<StoredThread, "title" | "titleBy">,
  change: (title: ThreadTitle) => void
): Titles => {
  let current: ThreadTitle | undefined = title === undefined ? undefined : { title, titleBy }
  const call: Titles["call"] = (next) => {
    if (!isBetter(next, current)) return
    current = next
    change(next)
  }
  return {
    current: () => current,
    call,
    callByPrompt: ({ said }) => {
      const words = said.map(({ content }) => titleOf(content)).find((each) => each !== undefined)
      if (words !== undefined && current === undefined) call({ title: words, titleBy: "prompt" })
    }
  }
}
