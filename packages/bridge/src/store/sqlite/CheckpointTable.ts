/**
 * Checkpoints, in a table. What writes is called within a transaction.
 */
import { Checkpoint } from "../Checkpoint.ts"
import type { Connection } from "./Connection.ts"
import { jsonReader, key, maxNumber, numberIn, numberOfKey, texts } from "./Rows.ts"

const readCheckpoint = jsonReader(Checkpoint)

/** Checkpoints that are nearer to each other than so many events are not all kept. */
const distance = 256

/** Checkpoints. */
export class CheckpointTable {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Adds a checkpoint, and drops the one before where the one before that is near. */
  put(thread: number, checkpoint: Checkpoint): void {
    const [last, secondLast] = this.#connection
      .sql(
        `SELECT ${numberOfKey} AS seq FROM checkpoints
         WHERE key >= ${key("?1", "0")} AND key < ${key("?1", "?2")} ORDER BY key DESC LIMIT 2`
      )
      .all(thread, checkpoint.seq)
      .map((row) => numberIn(row, "seq"))
    if (last !== undefined && secondLast !== undefined && checkpoint.seq - secondLast < distance)
      this.#connection.sql(`DELETE FROM checkpoints WHERE key = ${key("?1", "?2")}`).run(thread, last)
    this.#connection
      .sql(`REPLACE INTO checkpoints (key, checkpoint) VALUES (${key("?1", "?2")}, ?3)`)
      .run(thread, checkpoint.seq, JSON.stringify(checkpoint))
  }

  /** The newest checkpoint whose number is not greater than this one. */
  find(thread: number, seq = maxNumber): Checkpoint | undefined {
    const row = this.#connection
      .sql(
        `SELECT ${texts("checkpoint")} FROM checkpoints WHERE key BETWEEN ${key("?1", "0")} AND ${key("?1", "?2")}
         ORDER BY key DESC LIMIT 1`
      )
      .get(thread, Math.max(0, Math.min(seq, maxNumber)))
    if (row === undefined) return undefined
    const place = { path: this.#connection.path, subject: `A checkpoint of thread number ${thread}` }
    return readCheckpoint(row, "checkpoint", place)
  }
}
