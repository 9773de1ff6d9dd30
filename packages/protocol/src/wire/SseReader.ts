/**
 * Server-sent events out of bytes in any chunking, as the standard reads them
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).
 */
import { defaultMaxSseLength, SseLines } from "./SseLines.ts"

/** An event. */
export interface SseFrame {
  /** The last id that was sent, by this event or one before. */
  readonly id: string
  /** `message` unless the event has a name. */
  readonly event: string
  /** Its data lines, with a line feed between them. */
  readonly data: string
}

/** How a reader behaves. */
export interface SseReaderOptions {
  /** The longest event it keeps, in characters. Default 64 Mi. */
  readonly maxLength?: number
}

/** An event was longer than the limit. The stream cannot be read on: what it says next may rest on what was lost. */
export class SseEventTooLong extends Error {
  readonly code = "SSE_EVENT_TOO_LONG"
  override readonly name = "SseEventTooLong"

  constructor(maxLength: number) {
    super(`An event of the stream is longer than ${maxLength} characters.`)
  }
}

/** Takes bytes as they come, gives the events they complete. */
export class SseReader {
  readonly #maxLength: number
  readonly #lines: SseLines
  #id = ""
  #event = ""
  #data: Array<string> = []
  #length = 0
  #retryMs: number | undefined

  constructor({ maxLength = defaultMaxSseLength }: SseReaderOptions = {}) {
    this.#maxLength = maxLength
    this.#lines = new SseLines(maxLength)
  }

  /** The last id that was sent: what to send back as `Last-Event-ID`. */
  get lastEventId(): string {
    return this.#id
  }

  /** How long the server wants to be left alone before it is asked again, in milliseconds; undefined: it did not say. */
  get retryMs(): number | undefined {
    return this.#retryMs
  }

  /** The events that end in these bytes. Throws `SseEventTooLong`. */
  push(bytes: Uint8Array): ReadonlyArray<SseFrame> {
    const frames: Array<SseFrame> = []
    for (const { length, text } of this.#lines.push(bytes)) {
      this.#checkLength(length)
      if (text !== "") this.#readField(text)
      else {
        const frame = this.#finish()
        if (frame !== undefined) frames.push(frame)
      }
    }
    this.#checkLength(this.#lines.pendingLength)
    return frames
  }

  #checkLength(more: number): void {
    if (this.#length + more > this.#maxLength) throw new SseEventTooLong(this.#maxLength)
  }

  #readField(line: string): void {
    const colon = line.indexOf(":")
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? "" : line.slice(line.charAt(colon + 1) === " " ? colon + 2 : colon + 1)
    switch (name) {
      case "data":
        this.#data.push(value)
        this.#length += line.length
        break
      case "event":
        this.#event = value
        break
      case "id":
        if (!value.includes("\0")) this.#id = value
        break
      case "retry":
        if (/^[0-9]+$/.test(value)) this.#retryMs = Number(value)
        break
      // All else is ignored, comments included: their name is empty.
    }
  }

  #finish(): SseFrame | undefined {
    const data = this.#data
    const event = this.#event
    this.#data = []
    this.#event = ""
    this.#length = 0
    if (data.length === 0) return undefined
    return { id: this.#id, event: event === "" ? "message" : event, data: data.join("\n") }
  }
}

/** The events of a body, until it ends. Leaving early cancels it. */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
  options: SseReaderOptions = {}
): AsyncGenerator<SseFrame, void> {
  const reader = body.getReader()
  const frames = new SseReader(options)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* frames.push(value)
    }
  } finally {
    // It may have broken already, and then there is nothing to cancel.
    await reader.cancel().catch(() => undefined)
  }
}
