/** The moment at which a bridge is killed: when something has happened so many times. */
import type { Random } from "../../fuzz/policy/Random.ts"

/** What is counted: events and bytes that any client gets, requests that any client makes, ends of turns, questions. */
export type Happening = "event" | "byte" | "request" | "turn end" | "question"

/** When a bridge is killed. `at once`: it counts from the first request after the start, else from when all have rejoined. */
export interface Moment {
  readonly what: Happening
  readonly times: number
  readonly atOnce: boolean
}

/** How many times of each are likely to be reached in a life. */
const reach: Readonly<Record<Happening, number>> = { event: 80, byte: 20_000, request: 8, "turn end": 5, question: 2 }

/** Chooses a moment. `isFirst`: nothing was said yet, so all moments are in the first prompts. */
export const chooseMoment = (random: Random, isFirst: boolean): Moment => {
  const what = random.pick(["event", "event", "byte", "byte", "request", "turn end", "question"] as const)
  const atOnce = random.chance(isFirst ? 0.1 : 0.25)
  return atOnce
    ? { what: "request", times: 1 + random.below(12), atOnce }
    : { what, times: 1 + random.below(reach[what]), atOnce }
}

/** Counts until the moment has come. */
export class Trigger {
  readonly #moment: Moment
  readonly #fire: () => void
  #left: number
  #isArmed: boolean

  constructor(moment: Moment, fire: () => void) {
    this.#moment = moment
    this.#fire = fire
    this.#left = moment.times
    this.#isArmed = moment.atOnce
  }

  /** Begins to count. */
  arm(): void {
    this.#isArmed = true
  }

  /** Something has happened. */
  note(what: Happening, times = 1): void {
    if (!this.#isArmed || what !== this.#moment.what || this.#left <= 0) return
    this.#left -= times
    // The code that saw it comes to its end first: what it saw, it has.
    if (this.#left <= 0) this.#fire()
  }
}
