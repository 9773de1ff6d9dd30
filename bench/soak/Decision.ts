/**
 * What a person does next, decided before it happens: the same seed gives the same decisions, whatever the machine
 * does with them.
 */
import type { Chance } from "./Chance.ts"

/** What disturbs a run: weights, in hundredths or so. */
const disturbances = {
  /** Nothing: the run is read to its end. */
  none: 36,
  /** The client closes the connection. */
  leave: 10,
  /** The client leaves and comes back with a connect. */
  reconnect: 14,
  /** The client leaves before it is answered. */
  leaveAtOnce: 3,
  /** The client reads nothing for a while. */
  stall: 6,
  /** The client asks to stop. */
  stop: 8,
  SIGKILL: 7,
  SIGTERM: 7,
  /** Another run is posted meanwhile. */
  busy: 5,
  /** The thread is removed meanwhile. */
  remove: 3
} as const

/** What disturbs a run. */
export type Disturbance = keyof typeof disturbances

/** What a person does with the questions of an agent. */
const answers = { approve: 5, deny: 3, ignore: 2 } as const

/** A run that a person will ask for. */
export interface Decision {
  readonly face: "plain" | "copilotkit"
  readonly disturbance: Disturbance
  /** After how many events it happens. */
  readonly atEvent: number
  /** What is done with what the last run asked. */
  readonly answer: keyof typeof answers
  /** How long the person thinks before. */
  readonly pauseMs: number
  readonly stallMs: number
}

/** Decides on a run. Every decision takes as many numbers, so that the next does not depend on this one. */
export const decide = (chance: Chance): Decision => {
  const disturbance = chance.weighted(disturbances)
  const face = chance.weighted({ plain: 1, copilotkit: 1 })
  return {
    disturbance,
    // Only CopilotKit leaves a run going when its client leaves, and has a stop.
    face: disturbance === "reconnect" || disturbance === "stop" ? "copilotkit" : face,
    atEvent: Math.ceil(30 * chance.next() ** 2),
    answer: chance.weighted(answers),
    pauseMs: chance.between(20, 800),
    stallMs: chance.between(500, 4000)
  }
}
