/**
 * Remembers which line of a file each event was on. Files are regular (a line an event, or two in SSE), so stretches
 * of equal stride are kept instead of lines: a million events of a regular file take one entry.
 */

interface Stretch {
  /** The first event of the stretch and its line. */
  readonly index: number
  readonly line: number
  /** Lines from one event to the next; unknown until there is a second one. */
  stride: number | undefined
  count: number
}

/** How many stretches are kept: an irregular file forgets its beginning. */
const maxStretches = 10_000

/** From the index of an event to its line. */
export class LineIndex {
  readonly #stretches: Array<Stretch> = []

  /** The line of the next event. */
  add(line: number): void {
    const last = this.#stretches.at(-1)
    if (last === undefined) {
      this.#stretches.push({ index: 0, line, stride: undefined, count: 1 })
      return
    }
    last.stride ??= line - last.line
    if (line === last.line + last.stride * last.count) {
      last.count++
      return
    }
    this.#stretches.push({ index: last.index + last.count, line, stride: undefined, count: 1 })
    if (this.#stretches.length > 2 * maxStretches) this.#stretches.splice(0, maxStretches)
  }

  /** The line of an event, or undefined when it is not known. */
  lineOf(index: number): number | undefined {
    let low = 0
    let high = this.#stretches.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const stretch = this.#stretches[middle]
      if (stretch === undefined) return undefined
      if (index < stretch.index) high = middle - 1
      else if (index >= stretch.index + stretch.count) low = middle + 1
      else return stretch.line + (index - stretch.index) * (stretch.stride ?? 0)
    }
    return undefined
  }
}
