/**
 * Events on their way from those who tell them to those who listen. Whoever listens is called at once and must not take
 * long: each has a bounded queue of its own.
 */
import type { ExtensionEvent } from "./Extension.ts"

/** Where events are told. */
export interface EventBus {
  /** Tells an event to all who want it. */
  readonly publish: (event: ExtensionEvent) => void
  /** Whether anybody wants events of this name: what nobody wants need not be made. */
  readonly isWanted: (type: string) => boolean
  /** Calls back for the events whose name fits; the returned function ends that. */
  readonly subscribe: (fits: (type: string) => boolean, listener: (event: ExtensionEvent) => void) => () => void
}

/** A bus without listeners. */
export const makeEventBus = (): EventBus => {
  const listeners = new Set<{
    readonly fits: (type: string) => boolean
    readonly listener: (event: ExtensionEvent) => void
  }>()
  return {
    publish: (event) => {
      for (const { fits, listener } of [...listeners]) if (fits(event.type)) listener(event)
    },
    isWanted: (type) => [...listeners].some(({ fits }) => fits(type)),
    subscribe: (fits, listener) => {
      const one = { fits, listener }
      listeners.add(one)
      return () => void listeners.delete(one)
    }
  }
}
