/** Runs as bytes: posted without a client, so that any part of one can be left out, and read to whatever end it has. */
import { connect, type Socket } from "node:net"
import type { Agui } from "@agentwire/protocol"

/** The token of every bridge that is asked this way. */
export const token = "a-token-of-at-least-sixteen-characters"

/** The body of a run. */
export const runBody = (threadId: string, content: string, more: object = {}): string =>
  JSON.stringify({
    threadId,
    runId: `run-${++runs}`,
    protocolVersion: "1.0",
    messages: [{ id: `message-${runs}`, role: "user", content }],
    tools: [],
    context: [],
    ...more
  })
let runs = 0

/** The head of a request that gets in, but for what is replaced. */
export const head = (port: number, more: Readonly<Record<string, string>> = {}, line = "POST / HTTP/1.1"): string => {
  const headers = { Host: `127.0.0.1:${port}`, Authorization: `Bearer ${token}`, ...more }
  return `${[line, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\r\n")}\r\n\r\n`
}

/** A request that starts a run. */
export const runRequest = (port: number, body: string): string =>
  head(port, { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }) + body

/** The events of an answer. */
export const eventsIn = (text: string): ReadonlyArray<Agui.AguiEvent> =>
  text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6)) as Agui.AguiEvent] : []))

/** Whether the end of a run came, and came whole: a line may be read in pieces. */
export const hasFinished = (got: string): boolean => /RUN_FINISHED[^\n]*\n/.test(got)

/** The text of the assistant. */
export const textIn = (events: ReadonlyArray<Agui.AguiEvent>): string =>
  events.map((event) => (event.type === "TEXT_MESSAGE_CONTENT" ? event.delta : "")).join("")

/** Posts a run and reads it to its end. */
export const postRun = async (url: string, body: string): Promise<ReadonlyArray<Agui.AguiEvent>> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  return eventsIn(text)
}

/** A connection that keeps what comes. */
export interface Wire {
  readonly socket: Socket
  readonly got: () => string
  /** Waits until something came. */
  readonly until: (holds: (got: string) => boolean) => Promise<void>
  readonly closed: Promise<void>
}

/** Connects. Neither an end nor a reset is an error: both are what the other side chose. */
export const wireTo = (port: number): Wire => {
  const socket = connect({ port, host: "127.0.0.1" })
  let got = ""
  const waiting = new Set<() => void>()
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  socket.setEncoding("utf8")
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => {
    got += String(chunk)
    for (const look of waiting) look()
  })
  return {
    socket,
    got: () => got,
    closed,
    until: (holds) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!holds(got)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        void closed.then(() => (holds(got) ? resolve() : reject(new Error(`closed after: ${got.slice(-500)}`))))
        look()
      })
  }
}
