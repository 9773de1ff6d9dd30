/**
 * A client of the gateway that was written from docs/gateway.md alone, on a plain WebSocket: it knows nothing of this
 * code.
 */
import { WebSocket } from "ws"

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** An answer. */
export interface Res {
  readonly type: "res"
  readonly id: string
  readonly ok: boolean
  readonly payload: Json
  readonly error: string
  readonly code: string
}

/** An event. */
export interface Told {
  readonly type: "event"
  readonly event: string
  readonly payload: Json
}

/** A client that is connected. */
export class PlainClient {
  readonly socket: WebSocket
  /** All that came, in order. */
  readonly heard: Array<Res | Told> = []
  isOpen = true
  #count = 0
  #waiting: Array<() => void> = []

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on("message", (data) => {
      this.heard.push(JSON.parse(String(data)) as Res | Told)
      this.#changed()
    })
    socket.on("close", () => {
      this.isOpen = false
      this.#changed()
    })
    socket.on("error", () => undefined)
  }

  #changed(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  /** Waits until something holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (!this.isOpen) throw new Error("The connection is closed.")
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** Waits until the connection is closed. */
  async gone(): Promise<void> {
    while (this.isOpen) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Sends a text and gives the next answer that has this id. */
  async raw(text: string | Buffer, id: string): Promise<Res> {
    const from = this.heard.length
    this.socket.send(text, { binary: false })
    return this.#answer(id, from)
  }

  async #answer(id: string, from: number): Promise<Res> {
    const find = () => this.heard.slice(from).find((each): each is Res => each.type === "res" && each.id === id)
    await this.until(() => find() !== undefined)
    return find() as Res
  }

  /** Calls a method. */
  call(method: string, params?: Json): Promise<Res> {
    const id = `r${++this.#count}`
    return this.raw(JSON.stringify({ type: "req", id, method, ...(params !== undefined && { params }) }), id)
  }

  /** Calls a method, and gives what it is answered with. */
  async ask(method: string, params?: Json): Promise<Json> {
    const { code, error, ok, payload } = await this.call(method, params)
    if (!ok) throw new Error(`${method}: ${code} ${error}`)
    return payload
  }

  /** The events that came, from a place on. */
  events(from = 0): ReadonlyArray<Told> {
    return this.heard.slice(from).filter((each): each is Told => each.type === "event")
  }

  /** Waits for an event, and gives it. */
  async told(name: string, from = 0, holds: (payload: Json) => boolean = () => true): Promise<Told> {
    const find = () => this.events(from).find(({ event, payload }) => event === name && holds(payload))
    await this.until(() => find() !== undefined)
    return find() as Told
  }

  /** Says something, and waits for the end of its turn. */
  async turn(content: unknown, params: Json = {}): Promise<Json> {
    const from = this.heard.length
    const said = await this.ask("session.prompt", { content, ...params })
    await this.told("session.turn_stop", from, ({ sessionId }) => sessionId === said["sessionId"])
    return said
  }

  /** Leaves. */
  close(): void {
    this.socket.close()
  }
}

/** Connects; gives the status of the refusal, where it is refused. */
export const knock = (
  url: string,
  headers: Readonly<Record<string, string>> = {},
  protocols: ReadonlyArray<string> = []
): Promise<PlainClient | number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`, [...protocols], { headers })
    const client = new PlainClient(socket)
    socket.on("open", () => resolve(client))
    socket.on("unexpected-response", (request, { statusCode }) => {
      request.destroy()
      resolve(statusCode ?? 0)
    })
    socket.on("error", reject)
  })

/** Connects with a token. */
export const connect = async (url: string, token: string): Promise<PlainClient> => {
  const client = await knock(url, { authorization: `Bearer ${token}` })
  if (typeof client === "number") throw new Error(`refused with ${client}`)
  return client
}
