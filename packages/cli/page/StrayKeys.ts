/**
 * Which keys are meant for a question, and which were meant for what the person was typing when it appeared. Pure.
 *
 * A question appears when the agent gets there, and the person may be in the middle of a sentence. Its spaces and its
 * Enter must not allow or deny anything, so keys do nothing until nobody has typed for a while.
 */

/** How long nobody may have typed before keys count. Browsers wait as long before their own permission prompts. */
export const calmMs = 500

/** A key that goes down. */
export interface KeyPress {
  /** Which key of the keyboard it is. */
  readonly code: string
  /** What it means. */
  readonly key: string
  /** Whether it is down since before. */
  readonly isRepeat: boolean
  /** When, in milliseconds of the clock that `shown` uses. */
  readonly at: number
}

/** Tells stray keys from those that are meant. */
export interface StrayKeys {
  /** Notes that the person can see the question from a moment on. */
  readonly shown: (at: number) => void
  /** When keys begin to count, as things are now. */
  readonly calmAt: () => number
  /** Whether a key that goes down is to do nothing. */
  readonly isStrayDown: (press: KeyPress) => boolean
  /** Whether a key that comes up is to do nothing: a button is pressed by Space when it comes up. */
  readonly isStrayUp: (code: string) => boolean
}

/** Watches the keys of one question. All are stray before it was shown. */
export const makeStrayKeys = (): StrayKeys => {
  /** The keys that are down and were meant when they went down. */
  const meant = new Set<string>()
  let calmAt = Number.POSITIVE_INFINITY
  return {
    shown: (at) => {
      calmAt = at + calmMs
    },
    calmAt: () => calmAt,
    isStrayDown: ({ at, code, isRepeat, key }) => {
      if (at < calmAt) {
        calmAt = Math.max(calmAt, at + calmMs)
        return true
      }
      // Closing the dialog would be an answer, or hide that one is waited for.
      if (key === "Escape") return true
      // A held Enter would first open a form and then send it.
      if (isRepeat && (key === "Enter" || !meant.has(code))) return true
      meant.add(code)
      return false
    },
    isStrayUp: (code) => !meant.delete(code)
  }
}
