/**
 * What is known of threads, in tables. What writes is called within a transaction.
 */
import * as Schema from "effect/Schema"
import type { ListedThread, ThreadPage, ThreadQuery } from "../Store.ts"
import { defaultMaxThreads } from "../Store.ts"
import { changeThread, StoredThread, type ThreadChange, WaitingPrompt } from "../StoredThread.ts"
import type { Connection } from "./Connection.ts"
import type { Row, Value } from "./Database.ts"
import { damaged, jsonIn, jsonReader, numberIn, texts } from "./Rows.ts"

const readDetails = jsonReader(StoredThread)
const readWaiting = jsonReader(Schema.Array(WaitingPrompt))

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
      .sql(
        `SELECT thread, ${texts("details", "state", "prompts")} FROM threads
         LEFT JOIN states USING (thread) LEFT JOIN waiting USING (thread) WHERE id = ?`
      )
      .get(threadId)
    if (row === undefined) return undefined
    const place = this.#place(`thread ${threadId}`)
    return {
      thread: numberIn(row, "thread"),
      known: {
        ...this.#details(threadId, row),
        ...(row["state"] !== null && { state: jsonIn(row, "state", place) }),
        ...(row["prompts"] !== null && { waiting: readWaiting(row, "prompts", place) })
      }
    }
  }

  /** Adds a thread and returns its number; undefined when there is one of this id. */
  add({ state, waiting, ...details }: StoredThread): number | undefined {
    const row = this.#connection
      .sql(
        `INSERT INTO threads (id, workspace, archived, active_at, details) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO NOTHING RETURNING thread`
      )
      .get(details.threadId, ...columnsOf(details))
    if (row === undefined) return undefined
    const thread = numberIn(row, "thread")
    this.#putState(thread, state)
    this.#putWaiting(thread, waiting)
    return thread
  }

  /** Changes what is known of a thread. False when there is none of this id. */
  change(threadId: string, change: ThreadChange): boolean {
    const row = this.#connection.sql(`SELECT thread, ${texts("details")} FROM threads WHERE id = ?`).get(threadId)
    if (row === undefined) return false
    const thread = numberIn(row, "thread")
    // The state and the prompts are not read: they may be large, and most changes are of something else.
    const { state, waiting, ...details } = changeThread(this.#details(threadId, row), change)
    this.#connection
      .sql("UPDATE threads SET workspace = ?, archived = ?, active_at = ?, details = ? WHERE thread = ?")
      .run(...columnsOf(details), thread)
    if ("state" in change) this.#putState(thread, state)
    if ("waiting" in change) this.#putWaiting(thread, waiting)
    return true
  }

  /** Forgets a thread, but for its rows in other tables. */
  remove(thread: number): void {
    for (const table of ["threads", "states", "waiting", "logs"])
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

  #putWaiting(thread: number, waiting: StoredThread["waiting"]): void {
    if (waiting === undefined) this.#connection.sql("DELETE FROM waiting WHERE thread = ?").run(thread)
    else
      this.#connection.sql("REPLACE INTO waiting (thread, prompts) VALUES (?, ?)").run(thread, JSON.stringify(waiting))
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
