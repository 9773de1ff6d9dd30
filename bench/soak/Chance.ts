/** Decisions that a seed repeats: a small generator of numbers (mulberry32), and choosing by it. */

/** Numbers that look random and are the same for the same seed. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  /** One of a table's keys, each as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const keys = Object.keys(weights) as Array<K>
    let left = this.next() * keys.reduce((sum, key) => sum + weights[key], 0)
    const found = keys.find((key) => {
      left -= weights[key]
      return left < 0
    })
    return found ?? (keys.at(-1) as K)
  }

  /** The same values in another order. */
  shuffled<A>(values: ReadonlyArray<A>): ReadonlyArray<A> {
    return values
      .map((value) => [this.next(), value] as const)
      .sort(([a], [b]) => a - b)
      .map(([, value]) => value)
  }
}
