/**
 * How many lines somebody may write in a second; the others are counted.
 */

/** A budget of lines. */
export class LogBudget {
  readonly #perSecond: number
  readonly #dropped: (count: number) => void
  readonly #now: () => number
  #second = 0
  #written = 0

  constructor(perSecond: number, dropped: (count: number) => void, now: () => number = Date.now) {
    this.#perSecond = perSecond
    this.#dropped = dropped
    this.#now = now
  }

  /** Whether a line may be written now. It counts as written. */
  takeLine(): boolean {
    const second = Math.floor(this.#now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#written = 0
    }
    if (this.#written < this.#perSecond) {
      this.#written++
      return true
    }
    this.#dropped(1)
    return false
  }
}
