/**
 * The heads of logs, in a table: how far each is, and who may write it. What writes is called within a transaction.
 */
import type { Connection } from "./Connection.ts"
import { numberIn, numberOrNone, numbers } from "./Rows.ts"

/** How far a log is, and who may write it. */
export interface LogHead {
  /** The number of the next event. */
  readonly next: number
  readonly epoch: number
  /** The number of the first event of the epoch. */
  readonly since: number
  /** The node that may write. */
  readonly owner: number | undefined
  /** Events before this number are in their place, the others in the journal. */
  readonly settled: number
  /** The newest row of the journal. */
  readonly newest: number | undefined
  /** The number of the next piece of a long text. */
  readonly pieces: number
}

const columns = numbers("next", "epoch", "since", "owner", "settled", "newest", "pieces")

/** The heads of logs. */
export class LogTable {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Begins the log of a thread. */
  add(thread: number): void {
    this.#connection.sql("INSERT INTO logs (thread, next, epoch, since, settled) VALUES (?, 0, 0, 0, 0)").run(thread)
  }

  /** The head of a log; undefined when the thread is gone. */
  head(thread: number): LogHead | undefined {
    const row = this.#connection.sql(`SELECT ${columns} FROM logs WHERE thread = ?`).get(thread)
    return (
      row && {
        next: numberIn(row, "next"),
        epoch: numberIn(row, "epoch"),
        since: numberIn(row, "since"),
        owner: numberOrNone(row, "owner"),
        settled: numberIn(row, "settled"),
        newest: numberOrNone(row, "newest"),
        pieces: numberIn(row, "pieces")
      }
    )
  }

  /** Lets a node write, and nobody else. Returns the epoch. */
  take(thread: number, node: number): number {
    const row = this.#connection
      .sql("UPDATE epochs SET newest = newest + 1 RETURNING CAST(newest AS INTEGER) AS newest")
      .get()
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
    const rows = this.#connection.sql(`SELECT thread, ${numbers("epoch")} FROM logs WHERE owner = ?`).all(node)
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

  /** Rows tell of all pieces before a number. */
  keepPieces(thread: number, next: number): void {
    this.#connection.sql("UPDATE logs SET pieces = ? WHERE thread = ?").run(next, thread)
  }

  /** Some of the journal was put in its place, or was added to. */
  link(thread: number, settled: number, newest: number | null): void {
    this.#connection.sql("UPDATE logs SET settled = ?, newest = ? WHERE thread = ?").run(settled, newest, thread)
  }
}
