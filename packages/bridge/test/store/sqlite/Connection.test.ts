/** A database that another process has locked: it is waited for, without standing still. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { findDriver } from "../../../src/store/sqlite/Driver.ts"
import { databaseFile } from "../../../src/store/sqlite/OpenDatabase.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../Folder.ts"
import { batch, deltas, grew, thread } from "../Samples.ts"

/** Somebody else who can lock a database. */
const locker = (folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const database = findDriver()?.open(databaseFile(folder))
      if (database === undefined) throw new Error("there is no SQLite")
      return {
        lock: () => database.exec("BEGIN IMMEDIATE"),
        unlock: () => database.exec("COMMIT"),
        close: () => database.close()
      }
    }),
    (found) => Effect.sync(() => found.close())
  )

describe("a lock of another process", () => {
  it.live("is waited for; reading goes on, and so does everything else", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const store = yield* makeSqliteStore({ folder })
      yield* store.create(thread("a"))
      const claim = yield* store.claim("a")
      yield* store.append(claim, batch(0, grew("m", "before")))
      const other = yield* locker(folder)
      other.lock()
      const appends = yield* Effect.forkChild(
        Effect.all(
          ["one", "two", "three"].map((text, n) => store.append(claim, batch(n + 1, grew("m", text)))),
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      )
      // Several tries of the writer, and turns of the event loop between them.
      for (let turn = 0; turn < 20; turn++) {
        yield* Effect.sleep(5)
        assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["before"])
      }
      assert.isUndefined(appends.pollUnsafe())
      other.unlock()
      yield* Fiber.join(appends)
      assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["before", "one", "two", "three"])
    })
  )

  it.live("that is held for too long is told; what waited for it can be written later", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const store = yield* makeSqliteStore({ folder, patience: 100 })
      yield* store.create(thread("a"))
      const claim = yield* store.claim("a")
      const other = yield* locker(folder)
      other.lock()
      const error = yield* Effect.flip(store.append(claim, batch(0, grew("m", "late"))))
      assert.strictEqual(error.code, "STORE_BUSY")
      assert.include(error.message, databaseFile(folder))
      assert.include(error.message, "Continue that process if it is suspended, or end it")
      // Also for whoever comes then.
      const refused = yield* Effect.flip(makeSqliteStore({ folder, patience: 100 }))
      assert.strictEqual(refused.code, "STORE_BUSY")
      other.unlock()
      yield* store.append(claim, batch(0, grew("m", "late")))
      assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["late"])
    })
  )
})
