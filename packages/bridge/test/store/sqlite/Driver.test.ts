/** SQLite by whoever brings it: the same behaviour, and no word about it. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Driver, SqliteError } from "../../../src/store/sqlite/Database.ts"
import { findDriver } from "../../../src/store/sqlite/Driver.ts"
import { loadLibsql } from "../../../src/store/sqlite/LibsqlDriver.ts"
import { loadNodeSqlite } from "../../../src/store/sqlite/NodeDriver.ts"
import { emptyFolder } from "../../Folder.ts"

/** Those that there are here: Node 20 has none of its own. */
const drivers = [loadNodeSqlite(), loadLibsql()].filter((driver): driver is Driver => driver !== undefined)

const kindOf = (use: () => unknown): number | undefined => {
  try {
    use()
    return undefined
  } catch (error) {
    if (error instanceof SqliteError) return error.kind
    throw error
  }
}

describe("the driver", () => {
  it("is Node's own where it has one without a flag", () => {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
    const isBuiltIn = major > 22 || (major === 22 && minor >= 13)
    assert.strictEqual(findDriver()?.name, isBuiltIn ? "node:sqlite" : "libsql")
  })

  it("says nothing on stderr, and lets other warnings through", () => {
    const source = new URL("../../../src/store/sqlite/Driver.ts", import.meta.url).href
    const code = `
      const { findDriver } = await import(${JSON.stringify(source)})
      findDriver().open(":memory:").close()
      process.emitWarning("another one")`
    const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
      encoding: "utf8",
      cwd: import.meta.dirname
    })
    assert.strictEqual(status, 0, stderr)
    assert.notInclude(stderr, "SQLite")
    assert.include(stderr, "another one")
  })

  for (const driver of drivers) {
    it.effect(`${driver.name} tells what SQLite says`, () =>
      Effect.gen(function* () {
        const folder = yield* emptyFolder
        const database = driver.open(join(folder, "a.db"))
        database.exec("PRAGMA busy_timeout = 1; CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)")
        const put = database.prepare("INSERT INTO t (n, text) VALUES (?, ?)")
        assert.strictEqual(put.run(1, "ü😀"), 1)
        assert.strictEqual(put.run(2, null), 1)
        assert.deepStrictEqual(
          database
            .prepare("SELECT n, text FROM t ORDER BY n")
            .all()
            .map(({ n, text }) => [n, text]),
          [
            [1, "ü😀"],
            [2, null]
          ]
        )
        assert.isUndefined(database.prepare("SELECT n FROM t WHERE n = ?").get(3))
        const bytes = database.prepare("SELECT CAST(text AS BLOB) AS bytes FROM t WHERE n = 1")
        for (const row of [bytes.get(), ...bytes.all()])
          assert.deepStrictEqual(row?.["bytes"] instanceof Uint8Array && [...row["bytes"]], [...Buffer.from("ü😀")])
        // The key of a row has more bits than a number here; a part of it does not.
        const key = database.prepare("SELECT ((?1 << 36) | ?2) >> 36 AS high, ((?1 << 36) | ?2) & 68719476735 AS low")
        const { high, low } = key.get(100_000_000, 68_719_476_735) ?? {}
        assert.deepStrictEqual([high, low], [100_000_000, 68_719_476_735])
        assert.strictEqual(
          kindOf(() => put.run(1, "again")),
          19
        )
        const other = driver.open(join(folder, "a.db"))
        other.exec("BEGIN IMMEDIATE")
        assert.strictEqual(
          kindOf(() => put.run(3, "busy")),
          5
        )
        other.exec("ROLLBACK")
        other.close()
        database.close()
        assert.strictEqual(
          kindOf(() => driver.open(join(folder, "none/a.db")).exec("SELECT 1")),
          14
        )
        assert.strictEqual(
          kindOf(() => driver.open(folder).exec("SELECT * FROM sqlite_schema")),
          14
        )
      })
    )

    it.effect(`${driver.name} holds no lock after reading`, () =>
      Effect.gen(function* () {
        const folder = yield* emptyFolder
        const database = driver.open(join(folder, "a.db"))
        database.prepare("PRAGMA journal_mode = WAL").get()
        database.exec("CREATE TABLE t (n INTEGER PRIMARY KEY)")
        for (let n = 0; n < 300; n++) database.prepare("INSERT INTO t (n) VALUES (?)").run(n)
        // One of many rows, and all of them.
        const [first, all] = [database.prepare("SELECT n FROM t"), database.prepare("SELECT n FROM t")]
        assert.strictEqual(first.get()?.["n"], 0)
        assert.lengthOf(all.all(), 300)
        // Only possible when nobody is in the middle of reading.
        assert.strictEqual(database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"], 0)
        database.close()
      })
    )
  }
})
