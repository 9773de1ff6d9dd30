/** What outlives a restart: the threads, what happened in them, and what was said. */

/** What a thread is at a point of its log, and the path of a conversation through its branches. */
export { Checkpoint, Segment, trunk } from "./store/Checkpoint.ts"
/** Threads of before there was a store, taken into it once. */
export { type ImportReport, importOldFiles, type OldFiles } from "./store/import/ImportOldFiles.ts"
/** A store that is forgotten with its memory. */
export { type Memory, makeMemory } from "./store/memory/Memory.ts"
export { layerMemoryStore, type MemoryStoreOptions } from "./store/memory/MemoryStore.ts"
/** The port that every store fills. */
export {
  type Batch,
  type Claim,
  type EntryPage,
  type EntryQuery,
  type Happened,
  type ListedThread,
  type PlacedEntry,
  Store,
  type StoredEvent,
  type ThreadPage,
  type ThreadQuery
} from "./store/Store.ts"
/** What is known of a thread besides, and the workspaces that threads belong to. */
export { changeThread, StoredThread, type ThreadChange, Workspace } from "./store/StoredThread.ts"
/** Why a store cannot do what it was asked. */
export { ClaimLost, StoreFailed, ThreadElsewhere, ThreadMissing } from "./store/StoreErrors.ts"
/** A store in a SQLite database. */
export type { Durability } from "./store/sqlite/OpenDatabase.ts"
export { layerSqliteStore, type SqliteStoreOptions } from "./store/sqlite/SqliteStore.ts"
