/**
 * Which lines of two lists belong together, by the numbers of what they say. Lines that are alike are paired in an order
 * that both lists have; what is between them is not.
 *
 * Short stretches have the longest common subsequence. That takes a table of lines by lines, so long stretches are first
 * cut at the lines that each side has once, which takes no more than a look at each; what cannot be cut is not paired.
 */

/** A line of each side, by its position. */
export type LinePair = readonly [left: number, right: number]

/** How large a table of lines by lines may get. */
const maxTable = 4_000_000

/** How often a stretch is cut again. */
const maxCuts = 8

/** A part of both lists, by the positions where it begins and where it has ended. */
interface Stretch {
  readonly left: readonly [from: number, to: number]
  readonly right: readonly [from: number, to: number]
}

/** The lines that are alike, in their order. */
export const alignLines = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): ReadonlyArray<LinePair> => {
  const pairs: Array<LinePair> = []
  const align = (stretch: Stretch, cuts: number): void => {
    let [[leftFrom, leftTo], [rightFrom, rightTo]] = [stretch.left, stretch.right]
    while (leftFrom < leftTo && rightFrom < rightTo && left[leftFrom] === right[rightFrom])
      pairs.push([leftFrom++, rightFrom++])
    let tail = 0
    while (leftTo > leftFrom && rightTo > rightFrom && left[leftTo - 1] === right[rightTo - 1]) {
      leftTo--
      rightTo--
      tail++
    }
    const middle: Stretch = { left: [leftFrom, leftTo], right: [rightFrom, rightTo] }
    if ((leftTo - leftFrom) * (rightTo - rightFrom) <= maxTable)
      for (const pair of longestCommon(left, right, middle)) pairs.push(pair)
    else if (cuts > 0) {
      const anchors = ascending(unique(left, right, middle))
      if (anchors.length > 0) {
        let [one, other] = [leftFrom, rightFrom]
        for (const [i, j] of anchors) {
          align({ left: [one, i], right: [other, j] }, cuts - 1)
          pairs.push([i, j])
          ;[one, other] = [i + 1, j + 1]
        }
        align({ left: [one, leftTo], right: [other, rightTo] }, cuts - 1)
      }
    }
    for (let at = 0; at < tail; at++) pairs.push([leftTo + at, rightTo + at])
  }
  align({ left: [0, left.length], right: [0, right.length] }, maxCuts)
  return pairs
}

/** The lines that each side has exactly once, in the order of the left side. */
const unique = (
  left: ReadonlyArray<number>,
  right: ReadonlyArray<number>,
  { left: [leftFrom, leftTo], right: [rightFrom, rightTo] }: Stretch
): ReadonlyArray<LinePair> => {
  const places = new Map<number, { left: number; right: number; isOnce: boolean }>()
  for (let i = leftFrom; i < leftTo; i++) {
    const place = places.get(left[i] ?? -1)
    if (place === undefined) places.set(left[i] ?? -1, { left: i, right: -1, isOnce: true })
    else place.isOnce = false
  }
  for (let j = rightFrom; j < rightTo; j++) {
    const place = places.get(right[j] ?? -1)
    if (place === undefined) continue
    if (place.right >= 0) place.isOnce = false
    place.right = j
  }
  return [...places.values()].flatMap(
    (place): ReadonlyArray<LinePair> => (place.isOnce && place.right >= 0 ? [[place.left, place.right]] : [])
  )
}

/** The most of some pairs in which the right side ascends as well. */
const ascending = (pairs: ReadonlyArray<LinePair>): ReadonlyArray<LinePair> => {
  /** Of each length, the index of the pair with the smallest right position at which a run of it ends. */
  const ends: Array<number> = []
  const before: Array<number> = []
  const rightOf = (index: number | undefined): number => pairs[index ?? -1]?.[1] ?? -1
  for (const [index, [, right]] of pairs.entries()) {
    let [from, to] = [0, ends.length]
    while (from < to) {
      const half = (from + to) >> 1
      if (rightOf(ends[half]) < right) from = half + 1
      else to = half
    }
    before.push(from === 0 ? -1 : (ends[from - 1] ?? -1))
    ends[from] = index
  }
  const run: Array<LinePair> = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) run.push(pairs[at] ?? [0, 0])
  return run.reverse()
}

const longestCommon = (
  left: ReadonlyArray<number>,
  right: ReadonlyArray<number>,
  { left: [leftFrom, leftTo], right: [rightFrom, rightTo] }: Stretch
): ReadonlyArray<LinePair> => {
  const [height, width] = [leftTo - leftFrom, rightTo - rightFrom + 1]
  if (height === 0 || width === 1) return []
  const lengths = new Uint32Array((height + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  const isSame = (i: number, j: number): boolean => left[leftFrom + i] === right[rightFrom + j]
  for (let i = height - 1; i >= 0; i--)
    for (let j = width - 2; j >= 0; j--)
      lengths[i * width + j] = isSame(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const pairs: Array<LinePair> = []
  for (let i = 0, j = 0; i < height && j < width - 1; ) {
    if (isSame(i, j)) pairs.push([leftFrom + i++, rightFrom + j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}
