/**
 * Which keys of a message it cannot be read without.
 *
 * A release may drop a statistic, null it or write it differently, and that must not cost the answer beside it. So a
 * codec is given, for each message, the paths that carry what is said; all other keys are tolerated. Paths are
 * written as in `message.content[].text`:
 *
 * - `a.b`: essential, and so is `a`. Where it is missing or of another type, the message is `Invalid`.
 * - `a[].b`: in each element. An element that is broken is left out; its siblings stay.
 * - `a.b?`: heeded where it is right, and read as absent where it is odd: the rest of the message is worth more.
 * - `a.**`: all that the schema names below `a`. `**` alone: the whole message must fit its schema.
 */
import { each, type JsonPath } from "./internal/JsonPath.ts"

/** The paths of a message that carry what it says. */
export type EssentialPaths = ReadonlyArray<string>

/** What is needed at a place in a message, and below it. */
export interface Need {
  /** A message, or an element of a list, that is broken here cannot be read. */
  readonly essential: boolean
  /** What is needed one step further; undefined where nothing is. */
  readonly below: (step: JsonPath[number]) => Need | undefined
  /** Whether the paths end here: whatever is further down is part of what this place says. */
  readonly isLeaf: boolean
}

const everything: Need = { essential: true, below: () => everything, isLeaf: true }

interface Path {
  readonly steps: ReadonlyArray<string | typeof each>
  readonly isHeeded: boolean
}

/** What the paths of a message need. */
export const needOf = (paths: EssentialPaths): Need => build(paths.map(parse))

const parse = (text: string): Path => {
  const isHeeded = text.endsWith("?")
  const steps = (isHeeded ? text.slice(0, -1) : text)
    .split(".")
    .flatMap((step) => step.split("[]").map((name, index) => (index === 0 ? name : each)))
  return { steps, isHeeded }
}

const build = (paths: ReadonlyArray<Path>): Need => {
  if (paths.some(({ steps }) => steps[0] === "**")) return everything
  const further = new Map<string | typeof each, Array<Path>>()
  for (const { isHeeded, steps } of paths) {
    const [first, ...rest] = steps
    if (first !== undefined) further.set(first, [...(further.get(first) ?? []), { steps: rest, isHeeded }])
  }
  const needs = new Map([...further].map(([step, rest]) => [step, build(rest)]))
  return {
    essential: paths.some(({ isHeeded }) => !isHeeded),
    below: (step) => needs.get(typeof step === "number" ? each : step),
    isLeaf: needs.size === 0
  }
}

/**
 * Whether a place in a message says something: it is on the way to a path, or below the end of one. What does not
 * may be missing, null or of another type, and nothing of what was said changes.
 */
export const isNeeded = (need: Need, path: JsonPath): boolean => {
  let here: Need | undefined = need
  for (const step of path) {
    here = here.below(step)
    if (here === undefined) return false
    if (here.isLeaf) return true
  }
  return true
}
