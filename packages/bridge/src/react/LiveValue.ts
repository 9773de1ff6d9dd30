/**
 * A value from a server, kept up to date for as long as anybody wants it: what `useSyncExternalStore` takes.
 */

/** Waits, unless the signal ends it. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener("abort", done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener("abort", done)
    if (signal.aborted) done()
  })

/** A value that is kept up to date while somebody subscribes to it. */
export abstract class LiveValue<A> {
  #value: A
  #watching: AbortController | undefined
  readonly #listeners = new Set<() => void>()

  constructor(first: A) {
    this.#value = first
  }

  /** Keeps the value up to date until the signal. It must not fail. */
  protected abstract watch(signal: AbortSignal): Promise<void>

  /** The value. The same object until it is another one. */
  readonly value = (): A => this.#value

  /** Calls back whenever the value changes; the returned function stops that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    if (this.#watching === undefined) {
      this.#watching = new AbortController()
      void this.watch(this.#watching.signal)
    }
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#watching?.abort()
      this.#watching = undefined
    }
  }

  protected publish(value: A): void {
    this.#value = value
    for (const listener of [...this.#listeners]) listener()
  }
}
