/**
 * The end of a command that runs until it is stopped: the first signal asks, the second one does not wait.
 */
import { constants } from "node:os"

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Waits for a signal to stop. */
export interface StopSignal {
  readonly signal: AbortSignal
  /** Leaves signals to Node again. */
  readonly forget: () => void
}

/** Listens for signals. After the first, `again` is called with the exit code a shell gives to the second. */
export const stopSignal = (again: (code: number) => void): StopSignal => {
  const stop = new AbortController()
  const hear = (signal: (typeof signals)[number]) => {
    if (stop.signal.aborted) again(128 + constants.signals[signal])
    else stop.abort()
  }
  for (const signal of signals) process.on(signal, hear)
  return {
    signal: stop.signal,
    forget: () => {
      for (const signal of signals) process.off(signal, hear)
    }
  }
}
