/**
 * Checkpoints, in a table. What writes is called within a transaction.
 */
import type { Steps } from "../../eventloop/Turns.ts"
import { Checkpoint } from "../Checkpoint.ts"
import type { Connection } from "./Connection.ts"
import { type PieceTable, pointers } from "./PieceTable.ts"
import { jsonReader, key, maxNumber, numberIn, numberOfKey, textIn, texts } from "./Rows.ts"

const readCheckpoint = jsonReader(Checkpoint)

/** Checkpoints that are nearer to each other than so many events are not all kept. */
const distance = 256

/** Checkpoints. */
export class CheckpointTable {
  readonly #connection: Connection
  readonly #pieces: PieceTable

  constructor(connection: Connection, pieces: PieceTable) {
    this.#connection = connection
    this.#pieces = pieces
  }

  /** Adds a checkpoint, as JSON or where that is, and drops the one before where the one before that is near. */
  put(thread: number, seq: number, checkpoint: string): void {
    const [last, secondLast] = this.#connection
      .sql(
        `SELECT ${numberOfKey} AS seq, ${pointers("checkpoint")} FROM checkpoints
         WHERE key >= ${key("?1", "0")} AND key < ${key("?1", "?2")} ORDER BY key DESC LIMIT 2`
      )
      .all(thread, seq)
    const same = this.#connection
      .sql(`SELECT ${pointers("checkpoint")} FROM checkpoints WHERE key = ${key("?1", "?2")}`)
      .get(thread, seq)
    this.#pieces.deletePointed(thread, same?.["pointer"])
    if (last !== undefined && secondLast !== undefined && seq - numberIn(secondLast, "seq") < distance) {
      this.#pieces.deletePointed(thread, last["pointer"])
      this.#connection.sql(`DELETE FROM checkpoints WHERE key = ${key("?1", "?2")}`).run(thread, numberIn(last, "seq"))
    }
    this.#connection
      .sql(`REPLACE INTO checkpoints (key, checkpoint) VALUES (${key("?1", "?2")}, ?3)`)
      .run(thread, seq, checkpoint)
  }

  /** The newest checkpoint whose number is not greater than this one. */
  *find(thread: number, seq = maxNumber): Steps<Checkpoint | undefined> {
    const row = this.#connection
      .sql(
        `SELECT ${texts("checkpoint")} FROM checkpoints WHERE key BETWEEN ${key("?1", "0")} AND ${key("?1", "?2")}
         ORDER BY key DESC LIMIT 1`
      )
      .get(thread, Math.max(0, Math.min(seq, maxNumber)))
    if (row === undefined) return undefined
    const place = { path: this.#connection.path, subject: `A checkpoint of thread number ${thread}` }
    return readCheckpoint(yield* this.#pieces.read(thread, textIn(row, "checkpoint", place), place), place)
  }
}
