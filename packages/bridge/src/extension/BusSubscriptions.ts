/**
 * What an extension listens to on the bus: its handlers, by the numbers that it gives them.
 */
import type { EventBus } from "./EventBus.ts"
import { eventPattern } from "./EventPattern.ts"
import type { ExtensionEvent } from "./Extension.ts"

/** How many handlers an extension may have. */
const maxHandlers = 100

/** The handlers of an extension. */
export class BusSubscriptions {
  readonly #bus: EventBus
  readonly #heard: (handler: number, event: ExtensionEvent) => void
  readonly #ends = new Map<number, () => void>()

  constructor(bus: EventBus, heard: (handler: number, event: ExtensionEvent) => void) {
    this.#bus = bus
    this.#heard = heard
  }

  /** Adds a handler; or says why not. */
  add(handler: number, pattern: string): string | undefined {
    const fits = eventPattern(pattern)
    if (fits === undefined) return `It listens to ${JSON.stringify(pattern.slice(0, 100))}, which is no pattern.`
    if (this.#ends.size >= maxHandlers) return `It has ${maxHandlers} handlers of events already.`
    this.#ends.set(
      handler,
      this.#bus.subscribe(fits, (event) => this.#heard(handler, event))
    )
    return undefined
  }

  /** Takes a handler away. */
  remove(handler: number): void {
    this.#ends.get(handler)?.()
    this.#ends.delete(handler)
  }

  /** Takes all of them away. */
  clear(): void {
    for (const handler of [...this.#ends.keys()]) this.remove(handler)
  }
}
