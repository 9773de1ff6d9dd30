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

const levels: ReadonlyArray<Match> = ["no", "maybe", "yes"]

/** How a pattern of steps meets a row of items, from its first to its last. */
export const matchItems = <I>(
  steps: ReadonlyArray<Step<I>>,
  items: ReadonlyArray<I>,
  { isMany, mayBeSkipped }: Reach<I>
): Match => {
  const end = steps.length
  // Numbers and two rows that change places: texts of 65,536 characters have tens of thousands of words.
  let reached = new Uint8Array(end + 1)
  let next = new Uint8Array(end + 1)
  reached[0] = order.yes
  passMany(steps, reached)
  let previous: I | undefined
  for (const item of items) {
    next.fill(0)
    const isAny = isMany(item)
    for (let at = 0; at <= end; at++) {
      const so = reached[at] ?? 0
      if (so === 0) continue
      const step = steps[at]
      if (step === "many") raise(next, at, so)
      else if (step !== undefined && !isAny) raise(next, at + 1, Math.min(so, order[step(item)]))
      if (isAny) for (let to = at; to <= end; to++) raise(next, to, order.maybe)
      if (at > 0 && mayBeSkipped(item, previous)) raise(next, at, order.maybe)
    }
    passMany(steps, next)
    ;[reached, next] = [next, reached]
    previous = item
  }
  return levels[reached[end] ?? 0] ?? "no"
}

const raise = (row: Uint8Array, at: number, level: number): void => {
  if ((row[at] ?? 0) < level) row[at] = level
}

const passMany = <I>(steps: ReadonlyArray<Step<I>>, row: Uint8Array): void => {
  for (let at = 0; at < steps.length; at++) if (steps[at] === "many") raise(row, at + 1, row[at] ?? 0)
}
