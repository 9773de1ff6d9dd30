/**
 * Matching with three answers: it matches, it does not, or nobody can tell before it runs.
 *
 * There are no regular expressions here: whatever pattern meets whatever text, the work is bounded by the product of
 * their lengths.
 */

/** How a pattern meets a text that may be unknown in part. */
export type Match = "no" | "maybe" | "yes"

const order: Readonly<Record<Match, number>> = { no: 0, maybe: 1, yes: 2 }

/** The better of two matches. */
export const betterMatch = (a: Match, b: Match): Match => (order[a] >= order[b] ? a : b)

/** The worse of two matches. */
export const worseMatch = (a: Match, b: Match): Match => (order[a] <= order[b] ? a : b)

/** A yes or no as a match. */
export const matchOf = (yes: boolean): Match => (yes ? "yes" : "no")

/** Whether a text is like a pattern in which `*` stands for any characters and `?` for one. */
export const matchText = (pattern: string, text: string): boolean => {
  let p = 0
  let t = 0
  let star = -1
  let retry = 0
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++
      retry = t
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++retry
    } else return false
  }
  while (pattern[p] === "*") p++
  return p === pattern.length
}

/** One step of a pattern over items: any number of items, or one item that passes. */
export type Step<I> = "many" | ((item: I) => Match)

/** How items are matched. */
export interface Reach<I> {
  /** Stands for any number of items, also none. */
  readonly isMany: (item: I) => boolean
  /** May be left out of the comparison, with doubt. */
  readonly mayBeSkipped: (item: I, previous: I | undefined) => boolean
}

/** How a pattern of steps meets a row of items, from its first to its last. */
export const matchItems = <I>(
  steps: ReadonlyArray<Step<I>>,
  items: ReadonlyArray<I>,
  { isMany, mayBeSkipped }: Reach<I>
): Match => {
  let reached: Array<Match> = passMany(steps, ["yes", ...steps.map((): Match => "no")])
  let previous: I | undefined
  for (const item of items) {
    const next: Array<Match> = reached.map(() => "no")
    reached.forEach((so, at) => {
      if (so === "no") return
      const go = (to: number, how: Match): void => {
        next[to] = betterMatch(next[to] ?? "no", worseMatch(so, how))
      }
      const step = steps[at]
      if (step === "many") go(at, "yes")
      else if (step !== undefined && !isMany(item)) go(at + 1, step(item))
      if (isMany(item)) for (let to = at; to <= steps.length; to++) go(to, "maybe")
      if (at > 0 && mayBeSkipped(item, previous)) go(at, "maybe")
    })
    reached = passMany(steps, next)
    previous = item
  }
  return reached[steps.length] ?? "no"
}

const passMany = <I>(steps: ReadonlyArray<Step<I>>, reached: Array<Match>): Array<Match> => {
  steps.forEach((step, at) => {
    if (step === "many") reached[at + 1] = betterMatch(reached[at + 1] ?? "no", reached[at] ?? "no")
  })
  return reached
}
