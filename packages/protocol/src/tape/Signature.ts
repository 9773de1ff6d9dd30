/** Messages by what is left of them without their ids, times and sizes: equal for those that may match. */
import { isRecord } from "../wire/Json.ts"
import { isIdKey, isIgnoredKey } from "./IdKeys.ts"
import { anonymous } from "./IdText.ts"

/** Longer ones are named by a number where they are within others, so that nothing is written at every level again. */
const longest = 64

/** Gives texts of some messages that can be compared: only with each other's. */
export class Signatures {
  readonly #numbers = new Map<string, number>()

  /** The number of what is left of a message: the same for all that may match. */
  numberOf(value: unknown): number {
    return this.#number(this.#text(value, ""))
  }

  #number(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }

  #text(value: unknown, key: string): string {
    if (typeof value === "string") return isIdKey(key) ? "<id>" : JSON.stringify(anonymous(value))
    const parts: Array<string> = []
    // Loops, not callbacks: a message may nest two thousand levels.
    if (Array.isArray(value)) {
      for (const item of value) parts.push(this.#part(item, key))
      return `[${parts.join()}]`
    }
    if (!isRecord(value)) return String(value)
    for (const name of Object.keys(value))
      if (!isIgnoredKey(name)) parts.push(`${JSON.stringify(anonymous(name))}:${this.#part(value[name], name)}`)
    return `{${parts.sort().join()}}`
  }

  #part(value: unknown, key: string): string {
    const text = this.#text(value, key)
    return text.length > longest ? `#${this.#number(text)}` : text
  }
}

/** What is left of a message without its ids, times and sizes, as text: equal for messages that may match. */
export const signatureOf = (value: unknown, key = ""): string => {
  if (typeof value === "string") return isIdKey(key) ? "<id>" : JSON.stringify(anonymous(value))
  if (Array.isArray(value)) return `[${value.map((item) => signatureOf(item, key)).join()}]`
  if (!isRecord(value)) return String(value)
  const members = Object.keys(value)
    .filter((name) => !isIgnoredKey(name))
    .map((name) => `${JSON.stringify(anonymous(name))}:${signatureOf(value[name], name)}`)
  return `{${members.sort().join()}}`
}
