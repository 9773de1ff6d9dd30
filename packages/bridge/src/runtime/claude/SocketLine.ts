/**
 * One lasting line to a CLI over WebSockets that come and go.
 *
 * The CLI connects, and connects again when the socket is lost. What an old socket still holds is read before the
 * new one. What comes twice (2.1.120 sends the whole session again) is passed on twice: the translator knows
 * messages by their `uuid`, and those without one are never sent again (docs/wire/claude-code.md §2).
 */
import type { RawData, WebSocket } from "ws"
import type { AgentTap } from "../../process/AgentTap.ts"
import type { Inbox } from "./Inbox.ts"
import { Outbox, type OutboxLimits, type Outgoing } from "./Outbox.ts"

const open = 1

/** How often a socket is looked at. */
const tickMs = 1000

/** After how many silent ticks the CLI is pinged. */
const pingEvery = 15

/** After how many silent ticks a socket is given up; the CLI then connects again. */
const deadAfter = 50

/** A line to a CLI. */
export class SocketLine {
  readonly #inbox: Inbox
  readonly #outbox: Outbox
  readonly #connected: () => void
  readonly #tap: AgentTap | undefined
  readonly #waiting = new Set<() => void>()
  #current: WebSocket | undefined
  /** Sockets that came while another was still read, in order, each with what tells that it is in use. */
  #later: Array<readonly [WebSocket, () => void]> = []
  #over = false

  /** `connected` is called whenever a socket is in use. */
  constructor(inbox: Inbox, limits: OutboxLimits, connected: () => void, tap?: AgentTap) {
    this.#tap = tap
    this.#inbox = inbox
    this.#outbox = new Outbox(limits)
    this.#connected = connected
  }

  /** The CLI has connected. `used` is called when the socket is read. */
  attach(socket: WebSocket, used: () => void = () => undefined): void {
    socket.on("error", () => undefined) // it is closed next
    if (this.#over) socket.terminate()
    else if (this.#current === undefined) this.#use(socket, used)
    else {
      socket.pause()
      this.#later.push([socket, used])
    }
  }

  /** Whether a message may be sent now; else {@link SocketLine.whenRoom} tells. */
  get hasRoom(): boolean {
    return !this.#outbox.isFull
  }

  /** Calls when something has arrived or the line is over; gives what undoes the call. */
  whenRoom(call: () => void): () => void {
    this.#waiting.add(call)
    return () => void this.#waiting.delete(call)
  }

  /** Sends a message: now, or when the CLI is back. */
  send(message: object): void {
    const outgoing = this.#outbox.add(message)
    if (this.#current !== undefined && this.#later.length === 0) write(this.#current, outgoing, this.#tap)
  }

  /** The process is gone: what is still on the way is read, then the inbox ends. */
  finish(): void {
    this.#over = true
    this.#wake()
    const last = this.#current
    if (last === undefined) this.#inbox.end()
    else setTimeout(() => last.isPaused || last.terminate(), tickMs).unref()
  }

  /** Nobody reads any more. */
  close(): void {
    this.#over = true
    for (const [socket] of this.#later.splice(0)) socket.terminate()
    this.#current?.terminate()
    if (this.#current === undefined) this.#inbox.end()
    this.#wake()
  }

  #use(socket: WebSocket, used: () => void): void {
    this.#current = socket
    used()
    const feed = this.#inbox.feed({ pause: () => socket.pause(), resume: () => socket.resume() })
    let heard = 0
    let silence = 0
    const timer = setInterval(() => {
      silence = heard > 0 || socket.isPaused ? 0 : silence + 1
      heard = 0
      // When another has come, the CLI has left this one, even if nothing told us.
      if (silence > (this.#later.length > 0 ? 0 : deadAfter)) socket.terminate()
      else if (silence % pingEvery === pingEvery - 1 && socket.readyState === open) socket.ping()
    }, tickMs)
    socket.on("message", (data) => {
      heard++
      const bytes = bytesOf(data)
      this.#tap?.data("agent", "ws", bytes)
      feed.push(bytes)
    })
    socket.on("pong", (data) => {
      heard++
      const number = Number(data.toString())
      if (!Number.isInteger(number)) return
      this.#outbox.confirm(number)
      this.#wake()
    })
    socket.once("close", () => {
      clearInterval(timer)
      feed.end()
      this.#current = undefined
      const next = this.#over ? undefined : this.#later.shift()
      if (next !== undefined) this.#use(...next)
      else if (this.#over) this.#inbox.end()
    })
    if (this.#later.length === 0) for (const outgoing of this.#outbox.unsent()) write(socket, outgoing, this.#tap)
    socket.resume()
    this.#connected()
  }

  #wake(): void {
    for (const call of [...this.#waiting]) call()
  }
}

/** The `\n` at its end is needed: without it the CLI waits for the rest of the line. */
const write = (socket: WebSocket, outgoing: Outgoing, tap: AgentTap | undefined): void => {
  if (socket.readyState !== open) return
  tap?.data("host", "ws", Buffer.from(outgoing.line))
  outgoing.written = true
  socket.send(outgoing.line, (error) => {
    if (error) outgoing.written = false
  })
  socket.ping(String(outgoing.number), undefined, () => undefined)
}

const bytesOf = (data: RawData): Uint8Array => {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}
