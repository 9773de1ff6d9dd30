/**
 * Times inside texts. They are of the machine's monotonic clock, which all processes of a machine share, so who reads
 * one can tell how long it took to arrive.
 */

/** How an agent answers: so many deltas, so many milliseconds apart; 0 is as fast as it can. */
export interface Pace {
  readonly events: number
  readonly everyMs: number
}

/** A text of a delta's usual length with the time in it. */
export const stamped = (): string => `@${process.hrtime.bigint()}@ and so on `

const stamp = /@(\d+)@/g

/** Reads times from pieces of text, wherever they are cut. */
export class StampReader {
  #rest = ""

  /** The times in this piece, in nanoseconds. */
  push(piece: string): ReadonlyArray<number> {
    const text = this.#rest + piece
    const found: Array<number> = []
    let end = 0
    for (const match of text.matchAll(stamp)) {
      found.push(Number(match[1]))
      end = match.index + match[0].length
    }
    // What may be the beginning of one: it has fewer digits than this.
    const open = text.lastIndexOf("@")
    this.#rest = open >= end && text.length - open < 24 ? text.slice(open) : ""
    return found
  }
}
