/** What somebody meant by an unknown name. */

/** The name that is nearest to what was typed; undefined where none is near. */
export const nearest = (typed: string, names: Iterable<string>): string | undefined => {
  // A third of the letters may be wrong: more, and it is another word.
  let best = Math.ceil(typed.length / 3) + 1
  let found: string | undefined
  for (const name of names) {
    const steps = typed.length > 2 && name.startsWith(typed) ? 1 : distance(typed.toLowerCase(), name.toLowerCase())
    if (steps >= best) continue
    best = steps
    found = name
  }
  return found
}

/** The sentence for an error; empty where nothing is near. */
export const didYouMean = (typed: string, names: Iterable<string>, prefix = ""): string => {
  const name = nearest(typed, names)
  return name === undefined ? "" : ` Did you mean ${prefix}${name}?`
}

/** How many letters to put in, take out, replace or swap with the next. */
const distance = (from: string, to: string): number => {
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = cost(last, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwap ? cost(before, j - 2) + 1 : replaced
      row.push(Math.min(cost(last, j) + 1, cost(row, j - 1) + 1, replaced, swapped))
    }
    before = last
    last = row
  }
  return cost(last, to.length)
}

const cost = (row: ReadonlyArray<number>, at: number): number => row[at] ?? Number.POSITIVE_INFINITY
