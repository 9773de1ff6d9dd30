/**
 * SQLite as Node brings it: from 22.13 on without a flag.
 */
import { type Driver, SqliteError } from "./Database.ts"

/** SQLite of Node; undefined where Node has none, or wants a flag for it. */
export const loadNodeSqlite = (): Driver | undefined => {
  const sqlite = silently(load)
  if (sqlite === undefined) return undefined
  return { name: "node:sqlite", open: (path) => databaseOf(attempt(() => new sqlite.DatabaseSync(path))) }
}

// Not imported: that would be an error where there is none, also of its type.
const load = () => process.getBuiltinModule?.("node:sqlite")

type DatabaseSync = InstanceType<NonNullable<ReturnType<typeof load>>["DatabaseSync"]>

/** Node says that its SQLite is experimental when it is loaded. Whoever runs a bridge did not choose it. */
const silently = <A>(use: () => A): A => {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return use()
  } finally {
    process.emitWarning = emitWarning
  }
}

const databaseOf = (database: DatabaseSync): ReturnType<Driver["open"]> => ({
  exec: (sql) => attempt(() => database.exec(sql)),
  prepare: (sql) => {
    const statement = attempt(() => database.prepare(sql))
    return {
      run: (...values) => attempt(() => Number(statement.run(...values).changes)),
      get: (...values) => attempt(() => statement.get(...values)),
      all: (...values) => attempt(() => statement.all(...values))
    }
  },
  close: () => attempt(() => database.close())
})

/** SQLite's code for a damaged database. */
const corrupt = 11

const attempt = <A>(use: () => A): A => {
  try {
    return use()
  } catch (error) {
    if (error instanceof Error && "errcode" in error)
      throw new SqliteError(Number(error.errcode), error.message, { cause: error })
    // A number that is too large for JavaScript: none was written.
    if (error instanceof RangeError) throw new SqliteError(corrupt, error.message, { cause: error })
    throw error
  }
}
