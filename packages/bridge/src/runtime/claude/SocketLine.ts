/**
 * One lasting line to a CLI over WebSockets that come and go.
 *
 * The CLI connects, and connects again when the socket is lost. What an old socket still holds is read before the
 * new one. What comes twice (2.1.120 sends the whole session again) is passed on twice: the translator knows
 * messages by their `uuid`, and those without one are never sent again (docs/wire/claude-code.md §2).
 *
 * What a CLI wrote while it had no socket may never come (2.1.37), its `result` included. A line that has lost something
 * is over: whoever reads it gets either everything or the end.
 */
import type { RawData, WebSocket } from "ws"
import type { AgentTap } from "../../process/AgentTap.ts"
import { abandonTurn } from "./AbandonedTurn.ts"
import { HeardMessages } from "./HeardMessages.ts"
import type { Inbox } from "./Inbox.ts"
import { Outbox, type OutboxLimits, type Outgoing } from "./Outbox.ts"
import { askPending } from "./PendingRequests.ts"

const open = 1

/** How often a socket is looked at. */
const tickMs = 1000

/** After how many silent ticks the CLI is pinged. */
const pingEvery = 15

/** After how many silent ticks a socket is given up; the CLI then connects again. */
const deadAfter = 50

/** Longer than 2.1.37 tries before it gives up by itself, and than the pauses of 2.1.120 between two tries (§2). */
const defaultAwayLimitMs = 60_000

/** 2.1.120 sends again what it has as soon as it is back. */
const defaultResendLimitMs = 10_000

/** How long after it has arrived something is said again, in milliseconds. */
const againMs = 100

/** How long the CLI may take to stop what it is doing once the line is over. */
const abandonLimitMs = 1500

const lostWords = "Its connection was cut, and what it said meanwhile is lost, so it was ended."
const awayWords = "Its connection was cut and it did not come back, so it was ended."

/** How long a CLI may be away, and how long it may take to send again what it wrote meanwhile. */
export interface SocketLineLimits extends OutboxLimits {
  /** After how many milliseconds without a socket the line is over. Default 60,000. */
  readonly awayLimitMs?: number
  /** After how many milliseconds with nothing sent again the line is over. Default 10,000. */
  readonly resendLimitMs?: number
}

/** What a line is made of. */
export interface SocketLineParts {
  readonly inbox: Inbox
  readonly limits: SocketLineLimits
  /** Whether the CLI sends again what it wrote without a socket; undefined when nobody knows. */
  readonly resends: boolean | undefined
  /** Called whenever a socket is in use. */
  readonly connected: () => void
  /** Called when the line is over though the process is not: something was lost, or the CLI stays away. */
  readonly lost: (why: string) => void
  /**
   * Whether a message is to be said once more when it has arrived: a CLI that posts may not have noted what it answers by
   * then, and it has no use for an answer twice (docs/wire/claude-code.md §2a). Default: none.
   */
  readonly isSaidAgain?: (message: object) => boolean
  readonly tap?: AgentTap | undefined
}

/** A socket of a CLI, and what its request said. */
export interface Attached {
  readonly socket: WebSocket
  /** The last message the CLI wrote, as it says itself: the header `X-Last-Request-Id`. */
  readonly lastWritten?: string | undefined
  /** Called when the socket is read. */
  readonly used?: () => void
}

/** A line to a CLI. */
export class SocketLine {
  readonly #parts: SocketLineParts
  readonly #outbox: Outbox
  readonly #heard = new HeardMessages()
  readonly #waiting = new Set<() => void>()
  #current: WebSocket | undefined
  /** Sockets that came while another was still read, in order. */
  #later: Array<Attached> = []
  /** What is to be said again when it has arrived, by its number. */
  readonly #again = new Map<number, object>()
  /** Ends the line unless the CLI comes back, or sends again what is missing. */
  #deadline: NodeJS.Timeout | undefined
  #over = false

  constructor(parts: SocketLineParts) {
    this.#parts = parts
    this.#outbox = new Outbox(parts.limits)
  }

