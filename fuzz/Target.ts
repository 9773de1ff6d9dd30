/**
 * What a fuzz target is: a part of the code that reads what others wrote, and the law that must hold whatever they
 * write. `targets/` has them, `Campaign.ts` runs them.
 */

/** How inputs of a target are built, and so how they are changed. */
export type Shape =
  /** Anything. */
  | "bytes"
  /** Lines, most of them JSON. */
  | "lines"

/** A part of the code and its law. */
export interface Target {
  readonly name: string
  /** What is read, and what must hold, in one line. */
  readonly law: string
  readonly shape: Shape
  /** Words that mean something to the reader: they are put in where chance would not. */
  readonly words: ReadonlyArray<string>
  /**
   * Reads an input. Throws when the law does not hold. What comes back names the outcomes, such as codes of errors: an
   * input with an outcome that was not seen before is kept, and changed further.
   */
  readonly check: (input: Uint8Array) => Iterable<string> | Promise<Iterable<string>>
}

/** The law does not hold. */
export class LawBroken extends Error {
  override readonly name = "LawBroken"
}

/** States a part of the law. */
export const holds: (fact: boolean, law: string, what?: unknown) => asserts fact = (fact, law, what) => {
  if (!fact) throw new LawBroken(what === undefined ? law : `${law}: ${shown(what)}`)
}

/** States that two values are the same as JSON. */
export const same = (law: string, one: unknown, other: unknown): void => {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)]
  if (left === right) return
  let at = 0
  while (left?.[at] === right?.[at]) at++
  throw new LawBroken(`${law}: ${near(left, at)} is not ${near(right, at)}`)
}

const near = (text: string | undefined, at: number): string =>
  text === undefined ? "nothing" : text.slice(Math.max(0, at - 40), at + 80)

const shown = (what: unknown): string => {
  const text = typeof what === "string" ? what : (JSON.stringify(what) ?? "nothing")
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** A breach in a few words that are the same however the input is changed: numbers, names and what was found are left out. */
export const signatureOf = (error: unknown): string => {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`
  const [law = ""] = error instanceof LawBroken ? error.message.split(": ") : [error.message.replace(/["'`].*/s, "")]
  const place = error instanceof LawBroken ? "" : (/\/(?:src|fuzz)\/(\S+?\.ts)/.exec(error.stack ?? "")?.[1] ?? "")
  return [error.name, law.replaceAll(/\d+/g, "n").slice(0, 120), place].filter((part) => part !== "").join(", ")
}

/** The text of an input, with U+FFFD where it is not UTF-8. */
export const textOf = (input: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(input)

/** The lines of an input. */
export const linesOf = (input: Uint8Array): ReadonlyArray<string> => textOf(input).split("\n")

/** An input in pieces, cut where its own bytes say, so that a finding needs nothing but its input. */
export const piecesOf = (input: Uint8Array): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  let state = input.length
  for (let from = 0; from < input.length; ) {
    state = (Math.imul(state, 31) + (input[from] ?? 0)) >>> 0
    // Small pieces at first, where borders are, and a bounded number of them.
    const length = pieces.length < 200 ? 1 + (state % (1 + (state % 3 === 0 ? 2 : 40))) : input.length
    pieces.push(input.subarray(from, from + length))
    from += length
  }
  return pieces
}
