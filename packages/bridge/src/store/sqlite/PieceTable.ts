/**
 * Long texts, in a table: in pieces, because to write or read one of megabytes in one go takes longer than anybody should
 * have to wait. Where a row would have such a text it says instead where its pieces are. Pieces are written before the row,
 * in transactions of their own; what no row tells of, because a bridge was killed in between, is nothing.
 *
 * The pieces of a thread are numbered. Those that a row tells of are before the number that the head of its log has. What
 * writes is called within a transaction.
 */
import type { Steps } from "../../eventloop/Turns.ts"
import type { Connection } from "./Connection.ts"
import { damaged, key, maxNumber, numberIn, type Place, textIn, texts } from "./Rows.ts"

/** Where a long text is. */
export interface PieceRange {
  readonly first: number
  readonly count: number
  /** How long it is in UTF-8. */
  readonly bytes: number
}

/** What a row has in place of a long text. No JSON begins like this. */
export const pointerTo = ({ bytes, count, first }: PieceRange): string => `@${first}+${count}:${bytes}`

/** The most bytes that a pointer has. */
export const maxPointer = 64

/** The text of a column if it is so short that it may be a pointer, in SQL. */
export const pointers = (column: string): string =>
  `CASE WHEN octet_length(${column}) <= ${maxPointer} THEN CAST(${column} AS BLOB) END AS pointer`

/** Where a long text is; undefined when what a row has is the text. */
export const rangeIn = (text: string): PieceRange | undefined => {
  if (!text.startsWith("@")) return undefined
  const [, first, count, bytes] = /^@(\d+)\+(\d+):(\d+)$/.exec(text) ?? []
  return first === undefined ? undefined : { first: Number(first), count: Number(count), bytes: Number(bytes) }
}

/** Where a long text is, by a column that was read with {@link pointers}. */
export const rangeOf = (pointer: unknown): PieceRange | undefined =>
  pointer instanceof Uint8Array ? rangeIn(Buffer.from(pointer).toString("latin1")) : undefined

/** How many pieces are read in one turn: about a million characters. */
const piecesAtOnce = 16

/** The pieces of long texts. */
export class PieceTable {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Adds pieces, the first of which has this number. */
  add(thread: number, first: number, pieces: ReadonlyArray<string>): void {
    const insert = this.#connection.sql(`REPLACE INTO pieces (key, piece) VALUES (${key("?1", "?2")}, ?3)`)
    for (const [n, piece] of pieces.entries()) insert.run(thread, first + n, piece)
  }

  /** A text that a row has, or points to. */
  *read(thread: number, text: string, place: Place): Steps<string> {
    const range = rangeIn(text)
    if (range === undefined) return text
    const parts: Array<string> = []
    let bytes = 0
    for (let from = range.first; from < range.first + range.count; from += piecesAtOnce) {
      const until = Math.min(from + piecesAtOnce, range.first + range.count)
      const rows = this.#connection
        .sql(
          `SELECT ${texts("piece")}, octet_length(piece) AS bytes FROM pieces
           WHERE key BETWEEN ${key("?1", "?2")} AND ${key("?1", "?3")} ORDER BY key`
        )
        .all(thread, Math.min(from, maxNumber), Math.min(until - 1, maxNumber))
      if (rows.length !== until - from) throw damaged(place, "a piece of it is not there")
      for (const row of rows) {
        parts.push(textIn(row, "piece", place))
        bytes += numberIn(row, "bytes")
      }
      yield
    }
    if (bytes !== range.bytes) throw damaged(place, `its pieces have ${bytes} bytes, not ${range.bytes}`)
    const whole = parts.join("")
    // To make a value of it is a step of its own.
    yield
    return whole
  }

  /** Deletes the pieces of a text that goes, if it has some: by a column that was read with {@link pointers}. */
  deletePointed(thread: number, pointer: unknown): void {
    const range = rangeOf(pointer)
    if (range === undefined) return
    const { count, first } = range
    this.#connection
      .sql(`DELETE FROM pieces WHERE key >= ${key("?1", "?2")} AND key < ${key("?1", "?3")}`)
      .run(thread, Math.min(first, maxNumber), Math.min(first + count, maxNumber))
  }

  /** Deletes what no row tells of. `kept`: the number that the head of the log has. */
  deleteLoose(thread: number, kept: number): void {
    this.#connection
      .sql(`DELETE FROM pieces WHERE key >= ${key("?1", "?2")} AND key <= ${key("?1", maxNumber.toString())}`)
      .run(thread, kept)
  }
}
