/** Bytes in any chunking, for the tests of readers. */
import * as fc from "fast-check"

/** Where a network may cut; used for bytes of any length. */
export const cuts = fc.array(fc.nat(), { maxLength: 12 })

/** Bytes in pieces; some may be empty. */
export const cutAt = (bytes: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end))
}

/** The bytes of a text. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
