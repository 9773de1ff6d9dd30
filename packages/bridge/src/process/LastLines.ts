/** The last lines of a stream of bytes that may be endless. */
import { StringDecoder } from "node:string_decoder"

/** The most characters that are kept, however long the lines are. */
const maxCharacters = 32_768

/** Keeps the last lines of what is pushed. */
export class LastLines {
  readonly #lines: number
  readonly #decoder = new StringDecoder()
  #text = ""

  constructor(lines: number) {
    this.#lines = lines
  }

  /** Adds bytes, cut anywhere. */
  push(chunk: Uint8Array): void {
    this.#text = (this.#text + this.#decoder.write(chunk)).slice(-maxCharacters)
  }

  /** The last lines, without the last line's end. */
  get text(): string {
    return this.#text.trimEnd().split("\n").slice(-this.#lines).join("\n")
  }
}
