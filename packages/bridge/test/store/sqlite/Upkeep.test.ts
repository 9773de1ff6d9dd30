/** What is done when nothing else is: few rows for many events, and nothing left of what was removed. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { findDriver } from "../../../src/store/sqlite/Driver.ts"
import { databaseFile } from "../../../src/store/sqlite/OpenDatabase.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../Folder.ts"
import { batch, checkpoint, deltas, grew, type OpenStore, said, thread } from "../Samples.ts"

/** How many rows the tables of a database have. */
const rowsIn = (folder: string, ...tables: ReadonlyArray<string>): ReadonlyArray<number> => {
  const database = findDriver()?.open(databaseFile(folder))
  const counts = tables.map((table) =>
    Number(database?.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"])
  )
  database?.close()
  return counts
}

/** Waits until there was time for what is done when nothing else is. */
const idle = (store: OpenStore, turns: number) =>
  Effect.gen(function* () {
    for (let turn = 0; turn < turns; turn++) yield* store.mark(`turn ${turn}`)
  })

describe("events", () => {
  it.effect("of a turn that was said piece by piece are few rows, and none is left in the journal", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const store = yield* makeSqliteStore({ folder })
      yield* store.create(thread("a"))
      const claim = yield* store.claim("a")
      const words = Array.from({ length: 1000 }, (_, n) => `word${n} `)
      for (const [n, word] of words.entries())
        yield* store.append(claim, batch(n, grew("m", word), n === 999 ? { checkpoint: checkpoint(1000) } : {}))
      yield* idle(store, 20)
      const [journal = 0, events = 0] = rowsIn(folder, "journal", "events")
      assert.strictEqual(journal, 0)
      assert.isBelow(events, 10)
      assert.deepStrictEqual(deltas(yield* store.events("a", 0, 2000)), words)
      assert.deepStrictEqual(deltas(yield* store.events("a", 500, 3)), words.slice(500, 503))
    })
  )

  it.effect("are in their place also where some are large", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const store = yield* makeSqliteStore({ folder })
      yield* store.create(thread("a"))
      const claim = yield* store.claim("a")
      const sizes = [10, 20, 40_000, 5, 100_000, 100_000, 7, 8]
      const words = sizes.map((size, n) => `${n}${"é\n".repeat(size)}`)
      for (const [n, word] of words.entries())
        yield* store.append(claim, batch(n, grew("m", word), n === 7 ? { checkpoint: checkpoint(8) } : {}))
      yield* idle(store, 20)
      const [journal = 0, events = 0] = rowsIn(folder, "journal", "events")
      assert.strictEqual(journal, 0)
      // The small ones beside each other are one row, each large one has its own.
      assert.strictEqual(events, 6)
      assert.deepStrictEqual(deltas(yield* store.events("a", 0, 100)), words)
      assert.deepStrictEqual(deltas(yield* store.events("a", 3, 3)), words.slice(3, 6))
    })
  )

  it.effect("of a turn that does not end do not stay in the journal, either", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const store = yield* makeSqliteStore({ folder })
      yield* store.create(thread("a"))
      const claim = yield* store.claim("a")
      for (let n = 0; n < 600; n++) yield* store.append(claim, batch(n, grew("m", `${n}`)))
      yield* idle(store, 5)
      assert.isBelow(rowsIn(folder, "journal")[0] ?? 0, 256)
      assert.lengthOf(yield* store.events("a", 0, 1000), 600)
    })
  )
})

describe("checkpoints", () => {
  it.effect("are kept so that none is far from an event", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const store = yield* makeSqliteStore({ folder })
      yield* store.create(thread("a"))
      const claim = yield* store.claim("a")
      for (let n = 0; n < 300; n++)
        yield* store.append(claim, batch(10 * n, grew("m", ..."abcdefghij"), { checkpoint: checkpoint(10 * n + 10) }))
      for (let seq = 300; seq <= 3000; seq += 50)
        assert.isBelow(seq - ((yield* store.checkpointBefore("a", seq))?.seq ?? 0), 300)
      assert.isBelow(rowsIn(folder, "checkpoints")[0] ?? 0, 30)
    })
  )
})

describe("a thread that is removed", () => {
  it.effect("leaves no rows, also when the bridge ends before it is done", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const tables = ["threads", "states", "logs", "journal", "events", "checkpoints", "entries", "removed"]
      yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* makeSqliteStore({ folder })
          for (const id of ["a", "b"]) {
            yield* store.create(thread(id, { state: "s" }), {
              entries: Array.from({ length: 2000 }, (_, n) => said(n)),
              checkpoint: checkpoint(0)
            })
            const claim = yield* store.claim(id)
            for (let n = 0; n < 300; n++) yield* store.append(claim, batch(n, grew("m", "x")))
          }
          yield* store.remove("a")
          yield* idle(store, 20)
          const [threads, , , , , , entries] = rowsIn(folder, ...tables)
          assert.deepStrictEqual([threads, entries], [1, 2000])
          yield* store.remove("b")
        })
      )
      assert.isAbove(rowsIn(folder, "entries")[0] ?? 0, 0)
      const store = yield* makeSqliteStore({ folder })
      yield* idle(store, 20)
      assert.deepStrictEqual(
        rowsIn(folder, ...tables),
        tables.map(() => 0)
      )
    })
  )
})
