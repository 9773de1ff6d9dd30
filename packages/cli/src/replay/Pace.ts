/** How fast a tape is played: the waits of the tape, divided, capped, or left out. */
import { setTimeout as sleep } from "node:timers/promises"
import { UsageFailure } from "../Failure.ts"

/** Waits before a frame, given what the tape says. Rejects never; ends early when the signal says so. */
export interface Pace {
  readonly before: (waitMs: number, signal?: AbortSignal) => Promise<void>
}

/** The pace that `--speed` and `--idle-limit` ask for. */
export const paceOf = (speed = "instant", idleLimit?: string): Pace => {
  const factor = factorOf(speed)
  const limit = idleLimit === undefined ? Number.POSITIVE_INFINITY : milliseconds("idle-limit", idleLimit)
  return {
    before: async (waitMs, signal) => {
      const ms = Math.min(waitMs / factor, limit)
      if (ms < 1 || signal?.aborted === true) return
      await sleep(ms, undefined, signal && { signal }).catch((error: unknown) => {
        if (signal?.aborted !== true) throw error
      })
    }
  }
}

const factorOf = (speed: string): number => {
  if (speed === "instant") return Number.POSITIVE_INFINITY
  if (speed === "real") return 1
  const factor = Number(speed)
  if (!(factor > 0)) throw new UsageFailure(`--speed takes real, instant or a number above 0, not "${speed}".`)
  return factor
}

/** The number of milliseconds that an option asks for. */
export const milliseconds = (name: string, value: string): number => {
  const parsed = Number(value)
  if (value.trim() === "" || !(parsed >= 0))
    throw new UsageFailure(`--${name} takes a number of milliseconds, not "${value}".`)
  return parsed
}
