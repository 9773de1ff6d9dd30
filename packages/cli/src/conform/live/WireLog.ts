/**
 * What a scenario sent and what came back, as text: bounded, and without the bearer token, even where the server
 * repeats it.
 */
import type { WireEntry } from "../ScenarioResult.ts"

/** How much of the wire is kept. */
const limits = { text: 2000, first: 120, last: 80 } as const

/** Replaces a secret in texts. Without one, it changes nothing. */
export type Redact = (text: string) => string

const mask = "***"

/** Fewer characters of a secret than this give nothing away. */
const leastPart = 4

/** A function that hides a secret, also where a text was cut in the middle of it, which `…` shows. */
export const redactor = (secret: string | undefined): Redact => {
  if (secret === undefined || secret === "") return (text) => text
  const parts = Array.from({ length: Math.max(0, secret.length - leastPart) }, (_, i) => secret.slice(0, -1 - i))
  return (text) => {
    const whole = text.replaceAll(secret, mask)
    return whole.includes("…") ? parts.reduce((rest, part) => rest.replaceAll(`${part}…`, `${mask}…`), whole) : whole
  }
}

/** Collects entries: the first and the last ones are kept, and how many there were between. */
export class WireLog {
  readonly #redact: Redact
  readonly #first: Array<WireEntry> = []
  readonly #last: Array<WireEntry> = []
  #between = 0

  constructor(redact: Redact) {
    this.#redact = redact
  }

  /** Adds an entry, cut to its limit. */
  add(dir: WireEntry["dir"], text: string): void {
    const hidden = this.#redact(text.length > 2 * limits.text ? `${text.slice(0, 2 * limits.text)}…` : text)
    const left = hidden.length - limits.text
    const entry = { dir, text: left > 0 ? `${hidden.slice(0, limits.text)}… (cut)` : hidden }
    if (this.#first.length < limits.first) {
      this.#first.push(entry)
      return
    }
    this.#last.push(entry)
    if (this.#last.length > limits.last) {
      this.#last.shift()
      this.#between++
    }
  }

  /** What is kept. */
  get entries(): ReadonlyArray<WireEntry> {
    const gap = { dir: "received", text: `… ${this.#between} entries left out …` } as const
    return [...this.#first, ...(this.#between > 0 ? [gap] : []), ...this.#last]
  }
}
