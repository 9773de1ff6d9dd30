/** The titles of threads, from their first prompts, kept by the browser for threads the server has none of. */
import { isRecord } from "@agentwire/protocol/wire"
import { parsed } from "./JsonText.ts"

const storageKey = "agentwire.titles"
const longest = 80
const most = 500

const read = (): Readonly<Record<string, string>> => {
  const kept = parsed(localStorage.getItem(storageKey) ?? "")
  return isRecord(kept) ? (kept as Readonly<Record<string, string>>) : {}
}

/** The title of a thread: the one the server has, else the one that is kept, else its id. */
export const titleOf = (threadId: string, served: string | undefined): string =>
  served ?? read()[threadId] ?? `Thread ${threadId.slice(0, 8)}`

/** Keeps the title of a thread, if it has none. */
export const keepTitle = (threadId: string, prompt: string): void => {
  const titles = read()
  const title = prompt.replace(/\s+/g, " ").trim().slice(0, longest)
  if (Object.hasOwn(titles, threadId) || title === "") return
  const entries = [...Object.entries(titles), [threadId, title] as const].slice(-most)
  localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(entries)))
}

/** Forgets the title of a thread. */
export const forgetTitle = (threadId: string): void => {
  const { [threadId]: _, ...rest } = read()
  localStorage.setItem(storageKey, JSON.stringify(rest))
}