  /** The CLI has connected. */
  attach(attached: Attached): void {
    const { socket } = attached
    socket.on("error", () => undefined) // it is closed next
    if (this.#over) socket.terminate()
    else if (this.#current === undefined) this.#use(attached)
    else {
      socket.pause()
      this.#later.push(attached)
    }
  }

  /** Whether a message may be sent now; if not, {@link SocketLine.whenRoom} says when. */
  get hasRoom(): boolean {
    return !this.#outbox.isFull
  }

  /** Calls back when something has arrived or the line is over; the returned function cancels that. */
  whenRoom(call: () => void): () => void {
    this.#waiting.add(call)
    return () => void this.#waiting.delete(call)
  }

  /** Sends a message: now, or when the CLI is back. */
  send(message: object): void {
    this.#say(message, this.#parts.isSaidAgain?.(message) === true)
  }

  #say(message: object, again: boolean): void {
    const outgoing = this.#outbox.add(message)
    if (again) this.#again.set(outgoing.number, message)
    if (this.#current !== undefined && this.#later.length === 0) write(this.#current, outgoing, this.#parts.tap)
  }

  /** The process is gone: what is still on the way is read, then the inbox ends. */
  finish(): void {
    this.#over = true
    clearTimeout(this.#deadline)
    this.#wake()
    const last = this.#current
    if (last === undefined) this.#parts.inbox.end()
    else setTimeout(() => last.isPaused || last.terminate(), tickMs).unref()
  }

  /** Nobody reads any more. */
  close(): void {
    this.#over = true
    clearTimeout(this.#deadline)
    for (const { socket } of this.#later.splice(0)) socket.terminate()
    this.#current?.terminate()
    if (this.#current === undefined) this.#parts.inbox.end()
    this.#wake()
  }

  #lose(why: string): void {
    if (this.#over) return
    this.close()
    this.#parts.lost(why)
  }

  /** Ends the line after a while, unless something happens before. */
  #startDeadline(limitMs: number, otherwise: string): void {
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => this.#lose(otherwise), limitMs).unref()
  }

  #use(attached: Attached): void {
    const { lastWritten, socket, used } = attached
    const { connected, inbox, limits, resends, tap } = this.#parts
    clearTimeout(this.#deadline)
    this.#heard.noteReconnect(lastWritten)
    if (this.#heard.isInDoubt && resends === false) {
      abandonTurn(socket, abandonLimitMs, () => this.#parts.lost(lostWords))
      this.close()
      return
    }
    if (this.#heard.isInDoubt) this.#startDeadline(limits.resendLimitMs ?? defaultResendLimitMs, lostWords)
    this.#current = socket
    used?.()
    const pending = this.#heard.hasBegun ? askPending((id) => this.#heard.hasRequest(id)) : undefined
    const feed = inbox.feed({ pause: () => socket.pause(), resume: () => socket.resume() }, (decoded) => {
      const wasInDoubt = this.#heard.isInDoubt
      if (!this.#heard.noteMessage(decoded)) this.#lose(lostWords)
      else if (wasInDoubt && !this.#heard.isInDoubt) clearTimeout(this.#deadline)
      return this.#over ? undefined : (pending?.read(decoded) ?? [decoded])
    })
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
      tap?.data("agent", "ws", bytes)
      feed.push(bytes)
    })
    socket.on("pong", (data) => {
      heard++
      const number = Number(data.toString())
      if (!Number.isInteger(number)) return
      this.#outbox.confirm(number)
      this.#sayAgain(number)
      this.#wake()
    })
    socket.once("close", () => {
      clearInterval(timer)
      feed.end()
      this.#current = undefined
      const next = this.#over ? undefined : this.#later.shift()
      if (next !== undefined) this.#use(next)
      else if (this.#over) inbox.end()
      else this.#startDeadline(limits.awayLimitMs ?? defaultAwayLimitMs, awayWords)
    })
    if (this.#later.length === 0) for (const outgoing of this.#outbox.unsent()) write(socket, outgoing, tap)
    if (pending !== undefined) this.send(pending.question)
    socket.resume()
    connected()
  }

  /** Says again, a little later, what has arrived up to a number. */
  #sayAgain(number: number): void {
    for (const [sent, message] of this.#again) {
      if (sent > number) continue
      this.#again.delete(sent)
      setTimeout(() => this.#over || this.#say(message, false), againMs).unref()
    }
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
