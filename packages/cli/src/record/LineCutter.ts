/**
 * Cuts the bytes of one channel into lines without losing any: joined again, the pieces are the bytes that came.
 *
 * A piece is a line with its `\n`. A line that grows over the limit is given out in several pieces, cut between
 * two characters, so that what is held stays bounded; the unfinished rest comes out at the end.
 */

/** 64 MiB, the same line that a framer still reads. */
const defaultMaxPieceBytes = 64 * 1024 * 1024

const LF = 10

/** Takes bytes in any chunking, gives lines. The chunks are kept, not copied: they must not be reused. */
export class LineCutter {
  readonly #maxPieceBytes: number
  #held: Array<Uint8Array> = []
  #heldBytes = 0

  constructor(maxPieceBytes = defaultMaxPieceBytes) {
    this.#maxPieceBytes = maxPieceBytes
  }

  /** The lines that end in this chunk, and the pieces of a line that is too long to hold. */
  push(chunk: Uint8Array): Array<Uint8Array> {
    const pieces: Array<Uint8Array> = []
    let from = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      this.#hold(chunk.subarray(from, at + 1), pieces)
      this.#give(pieces)
      from = at + 1
    }
    this.#hold(chunk.subarray(from), pieces)
    return pieces
  }

  /** What is left of a line that was not finished. */
  end(): Array<Uint8Array> {
    const pieces: Array<Uint8Array> = []
    this.#give(pieces)
    return pieces
  }

  #hold(bytes: Uint8Array, pieces: Array<Uint8Array>): void {
    if (bytes.length === 0) return
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    while (this.#heldBytes > this.#maxPieceBytes) {
      const whole = concat(this.#held, this.#heldBytes)
      const cut = characterStart(whole, this.#maxPieceBytes)
      pieces.push(whole.subarray(0, cut))
      this.#held = [whole.subarray(cut)]
      this.#heldBytes -= cut
    }
  }

  #give(pieces: Array<Uint8Array>): void {
    if (this.#heldBytes > 0) pieces.push(concat(this.#held, this.#heldBytes))
    this.#held = []
    this.#heldBytes = 0
  }
}

const concat = (parts: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const [first] = parts
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts, length)
}

/** The start of the UTF-8 character that has the byte at this place; the place itself where there is none. */
const characterStart = (bytes: Uint8Array, at: number): number => {
  for (let back = 0; back < 4 && at - back > 0; back++) {
    if (((bytes[at - back] ?? 0) & 0b1100_0000) !== 0b1000_0000) return at - back
  }
  return at
}
