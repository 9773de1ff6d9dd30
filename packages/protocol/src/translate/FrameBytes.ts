/**
 * Text on its way out, as the bytes of its UTF-8. What came as bytes is copied and never becomes a string; what is a
 * string and plain is written character by character, which is faster for a few words than any encoder.
 */

const encoder = new TextEncoder()
// What is written is UTF-8, and a mark at its beginning is part of it.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** Room that is kept for the next text. */
const usualRoom = 1 << 16

/** Up to this many bytes, one after the other is faster than a call. */
const few = 64

/** Bytes that grow, and are taken. */
export class FrameBytes {
  #bytes = new Uint8Array(256)
  #length = 0

  /** How many bytes there are. */
  get length(): number {
    return this.#length
  }

  /** Adds bytes, from one place to another, between what stands before and behind them. */
  add(source: Uint8Array, from: number, to: number, before: Uint8Array = nothing, behind: Uint8Array = nothing): void {
    const start = this.#reserved(before.length + to - from + behind.length)
    const bytes = this.#bytes
    const inner = copied(bytes, start, before, 0, before.length)
    const outer = copied(bytes, inner, source, from, to)
    this.#length = copied(bytes, outer, behind, 0, behind.length)
  }

  /** Adds a text. */
  addText(text: string): void {
    const start = this.#reserved(3 * text.length)
    this.#length = start + encoder.encodeInto(text, this.#bytes.subarray(start)).written
  }

  /** Adds a text as the inside of a JSON string, between what stands before and behind it. */
  addJson(text: string, before: Uint8Array, behind: Uint8Array): void {
    const { length } = text
    const start = this.#reserved(before.length + length + behind.length)
    const bytes = this.#bytes
    const inner = copied(bytes, start, before, 0, before.length)
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code < 32 || code > 126 || code === quote || code === backslash) {
        this.#length = inner
        this.addText(JSON.stringify(text).slice(1, -1))
        this.add(behind, 0, behind.length)
        return
      }
      bytes[inner + at] = code
    }
    this.#length = copied(bytes, inner + length, behind, 0, behind.length)
  }

  /** What there is. It begins anew. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length)
    this.#clear()
    return taken
  }

  /** The same as a text. */
  takeText(): string {
    if (this.#length === 0) return ""
    const text = decoder.decode(this.#bytes.subarray(0, this.#length))
    this.#clear()
    return text
  }

  #clear(): void {
    this.#length = 0
    if (this.#bytes.length > usualRoom) this.#bytes = new Uint8Array(usualRoom)
  }

  /** Where the next bytes go, with room for so many. */
  #reserved(count: number): number {
    const needed = this.#length + count
    if (needed > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
      longer.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = longer
    }
    return this.#length
  }
}

const quote = 34
const backslash = 92

const nothing = new Uint8Array(0)

/** Copies bytes to a place that has room for them, and gives the place behind them. */
const copied = (target: Uint8Array, place: number, source: Uint8Array, from: number, to: number): number => {
  if (to - from > few) target.set(source.subarray(from, to), place)
  else for (let at = from, next = place; at < to; at++, next++) target[next] = source[at] as number
  return place + to - from
}
