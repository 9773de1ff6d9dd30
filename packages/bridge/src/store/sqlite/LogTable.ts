/**
 * The logs of threads, in tables: who may write each, its events in chunks, and its checkpoints. What writes is called
 * within a transaction.
 */
import * as Result from "effect/Result"
import { Checkpoint } from "../Checkpoint.ts"
import { chunkOf, eventsOf } from "../EventChunk.ts"
import type { Happened, StoredEvent } from "../Store.ts"
import type { Connection } from "./Connection.ts"
import type { Row } from "./Database.ts"
import { damaged, jsonReader, key, maxNumber, numberIn, numberOfKey, numberOrNone, textIn } from "./Rows.ts"

const readCheckpoint = jsonReader(Checkpoint)

/** How far a log is, and who may write it. */
export interface LogHead {
  /** The number of the next event. */
  readonly next: number
  readonly epoch: number
  /** The number of the first event of the epoch. */
  readonly since: number
  /** The node that may write. */
  readonly owner: number | undefined
}

/** How large a chunk may become when chunks are merged, in characters, and how many are merged at a time. */
const maxChunk = 32 * 1024
const maxMerged = 256

/** Checkpoints that are nearer to each other than so many events are not all kept. */
const checkpointDistance = 256

/** The logs of threads. */
export class LogTable {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Begins the log of a thread. */
  add(thread: number): void {
    this.#connection
      .sql("INSERT INTO logs (thread, next, epoch, since, owner, merged) VALUES (?, 0, 0, 0, NULL, 0)")
      .run(thread)
  }

  /** How far a log is; undefined when the thread is gone. */
  head(thread: number): LogHead | undefined {
    const row = this.#connection.sql("SELECT next, epoch, since, owner FROM logs WHERE thread = ?").get(thread)
    return (
      row && {
        next: numberIn(row, "next"),
        epoch: numberIn(row, "epoch"),
        since: numberIn(row, "since"),
        owner: numberOrNone(row, "owner")
      }
    )
  }

  /** Lets a node write, and nobody else. Returns the epoch. */
  take(thread: number, node: number): number {
    const row = this.#connection.sql("UPDATE epochs SET newest = newest + 1 RETURNING newest").get()
    const epoch = row === undefined ? 0 : numberIn(row, "newest")
    this.#connection.sql("UPDATE logs SET epoch = ?, since = next, owner = ? WHERE thread = ?").run(epoch, node, thread)
    return epoch
  }

  /** Nobody may write, if it is this epoch. */
  release(thread: number, epoch: number): void {
    this.#connection.sql("UPDATE logs SET owner = NULL WHERE thread = ? AND epoch = ?").run(thread, epoch)
  }

  /** The epochs of the logs that a node may write, by the number of the thread. */
  owned(node: number): ReadonlyMap<number, number> {
    const rows = this.#connection.sql("SELECT thread, epoch FROM logs WHERE owner = ?").all(node)
    return new Map(rows.map((row) => [numberIn(row, "thread"), numberIn(row, "epoch")]))
  }

  /** Moves the end of a log, if this node and epoch may write it and this is its end. One statement fences. */
  advance(thread: number, node: number, epoch: number, first: number, count: number): boolean {
    return (
      this.#connection
        .sql("UPDATE logs SET next = next + ? WHERE thread = ? AND owner = ? AND epoch = ? AND next = ?")
        .run(count, thread, node, epoch, first) === 1
    )
  }

  /** Adds events as a chunk. */
  putEvents(thread: number, first: number, count: number, chunk: string): void {
    this.#connection
      .sql(`INSERT INTO events (key, count, chunk) VALUES (${key("?1", "?2")}, ?3, ?4)`)
      .run(thread, first, count, chunk)
  }

  /** Events from a number on. */
  events(thread: number, from: number, limit: number): ReadonlyArray<StoredEvent> {
    const found: Array<StoredEvent> = []
    let next = Math.max(0, from)
    while (found.length < limit) {
      const rows = this.#chunks(thread, next, Math.min(64, limit - found.length))
      if (rows.length === 0) break
      for (const row of rows) {
        const events = this.#eventsIn(thread, row)
        for (const event of events) if (event.seq >= next && found.length < limit) found.push(event)
        next = numberIn(row, "first") + numberIn(row, "count")
      }
    }
    return found
  }

