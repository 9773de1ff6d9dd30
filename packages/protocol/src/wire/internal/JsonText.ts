/**
 * JSON as text: where its strings are and what they say, without giving up a byte of how it was written.
 * Input that is not JSON does no harm, and nothing recurses or backtracks: lines can have many megabytes.
 */

/** A range of a text. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A string in a JSON text, without its quotes. */
export interface Literal extends Range {
  readonly isKey: boolean
  /** The keys it is under, as they are written; lists have none. One for each object or list around it. */
  readonly path: ReadonlyArray<string>
}

/** The strings of a JSON text, in order. `path` is only good until the next one is taken. */
export function* literals(text: string): Generator<Literal, void> {
  const path: Array<string> = []
  const mark = /["{}[\]]/g
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === "{" || found[0] === "[") path.push("")
    else if (found[0] !== '"') path.pop()
    else {
      const start = found.index + 1
      const end = closingQuote(text, start)
      const isKey = colonFollows(text, end + 1)
      if (isKey && path.length > 0) path[path.length - 1] = text.slice(start, end)
      yield { start, end, isKey, path }
      mark.lastIndex = end + 1
    }
  }
}

const closingQuote = (text: string, from: number): number => {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (quote - slashes > from && text[quote - slashes - 1] === "\\") slashes++
    if (slashes % 2 === 0) return quote
  }
  return text.length
}

const colonFollows = (text: string, from: number): boolean => {
  const colon = /[^\s]/g
  colon.lastIndex = from
  return colon.exec(text)?.[0] === ":"
}

const escapes = /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g

const named: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }

/** Resolves JSON's escapes once; what is none stays. */
export const unescapeOnce = (text: string): string =>
  text.includes("\\")
    ? text.replace(escapes, (sequence) => {
        const what = sequence.charAt(1)
        return what === "u" ? String.fromCharCode(Number.parseInt(sequence.slice(2), 16)) : (named[what] ?? what)
      })
    : text

/** Ranges of `unescapeOnce(text)`, sorted and apart, as ranges of `text`. They hold whole escapes. */
export const toEscaped = <A extends Range>(text: string, ranges: ReadonlyArray<A>): Array<A> => {
  if (ranges.length === 0 || !text.includes("\\")) return [...ranges]
  const positions = ranges.flatMap(({ end, start }) => [start, end])
  const moved: Array<number> = []
  let shift = 0
  for (const { 0: sequence, index } of text.matchAll(escapes)) {
    for (let next = positions[moved.length]; next !== undefined && next <= index - shift; ) {
      moved.push(next + shift)
      next = positions[moved.length]
    }
    if (moved.length === positions.length) break
    shift += sequence.length - 1
  }
  while (moved.length < positions.length) moved.push((positions[moved.length] ?? 0) + shift)
  return ranges.map((range, index) => ({ ...range, start: moved[2 * index] ?? 0, end: moved[2 * index + 1] ?? 0 }))
}

/** The ranges that do not begin within an escape of the text, and those that are excepted. */
export const notCutting = <A extends Range>(
  text: string,
  ranges: ReadonlyArray<A>,
  except: (range: A) => boolean
): ReadonlyArray<A> => {
  if (ranges.length === 0 || !text.includes("\\")) return ranges
  const inside = new Set<number>()
  for (const { 0: sequence, index } of text.matchAll(escapes)) {
    for (let at = index + 1; at < index + sequence.length; at++) inside.add(at)
  }
  return ranges.filter((range) => !inside.has(range.start) || except(range))
}
