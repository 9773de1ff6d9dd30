/** How many there are of each name. A stranger can think of more names than fit in memory: the first thousand are kept. */

const maxNames = 1000
const maxLength = 200
const others = "(others)"

/** Counts by name. */
export class Counts {
  total = 0
  readonly #counts = new Map<string, number>()

  /** One more of a name. */
  add(name: string): void {
    this.total++
    const known = this.#counts.has(name) || this.#counts.size < maxNames ? name : others
    this.#counts.set(known, (this.#counts.get(known) ?? 0) + 1)
  }

  /** All of them, the most frequent first. */
  get all(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)))
  }
}

/** A name that is short enough to be kept. */
export const shortName = (name: string): string =>
  // Written anew: a part of a string would keep the whole of it in memory.
  name.length > maxLength ? `${Buffer.from(name.slice(0, maxLength)).toString()}…` : name
