/**
 * Looks through the text of JSON as it comes, in pieces cut anywhere, without parsing it: how deep it nests, how many
 * values it has, and where its outer parts begin and end. What is not JSON does no harm: it is for the parser to say so.
 */

const [lineFeed, quote, comma, colon, backslash] = [10, 34, 44, 58, 92]
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125]

/** Most of a text is in long strings without escapes, which are passed over several times as fast as they are read. */
const long = 64

/** How a text is looked through. */
export interface JsonScanOptions {
  /** Whether each line is a text of its own, so that one that breaks off does not spoil the next. Default no. */
  readonly lines?: boolean
}

/** A look through one text. */
export class JsonScan {
  /** How many lists and objects there were, and values behind a comma: one less than all values, or more. */
  values = 0
  /** In how many lists and objects it is now. Less than 0 in what is not JSON. */
  depth = 0
  /** How deep the deepest was. */
  deepest = 0
  /** How many values there may be: at the next one the look ends, and goes no further. */
  maxValues = Number.POSITIVE_INFINITY
  /** How deep it may nest: where it is deeper the look ends, and goes no further. */
  maxDepth = Number.POSITIVE_INFINITY
  readonly #lines: boolean
  #isInString = false
  #isEscaped = false

  constructor({ lines = false }: JsonScanOptions = {}) {
    this.#lines = lines
  }

  /** Whether there was more than there may be. */
  get isBeyond(): boolean {
    return this.values > this.maxValues || this.deepest > this.maxDepth
  }

  /** Looks at the next piece. */
  push(text: string): void {
    this.seek(text, 0, Number.NEGATIVE_INFINITY)
  }

  /**
   * Looks on from a position of the piece, up to the next mark (one of `{`, `}`, `[`, `]`, `,` and `:`, not in a string)
   * that lies in at most so many lists and objects, or that is one too many, and gives its position; the length of the
   * piece where there is none.
   */
  seek(text: string, from: number, level: number): number {
    const { length } = text
    let depth = this.depth
    let isInString = this.#isInString
    let at = from
    if (this.#isEscaped && at < length) {
      this.#isEscaped = false
      if (!this.#endsLine(text, at)) at++
    }
    if (isInString) at = this.#skip(text, at)
    for (; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        isInString = !isInString
        if (isInString) at = this.#skip(text, at + 1) - 1
      } else if (code === lineFeed) {
        if (!this.#lines) continue
        isInString = false
        depth = 0
      } else if (isInString) {
        if (code === backslash && !this.#endsLine(text, at + 1)) at++
      } else if (code === comma || code === colon) {
        if (code === comma && ++this.values > this.maxValues) break
        if (depth <= level) break
      } else if (code === openBracket || code === openBrace) {
        if (++depth > this.deepest) this.deepest = depth
        if (++this.values > this.maxValues || depth > this.maxDepth || depth <= level + 1) break
      } else if (code === closeBracket || code === closeBrace) {
        if (--depth <= level) break
      }
    }
    this.#isEscaped ||= at > length
    this.depth = depth
    this.#isInString = isInString
    return Math.min(at, length)
  }

  /** The end of the string that a position is in, where it is long and plain; otherwise the same position. */
  #skip(text: string, from: number): number {
    if (this.#lines) return from
    const end = text.indexOf('"', from)
    const to = end === -1 ? text.length : end
    return to - from < long || text.slice(from, to).includes("\\") ? from : to
  }

  #endsLine(text: string, at: number): boolean {
    return this.#lines && text.charCodeAt(at) === lineFeed
  }
}
