/**
 * A database in use: reads at once, and writes that are committed together.
 *
 * All that is to be written is gathered until the event loop has nothing else at hand, and is then one transaction: a
 * commit for each event would be too slow by two orders of magnitude. When a transaction fails, what was in it is tried
 * one by one, so that one thread whose rows are damaged does not keep the others from going on.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { othersFirst, type Steps } from "../../eventloop/Turns.ts"
import type { StoreFailed } from "../StoreErrors.ts"
import { type Database, SqliteError, type Statement } from "./Database.ts"
import { rollBack } from "./OpenDatabase.ts"
import { failureOf, isBusy, storeFailed } from "./SqliteFailure.ts"

/** Something to write. */
interface Job {
  /** Does it within a transaction, which may fail, and then be done again. Where it fails itself, it has written nothing. */
  readonly body: () => Result.Result<unknown, unknown>
  readonly finish: (exit: Exit.Exit<unknown, unknown>) => void
}

/** How long to wait before a lock of another process is tried again, in milliseconds. */
const pause = 5

/** How often something is read again that others change meanwhile. */
const maxTries = 5

/** A database in use. */
export class Connection {
  readonly path: string
  readonly #database: Database
  /** How long a lock of another process is waited for, in milliseconds. */
  readonly #patience: number
  readonly #onCommit: () => void
  readonly #statements = new Map<string, Statement>()
  #pending: Array<Job> = []
  #isScheduled = false
  #busySince: number | undefined
  #isClosed = false

  constructor(database: Database, path: string, patience: number, onCommit: () => void) {
    this.#database = database
    this.path = path
    this.#patience = patience
    this.#onCommit = onCommit
  }

  /** A statement, which is prepared once. */
  sql(text: string): Statement {
    const known = this.#statements.get(text)
    if (known !== undefined) return known
    const statement = this.#database.prepare(text)
    this.#statements.set(text, statement)
    return statement
  }

  /** Reads something, at once. */
  read<A>(body: () => A): Effect.Effect<A, StoreFailed> {
    return Effect.suspend(() => {
      if (this.#isClosed) return Effect.fail(this.#closed())
      try {
        return Effect.succeed(body())
      } catch (error) {
        return Effect.fail(failureOf(error, this.path, "read"))
      }
    })
  }

  /**
   * Reads something in steps, with others between them: they may change what is read. What does not fit together then is
   * read again.
   */
  readInTurns<A>(begin: () => Steps<A>, triesLeft = maxTries): Effect.Effect<A, StoreFailed> {
    return Effect.suspend(() => {
      const steps = begin()
      let isLater = false
      const go: Effect.Effect<A, StoreFailed> = Effect.suspend(() =>
        Effect.flatMap(
          this.read(() => steps.next()),
          ({ done, value }) => {
            if (done === true) return Effect.succeed(value)
            isLater = true
            return Effect.andThen(othersFirst, go)
          }
        )
      )
      return Effect.catch(go, (failure) =>
        isLater && failure.code === "STORE_DAMAGED" && triesLeft > 0
          ? this.readInTurns(begin, triesLeft - 1)
          : Effect.fail(failure)
      )
    })
  }

  /** Writes something, with all else that is to be written now. Done when it is committed. */
  write<A, E = never>(body: () => Result.Result<A, E>): Effect.Effect<A, E | StoreFailed> {
    return Effect.callback<A, E | StoreFailed>((resume) => {
      if (this.#isClosed) return resume(Effect.fail(this.#closed()))
      this.#pending.push({
        body,
        // What a body returns is what its job is finished with.
        finish: (exit) => resume(exit as Exit.Exit<A, E | StoreFailed>)
      })
      this.#schedule()
    })
  }

  /** How large the log beside the database may become before a commit moves it there, in pages. */
  limitLog(pages: number): void {
    this.#database.exec(`PRAGMA wal_autocheckpoint = ${pages}`)
  }

  /**
   * Moves all of the log into the database, so that a copy of its one file is whole: `libsql` leaves the log beside it.
   * Where that cannot be, the log stays, and belongs to it.
   */
  emptyLog(): void {
    try {
      this.sql("PRAGMA wal_checkpoint(TRUNCATE)").get()
    } catch (error) {
      if (!(error instanceof SqliteError)) throw error
    }
  }

  /** Writes what is waiting, and does nothing more. */
  close(): void {
    if (this.#isClosed) return
    this.#flush()
    this.#isClosed = true
    this.#fail(this.#pending, this.#closed())
    this.#pending = []
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#flush)
  }

  readonly #flush = (): void => {
    this.#isScheduled = false
    const jobs = this.#pending
    if (jobs.length === 0 || this.#isClosed) return
    this.#pending = []
    try {
      this.#finish(jobs, this.#transact(jobs))
    } catch (error) {
      if (isBusy(error)) this.#wait(jobs, error)
      else if (jobs.length > 1) for (const job of jobs) this.#alone(job)
      else this.#refuse(jobs, error)
    }
  }

  #alone(job: Job): void {
    try {
      this.#finish([job], this.#transact([job]))
    } catch (error) {
      this.#refuse([job], error)
    }
  }

  /** Does all of it or, when something throws, nothing. */
  #transact(jobs: ReadonlyArray<Job>): ReadonlyArray<Result.Result<unknown, unknown>> {
    this.sql("BEGIN IMMEDIATE").run()
    try {
      const results = jobs.map(({ body }) => body())
      this.sql("COMMIT").run()
      this.#busySince = undefined
      this.#onCommit()
      return results
    } catch (error) {
      rollBack(this.#database)
      throw error
    }
  }

  /** Another process writes. */
  #wait(jobs: ReadonlyArray<Job>, error: unknown): void {
    this.#busySince ??= performance.now()
    if (performance.now() - this.#busySince <= this.#patience) {
      this.#pending = [...jobs, ...this.#pending]
      this.#isScheduled = true
      setTimeout(this.#flush, pause)
    } else {
      this.#busySince = undefined
      this.#refuse(jobs, error)
    }
  }

  #finish(jobs: ReadonlyArray<Job>, results: ReadonlyArray<Result.Result<unknown, unknown>>): void {
    for (const [n, { finish }] of jobs.entries()) {
      const result = results[n]
      if (result !== undefined)
        finish(Result.isSuccess(result) ? Exit.succeed(result.success) : Exit.fail(result.failure))
    }
  }

  #refuse(jobs: ReadonlyArray<Job>, error: unknown): void {
    try {
      this.#fail(jobs, failureOf(error, this.path, "write"))
    } catch (defect) {
      for (const { finish } of jobs) finish(Exit.die(defect))
    }
  }

  #fail(jobs: ReadonlyArray<Job>, failure: StoreFailed): void {
    for (const { finish } of jobs) finish(Exit.fail(failure))
  }

  #closed(): StoreFailed {
    return storeFailed("STORE_CLOSED", this.path, `The database ${this.path} was closed.`)
  }
}
