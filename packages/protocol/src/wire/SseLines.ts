/**
 * Stage 1 of reading server-sent events: bytes in any chunking become lines, as the standard cuts them.
 *
 * A line ends in LF, CR or CRLF, even where a chunk ends between the two; a byte order mark at the beginning is not part
 * of the first line; bytes that are not UTF-8 become U+FFFD. Never throws.
 */

/** A line of a stream of events. */
export interface SseLine {
  /** Without its end; cut off where it is longer than the limit. */
  readonly text: string
  /** How long it was, in characters, without its end. */
  readonly length: number
  /** Whether it ended in CR or CRLF. */
  readonly endsInReturn: boolean
}

/** 64 Mi characters, as long as the longest line of NDJSON that is kept. */
export const defaultMaxSseLength = 64 * 1024 * 1024

const lineEnds = /\r\n?|\n/g

/** Cuts a stream of bytes into lines. Holds at most one unfinished line, up to the limit. */
export class SseLines {
  readonly #maxLength: number
  readonly #decoder = new TextDecoder()
  #text = ""
  #length = 0
  #endedInReturn = false

  constructor(maxLength: number = defaultMaxSseLength) {
    this.#maxLength = maxLength
  }

  /** How long the unfinished line is, in characters. */
  get pendingLength(): number {
    return this.#length
  }

  /** The lines that end in these bytes. */
  push(bytes: Uint8Array): ReadonlyArray<SseLine> {
    return this.#cut(this.#decoder.decode(bytes, { stream: true }))
  }

  /** The unfinished last line, when there is one. The standard ignores it. */
  end(): SseLine | undefined {
    // A character that was cut off at the end is one that is not UTF-8.
    this.#hold(this.#decoder.decode())
    return this.#length === 0 ? undefined : this.#finish(false)
  }

  #cut(text: string): ReadonlyArray<SseLine> {
    if (text === "") return []
    const lines: Array<SseLine> = []
    // A CRLF may be cut in two by the network.
    let from = this.#endedInReturn && text.startsWith("\n") ? 1 : 0
    this.#endedInReturn = text.endsWith("\r")
    lineEnds.lastIndex = from
    for (let end = lineEnds.exec(text); end !== null; end = lineEnds.exec(text)) {
      this.#hold(text.slice(from, end.index))
      lines.push(this.#finish(end[0] !== "\n"))
      from = end.index + end[0].length
    }
    this.#hold(text.slice(from))
    return lines
  }

  #hold(text: string): void {
    this.#text +=
      this.#length + text.length <= this.#maxLength ? text : text.slice(0, this.#maxLength - this.#text.length)
    this.#length += text.length
  }

  #finish(endsInReturn: boolean): SseLine {
    const line = { text: this.#text, length: this.#length, endsInReturn }
    this.#text = ""
    this.#length = 0
    return line
  }
}
