/**
 * JSON of strangers, read within limits: a few megabytes of text can nest so deep that no program can follow, or hold
 * so many values that they take gigabytes. What is not JSON is told by an exception as seldom as can be: one costs
 * more than reading a hundred lines.
 */
import { nestsDeeper } from "./Json.ts"
import { JsonScan } from "./JsonScan.ts"

/** How deep a text may nest: far deeper than any message, and not so deep that writing it again overflows the stack. */
export const maxDepth = 2000

/** How many values a text may have: each takes up to 64 bytes of memory, even if it is `{}`. */
export const maxValues = 2_000_000

/** Why a text is not read. */
export type JsonFault = "EMPTY_LINE" | "NOT_JSON" | "TOO_DEEP" | "TOO_MANY_VALUES"

/** The value of a text, or why there is none. */
export type ReadJson =
  | { readonly isRead: true; readonly value: unknown }
  | { readonly isRead: false; readonly code: JsonFault; readonly message: string }

const fault = (code: JsonFault, message: string): ReadJson => ({ isRead: false, code, message })

/** Longer texts are looked through before they are parsed. */
const long = 1 << 20

/** Reads a JSON text. Never throws. */
export const readJson = (text: string): ReadJson => {
  // Nearly all are objects from end to end.
  if (text.charCodeAt(0) !== brace || text.charCodeAt(text.length - 1) !== closingBrace) {
    const misfit = faultOfEdges(text)
    if (misfit !== undefined) return misfit
  }
  if (text.length > long) {
    const scan = new JsonScan()
    scan.push(text)
    if (scan.deepest > maxDepth) return tooDeep
    if (scan.values > maxValues) return fault("TOO_MANY_VALUES", `the line has more than ${maxValues} values`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return fault("NOT_JSON", error instanceof Error ? error.message : String(error))
  }
  // A short text cannot nest that deep, and nearly all are short.
  return text.length > 2 * maxDepth && text.length <= long && nestsDeeper(value, maxDepth)
    ? tooDeep
    : { isRead: true, value }
}

const faultOfEdges = (text: string): ReadJson | undefined => {
  const [first, last] = [edge(text, 0, 1), edge(text, text.length - 1, -1)]
  if (first === "") return empty
  const closing = closings[first]
  if (closing !== undefined && closing !== last)
    return fault("NOT_JSON", `it begins with ${first} and does not end with ${closing}`)
  if (closing === undefined && !/[-0-9tfn]/.test(first))
    return text.trim() === "" ? empty : fault("NOT_JSON", `it begins with ${JSON.stringify(first)}`)
  return undefined
}

/** The value of a JSON text; undefined, which JSON cannot express, when it is not JSON or beyond the limits. */
export const parseJson = (text: string): unknown => {
  const read = readJson(text)
  return read.isRead ? read.value : undefined
}

const empty = fault("EMPTY_LINE", "the line is empty")
const tooDeep = fault("TOO_DEEP", `the line nests deeper than ${maxDepth} levels`)

const brace = 123
const closingBrace = 125

const closings: Readonly<Record<string, string>> = { "{": "}", "[": "]", '"': '"' }

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** The first character from one end that is not JSON's white space; empty where there is none. */
const edge = (text: string, from: number, step: 1 | -1): string => {
  let at = from
  while (at >= 0 && at < text.length && isSpace(text.charCodeAt(at))) at += step
  return text.charAt(at)
}
