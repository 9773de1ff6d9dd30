/**
 * A client of the app-server for tests, over any connection of lines. Every line of the server is held against Codex's own
 * schemas as it comes.
 */
import { Dialogue, heardDrift } from "@agentwire/protocol/codex"
import { isRecord } from "@agentwire/protocol/wire"

/** A message as a test reads it. */
export type Message = Readonly<Record<string, unknown>>

/** How a test answers what the server asks: a result, or undefined for no answer. */
export type AnswerQuestion = (method: string, params: Message, id: unknown) => unknown

/** A client. */
export class CodexClient {
  /** All that the server said, in order. */
  readonly heard: Array<Message> = []
  /** What is wrong with what the server said, by Codex's schemas. */
  readonly faults: Array<string> = []
  /** Answers what the server asks. By default nobody does. */
  onQuestion: AnswerQuestion = () => undefined
  /** It is over: the other side is gone. */
  isClosed = false
  private readonly dialogue = new Dialogue()
  private readonly write: (line: string) => void
  private waiters: Array<() => void> = []
  private nextId = 1

  constructor(write: (line: string) => void) {
    this.write = write
  }

  /** The server says a line. */
  receive(line: string): void {
    const heard = this.dialogue.hear("server", line)
    const { decoded, result } = heard
    if (decoded._tag !== "Known") this.faults.push(`${decoded._tag}: ${line.slice(0, 500)}`)
    if (result !== undefined && result._tag !== "Known")
      this.faults.push(`result ${result._tag}: ${line.slice(0, 500)}`)
    const drift = heardDrift(heard)
    if (drift.length > 0) this.faults.push(`${JSON.stringify(drift)}: ${line.slice(0, 500)}`)
    const message: unknown = JSON.parse(line)
    if (!isRecord(message)) return
    this.heard.push(message)
    const { id, method, params } = message
    if (typeof method === "string" && id !== undefined) {
      const answer = this.onQuestion(method, isRecord(params) ? params : {}, id)
      if (answer !== undefined) this.send({ id, ...(answer as object) })
    }
    this.changed()
  }

  /** The connection is over. */
  end(): void {
    this.isClosed = true
    this.changed()
  }

  private changed(): void {
    const waiting = this.waiters
    this.waiters = []
    for (const resolve of waiting) resolve()
  }

  /** Says anything. */
  send(message: unknown): void {
    const line = JSON.stringify(message)
    this.dialogue.hear("client", line)
    this.write(line)
  }

  /** Says a line that may be no message. */
  sendLine(line: string): void {
    this.write(line)
  }

  /** Waits until something has been said; the first, from a place on. */
  async until(holds: (message: Message) => boolean, from = 0): Promise<Message> {
    for (;;) {
      const found = this.heard.slice(from).find(holds)
      if (found !== undefined) return found
      if (this.isClosed) throw new Error(`the server is gone; it said ${JSON.stringify(this.heard.slice(-5))}`)
      await new Promise<void>((resolve) => this.waiters.push(resolve))
    }
  }

  /** Asks, and gives the whole answer. */
  async answer(method: string, params?: unknown, id: string | number = this.nextId++): Promise<Message> {
    const from = this.heard.length
    this.send({ id, method, ...(params !== undefined && { params }) })
    return this.until((message) => message["id"] === id && message["method"] === undefined, from)
  }

  /** Asks, and gives the result. */
  async ask(method: string, params: unknown = {}): Promise<Message> {
    const { error, result } = await this.answer(method, params)
    if (!isRecord(result)) throw new Error(`${method} failed: ${JSON.stringify(error)}`)
    return result
  }

  /** Asks, and gives the words of the error. */
  async refusal(method: string, params?: unknown): Promise<string> {
    const { error } = await this.answer(method, params)
    if (!isRecord(error)) throw new Error(`${method} was answered`)
    return String(error["message"])
  }

  /** Waits for a notification, or a question of the server. */
  async notified(method: string, matches: (params: Message) => boolean = () => true, from = 0): Promise<Message> {
    const found = await this.until(
      (message) => message["method"] === method && matches(isRecord(message["params"]) ? message["params"] : {}),
      from
    )
    return isRecord(found["params"]) ? found["params"] : {}
  }

  /** Says hello. */
  async hello(capabilities: object = { experimentalApi: true }): Promise<Message> {
    const said = await this.ask("initialize", { clientInfo: { name: "test", title: null, version: "1" }, capabilities })
    this.send({ method: "initialized" })
    return said
  }

  /** Begins a thread, and gives its id. */
  async start(params: object = {}): Promise<string> {
    const { thread } = await this.ask("thread/start", params)
    return isRecord(thread) ? String(thread["id"]) : ""
  }

  /** Says something, and waits until the turn is over. What the turn was in the end. */
  async turn(threadId: string, text: string): Promise<Message> {
    const id = await this.say(threadId, text)
    return this.ended(id)
  }

  /** Says something. The id of the turn. */
  async say(threadId: string, text: string, more: object = {}): Promise<string> {
    const { turn } = await this.ask("turn/start", {
      threadId,
      input: [{ type: "text", text, text_elements: [] }],
      ...more
    })
    return isRecord(turn) ? String(turn["id"]) : ""
  }

  /** Waits until a turn is over. */
  async ended(turnId: string): Promise<Message> {
    const { turn } = await this.notified("turn/completed", ({ turn }) => isRecord(turn) && turn["id"] === turnId)
    return isRecord(turn) ? turn : {}
  }

  /** What was notified, by the names of the methods. */
  methods(from = 0): ReadonlyArray<string> {
    return this.heard.slice(from).flatMap(({ method }) => (typeof method === "string" ? [method] : []))
  }

  /** The items of a method's notifications. */
  items(method = "item/completed"): ReadonlyArray<Message> {
    return this.heard.flatMap((message) => {
      if (message["method"] !== method) return []
      const params = message["params"]
      const item = isRecord(params) ? params["item"] : undefined
      return isRecord(item) ? [item] : []
    })
  }
}
