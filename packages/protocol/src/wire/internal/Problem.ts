/** What is wrong with a value, and where, in words a person can act on. */

import { isRecord } from "../Json.ts"
import type { JsonPath } from "./JsonPath.ts"

/** One thing that is wrong. */
export interface Problem {
  /** Where it is. */
  readonly path: JsonPath
  /** Where such things are: `[*]` for positions and for keys of records. */
  readonly pattern: JsonPath
  readonly message: string
  /** What was there; undefined when it is missing. */
  readonly found: unknown
  /** Without this the value cannot be read. */
  readonly breaks: boolean
}

/** Says that a value is not what was expected. */
export const mismatch = (expected: string, value: unknown): string =>
  value === undefined ? `expected ${expected}, but it is missing` : `expected ${expected}, found ${describe(value)}`

const describe = (value: unknown): string => {
  if (Array.isArray(value)) return "an array"
  if (isRecord(value)) return "an object"
  const text = JSON.stringify(value) ?? String(value)
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return typeof value === "string" ? `the string ${shown}` : typeof value === "number" ? `the number ${shown}` : shown
}
