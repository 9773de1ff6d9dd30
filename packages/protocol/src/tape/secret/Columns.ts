/**
 * Secrets in the columns of a table, whose first line names them: `name,password` over `bob,…`. Cells are between
 * commas, semicolons or tabs, without spaces around them: with spaces it is a sentence or code.
 */
import { beforeLine } from "./Line.ts"
import { namedAs } from "./Name.ts"
import { type Look, matchAt, nothing, notYet, type Sighting } from "./Rule.ts"
import { isSecretValue } from "./Value.ts"

const longestName = 40
/** A first line has no more columns than this. */
const mostColumns = 64
/** So much of a table is looked at. */
const longestTable = 1 << 16

const nameChars = /[\w .-]{0,40}/y
const nameChar = /[\w .-]/
const header = /"([A-Za-z][\w .-]{0,39})"|([A-Za-z][\w .-]{0,39})/y
const cell = /"([^"\r\n]{0,1000})"|([^",;\t\r\n]{0,1000})/y
/** Where a row ends; in JSON and in code the text may, with its quotes. */
const rowEnd = /\r?\n|["'`]|$/y

interface Cell {
  readonly start: number
  readonly text: string
}

/** The cells of the row that begins here, and where what follows it begins. */
const cellsFrom = (
  text: string,
  from: number,
  between: string,
  pattern: RegExp
): {
  readonly cells: ReadonlyArray<Cell>
  readonly end: number
  readonly isWhole: boolean
  readonly isLast: boolean
} => {
  const cells: Array<Cell> = []
  let at = from
  while (cells.length < mostColumns) {
    const match = matchAt(pattern, text, at)
    if (match === null) break
    const quote = match[1] === undefined ? 0 : 1
    cells.push({ start: at + quote, text: match[1] ?? match[2] ?? "" })
    at += match[0].length
    if (text.charAt(at) !== between) {
      const end = matchAt(rowEnd, text, at)
      return {
        cells,
        end: at + (end?.[0].length ?? 0),
        isWhole: end !== null,
        isLast: end === null || !end[0].endsWith("\n")
      }
    }
    at++
  }
  return { cells, end: at, isWhole: false, isLast: true }
}

/** Where the name that ends here begins, with its quote; undefined where there is none. */
const nameBefore = (text: string, end: number): number | undefined => {
  const quote = text.charAt(end - 1) === '"' ? 1 : 0
  let start = end - quote
  while (start > 0 && end - start <= longestName && nameChar.test(text.charAt(start - 1))) start--
  if (start === end - quote) return undefined
  return quote === 0 ? start : text.charAt(start - 1) === '"' ? start - 1 : undefined
}

const longestPrefix = 100
const prefix = new RegExp(`^(?:${beforeLine}|[ \\t]{0,60}|[$#] )$`)
const rowPrefix = new RegExp(`${beforeLine}[ \\t]{0,60}`, "y")

/** Whether a row may begin here: with its line, behind what is written before lines, or with a text in quotes. */
const isRowStart = (text: string, start: number): boolean => {
  if (start === 0 || /["'`]/.test(text.charAt(start - 1))) return true
  const near = text.slice(Math.max(0, start - longestPrefix), start)
  const line = Math.max(near.lastIndexOf("\n"), near.lastIndexOf('"'))
  return (line !== -1 || start <= longestPrefix) && prefix.test(near.slice(line + 1))
}

/** Where the row of names begins that a name is in. */
const headerStart = (text: string, nameStart: number, between: string): number | undefined => {
  let start = nameStart
  for (let count = 0; count < mostColumns && text.charAt(start - 1) === between; count++) {
    const before = nameBefore(text, start - 1)
    if (before === undefined || !/[A-Za-z"]/.test(text.slice(before, start - 1))) break
    start = before
  }
  while (start < nameStart && /[ .-]/.test(text.charAt(start))) start++
  return isRowStart(text, start) ? start : undefined
}

const tellingOf = (name: string) => namedAs(name.replaceAll(" ", "_"))

/** The values under the telling names of a table, if a word is in such a name. */
export const column = (text: string, at: number): Look => {
  const end = at + (matchAt(nameChars, text, at)?.[0].length ?? 0)
  const after = text.charAt(end) === '"' ? end + 1 : end
  const behind = text.charAt(after)
  if (!/^[,;\t\r\n]?$/.test(behind)) return nothing(at)
  const name = nameBefore(text, after)
  if (name === undefined) return nothing(at)
  const between = /[,;\t]/.test(behind) ? behind : text.charAt(name - 1)
  if (!/^[,;\t]$/.test(between)) return nothing(at)
  const start = headerStart(text, name, between)
  // More of the name may come.
  if (start !== undefined && behind === "") return { ...notYet(end + 1), since: start }
  if (tellingOf(text.slice(name, after).replaceAll('"', "")) === undefined) return nothing(at)
  if (start === undefined) return { ...nothing(at), done: cellsFrom(text, name, between, header).end }
  const first = cellsFrom(text, start, between, header)
  // The other names of the line are the same table, or none.
  if (!first.isWhole || first.isLast) return { ...notYet(first.end + 4), since: start, done: first.end }
  const named = first.cells.map(({ text: each }) => tellingOf(each))
  const secrets: Array<Sighting> = []
  let row = first.end
  for (let isLast = false; !isLast && row < text.length && row < first.end + longestTable; ) {
    const from = row + (between === "\t" ? 0 : (matchAt(rowPrefix, text, row)?.[0].length ?? 0))
    const { cells, end: next, ...rest } = cellsFrom(text, from, between, cell)
    if (!rest.isWhole || cells.length !== first.cells.length) break
    for (const [index, each] of cells.entries()) {
      const kind = named[index]
      const isSecret =
        kind !== undefined && isSecretValue(kind, each.text, { isQuoted: true, isAssigned: false, isOwnLine: true })
      if (isSecret)
        secrets.push({
          start: each.start,
          end: each.start + each.text.length,
          from: row,
          kind: kind === "password" ? "password" : "secret"
        })
    }
    isLast = rest.isLast
    row = next
  }
  return { seen: row, since: start, reach: row >= text.length ? text.length + 1 : 0, secrets, done: row }
}
