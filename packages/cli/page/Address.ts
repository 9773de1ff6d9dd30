/**
 * What the address of the page says, in its fragment, which no server sees: the token at first, and the thread.
 *
 * The token is moved to the session's storage at once, so that it stays out of the history and of copied links.
 */
import { useSyncExternalStore } from "react"

const storageKey = "agentwire.token"

const fragment = (): URLSearchParams => new URLSearchParams(location.hash.replace(/^#/, ""))

const write = (params: URLSearchParams, how: "pushState" | "replaceState"): void => {
  history[how](null, "", `${location.pathname}${location.search}#${params}`)
  dispatchEvent(new Event("hashchange"))
}

/** The token: that of the address, which is cleaned, else the one this tab had before. */
export const takeToken = (): string | undefined => {
  const params = fragment()
  const given = params.get("token")
  if (given !== null) {
    sessionStorage.setItem(storageKey, given)
    params.delete("token")
    write(params, "replaceState")
  }
  return sessionStorage.getItem(storageKey) ?? undefined
}

/** Keeps a token that was typed, for this tab. */
export const keepToken = (token: string): void => sessionStorage.setItem(storageKey, token)

/** Forgets the token. */
export const forgetToken = (): void => sessionStorage.removeItem(storageKey)

/** Whether the page talks to CopilotKit's single endpoint: `?transport=single`. */
export const isSingleEndpoint = (): boolean => new URLSearchParams(location.search).get("transport") === "single"

const threadOf = (): string => fragment().get("thread") ?? ""

/** Opens a thread. */
export const openThread = (threadId: string, how: "pushState" | "replaceState" = "pushState"): void =>
  write(new URLSearchParams({ thread: threadId }), how)

/** A thread nobody has used. */
export const newThreadId = (): string => crypto.randomUUID()

/** The thread of the address. One without a thread gets a new one. */
export const ensureThread = (): void => {
  if (threadOf() === "") openThread(newThreadId(), "replaceState")
}

const watch = (changed: () => void): (() => void) => {
  addEventListener("hashchange", changed)
  addEventListener("popstate", changed)
  return () => {
    removeEventListener("hashchange", changed)
    removeEventListener("popstate", changed)
  }
}

/** The thread that is open. */
export const useThread = (): string => useSyncExternalStore(watch, threadOf)
