/**
 * Server-sent events out of text in any chunking, as the standard reads them.
 */

/** An event. */
export interface SseFrame {
  /** The last id that was sent, by this event or one before. */
  readonly id: string
  /** `message` unless the event has a name. */
  readonly event: string
  readonly data: string
}

/** Takes text as it comes, gives the events it completes. */
export class SseReader {
  #rest = ""
  #id = ""
  #event = ""
  #data: Array<string> = []
  #afterReturn = false

  /** The events that end in this text. */
  push(text: string): ReadonlyArray<SseFrame> {
    // A line end may be cut in two.
    const fresh = this.#afterReturn && text.startsWith("\n") ? text.slice(1) : text
    if (text !== "") this.#afterReturn = text.endsWith("\r")
    const frames: Array<SseFrame> = []
    const lines = fresh.split(/\r\n|\n|\r/)
    const last = lines.pop() ?? ""
    for (const line of lines) {
      const frame = this.#line(this.#rest + line)
      this.#rest = ""
      if (frame !== undefined) frames.push(frame)
    }
    this.#rest += last
    return frames
  }

  #line(line: string): SseFrame | undefined {
    if (line === "") return this.#dispatch()
    const colon = line.indexOf(":")
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "")
    if (field === "data") this.#data.push(value)
    else if (field === "event") this.#event = value
    else if (field === "id" && !value.includes("\0")) this.#id = value
    return undefined
  }

  #dispatch(): SseFrame | undefined {
    const data = this.#data
    const event = this.#event
    this.#data = []
    this.#event = ""
    return data.length === 0
      ? undefined
      : { id: this.#id, event: event === "" ? "message" : event, data: data.join("\n") }
  }
}

/** The events of a body, until it ends. Leaving early cancels it. */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<SseFrame, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const frames = new SseReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* frames.push(decoder.decode(value, { stream: true }))
    }
  } finally {
    // It may have broken already, and then there is nothing to cancel.
    await reader.cancel().catch(() => undefined)
  }
}
