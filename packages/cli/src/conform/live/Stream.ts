/**
 * One answer of a server, read as a stream of AG-UI events while it comes: judged by the rules, and kept for the
 * scenario as far as memory allows.
 */

import * as Agui from "@agentwire/protocol/agui"
import * as Conform from "@agentwire/protocol/conform"
import { isRecord } from "@agentwire/protocol/wire"
import { type Ending, type ExchangeOptions, exchange, type Head } from "./Exchange.ts"
import type { Item } from "./Reading.ts"

/** What is kept of an answer. */
const kept = { events: 20_000, body: 65_536 } as const

/** How an answer is read. */
export interface Reading {
  /** What the rules know of it. None: no rules, it is not a run. */
  readonly rules?: Conform.CheckOptions & { readonly dialect: Agui.Dialect }
  /** A connect: past runs, or nothing at all. */
  readonly isHistory?: boolean
  /** How long a response may stay open after the end of its last run. */
  readonly lingerMs: number
}

/** Told of what comes, as it comes. */
export interface StreamListener {
  readonly head: (head: Head) => void
  readonly event: (event: unknown) => void
  readonly finding: (finding: Conform.Finding) => void
}

/** An answer that has come to its end. */
export interface Answer {
  readonly ending: Ending
  readonly head: Head | undefined
  /** The first part of it, as text. */
  readonly body: string
  /** The objects among its events, up to a limit. */
  readonly events: ReadonlyArray<Item>
  /** A terminal event was seen, and then the response stayed open. */
  readonly lingered: boolean
  /** How long before its end the last event came, or the request was sent. */
  readonly silentMs: number
}

/** An answer under way. */
export interface Stream {
  /** Never rejects. */
  readonly done: Promise<Answer>
  /** Hangs up. */
  readonly close: () => void
  /** Waits for an event; false when there is none by the end. */
  readonly seen: (wanted: (event: Item) => boolean) => Promise<boolean>
}

/** Sends a request and reads the answer. */
export const openStream = (
  options: Omit<ExchangeOptions, "onBytes" | "onHead">,
  reading: Reading,
  listener: StreamListener
): Stream => {
  const { rules } = reading
  const reader = Conform.makeSseChecker(rules)
  const checker = rules && Conform.makeChecker(rules)
  const decoder = new TextDecoder()
  const events: Array<Item> = []
  const waiting = new Set<{ readonly wanted: (event: Item) => boolean; readonly found: (is: boolean) => void }>()
  let head: Head | undefined
  let body = ""
  let empty = true
  let linger: NodeJS.Timeout | undefined
  let lingered = false
  let heard = Date.now()

  const take = (items: ReadonlyArray<Conform.SseItem>): void => {
    for (const item of items) {
      if (item._tag === "Finding") {
        if (rules !== undefined) listener.finding(item.finding)
        continue
      }
      const { event } = item
      listener.event(event)
      empty = false
      heard = Date.now()
      for (const finding of checker?.push(event) ?? []) listener.finding(finding)
      clearTimeout(linger)
      if (!isRecord(event)) continue
      if (events.length < kept.events) events.push(event)
      if (Agui.endsRun(event)) {
        linger = setTimeout(() => {
          lingered = true
          running.close()
        }, reading.lingerMs)
      }
      for (const waiter of [...waiting]) {
        if (waiter.wanted(event)) waiter.found(true)
      }
    }
  }

  const running = exchange({
    ...options,
    onHead: (found) => {
      head = found
      listener.head(found)
      if (rules === undefined) return
      for (const finding of Conform.checkResponseHead(found)) listener.finding(finding)
    },
    onBytes: (bytes) => {
      if (body.length < kept.body) body += decoder.decode(bytes, { stream: true })
      if (isSuccess(head)) take(reader.push(bytes))
    }
  })

  const done = running.done.then((ending): Answer => {
    const silentMs = Date.now() - heard
    clearTimeout(linger)
    // What we cut short ourselves cannot be blamed for having no end.
    const whole = ending._tag === "Ended" || ending._tag === "Broken"
    if (whole && isSuccess(head)) {
      take(reader.end())
      clearTimeout(linger)
      if (reading.isHistory !== true || !empty) {
        for (const finding of checker?.end() ?? []) listener.finding(finding)
      }
    }
    for (const waiter of [...waiting]) waiter.found(false)
    return { ending, head, body, events, lingered, silentMs }
  })

  return {
    done,
    close: running.close,
    seen: (wanted) =>
      new Promise((resolve) => {
        if (events.some(wanted)) return resolve(true)
        const waiter = {
          wanted,
          found: (is: boolean) => {
            waiting.delete(waiter)
            resolve(is)
          }
        }
        waiting.add(waiter)
        done.then(() => waiter.found(events.some(wanted)))
      })
  }
}

/** Did the server say yes? */
export const isSuccess = (head: Head | undefined): boolean =>
  head !== undefined && head.status >= 200 && head.status < 300
