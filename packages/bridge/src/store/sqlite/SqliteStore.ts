/**
 * A store in a SQLite database: one file, for the bridges of one machine.
 *
 * What is acknowledged is committed to the database's write-ahead log. A thread is written by one bridge at a time; the
 * others serve the rest.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { Steps } from "../../eventloop/Turns.ts"
import { Store } from "../Store.ts"
import type { StoreFailed } from "../StoreErrors.ts"
import { CheckpointTable } from "./CheckpointTable.ts"
import { makeClaims } from "./Claims.ts"
import { Connection } from "./Connection.ts"
import { EntryTable } from "./EntryTable.ts"
import { EventTable } from "./EventTable.ts"
import { LogSync } from "./LogSync.ts"
import { LogTable } from "./LogTable.ts"
import { type DatabaseOptions, databaseFile, openDatabase, patienceOf } from "./OpenDatabase.ts"
import { PieceTable } from "./PieceTable.ts"
import { ThreadTable } from "./ThreadTable.ts"
import { makeUpkeep, removedThreads } from "./Upkeep.ts"
import { WorkspaceTable } from "./WorkspaceTable.ts"

/** What may be chosen about a store in a SQLite database. */
export interface SqliteStoreOptions extends DatabaseOptions {
  /**
   * How long after its last sign of life another bridge may take what this one has. One whose process is gone is not
   * waited for. Default 15 seconds.
   */
  readonly lease?: Duration.Input
}

/** A store in a SQLite database, `agentwire.db` in a folder. */
export const layerSqliteStore = (options: SqliteStoreOptions): Layer.Layer<Store, StoreFailed> =>
  Layer.effect(Store, makeSqliteStore(options))

/** A store in a SQLite database, for as long as the scope is open. */
export const makeSqliteStore = Effect.fnUntraced(function* (
  options: SqliteStoreOptions
): Effect.fn.Return<Store["Service"], StoreFailed, Scope.Scope> {
  const database = yield* openDatabase(options)
  const path = databaseFile(options.folder)
  const log = new LogSync(`${path}-wal`)
  // With `full`, every commit has waited for the disk.
  const onCommit = options.durability === "full" ? () => undefined : () => log.committed()
  const connection = new Connection(database, path, patienceOf(options), onCommit)
  yield* Effect.addFinalizer(() => Effect.sync(() => connection.close()))
  const pieces = new PieceTable(connection)
  const threads = new ThreadTable(connection, pieces)
  const logs = new LogTable(connection)
  const events = new EventTable(connection, logs, pieces)
  const checkpoints = new CheckpointTable(connection, pieces)
  const entries = new EntryTable(connection, pieces)
  const workspaces = new WorkspaceTable(connection)
  const upkeep = yield* makeUpkeep(connection, events)
  const { forget, ...claims } = yield* makeClaims(
    connection,
    { threads, logs, events, checkpoints, entries, pieces },
    upkeep,
    options.lease ?? "15 seconds"
  )
  for (const thread of yield* connection.read(() => removedThreads(connection))) upkeep.purge(thread)

  /** Writes what cannot be refused. */
  const write = <A>(body: () => A): Effect.Effect<A, StoreFailed> => connection.write(() => Result.succeed(body()))

  /** Reads something of a thread, or what a thread has that is not there. */
  const readThread = <A>(threadId: string, missing: A, body: (thread: number) => A): Effect.Effect<A, StoreFailed> =>
    connection.read(() => {
      const thread = threads.number(threadId)
      return thread === undefined ? missing : body(thread)
    })

  /** The same for what may be long. */
  const readInTurns = <A>(
    threadId: string,
    missing: A,
    body: (thread: number) => Steps<A>
  ): Effect.Effect<A, StoreFailed> =>
    connection.readInTurns(function* () {
      const thread = threads.number(threadId)
      return thread === undefined ? missing : yield* body(thread)
    })

  return {
    ...claims,
    create: (thread, beginning = {}) =>
      write(() => {
        const number = threads.add(thread)
        if (number === undefined) return false
        logs.add(number)
        for (const entry of beginning.entries ?? []) entries.put(number, entry, JSON.stringify(entry.entry))
        const { checkpoint } = beginning
        if (checkpoint !== undefined) checkpoints.put(number, checkpoint.seq, JSON.stringify(checkpoint))
        return true
      }),
    thread: (threadId) =>
      connection.readInTurns(function* () {
        return (yield* threads.find(threadId))?.known
      }),
    change: (threadId, change) => write(() => threads.change(threadId, change)),
    threads: (query = {}) => connection.read(() => threads.page(query)),
    remove: (threadId) =>
      write(() => {
        const thread = threads.number(threadId)
        if (thread === undefined) return undefined
        events.forget(thread)
        threads.remove(thread)
        return thread
      }).pipe(
        Effect.map((thread) => {
          if (thread === undefined) return false
          forget(threadId)
          upkeep.purge(thread)
          return true
        })
      ),
    events: (threadId, from, limit) => readInTurns(threadId, [], (thread) => events.read(thread, from, limit)),
    next: (threadId) => readThread(threadId, undefined, (thread) => logs.head(thread)?.next),
    checkpointBefore: (threadId, seq) => readInTurns(threadId, undefined, (thread) => checkpoints.find(thread, seq)),
    entries: (threadId, query) =>
      readInTurns(threadId, { entries: [], more: false }, (thread) => entries.page(thread, query)),
    countEntries: (threadId, query) => readThread(threadId, 0, (thread) => entries.count(thread, query)),
    countMessages: (threadId, query) => readThread(threadId, 0, (thread) => entries.countMessages(thread, query)),
    messageParts: (threadId, ids, except) =>
      readInTurns(threadId, [], (thread) => entries.byMessage(thread, ids, except)),
    entriesById: (threadId, ids, except) => readInTurns(threadId, [], (thread) => entries.byId(thread, ids, except)),
    workspaces: connection.read(() => workspaces.all()),
    workspace: (id) => connection.read(() => workspaces.find(id)),
    putWorkspace: (workspace) => write(() => workspaces.put(workspace)),
    removeWorkspace: (id) => write(() => workspaces.remove(id)),
    mark: (name) => write(() => workspaces.mark(name)),
    isMarked: (name) => connection.read(() => workspaces.isMarked(name))
  }
})
