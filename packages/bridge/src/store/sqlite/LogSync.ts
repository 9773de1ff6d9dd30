/**
 * Brings the log beside a database to the disk while nobody waits for it.
 *
 * A commit does not wait for the disk, until the log is long enough to be moved into the database: SQLite then has the
 * disk take all of the log first, and the commit that happens to do so, and with it everybody, would wait for megabytes.
 * So the disk is asked to take them some commits at a time, from another thread; what is left is little. SQLite still asks
 * itself, so nothing depends on it that was promised.
 */
import { close, fdatasync, open } from "node:fs"

/** After how many commits the disk is asked. One has a few pages. */
const commitsAtOnce = 64

/** Does it for one log. */
export class LogSync {
  readonly #path: string
  readonly #syncFile: SyncFile
  #commits = 0
  #isRunning = false

  constructor(path: string, syncFile: SyncFile = syncOnce) {
    this.#path = path
    this.#syncFile = syncFile
  }

  /** Something was committed. */
  committed(): void {
    this.#commits++
    if (this.#isRunning || this.#commits < commitsAtOnce) return
    this.#isRunning = true
    this.#commits = 0
    this.#syncFile(this.#path, () => {
      this.#isRunning = false
    })
  }
}

/** Has the disk take what is written of a file, if it can, and then goes on. */
export type SyncFile = (path: string, done: () => void) => void

/** Where it fails, SQLite's own attempt fails, too, and that is told. */
const syncOnce: SyncFile = (path, done) =>
  open(path, "r+", (failed, file) => {
    if (failed) done()
    else fdatasync(file, () => close(file, done))
  })
