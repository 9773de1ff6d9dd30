/**
 * What became of what an extension was asked, and what was dropped, as its health shows it.
 */
import type { ExtensionFailed } from "./ExtensionFailed.ts"
import type { Health } from "./Schemas.ts"

/** What is counted while it happens; `owed` is known elsewhere. */
export type CounterName = Exclude<keyof Health["counters"], "owed">

/** The counters of an extension, and its newest failure. */
export class Tally {
  readonly #counters: Record<CounterName, number> = {
    calls: 0,
    failures: 0,
    timeouts: 0,
    eventsDropped: 0,
    emitsRefused: 0,
    logsDropped: 0,
    restarts: 0,
    undelivered: 0
  }
  #lastError: Health["lastError"]
  #isTroubled = false

  /** So many more of something. */
  count(name: CounterName, more = 1): void {
    this.#counters[name] += more
  }

  /** Something went well: what was wrong before is over. */
  succeeded(): void {
    this.#isTroubled = false
  }

  /** Something failed; `message` is fit to be shown. */
  failed(code: ExtensionFailed["code"], message: string): void {
    this.count("failures")
    if (code === "EXTENSION_TIMEOUT") this.count("timeouts")
    this.#isTroubled = true
    this.#lastError = { code, message, at: Date.now() }
  }

  /** Whether the newest thing that was asked failed. */
  get isTroubled(): boolean {
    return this.#isTroubled
  }

  /** The counters. */
  get counters(): Readonly<Record<CounterName, number>> {
    return { ...this.#counters }
  }

  /** The newest failure. */
  get lastError(): Health["lastError"] {
    return this.#lastError
  }
}