  /** The chunk with an event, and those after it. */
  #chunks(thread: number, from: number, limit: number): ReadonlyArray<Row> {
    return this.#connection
      .sql(
        `SELECT ${numberOfKey} AS first, count, chunk FROM events
         WHERE key BETWEEN
           coalesce(
             (SELECT max(key) FROM events WHERE key BETWEEN ${key("?1", "0")} AND ${key("?1", "?2")}),
             ${key("?1", "?2")}
           )
           AND ${key("?1", maxNumber.toString())}
           AND ${numberOfKey} + count > ?2
         ORDER BY key LIMIT ?3`
      )
      .all(thread, from, limit)
  }

  #eventsIn(thread: number, row: Row): ReadonlyArray<StoredEvent> {
    const first = numberIn(row, "first")
    const place = { path: this.#connection.path, subject: `Event ${first} of thread number ${thread}` }
    const events = eventsOf(textIn(row, "chunk"), first)
    if (Result.isFailure(events)) throw damaged(place, events.failure)
    if (events.success.length !== numberIn(row, "count")) throw damaged(place, "its chunk has another number of events")
    return events.success
  }

  /** Adds a checkpoint, and drops the one before where the one before that is near. */
  putCheckpoint(thread: number, checkpoint: Checkpoint): void {
    const before = this.#connection
      .sql(
        `SELECT ${numberOfKey} AS seq FROM checkpoints
         WHERE key >= ${key("?1", "0")} AND key < ${key("?1", "?2")} ORDER BY key DESC LIMIT 2`
      )
      .all(thread, checkpoint.seq)
      .map((row) => numberIn(row, "seq"))
    const [last, secondLast] = before
    if (last !== undefined && secondLast !== undefined && checkpoint.seq - secondLast < checkpointDistance)
      this.#connection.sql(`DELETE FROM checkpoints WHERE key = ${key("?1", "?2")}`).run(thread, last)
    this.#connection
      .sql(`REPLACE INTO checkpoints (key, checkpoint) VALUES (${key("?1", "?2")}, ?3)`)
      .run(thread, checkpoint.seq, JSON.stringify(checkpoint))
  }

  /** The newest checkpoint whose number is not greater than this one. */
  checkpoint(thread: number, seq = maxNumber): Checkpoint | undefined {
    const row = this.#connection
      .sql(
        `SELECT checkpoint FROM checkpoints WHERE key BETWEEN ${key("?1", "0")} AND ${key("?1", "?2")}
         ORDER BY key DESC LIMIT 1`
      )
      .get(thread, Math.min(seq, maxNumber))
    if (row === undefined) return undefined
    const place = { path: this.#connection.path, subject: `A checkpoint of thread number ${thread}` }
    return readCheckpoint(textIn(row, "checkpoint"), place)
  }

  /**
   * Merges some chunks before a number that were not merged yet. True when there may be more of them. Events come in
   * small appends, and a row for each would take ten times the space.
   */
  merge(thread: number, until: number): boolean {
    const head = this.#connection.sql("SELECT merged FROM logs WHERE thread = ?").get(thread)
    if (head === undefined) return false
    const rows = this.#connection
      .sql(
        `SELECT ${numberOfKey} AS first, count, chunk FROM events
         WHERE key >= ${key("?1", "?2")} AND key < ${key("?1", "?3")} ORDER BY key LIMIT ?4`
      )
      .all(thread, numberIn(head, "merged"), until, maxMerged)
    const group: Array<Row> = []
    for (let size = 0; group.length < rows.length; ) {
      const row = rows[group.length]
      if (row === undefined) break
      size += textIn(row, "chunk").length
      if (size > maxChunk && group.length > 0) break
      group.push(row)
    }
    const [first, last] = [group[0], group.at(-1)]
    if (first === undefined || last === undefined) return false
    const events: ReadonlyArray<Happened> = group.flatMap((row) => this.#eventsIn(thread, row))
    const [from, to] = [numberIn(first, "first"), numberIn(last, "first") + numberIn(last, "count")]
    if (group.length > 1) {
      this.#connection
        .sql(`DELETE FROM events WHERE key > ${key("?1", "?2")} AND key < ${key("?1", "?3")}`)
        .run(thread, from, to)
      this.#connection
        .sql(`UPDATE events SET count = ?3, chunk = ?4 WHERE key = ${key("?1", "?2")}`)
        .run(thread, from, events.length, chunkOf(events))
    }
    this.#connection.sql("UPDATE logs SET merged = ? WHERE thread = ?").run(to, thread)
    return to < until && (group.length < rows.length || rows.length === maxMerged)
  }

  /** Deletes some of what a removed thread has left. True when there may be more of it. */
  purge(thread: number): boolean {
    for (const table of ["events", "checkpoints", "entries"]) {
      const changes = this.#connection
        .sql(
          `DELETE FROM ${table} WHERE key IN (
             SELECT key FROM ${table} WHERE key BETWEEN ${key("?1", "0")} AND ${key("?1", maxNumber.toString())} LIMIT 500
           )`
        )
        .run(thread)
      if (changes > 0) return true
    }
    this.#connection.sql("DELETE FROM removed WHERE thread = ?").run(thread)
    return false
  }

  /** Threads that were removed, and of which rows may be left. */
  removed(): ReadonlyArray<number> {
    return this.#connection
      .sql("SELECT thread FROM removed")
      .all()
      .map((row) => numberIn(row, "thread"))
  }
}
