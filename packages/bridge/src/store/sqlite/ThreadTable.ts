/**
 * What is known of threads, in tables. What writes is called within a transaction.
 */
import * as Schema from "effect/Schema"
import type { Steps } from "../../eventloop/Turns.ts"
import type { ListedThread, ThreadPage, ThreadQuery } from "../Store.ts"
import { defaultMaxThreads } from "../Store.ts"
import { changeThread, StoredThread, type ThreadChange, WaitingPrompt } from "../StoredThread.ts"
import type { Connection } from "./Connection.ts"
import type { Row, Value } from "./Database.ts"
import { type PieceTable, pointers } from "./PieceTable.ts"
import { damaged, jsonOf, jsonReader, numberIn, textIn, texts } from "./Rows.ts"

const readDetails = jsonReader(StoredThread)
const readWaiting = jsonReader(Schema.Array(WaitingPrompt))

/** The number of a thread, and what is known of it. */
export interface FoundThread {
  readonly thread: number
  readonly known: StoredThread
}

/** The tables of what may be long, and their columns. */
const longTables = { states: "state", waiting: "prompts" } as const

/** What may be long of a thread: as JSON, or where that is. */
export interface LongTexts {
  readonly state?: string | undefined
  readonly waiting?: string | undefined
}

const jsonOrNone = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value))

/** What is known of threads. */
export class ThreadTable {
  readonly #connection: Connection
  readonly #pieces: PieceTable

  constructor(connection: Connection, pieces: PieceTable) {
    this.#connection = connection
    this.#pieces = pieces
  }

  /** The number of a thread; undefined when there is none of this id. */
  number(threadId: string): number | undefined {
    const row = this.#connection.sql("SELECT thread FROM threads WHERE id = ?").get(threadId)
    return row && numberIn(row, "thread")
  }

  /** What is known of a thread; undefined when there is none of this id. */
  *find(threadId: string): Steps<FoundThread | undefined> {
    const row = this.#connection
      .sql(
        `SELECT thread, ${texts("details", "state", "prompts")} FROM threads
         LEFT JOIN states USING (thread) LEFT JOIN waiting USING (thread) WHERE id = ?`
      )
      .get(threadId)
    if (row === undefined) return undefined
    const thread = numberIn(row, "thread")
    const place = this.#place(`thread ${threadId}`)
    const state = yield* this.#readLong(thread, row, "state")
    const prompts = yield* this.#readLong(thread, row, "prompts")
    return {
      thread,
      known: {
        ...this.#details(threadId, row),
        ...(state !== undefined && { state: jsonOf(state, place) }),
        ...(prompts !== undefined && { waiting: readWaiting(prompts, place) })
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
    this.#putLong(thread, "states", jsonOrNone(state))
    this.#putLong(thread, "waiting", jsonOrNone(waiting))
    return thread
  }

  /** Changes what is known of a thread. False when there is none of this id. `written`: what somebody has written already. */
  change(threadId: string, change: ThreadChange, written: LongTexts = {}): boolean {
    const row = this.#connection.sql(`SELECT thread, ${texts("details")} FROM threads WHERE id = ?`).get(threadId)
    if (row === undefined) return false
    const thread = numberIn(row, "thread")
    // The state and the prompts are not read: they may be large, and most changes are of something else.
    const { state, waiting, ...details } = changeThread(this.#details(threadId, row), change)
    this.#connection
      .sql("UPDATE threads SET workspace = ?, archived = ?, active_at = ?, details = ? WHERE thread = ?")
      .run(...columnsOf(details), thread)
    if ("state" in change) this.#putLong(thread, "states", written.state ?? jsonOrNone(state))
    if ("waiting" in change) this.#putLong(thread, "waiting", written.waiting ?? jsonOrNone(waiting))
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
    const threads = rows.slice(0, limit).map((row): ListedThread => this.#listed(row))
    return { threads, more: rows.length > threads.length }
  }

  #listed(row: Row): ListedThread {
    const place = this.#place(`thread number ${numberIn(row, "thread")}`)
    return readDetails(textIn(row, "details", place), place)
  }

  #details(threadId: string, row: Row): StoredThread {
    const place = this.#place(`thread ${threadId}`)
    const known = readDetails(textIn(row, "details", place), place)
    if (known.threadId !== threadId) throw damaged(place, "it is that of another thread")
    return known
  }

  *#readLong(
    thread: number,
    row: Row,
    column: (typeof longTables)[keyof typeof longTables]
  ): Steps<string | undefined> {
    if (row[column] === null) return undefined
    const place = this.#place(`thread number ${thread}`)
    return yield* this.#pieces.read(thread, textIn(row, column, place), place)
  }

  #putLong(thread: number, table: keyof typeof longTables, text: string | undefined): void {
    const column = longTables[table]
    const before = this.#connection.sql(`SELECT ${pointers(column)} FROM ${table} WHERE thread = ?`).get(thread)
    this.#pieces.deletePointed(thread, before?.["pointer"])
    if (text === undefined) this.#connection.sql(`DELETE FROM ${table} WHERE thread = ?`).run(thread)
    else this.#connection.sql(`REPLACE INTO ${table} (thread, ${column}) VALUES (?, ?)`).run(thread, text)
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
