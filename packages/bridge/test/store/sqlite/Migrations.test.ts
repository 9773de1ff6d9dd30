import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { findDriver } from "../../../src/store/sqlite/Driver.ts"
import { labelOf, migrations } from "../../../src/store/sqlite/Migrations.ts"
import { databaseFile, openDatabase } from "../../../src/store/sqlite/OpenDatabase.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../Folder.ts"
import { thread } from "../Samples.ts"

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
    assert.deepStrictEqual(prints, ["e468144bc5960d6c", "01bce68616747cf2"])
  })
})
