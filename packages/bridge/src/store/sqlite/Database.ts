/**
 * The little that is needed of SQLite, whoever brings it.
 */

/** What a column may hold here. */
export type Value = string | number | null

/** A row, by the names of its columns: texts, numbers, nulls, and bytes as a `Uint8Array`. */
export type Row = Readonly<Record<string, unknown>>

/** A statement, to be run again and again. */
export interface Statement {
  /** Runs it, and returns how many rows it changed. */
  readonly run: (...values: ReadonlyArray<Value>) => number
  /** The first row. */
  readonly get: (...values: ReadonlyArray<Value>) => Row | undefined
  /** All rows. A statement is never left half read: that would hold a lock on the log of the database. */
  readonly all: (...values: ReadonlyArray<Value>) => ReadonlyArray<Row>
}

/** An open database. Whatever it cannot do throws {@link SqliteError}. */
export interface Database {
  /** Runs statements that give no rows. */
  readonly exec: (sql: string) => void
  readonly prepare: (sql: string) => Statement
  readonly close: () => void
}

/** Opens databases. */
export interface Driver {
  readonly name: "node:sqlite" | "libsql"
  readonly open: (path: string) => Database
}

/** SQLite could not do something. Its result codes are listed at https://sqlite.org/rescode.html. */
export class SqliteError extends Error {
  override readonly name = "SqliteError"
  /** The extended result code. */
  readonly code: number

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  /** The kind of error: the result code without its details. */
  get kind(): number {
    return this.code & 0xff
  }
}
