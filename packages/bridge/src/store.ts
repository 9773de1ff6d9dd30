/** What outlives a restart: which threads there are, and what was said in them. */

/** What was said, a file for each thread. */
export { HistoryStore, HistoryStoreFailed, type HistoryStoreOptions, type ThreadHistory } from "./store/HistoryStore.ts"
/** Which threads there are, in one file. */
export { SessionIndex, SessionIndexFailed, type SessionIndexOptions, StoredSession } from "./store/SessionIndex.ts"
