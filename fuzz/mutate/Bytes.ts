/** Changes of bytes that know nothing of what the bytes mean. */
import type { Chance } from "../../bench/soak/Chance.ts"

/** The largest input. What is quadratic in its length takes longer than any input may. */
export const maxInputBytes = 128 * 1024

/** One of some values. */
export const oneOf = <A>(chance: Chance, values: ReadonlyArray<A>): A =>
  values[chance.between(0, values.length - 1)] as A

/** Bytes that readers stumble over: ends of lines, quotes, escapes, and UTF-8 that is cut or wrong. */
const oddBytes: ReadonlyArray<ReadonlyArray<number>> = [
  [0],
  [0x0a],
  [0x0d, 0x0a],
  [0x22],
  [0x5c],
  [0x5c, 0x75, 0x64, 0x38, 0x30, 0x30],
  [0xff],
  [0xc3],
  [0xe2, 0x80, 0xa8],
  [0xed, 0xa0, 0x80],
  [0xef, 0xbb, 0xbf],
  [0xf0, 0x9f, 0x98, 0x80]
]

/** What may happen to bytes, by how often. */
const weights = { flip: 4, odd: 4, remove: 4, copy: 4, repeat: 1, splice: 3, cut: 2, word: 5 }

/** Bytes with one change. `other` is something to take a part of. */
export const mutateBytes = (
  chance: Chance,
  input: Uint8Array,
  other: Uint8Array,
  words: ReadonlyArray<string>
): Uint8Array => {
  const at = chance.between(0, input.length)
  const to = Math.min(input.length, at + chance.between(0, 1 << chance.between(0, 10)))
  const put = (piece: ArrayLike<number>, until = at): Uint8Array =>
    joined([input.subarray(0, at), Uint8Array.from(piece), input.subarray(until)])
  switch (chance.weighted(weights)) {
    case "flip":
      return input.map((byte, index) => (index === at ? byte ^ (1 << chance.between(0, 7)) : byte))
    case "odd":
      return put(oneOf(chance, oddBytes))
    case "remove":
      return put([], to)
    case "copy":
      return put(input.subarray(at, to), chance.next() < 0.5 ? at : to)
    case "repeat": {
      const piece = input.subarray(at, to)
      const times = Math.min(1 << chance.between(1, 16), Math.floor(maxInputBytes / Math.max(1, piece.length)))
      return joined([input.subarray(0, at), ...Array.from({ length: times }, () => piece), input.subarray(at)])
    }
    case "splice": {
      const start = chance.between(0, other.length)
      return put(other.subarray(start, start + chance.between(0, 2000)), chance.next() < 0.5 ? at : input.length)
    }
    case "cut":
      return input.subarray(0, at)
    case "word":
      return put(
        new TextEncoder().encode(words.length === 0 ? "" : oneOf(chance, words)),
        chance.next() < 0.5 ? at : to
      )
  }
}

/** Pieces in a row, no longer than an input may be. */
export const joined = (pieces: ReadonlyArray<Uint8Array>): Uint8Array =>
  new Uint8Array(Buffer.concat(pieces).subarray(0, maxInputBytes))
