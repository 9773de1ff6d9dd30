/**
 * Finds many words in a text at once, in one pass over it: where three characters could begin a word, the word is
 * compared. Most texts have none, and are read as fast as they can be.
 */

/** A word to look for. */
export interface Needle<A> {
  /** Three characters or more. */
  readonly word: string
  /** Whether `Password` is `password`; the word is in lower case then. */
  readonly ignoreCase?: boolean
  readonly value: A
}

/** Three characters of six bits each: of ASCII nothing is mixed up but upper and lower case. */
const mask = 0x3ffff
const next = (key: number, code: number): number => ((key << 6) | (code & 31) | ((code & 64) >> 1)) & mask

/** A set of words. */
export class Needles<A> {
  readonly #marks: Uint8Array
  readonly #buckets = new Map<number, Array<Needle<A>>>()

  constructor(needles: ReadonlyArray<Needle<A>>) {
    this.#marks = needles.length === 0 ? new Uint8Array() : new Uint8Array(mask + 1)
    for (const needle of needles) {
      let key = 0
      for (let index = 0; index < 3; index++) key = next(key, needle.word.charCodeAt(index))
      this.#marks[key] = 1
      const bucket = this.#buckets.get(key)
      if (bucket === undefined) this.#buckets.set(key, [needle])
      else bucket.push(needle)
    }
  }

  /** Whether there is any of the words in the text. */
  has(text: string): boolean {
    for (let at = this.#nextPossible(text, 0); at !== -1; at = this.#nextPossible(text, at + 1))
      for (const needle of this.#possibleAt(text, at)) if (isHere(needle, text, at)) return true
    return false
  }

  /** Calls back for every word in the text, in order. */
  each(text: string, found: (needle: Needle<A>, at: number) => void): void {
    for (let at = this.#nextPossible(text, 0); at !== -1; at = this.#nextPossible(text, at + 1))
      for (const needle of this.#possibleAt(text, at)) if (isHere(needle, text, at)) found(needle, at)
  }

  /** The first place from here on where a word may begin, or -1. */
  #nextPossible(text: string, from: number): number {
    const marks = this.#marks
    if (marks.length === 0 || from + 3 > text.length) return -1
    let key = next(next(0, text.charCodeAt(from)), text.charCodeAt(from + 1))
    for (let index = from + 2; index < text.length; index++) {
      key = next(key, text.charCodeAt(index))
      if (marks[key] === 1) return index - 2
    }
    return -1
  }

  #possibleAt(text: string, at: number): ReadonlyArray<Needle<A>> {
    let key = 0
    for (let index = at; index < at + 3; index++) key = next(key, text.charCodeAt(index))
    return this.#buckets.get(key) ?? []
  }
}

const isHere = ({ ignoreCase, word }: Needle<unknown>, text: string, at: number): boolean => {
  if (ignoreCase !== true) return text.startsWith(word, at)
  if (at + word.length > text.length) return false
  for (let index = 0; index < word.length; index++) {
    const code = text.charCodeAt(at + index)
    if ((code >= 65 && code <= 90 ? code | 32 : code) !== word.charCodeAt(index)) return false
  }
  return true
}
