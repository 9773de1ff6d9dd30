/**
 * SQLite as `libsql` brings it, with the programs for each system already built: for Node 20.
 */
import { createRequire } from "node:module"
import { type Driver, type Row, SqliteError, type Value } from "./Database.ts"

/** What is used of the package. */
interface LibsqlStatement {
  readonly run: (values: ReadonlyArray<Value>) => { readonly changes: number }
  readonly get: (values: ReadonlyArray<Value>) => Row | undefined
  readonly all: (values: ReadonlyArray<Value>) => ReadonlyArray<Row>
}
interface LibsqlDatabase {
  readonly exec: (sql: string) => void
  readonly prepare: (sql: string) => LibsqlStatement
  readonly close: () => void
}
type Libsql = new (path: string) => LibsqlDatabase

/** SQLite of `libsql`; undefined where it is not installed, or is not built for this system. */
export const loadLibsql = (): Driver | undefined => {
  const Libsql = load()
  return Libsql && { name: "libsql", open: (path) => databaseOf(attempt(() => new Libsql(path))) }
}

const load = (): Libsql | undefined => {
  try {
    return createRequire(import.meta.url)("libsql")
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

const databaseOf = (database: LibsqlDatabase): ReturnType<Driver["open"]> => ({
  exec: (sql) => attempt(() => database.exec(sql)),
  prepare: (sql) => {
    const statement = attempt(() => database.prepare(sql))
    return {
      run: (...values) => attempt(() => statement.run(values).changes),
      get: (...values) => attempt(() => statement.get(values)),
      all: (...values) => attempt(() => statement.all(values).map(withBytes))
    }
  },
  close: () => attempt(() => database.close())
})

/** Bytes are a `Buffer` when one row is asked for, and an `ArrayBuffer` when all are (0.5.29). */
const withBytes = (row: Row): Row => {
  const read: Record<string, unknown> = {}
  for (const name in row) read[name] = row[name] instanceof ArrayBuffer ? new Uint8Array(row[name]) : row[name]
  return read
}

/** SQLite's code for a file that cannot be opened. */
const cannotOpen = 14

const attempt = <A>(use: () => A): A => {
  try {
    return use()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ("rawCode" in error && typeof error.rawCode === "number")
      throw new SqliteError(error.rawCode, error.message, { cause: error })
    // A file that cannot be opened is told in words only.
    const [, code] = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message) ?? []
    if (code !== undefined || error.message.startsWith("ConnectionFailed"))
      throw new SqliteError(Number(code ?? cannotOpen), "unable to open database file", { cause: error })
    throw error
  }
}
