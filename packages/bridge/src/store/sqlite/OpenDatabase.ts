/**
 * Opens the database in a folder: makes it when there is none, for this user alone, and brings it to the newest version.
 */
import { chmodSync, closeSync, mkdirSync, openSync, readSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { StoreFailed } from "../StoreErrors.ts"
import { type Database, type Driver, SqliteError } from "./Database.ts"
import { findDriver } from "./Driver.ts"
import { applicationId, labelOf, migrate, migrations } from "./Migrations.ts"
import { failureOf, isBusy, storeFailed } from "./SqliteFailure.ts"

/** How safe what is written is: from the end of the process, or from that of the machine, too. */
export type Durability = "normal" | "full"

/** Where a database is, and how it is opened. */
export interface DatabaseOptions {
  /** The folder. It is made when there is none. */
  readonly folder: string
  /**
   * `normal`: what was acknowledged outlives the process, however it ends; a loss of power may take the last moments,
   * and damages nothing. `full`: it outlives that, too, and every write waits for the disk. Default `normal`.
   */
  readonly durability?: Durability
  /** How long a lock of another process is waited for. Default 10 seconds. */
  readonly patience?: Duration.Input
  /** Default: Node's own, else `libsql`. */
  readonly driver?: Driver
  /** Default: those of this version. */
  readonly migrations?: ReadonlyArray<string>
}

/** The name of the file in its folder. */
export const databaseFile = (folder: string): string => join(resolve(folder), "agentwire.db")

/** How long a lock of another process is waited for, in milliseconds. */
export const patienceOf = ({ patience = "10 seconds" }: Pick<DatabaseOptions, "patience">): number =>
  Duration.toMillis(Duration.fromInputUnsafe(patience))

/** An open database, for as long as the scope is open. */
export const openDatabase = (options: DatabaseOptions): Effect.Effect<Database, StoreFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const path = databaseFile(options.folder)
    const driver = options.driver ?? findDriver()
    if (driver === undefined)
      return yield* storeFailed(
        "STORE_UNREADABLE",
        path,
        "There is no SQLite: this Node has none, and the package `libsql` is not installed. Use Node 22.13 or later, or install `libsql`."
      )
    const open = Effect.try({ try: () => openOnce(path, driver, options), catch: (error) => error })
    const begun = yield* Clock.currentTimeMillis
    const untilFree: Effect.Effect<Database, StoreFailed> = Effect.catch(open, (error) =>
      Effect.gen(function* () {
        if (!isBusy(error) || (yield* Clock.currentTimeMillis) - begun > patienceOf(options))
          return yield* Effect.suspend(() => Effect.fail(failureOf(error, path, "open")))
        yield* Effect.sleep(25)
        return yield* untilFree
      })
    )
    return yield* Effect.acquireRelease(untilFree, (database) => Effect.sync(() => database.close()))
  })

const openOnce = (path: string, driver: Driver, options: DatabaseOptions): Database => {
  makeFile(path, options.folder)
  const database = driver.open(path)
  try {
    prepare(database, path, options)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Made before SQLite makes it, because SQLite lets everybody read it. Its companions get the rights of the file. */
const makeFile = (path: string, folder: string): void => {
  mkdirSync(resolve(folder), { recursive: true, mode: 0o700 })
  const found = statSync(path, { throwIfNoEntry: false })
  // A pipe would be waited for.
  if (found !== undefined && !found.isFile()) throw storeFailed("STORE_UNREADABLE", path, `${path} is not a file.`)
  closeSync(openSync(path, "a", 0o600))
  if (isCut(path))
    throw storeFailed("STORE_DAMAGED", path, `The database ${path} is damaged: its end is missing.`, "open")
  if (found !== undefined && (found.mode & 0o077) !== 0 && found.uid === process.getuid?.()) chmodSync(path, 0o600)
}

/**
 * Whether a database says that it is longer than it is. While there is a log beside it, the rest may be in that. SQLite
 * notices it, too, but not while this process has the database open elsewhere.
 */
const isCut = (path: string): boolean => {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (log !== undefined && log.size > 0) return false
  const header = Buffer.alloc(100)
  const file = openSync(path, "r")
  try {
    if (readSync(file, header, 0, 100, 0) < 100 || !header.toString("latin1").startsWith("SQLite format 3"))
      return false
  } finally {
    closeSync(file)
  }
  // https://sqlite.org/fileformat.html#the_database_header: 1 stands for 65,536, which no two bytes can hold.
  const stated = header.readUInt16BE(16)
  return header.readUInt32BE(28) * (stated === 1 ? 65_536 : stated) > statSync(path).size
}

const prepare = (database: Database, path: string, options: DatabaseOptions): void => {
  const { durability = "normal", migrations: steps = migrations } = options
  // Short: it blocks. Who needs longer waits outside.
  database.exec("PRAGMA busy_timeout = 5")
  // Notices damaged pages before they are used.
  database.exec("PRAGMA cell_size_check = ON")
  database.exec("PRAGMA trusted_schema = OFF")
  const { application, isEmpty, version } = labelOf(database)
  if (!isEmpty && application !== applicationId)
    throw storeFailed("STORE_UNREADABLE", path, `${path} is a database of another program.`)
  if (version > steps.length)
    throw storeFailed(
      "STORE_TOO_NEW",
      path,
      `A later version of agentwire has written ${path}: it has format ${version}, and this one knows up to ${steps.length}.`
    )
  const mode = database.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"]
  if (mode !== "wal")
    throw storeFailed("STORE_UNREADABLE", path, `The file system of ${path} has no shared memory, which SQLite needs.`)
  database.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`)
  // Where a disk keeps what it was told to write in a cache of its own (macOS).
  if (durability === "full") database.exec("PRAGMA fullfsync = ON")
  database.exec("PRAGMA journal_size_limit = 67108864")
  if (version === steps.length && !isEmpty) return
  database.exec("BEGIN IMMEDIATE")
  try {
    migrate(database, steps)
    database.exec("COMMIT")
  } catch (error) {
    rollBack(database)
    throw error
  }
}

/** Ends a transaction that failed. Some failures have ended it already. */
export const rollBack = (database: Database): void => {
  try {
    database.exec("ROLLBACK")
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error
  }
}
