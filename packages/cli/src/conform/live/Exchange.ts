/**
 * One HTTP request and its answer, on a connection of its own. It always comes to an end, whatever the server does:
 * hangs, resets, sends garbage or never stops.
 */
import { request as httpRequest, type IncomingMessage } from "node:http"
import { request as httpsRequest } from "node:https"

/** How an exchange ended. */
export type Ending =
  /** The answer is complete. */
  | { readonly _tag: "Ended" }
  /** We closed it, on purpose. */
  | { readonly _tag: "Closed" }
  /** No connection, no HTTP, or cut before its end. */
  | { readonly _tag: "Broken"; readonly error: string }
  /** The time was up. */
  | { readonly _tag: "TimedOut" }
  /** More bytes than the limit. */
  | { readonly _tag: "TooLong" }

/** The head of an answer; names in lower case. */
export interface Head {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** What to send, and what to do with what comes. */
export interface ExchangeOptions {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends it as `TimedOut`, or as `Closed` when its reason is not a time limit. */
  readonly signal: AbortSignal
  readonly maxBytes: number
  /** Reads nothing for so long, once the answer begins. */
  readonly pauseMs?: number
  readonly onHead?: (head: Head) => void
  readonly onBytes?: (bytes: Uint8Array) => void
}

/** An exchange under way. */
export interface Exchange {
  /** Never rejects. */
  readonly done: Promise<Ending>
  readonly close: () => void
}

/** Begins an exchange. */
export const exchange = (options: ExchangeOptions): Exchange => {
  const { body, headers, maxBytes, method, onBytes, onHead, pauseMs, signal, url } = options
  let settle: (ending: Ending) => void = () => {}
  const done = new Promise<Ending>((resolve) => {
    settle = resolve
  })
  const send = url.protocol === "https:" ? httpsRequest : httpRequest
  // `agent: false`: nothing is kept alive, so that nothing is left open at the end.
  const request = send(url, { method, headers, agent: false })
  let pause: NodeJS.Timeout | undefined

  const end = (ending: Ending): void => {
    settle(ending)
    clearTimeout(pause)
    signal.removeEventListener("abort", aborted)
    request.destroy()
  }
  const aborted = (): void => end(isTimeout(signal.reason) ? { _tag: "TimedOut" } : { _tag: "Closed" })
  const broken = (error: unknown): void => end({ _tag: "Broken", error: reasonOf(error) })

  const read = (response: IncomingMessage): void => {
    let bytes = 0
    onHead?.({ status: response.statusCode ?? 0, headers: headersOf(response) })
    response.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length
      if (bytes > maxBytes) return end({ _tag: "TooLong" })
      try {
        onBytes?.(chunk)
      } catch (error) {
        broken(error)
      }
    })
    response.once("end", () => end({ _tag: "Ended" }))
    response.once("error", broken)
    response.once("close", () => broken("the connection was cut"))
    if (pauseMs !== undefined) {
      response.pause()
      pause = setTimeout(() => response.resume(), pauseMs)
    }
  }

  let answered = false
  request.once("response", (response) => {
    answered = true
    read(response)
  })
  // A server may refuse a body that it has not read: what it answered counts, not that the rest could not be sent.
  request.on("error", (error) => {
    if (!answered) broken(error)
  })
  request.once("close", () => {
    if (!answered) broken("the connection was closed without an answer")
  })
  if (signal.aborted) aborted()
  else {
    signal.addEventListener("abort", aborted)
    request.end(body)
  }
  return { done, close: () => end({ _tag: "Closed" }) }
}

const isTimeout = (reason: unknown): boolean => reason instanceof DOMException && reason.name === "TimeoutError"

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]]
    )
  )

const reasonOf = (error: unknown): string => {
  if (typeof error === "string") return error
  if (!(error instanceof Error)) return String(error)
  // Where all addresses of a name fail, Node says so without a message.
  const code = "code" in error ? String(error.code) : undefined
  return error.message || code || error.name
}
