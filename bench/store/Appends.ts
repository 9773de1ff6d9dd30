/** How long appends take when sessions speak as fast as a model does, and how many there can be a second. */
import type { Contender } from "./Contenders.ts"
import { Turns } from "./Turns.ts"

/** Sessions that speak. */
export class Speakers {
  readonly #contender: Contender
  readonly #turns: ReadonlyArray<Turns>
  /** How many events were written. */
  written = 0

  constructor(contender: Contender, sessions: number) {
    this.#contender = contender
    this.#turns = Array.from({ length: sessions }, (_, n) => new Turns(`${n}`))
  }

  /** Each session says so much, one event every few milliseconds. Returns how long each took to be written. */
  paced(events: number, everyMs: number): Promise<ReadonlyArray<number>> {
    const latencies: Array<number> = []
    const wanted = events * this.#turns.length
    return new Promise((resolve) => {
      for (const [session, turns] of this.#turns.entries()) {
        let said = 0
        // Not all at the same moment.
        const begin = (session * everyMs) / this.#turns.length
        const speak = (): void => {
          const begun = performance.now()
          this.#contender.append(session, turns.next(), () => {
            this.written++
            latencies.push(performance.now() - begun)
            if (latencies.length === wanted) resolve(latencies)
          })
          if (++said === events) clearInterval(timer)
        }
        let timer = setTimeout(() => {
          timer = setInterval(speak, everyMs)
        }, begin)
      }
    })
  }

  /** All say so much in all, as fast as they can; each waits when so many of its events are not written. */
  hurried(total: number, ahead = 32): Promise<number> {
    const begun = performance.now()
    let [begunEvents, done] = [0, 0]
    return new Promise((resolve) => {
      const speak = (session: number, turns: Turns): void => {
        if (begunEvents === total) return
        begunEvents++
        let isSync = true
        this.#contender.append(session, turns.next(), () => {
          this.written++
          if (++done === total) resolve(total / ((performance.now() - begun) / 1000))
          // Files are written at once: no deeper stack for each line.
          if (isSync) queueMicrotask(() => speak(session, turns))
          else speak(session, turns)
        })
        isSync = false
      }
      for (const [session, turns] of this.#turns.entries())
        for (let n = 0; n < Math.max(1, Math.min(ahead, total / this.#turns.length)); n++) speak(session, turns)
    })
  }
}

/** The value below which a part of all are. */
export const quantile = (values: ReadonlyArray<number>, q: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}
