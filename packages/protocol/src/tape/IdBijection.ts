/** Which id of one session stands for which of another. */

/** Ids of one side and the ids of the other that stand for them, one to one. */
export class IdBijection {
  readonly #there = new Map<string, string>()
  readonly #back = new Map<string, string>()

  /** Keeps a pair; false, and nothing kept, when one of the two belongs to another. */
  bind(expected: string, actual: string): boolean {
    const there = this.#there.get(expected)
    const back = this.#back.get(actual)
    if (there === undefined && back === undefined) {
      this.#there.set(expected, actual)
      this.#back.set(actual, expected)
      return true
    }
    return there === actual
  }

  /** What stands for a recorded id now. */
  get(expected: string): string | undefined {
    return this.#there.get(expected)
  }

  /** The recorded id that this one stands for. */
  origin(actual: string): string | undefined {
    return this.#back.get(actual)
  }

  /** All pairs, in the order they were learned. */
  entries(): IterableIterator<[string, string]> {
    return this.#there.entries()
  }

  /** How many there are. */
  get size(): number {
    return this.#there.size
  }
}
