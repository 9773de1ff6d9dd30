/**
 * What a CLI says by HTTP: the hybrid transport, in which it hears over its WebSocket and posts each line, or many at a
 * time, as `{"events":[…]}` (docs/wire/claude-code.md §2).
 *
 * It posts again what was not answered with a status of success, in the same order and perhaps with more behind it, so a
 * line that was taken before is not taken twice. A body that ends early says nothing. What is answered with 4xx the CLI
 * drops for good, so the only such answer to a CLI that has the token is the end of it. While the reader is slow the
 * answer waits, and the CLI with it.
 *
 * A line is passed on when its POST has been answered, and no sooner: until then the CLI does not know the request that it
 * has posted, and an answer to it would be nobody's.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { isRecord, parseJson } from "@agentwire/protocol/wire"
import type { AgentTap } from "../../process/AgentTap.ts"
import type { Feed, Inbox } from "./Inbox.ts"
import { OvertakingRequests } from "./OvertakingRequests.ts"

/** What posted lines are made of. */
export interface PostedLinesParts {
  readonly inbox: Inbox
  /** The longest body, in bytes. */
  readonly maxBodyBytes: number
  /** Called when a body is too long: what it said is lost. */
  readonly lost: (why: string) => void
  /** Called with the id of a request that was passed on and is posted again: its answer came too soon. */
  readonly askedAgain?: (requestId: string) => void
  readonly tap?: AgentTap | undefined
}

/** More than 2.1.120 has in one body, several times over. */
const maxRemembered = 5000

/** For how long nothing may come, in milliseconds, until what the CLI wrote before its end has arrived. */
const quietMs = 100

const tooLongWords = "What it posted is longer than the limit and so lost, and it was ended."

type Body = ReadonlyArray<PostedLine>

/** The lines that a CLI posts. */
export class PostedLines {
  readonly #parts: PostedLinesParts
  readonly #feed: Feed
  readonly #order = new OvertakingRequests((event) => this.#pass(JSON.stringify(event)))
  /** The names of the lines that were taken, the oldest first. */
  readonly #taken = new Set<string>()
  /** What has come and is not answered, by its first line: what is posted again takes the place of what it repeats. */
  readonly #unanswered = new Map<string, Body>()
  /** The first line of the body that was taken last. */
  #newest: string | undefined
  /** Answers that wait until the reader has room. */
  #held: Array<() => void> = []
  #isFull = false
  #open = 0
  #changes = 0
  #isOver = false

  constructor(parts: PostedLinesParts) {
    this.#parts = parts
    this.#feed = parts.inbox.feed({
      pause: () => {
        this.#isFull = true
      },
      resume: () => {
        this.#isFull = false
        this.#release()
      }
    })
  }

  /** A request of the CLI. */
  receive(request: IncomingMessage, response: ServerResponse): void {
    this.#open++
    this.#changes++
    response.on("error", () => response.destroy())
    response.once("close", () => {
      this.#open--
      this.#changes++
    })
    const chunks: Array<Buffer> = []
    let size = 0
    let isRefused = false
    request.on("error", () => request.destroy())
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= this.#parts.maxBodyBytes) chunks.push(chunk)
      else if (!isRefused) {
        isRefused = true
        chunks.length = 0
        this.#refuse(request, response)
      }
    })
    request.once("end", () => {
      if (!isRefused) this.#answer(linesIn(Buffer.concat(chunks).toString("utf8")), response)
    })
  }

  /** Calls back when what the CLI wrote before its end has arrived. */
  whenQuiet(call: () => void): void {
    const changes = this.#changes
    setTimeout(() => {
      if (!this.#isOver && (this.#open > 0 || changes !== this.#changes)) return this.whenQuiet(call)
      // Nobody is left to post it again.
      for (const body of this.#unanswered.values()) this.#take(body)
      this.#order.release()
      call()
    }, quietMs)
  }

  /** Nobody reads any more. */
  close(): void {
    this.#isOver = true
    this.#order.release()
    this.#release()
  }

  #answer(body: Body, response: ServerResponse): void {
    const first = body[0]?.line ?? ""
    this.#unanswered.set(first, body)
    const give = () => {
      if (response.destroyed) return
      response.once("finish", () => {
        if (this.#unanswered.get(first) === body) this.#unanswered.delete(first)
        this.#take(body)
      })
      response.writeHead(this.#isOver ? 404 : 200, { "content-type": "application/json" }).end("{}")
    }
    if (this.#isFull && !this.#isOver) this.#held.push(give)
    else give()
  }

  #take(body: Body): void {
    const first = body[0]?.line
    const isRepeated = first !== undefined && first === this.#newest
    this.#newest = first
    for (const { event, line, name } of body) {
      if (name === undefined ? isRepeated : this.#taken.has(name)) this.#repeat(event)
      else {
        if (name !== undefined) this.#remember(name)
        if (event === undefined) this.#pass(line)
        else this.#order.passOrHold(event)
      }
    }
  }

  #repeat(event: unknown): void {
    if (!isRecord(event) || event["type"] !== "control_request" || typeof event["request_id"] !== "string") return
    this.#parts.askedAgain?.(event["request_id"])
  }

  #pass(line: string): void {
    if (this.#isOver) return
    const bytes = Buffer.from(`${line}\n`)
    this.#parts.tap?.data("agent", "ws", bytes)
    this.#feed.push(bytes)
  }

  #remember(name: string): void {
    this.#taken.add(name)
    if (this.#taken.size <= maxRemembered) return
    for (const oldest of this.#taken) {
      this.#taken.delete(oldest)
      break
    }
  }

  #release(): void {
    for (const give of this.#held.splice(0)) give()
  }

  #refuse(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(413, { connection: "close" }).end()
    request.resume()
    if (!this.#isOver) this.#parts.lost(tooLongWords)
  }
}

/** A line, and what it is known by when it comes again. */
interface PostedLine {
  readonly line: string
  readonly name: string | undefined
  /** What it is; undefined for a body that is none of the CLI's. */
  readonly event: unknown
}

/** The lines of a body. One that is none of the CLI's is passed on as it is, so that it is told as an odd line. */
const linesIn = (body: string): ReadonlyArray<PostedLine> => {
  const parsed = parseJson(body)
  const events = isRecord(parsed) ? parsed["events"] : undefined
  if (!Array.isArray(events)) return [{ line: body.replaceAll("\n", " "), name: undefined, event: undefined }]
  return events.map((event) => ({ line: JSON.stringify(event), name: nameOf(event), event }))
}

/** Messages have a `uuid`; what belongs to a control request is known by the request and by what it is to it. */
const nameOf = (event: unknown): string | undefined => {
  if (!isRecord(event)) return undefined
  const { request_id, response, type, uuid } = event
  if (typeof uuid === "string") return uuid
  const request = request_id ?? (isRecord(response) ? response["request_id"] : undefined)
  return typeof request === "string" ? `${String(type)} ${request}` : undefined
}
