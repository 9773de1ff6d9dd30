/** What a live scenario is: a numbered conversation with a server, and what to look for in it. */
import type { Talk } from "./Talk.ts"
import type { LiveTarget, Transport } from "./Target.ts"

/** A scenario. */
export interface LiveScenario {
  /** Stable, and never given to another scenario: `LIVE-007`. */
  readonly id: string
  readonly title: string
  /** What the model has to do for the scenario to show anything; it is skipped, with a reason, when it does not. */
  readonly needs?: string
  /** What the model is asked, worded so that any model would do it. It can be replaced. */
  readonly prompt: string
  /** Where it makes sense; everywhere unless it says otherwise. */
  readonly transports?: ReadonlyArray<Transport>
  /** Why it cannot be played to this server, if so. */
  readonly unless?: (target: LiveTarget) => string | undefined
  readonly play: (talk: Talk) => Promise<void>
}

/** The transports that have `/info`, stop and connect. */
export const copilotKit: ReadonlyArray<Transport> = ["copilotkit-rest", "copilotkit-single"]

/** A short prompt that any model answers. */
export const plainPrompt = "Say hello in one short sentence."

/** A prompt whose answer takes a model some ten seconds, so that something can be done meanwhile. */
export const longPrompt = "Count from 1 to 150 in words, one number a line. Use no tools. Do not stop early."
