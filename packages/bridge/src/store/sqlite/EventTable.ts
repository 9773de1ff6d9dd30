/**
 * The events of threads, in two tables: those that came last in a journal that all threads share, the others in their
 * place, in chunks. What writes is called within a transaction.
 *
 * A row for each append in its place would make every commit touch a page for each thread that speaks.
 */
import * as Result from "effect/Result"
import { allAtOnce, type Steps } from "../../eventloop/Turns.ts"
import { chunkOf, eventsOf } from "../EventChunk.ts"
import type { StoredEvent } from "../Store.ts"
import type { Connection } from "./Connection.ts"
import type { Row } from "./Database.ts"
import type { LogHead, LogTable } from "./LogTable.ts"
import { type PieceTable, pointers, rangeOf } from "./PieceTable.ts"
import { damaged, key, maxNumber, numberIn, numberOfKey, numbers, textIn, texts } from "./Rows.ts"

/** How large a chunk may become when rows of the journal are merged, in bytes, and how many are merged at a time. */
const maxChunk = 32 * 1024
const maxMerged = 256

/** The rows of a thread in the journal, from the newest back to the one with a number: `?1` thread, `?2` row, `?3` number. */
const chain = `WITH RECURSIVE chain (row, before, first, count, chunk) AS (
  SELECT row, before, first, count, chunk FROM journal WHERE row = ?2 AND thread = ?1
  UNION ALL
  SELECT next.row, next.before, next.first, next.count, next.chunk FROM chain
  JOIN journal AS next ON next.row = chain.before AND next.row < chain.row
  WHERE chain.first > ?3 AND next.thread = ?1
)`

/** The events of threads. */
export class EventTable {
  readonly #connection: Connection
  readonly #logs: LogTable
  readonly #pieces: PieceTable

  constructor(connection: Connection, logs: LogTable, pieces: PieceTable) {
    this.#connection = connection
    this.#logs = logs
    this.#pieces = pieces
  }

  /** Adds events to the journal, as a chunk or where that is: one statement, and one more for the head. */
  add(thread: number, first: number, count: number, chunk: string): void {
    this.#connection
      .sql(
        `INSERT INTO journal (thread, before, first, count, chunk)
         VALUES (?1, (SELECT newest FROM logs WHERE thread = ?1), ?2, ?3, ?4)`
      )
      .run(thread, first, count, chunk)
    this.#connection.sql("UPDATE logs SET newest = last_insert_rowid() WHERE thread = ?").run(thread)
  }

  /** Events from a number on. */
  *read(thread: number, from: number, limit: number): Steps<ReadonlyArray<StoredEvent>> {
    const head = this.#logs.head(thread)
    if (head === undefined || from >= head.next || limit <= 0) return []
    const begin = Math.max(0, from)
    const end = begin + limit
    const found: Array<Row> = []
    let next = begin
    const take = (rows: ReadonlyArray<Row>): void => {
      for (const row of rows) {
        found.push(row)
        next = numberIn(row, "first") + numberIn(row, "count")
      }
    }
    while (next < end && next < head.settled) {
      const before = next
      const rows = this.#settled(thread, next, Math.min(64, end - next))
      take(rows)
      if (rows.length === 0 || next <= before) break
    }
    if (next < end && head.newest !== undefined)
      take(this.#unsettled(thread, head, Math.max(next, head.settled), end - next))
    const events: Array<StoredEvent> = []
    let after = begin
    // What is in the rows is read last: others may move them meanwhile.
    for (const row of found) {
      for (const event of yield* this.#eventsIn(thread, row))
        if (event.seq >= after && events.length < limit) events.push(event)
      after = numberIn(row, "first") + numberIn(row, "count")
    }
    return this.#checked(thread, events, begin, Math.min(limit, head.next - begin))
  }

  /**
   * Puts some events of the journal in their place. True when there is more to do. A row for each append would take
   * ten times the space. A row that is large already is moved as it is: to read and write it would take long.
   */
  settle(thread: number): boolean {
    const head = this.#logs.head(thread)
    if (head?.newest === undefined) return false
    const group: Array<Row> = []
    let size = 0
    for (const row of this.#unsettledSizes(thread, head, maxMerged)) {
      // What is long is moved as it is, wherever its text is.
      const bytes = rangeOf(row["pointer"])?.bytes ?? numberIn(row, "bytes")
      if (size + bytes > maxChunk && group.length > 0) break
      size += bytes
      group.push(row)
    }
    const [first] = group
    const after =
      first !== undefined && group.length === 1 && size > maxChunk
        ? this.#moveRow(thread, head.settled, first)
        : this.#mergeRows(thread, head, group.length)
    this.#delete(group)
    this.#logs.link(thread, after, after === head.next ? null : head.newest)
    return after < head.next
  }

  /** Puts one row in its place. Returns the number of the event after it. */
  #moveRow(thread: number, settled: number, row: Row): number {
    if (numberIn(row, "first") !== settled) throw this.#damaged(thread, settled, "it is not there")
    this.#connection
      .sql(
        `INSERT INTO events (key, count, chunk) SELECT ${key("?1", "first")}, count, chunk FROM journal WHERE row = ?2`
      )
      .run(thread, numberIn(row, "row"))
    return settled + numberIn(row, "count")
  }

  /** Puts the oldest rows in their place, as one. Returns the number of the event after them. */
  #mergeRows(thread: number, head: LogHead, count: number): number {
    const events = this.#unsettled(thread, head, head.settled, count).flatMap((row) =>
      allAtOnce(this.#eventsIn(thread, row))
    )
    this.#checked(thread, events, head.settled, Math.max(1, events.length))
    this.#connection
      .sql(`INSERT INTO events (key, count, chunk) VALUES (${key("?1", "?2")}, ?3, ?4)`)
      .run(thread, head.settled, events.length, chunkOf(events))
    return head.settled + events.length
  }

