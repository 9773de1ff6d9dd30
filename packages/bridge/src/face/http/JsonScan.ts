/**
 * Looks at the bytes of JSON as they come, so that nothing is built that is too much: how deep it nests, and how many
 * values it has. Parsing and checking cost by the value, a thousand times what they cost by the byte of a long text.
 */

/** How much JSON may be. */
export interface JsonBounds {
  /** How deep lists and objects may nest. */
  readonly maxDepth: number
  /** How many values there may be, those in lists and objects included. */
  readonly maxValues: number
}

/** What is too much. */
export type JsonExcess = "TOO_DEEP" | "TOO_MANY_VALUES"

const [quote, comma, openList, backslash, closeList, openObject, closeObject] = [
  0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d
]

/** A look at one document. What is not JSON does no harm: it is for the parser to say so. */
export class JsonScan {
  readonly #bounds: JsonBounds
  #depth = 0
  #values = 1
  #inString = false
  #escaped = false

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds
  }

  /** Looks at the next bytes. What it says once it says of all that follow. */
  push(bytes: Uint8Array): JsonExcess | undefined {
    const { maxDepth, maxValues } = this.#bounds
    let [depth, values, inString, escaped] = [this.#depth, this.#values, this.#inString, this.#escaped]
    for (let at = 0; at < bytes.length && depth <= maxDepth && values <= maxValues; at++) {
      const byte = bytes[at]
      if (escaped) escaped = false
      else if (inString) {
        if (byte === backslash) escaped = true
        else if (byte === quote) inString = false
      } else if (byte === quote) inString = true
      else if (byte === comma) values++
      else if (byte === openList || byte === openObject) {
        depth++
        values++
      } else if (byte === closeList || byte === closeObject) depth--
    }
    this.#depth = depth
    this.#values = values
    this.#inString = inString
    this.#escaped = escaped
    if (depth > maxDepth) return "TOO_DEEP"
    return values > maxValues ? "TOO_MANY_VALUES" : undefined
  }
}
