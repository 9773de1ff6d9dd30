/**
 * A client as the wire sees it: posts JSON, reads events, and may leave, stall or be cut off. Plain `node:http`, so
 * that it can do what a well-behaved client never does.
 */
import { type IncomingMessage, request } from "node:http"
import type { Agui } from "@agentwire/protocol"
import { type EventJudge, judgeBytes, type SeenEvent } from "./EventJudge.ts"

/** Where a bridge is, and how to get in. */
export interface Place {
  readonly url: string
  readonly token: string
}

/** How an answer ended: whole, the client left, or the connection broke. */
export type AnswerEnd = "whole" | "left" | "cut"

/** An answer that is over. */
export interface Answer {
  /** 0 when none came. */
  readonly status: number
  readonly end: AnswerEnd
  /** The body of an answer without events. */
  readonly text: string
}

/** An answer that is under way. */
export interface Asked {
  readonly over: Promise<Answer>
  /** Closes the connection. */
  readonly leave: () => void
  /** Reads nothing for a while. */
  readonly stall: (ms: number) => void
}

/** Who listens to an answer. */
export interface Listener {
  readonly judge: EventJudge
  readonly dialect: Agui.Dialect
  readonly onEvent: (event: SeenEvent) => void
}

/** Posts a body. A connection is used once, so that none is left open. */
export const post = ({ token, url }: Place, path: string, body: object, listener?: Listener): Asked => {
  const sent = request(`${url}${path}`, {
    method: "POST",
    agent: false,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` }
  })
  let left = false
  let incoming: IncomingMessage | undefined
  const over = new Promise<Answer>((resolve) => {
    const cut = () => resolve({ status: incoming?.statusCode ?? 0, end: left ? "left" : "cut", text: "" })
    sent.on("error", cut)
    // With an answer its own end counts, which comes later where the client stalls.
    sent.on("close", () => incoming === undefined && cut())
    sent.on("response", (response) => {
      incoming = response
      const status = response.statusCode ?? 0
      const isEvents = String(response.headers["content-type"]).startsWith("text/event-stream")
      const reading = isEvents && listener !== undefined ? judgeBytes(listener.judge, listener.dialect) : undefined
      let text = ""
      response.on("data", (chunk: Buffer) => {
        if (left) return
        if (reading === undefined) text += chunk
        else for (const event of reading.push(chunk)) listener?.onEvent(event)
      })
      response.on("error", cut)
      response.on("close", cut)
      response.on("end", () => {
        if (left || !response.complete) return cut()
        reading?.end()
        resolve({ status, end: "whole", text })
      })
    })
  })
  sent.end(JSON.stringify(body))
  return {
    over,
    leave: () => {
      left = true
      sent.destroy()
    },
    stall: (ms) => {
      incoming?.pause()
      setTimeout(() => incoming?.resume(), ms)
    }
  }
}
