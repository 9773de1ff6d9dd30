/** What the strings of a JSON text are called, where their names may say that they are secret. */
import type { Literal } from "../wire/internal/JsonText.ts"

/** The key a string is under, also when it is in a list. */
const keyOf = (path: ReadonlyArray<string>): string => path.findLast((key) => key !== "") ?? ""

/** An argument that is the name of an option, for the argument after it. */
export const optionOf = (text: string | undefined): string =>
  text !== undefined && /^--?[A-Za-z][\w-]*$/.test(text) ? text : ""

/** A header whose value follows it in a list. */
const listedHeader = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^x-api-key$/i

/**
 * The names of the strings of a JSON text: the key, the option or header before it in its list, or what the `name`
 * beside a `value` says.
 */
export class Names {
  #depth = 0
  #before = ""
  #beside = ""

  /** The name of the next string, which says this. */
  of({ isKey, path }: Literal, says: string): string {
    const key = path.at(-1) ?? ""
    const isSibling = path.length === this.#depth
    if (!isSibling) {
      this.#before = ""
      if (path.length < this.#depth) this.#beside = ""
    }
    this.#depth = path.length
    if (isKey) return ""
    if (key === "") {
      const option = this.#before
      this.#before = optionOf(says) || (listedHeader.test(says) ? says : "")
      return option || keyOf(path)
    }
    if (key.length <= 6 && /^(?:name|key|header)$/i.test(key)) {
      this.#beside = says
      return key
    }
    if (this.#beside === "" || !isSibling || !/^value$/i.test(key)) return key
    const name = this.#beside
    this.#beside = ""
    return name
  }
}
