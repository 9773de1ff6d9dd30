/**
 * What is known of threads, in tables. What writes is called within a transaction.
 */
import type { ListedThread, ThreadPage, ThreadQuery } from "../Store.ts"
import { defaultMaxThreads } from "../Store.ts"
import { changeThread, StoredThread, type ThreadChange } from "../StoredThread.ts"
import type { Connection } from "./Connection.ts"
import type { Row, Value } from "./Database.ts"
import { damaged, jsonIn, jsonReader, numberIn, texts } from "./Rows.ts"

const readDetails = jsonReader(StoredThread)

/** The number of a thread, and what is known of it. */
export interface FoundThread {
  readonly thread: number
  readonly known: StoredThread
}

/** What is known of threads. */
export class ThreadTable {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The number of a thread; undefined when there is none of this id. */
  number(threadId: string): number | undefined {
    const row = this.#connection.sql("SELECT thread FROM threads WHERE id = ?").get(threadId)
    return row && numberIn(row, "thread")
  }

  /** What is known of a thread; undefined when there is none of this id. */
  find(threadId: string): FoundThread | undefined {
    const row = this.#connection
      .sql(`SELECT thread, ${texts("details", "state")} FROM threads LEFT JOIN states USING (thread) WHERE id = ?`)
      .get(threadId)
    if (row === undefined) return undefined
    const known = this.#details(threadId, row)
    return {
      thread: numberIn(row, "thread"),
      known:
        row["state"] === null ? known : { ...known, state: jsonIn(row, "state", this.#place(`thread ${threadId}`)) }
    }
  }

  /** Adds a thread and returns its number; undefined when there is one of this id. */
  add({ state, ...details }: StoredThread): number | undefined {
    const row = this.#connection
      .sql(
        `INSERT INTO threads (id, workspace, archived, active_at, details) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO NOTHING RETURNING thread`
      )
      .get(details.threadId, ...columnsOf(details))
    if (row === undefined) return undefined
    const thread = numberIn(row, "thread")
    this.#putState(thread, state)
    return thread
  }

  /** Changes what is known of a thread. False when there is none of this id. */
  change(threadId: string, change: ThreadChange): boolean {
    const row = this.#connection.sql(`SELECT thread, ${texts("details")} FROM threads WHERE id = ?`).get(threadId)
    if (row === undefined) return false
    const thread = numberIn(row, "thread")
    // The state is not read: it may be large, and most changes are of something else.
    const { state, ...details } = changeThread(this.#details(threadId, row), change)
    this.#connection
      .sql("UPDATE threads SET workspace = ?, archived = ?, active_at = ?, details = ? WHERE thread = ?")
      .run(...columnsOf(details), thread)
    if ("state" in change) this.#putState(thread, state)
    return true
  }

  /** Forgets a thread, but for its rows in other tables. */
  remove(thread: number): void {
    for (const table of ["threads", "states", "logs"])
      this.#connection.sql(`DELETE FROM ${table} WHERE thread = ?`).run(thread)
    this.#connection.sql("INSERT INTO removed (thread) VALUES (?)").run(thread)
  }

  /** A page of the list of threads. */
  page({ after, archived, limit = defaultMaxThreads, workspaceId }: ThreadQuery): ThreadPage {
    const conditions: Array<string> = []
    const values: Array<Value> = []
    const where = (condition: string, ...given: ReadonlyArray<Value>): void => {
      conditions.push(condition)
      values.push(...given)
    }
    if (workspaceId !== undefined) where("workspace = ?", workspaceId)
    if (archived !== undefined) where("archived = ?", archived ? 1 : 0)
    if (after !== undefined) where("(active_at, id) < (?, ?)", after.activeAt, after.threadId)
    const rows = this.#connection
      .sql(
        `SELECT thread, ${texts("details")} FROM threads ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`}
         ORDER BY active_at DESC, id DESC LIMIT ?`
      )
      .all(...values, Math.min(limit, 1_000_000) + 1)
    const threads = rows
      .slice(0, limit)
      .map((row): ListedThread => readDetails(row, "details", this.#place(`thread number ${numberIn(row, "thread")}`)))
    return { threads, more: rows.length > threads.length }
  }

  #details(threadId: string, row: Row): StoredThread {
    const place = this.#place(`thread ${threadId}`)
    const known = readDetails(row, "details", place)
    if (known.threadId !== threadId) throw damaged(place, "it is that of another thread")
    return known
  }

  #putState(thread: number, state: unknown): void {
    if (state === undefined) this.#connection.sql("DELETE FROM states WHERE thread = ?").run(thread)
    else this.#connection.sql("REPLACE INTO states (thread, state) VALUES (?, ?)").run(thread, JSON.stringify(state))
  }

  #place(thread: string) {
    return { path: this.#connection.path, subject: `What is known of ${thread}` }
  }
}

const columnsOf = (details: ListedThread): ReadonlyArray<Value> => [
  details.workspaceId ?? null,
  details.archived ? 1 : 0,
  details.activeAt,
  JSON.stringify(details)
]
