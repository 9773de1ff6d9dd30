/**
 * What the columns of rows hold: numbers, texts, and JSON of a known shape. Anything else is damage, and told as such.
 */
import * as Schema from "effect/Schema"
import type { Row } from "./Database.ts"
import { storeFailed } from "./SqliteFailure.ts"

/**
 * Columns that hold texts, in SQL: as bytes, because those of a damaged file need not be a text, and `libsql` ends the
 * process over a text that is none.
 */
export const texts = (...columns: ReadonlyArray<string>): string =>
  columns.map((column) => `CAST(${column} AS BLOB) AS ${column}`).join(", ")

/** Columns that hold whole numbers, in SQL: nothing else comes of them, whatever a damaged file has there. */
export const numbers = (...columns: ReadonlyArray<string>): string =>
  columns.map((column) => `CAST(${column} AS INTEGER) AS ${column}`).join(", ")

/** The number in a column. */
export const numberIn = (row: Row, column: string): number => Number(row[column])

/** The number in a column; undefined when the column is empty. */
export const numberOrNone = (row: Row, column: string): number | undefined =>
  row[column] === null || row[column] === undefined ? undefined : Number(row[column])

/** Where something is, for people: what it is of, and the file. */
export interface Place {
  readonly path: string
  /** Such as `The transcript of thread 7`. */
  readonly subject: string
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text in a column that was read by {@link texts}. Throws the failure where it is none. */
export const textIn = (row: Row, column: string, place: Place): string => {
  const value = row[column]
  if (!(value instanceof Uint8Array)) throw damaged(place, `it has no ${column}`)
  try {
    return decoder.decode(value)
  } catch (error) {
    throw damaged(place, error instanceof Error ? error.message : String(error))
  }
}

/** Reads JSON of a known shape. Throws the failure where it is none. */
export const jsonReader = <A>(schema: Schema.Codec<A, unknown>): ((text: string, place: Place) => A) => {
  const is = Schema.is(schema)
  return (text, place) => {
    const value = jsonOf(text, place)
    // The value itself, so that keys that came later stay.
    if (is(value)) return value
    throw damaged(place, "it does not have the expected shape")
  }
}

/** Reads any JSON. Throws the failure where it is none. */
export const jsonOf = (text: string, place: Place): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw damaged(place, error instanceof Error ? error.message : String(error))
  }
}

/** What is there is not what was written. */
export const damaged = ({ path, subject }: Place, words: string) =>
  storeFailed("STORE_DAMAGED", path, `${subject} in the database ${path} is damaged: ${words}.`)

/** The key of a row of a thread, in SQL: the number of the thread, and a number within it. */
export const key = (thread: string, number: string): string => `((${thread} << 36) | ${number})`

/** The number within its thread, from the key of a row, in SQL. */
export const numberOfKey = "(key & 68719476735)"

/** The greatest number within a thread. */
export const maxNumber = 68_719_476_735
