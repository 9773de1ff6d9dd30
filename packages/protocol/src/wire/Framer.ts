/**
 * Stage 1 of the codec: bytes in any chunking become lines.
 *
 * Splits on `\n` and nothing else: U+2028, which CLI 2.1.37 writes raw, is data. A `\n`
 * byte is never part of a longer UTF-8 character, so cutting there needs no decoder state
 * and a character that a chunk boundary splits stays whole. Never throws.
 */

/** A line without its `\n`. */
export interface TextLine {
  readonly _tag: "Text"
  /** Its position in the stream, from 1. */
  readonly number: number
  readonly text: string
}

/** A line that cannot be had as text. */
export interface BrokenLine {
  readonly _tag: "Broken"
  readonly number: number
  /** Over the limit, its content is dropped; not UTF-8, `text` has U+FFFD where bytes were wrong. */
  readonly reason: "LINE_TOO_LONG" | "NOT_UTF8"
  /** Length in bytes, without the `\n`. */
  readonly bytes: number
  readonly text: string
}

/** What a framer gives. */
export type Line = TextLine | BrokenLine

/** How a framer behaves. */
export interface FramerOptions {
  /** The longest line it keeps, in bytes. Default 64 MiB. */
  readonly maxLineBytes?: number
}

/** 64 MiB: a tool result with a few large images fits, a runaway writer does not. */
export const defaultMaxLineBytes = 64 * 1024 * 1024

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder("utf-8", { ignoreBOM: true })

const LF = 10

/** Cuts a stream of bytes into lines. Holds at most one unfinished line. */
export class Framer {
  readonly #maxLineBytes: number
  #number = 0
  #pending: Array<Uint8Array> = []
  #pendingBytes = 0

  constructor(options: FramerOptions = {}) {
    this.#maxLineBytes = options.maxLineBytes ?? defaultMaxLineBytes
  }

  /** Whether the next byte begins a line: nothing of one is held. */
  get isBetweenLines(): boolean {
    return this.#pendingBytes === 0
  }

  /** The lines that end in this chunk. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): Array<Line> {
    const lines: Array<Line> = []
    const last = chunk.lastIndexOf(LF)
    if (last === -1) {
      this.#hold(chunk)
      return lines
    }
    let start = 0
    if (this.#pendingBytes > 0) {
      start = chunk.indexOf(LF) + 1
      this.#hold(chunk.subarray(0, start - 1))
      lines.push(this.#finish())
    }
    if (start <= last) this.#cut(chunk.subarray(start, last), lines)
    this.#hold(chunk.subarray(last + 1))
    return lines
  }

  /** The unfinished last line, when there is one. The framer can be used again for another stream. */
  end(): Array<Line> {
    const lines = this.#pendingBytes > 0 ? [this.#finish()] : []
    this.#number = 0
    return lines
  }

  /** Whole lines at once: decoding one block is several times faster than decoding each line. */
  #cut(block: Uint8Array, lines: Array<Line>): void {
    const text = block.length <= this.#maxLineBytes ? decode(block) : undefined
    if (text === undefined) {
      for (let from = 0; from <= block.length; ) {
        const next = block.indexOf(LF, from)
        const to = next === -1 ? block.length : next
        lines.push(this.#line(block.subarray(from, to)))
        from = to + 1
      }
      return
    }
    for (let from = 0; from <= text.length; ) {
      const next = text.indexOf("\n", from)
      const to = next === -1 ? text.length : next
      lines.push({ _tag: "Text", number: ++this.#number, text: text.slice(from, to) })
      from = to + 1
    }
  }

  /** Keeps a copy, up to the limit: beyond it only the length counts. */
  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#pendingBytes += bytes.length
    if (this.#pendingBytes > this.#maxLineBytes) this.#pending = []
    else this.#pending.push(bytes.slice())
  }

  #finish(): Line {
    const bytes = this.#pendingBytes
    const line = bytes > this.#maxLineBytes ? this.#tooLong(bytes) : this.#line(concat(this.#pending, bytes))
    this.#pending = []
    this.#pendingBytes = 0
    return line
  }

  #line(bytes: Uint8Array): Line {
    if (bytes.length > this.#maxLineBytes) return this.#tooLong(bytes.length)
    const number = ++this.#number
    const text = decode(bytes)
    return text === undefined
      ? { _tag: "Broken", number, reason: "NOT_UTF8", bytes: bytes.length, text: lenient.decode(bytes) }
      : { _tag: "Text", number, text }
  }

  #tooLong(bytes: number): Line {
    return { _tag: "Broken", number: ++this.#number, reason: "LINE_TOO_LONG", bytes, text: "" }
  }
}

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

const concat = (parts: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return first
  const whole = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