  /** Deletes what a thread has in the journal. */
  forget(thread: number): void {
    const head = this.#logs.head(thread)
    if (head?.newest !== undefined) this.#delete(this.#unsettled(thread, head, head.settled, maxNumber))
  }

  #delete(rows: ReadonlyArray<Row>): void {
    for (const row of rows) this.#connection.sql("DELETE FROM journal WHERE row = ?").run(numberIn(row, "row"))
  }

  /** The chunk with an event, and those after it. */
  #settled(thread: number, from: number, limit: number): ReadonlyArray<Row> {
    return this.#connection
      .sql(
        `SELECT ${numberOfKey} AS first, ${numbers("count")}, ${texts("chunk")} FROM events
         WHERE key BETWEEN
           (SELECT max(key) FROM events WHERE key BETWEEN ${key("?1", "0")} AND ${key("?1", "?2")})
           AND ${key("?1", maxNumber.toString())}
           AND ${numberOfKey} + count > ?2
         ORDER BY key LIMIT ?3`
      )
      .all(thread, from, limit)
  }

  /** The row of the journal with an event, and those after it. */
  #unsettled(thread: number, { newest }: LogHead, from: number, limit: number): ReadonlyArray<Row> {
    return this.#connection
      .sql(
        `${chain} SELECT row, ${numbers("first", "count")}, ${texts("chunk")} FROM chain WHERE first + count > ?3 ORDER BY row LIMIT ?4`
      )
      .all(thread, newest ?? 0, from, limit)
  }

  /** The rows of the journal that are not in their place, without what is in them. */
  #unsettledSizes(thread: number, { newest, settled }: LogHead, limit: number): ReadonlyArray<Row> {
    return this.#connection
      .sql(
        `${chain} SELECT row, ${numbers("first", "count")}, octet_length(chunk) AS bytes, ${pointers("chunk")} FROM chain WHERE first + count > ?3 ORDER BY row LIMIT ?4`
      )
      .all(thread, newest ?? 0, settled, limit)
  }

  *#eventsIn(thread: number, row: Row): Steps<ReadonlyArray<StoredEvent>> {
    const first = numberIn(row, "first")
    const place = this.#place(thread, first)
    const events = eventsOf(yield* this.#pieces.read(thread, textIn(row, "chunk", place), place), first)
    if (Result.isFailure(events)) throw this.#damaged(thread, first, events.failure)
    if (events.success.length !== numberIn(row, "count"))
      throw this.#damaged(thread, first, "its chunk has another number of events")
    return events.success
  }

  /** So many events that follow each other from a number on; anything else is damage. */
  #checked(
    thread: number,
    events: ReadonlyArray<StoredEvent>,
    from: number,
    count: number
  ): ReadonlyArray<StoredEvent> {
    const gap = events.findIndex(({ seq }, n) => seq !== from + n)
    if (gap !== -1 || events.length !== count)
      throw this.#damaged(thread, from + (gap === -1 ? events.length : gap), "it is not there")
    return events
  }

  #damaged(thread: number, seq: number, words: string) {
    return damaged(this.#place(thread, seq), words)
  }

  #place(thread: number, seq: number) {
    return { path: this.#connection.path, subject: `Event ${seq} of thread number ${thread}` }
  }
}
