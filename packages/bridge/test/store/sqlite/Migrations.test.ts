import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { findDriver } from "../../../src/store/sqlite/Driver.ts"
import { labelOf, migrations } from "../../../src/store/sqlite/Migrations.ts"
import { databaseFile, openDatabase } from "../../../src/store/sqlite/OpenDatabase.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../Folder.ts"
import { batch, deltas, grew, thread } from "../Samples.ts"

/** A version that may come. */
const later = [...migrations, "ALTER TABLE threads ADD COLUMN colour TEXT; CREATE TABLE colours (name TEXT)"]

const versionIn = (folder: string, steps?: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.map(openDatabase({ folder, ...(steps && { migrations: steps }) }), (database) => labelOf(database).version)
  )

describe("a database", () => {
  it.effect("is brought to the newest version, and keeps what it has", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      assert.strictEqual(yield* versionIn(folder), migrations.length)
      yield* Effect.scoped(Effect.flatMap(makeSqliteStore({ folder }), (store) => store.create(thread("a"))))
      assert.strictEqual(yield* versionIn(folder, later), migrations.length + 1)
      const database = findDriver()?.open(databaseFile(folder))
      assert.deepInclude({ ...database?.prepare("SELECT id, colour FROM threads").get() }, { id: "a", colour: null })
      database?.close()
    })
  )

  it.effect("of the first version takes long texts, and has what it had", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const first = migrations.slice(0, 1)
      assert.strictEqual(yield* versionIn(folder, first), 1)
      const before = findDriver()?.open(databaseFile(folder))
      before?.exec(
        `INSERT INTO threads (id, archived, active_at, details) VALUES ('a', 0, 1, '${JSON.stringify(thread("a"))}');
         INSERT INTO logs (thread, next, epoch, since, settled, newest) VALUES (1, 1, 0, 0, 0, 1);
         INSERT INTO journal (row, thread, first, count, chunk) VALUES (1, 1, 0, 1, '[[7],[null,"m","old",[3]]]')`
      )
      before?.close()
      const store = yield* makeSqliteStore({ folder })
      const claim = yield* store.claim("a")
      const long = "x".repeat(1_000_000)
      yield* store.append(claim, batch(1, grew("m", long)))
      assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["old", long])
      assert.strictEqual(yield* versionIn(folder), migrations.length)
    })
  )

  it.effect("stays as it was when it cannot be brought there", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      yield* versionIn(folder)
      const broken = [...migrations, "CREATE TABLE half (n INTEGER); CREATE TABLE half (n INTEGER)"]
      assert.strictEqual((yield* Effect.flip(versionIn(folder, broken))).code, "STORE_DAMAGED")
      assert.strictEqual(yield* versionIn(folder), migrations.length)
      // Nothing of it is in the way of the next try.
      assert.strictEqual(yield* versionIn(folder, [...migrations, "CREATE TABLE half (n INTEGER)"]), later.length)
    })
  )

  it.live("is made once when many open it at the same time", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const versions = yield* Effect.all(
        Array.from({ length: 8 }, () => versionIn(folder)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(versions, Array(8).fill(migrations.length))
    })
  )
})

describe("the versions", () => {
  it("that were released are never changed", () => {
    const prints = migrations.map((step) => createHash("sha256").update(step).digest("hex").slice(0, 16))
    assert.deepStrictEqual(prints, ["e468144bc5960d6c", "2858096af1dea556", "01bce68616747cf2"])
  })
})
