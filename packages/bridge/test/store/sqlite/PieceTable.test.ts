/** Texts of megabytes in a database: in pieces, of which none is left when nobody tells of it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { trunk } from "../../../src/store/Checkpoint.ts"
import type { Driver, Row } from "../../../src/store/sqlite/Database.ts"
import { findDriver } from "../../../src/store/sqlite/Driver.ts"
import { databaseFile } from "../../../src/store/sqlite/OpenDatabase.ts"
import { pointerTo, rangeIn } from "../../../src/store/sqlite/PieceTable.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { countTurns, type TurnCount } from "../../eventloop/Watched.ts"
import { emptyFolder } from "../../Folder.ts"
import { batch, checkpoint, grew, type OpenStore, said, thread } from "../Samples.ts"

const driver = (): Driver => {
  const found = findDriver()
  if (found === undefined) throw new Error("there is no SQLite")
  return found
}

/** Asks a database something. */
const ask = (folder: string, sql: string): ReadonlyArray<Row> => {
  const database = driver().open(databaseFile(folder))
  const rows = database.prepare(sql).all()
  database.close()
  return rows
}

const piecesIn = (folder: string): number => ask(folder, "SELECT 1 FROM pieces").length

/** How many pieces the rows of a table point to. */
const pointedIn = (folder: string, ...tables: ReadonlyArray<readonly [table: string, column: string]>): number =>
  tables
    .flatMap(([table, column]) => ask(folder, `SELECT ${column} AS text FROM ${table}`))
    .reduce((sum, { text }) => sum + (rangeIn(String(text))?.count ?? 0), 0)

/** Waits until there was time for what is done when nothing else is. */
const idle = (store: OpenStore) =>
  Effect.gen(function* () {
    for (let turn = 0; turn < 20; turn++) yield* store.mark(`turn ${turn}`)
  })

const long = (mark: string, length = 500_000): string => mark.repeat(length)

const opened = Effect.gen(function* () {
  const folder = yield* emptyFolder
  const store = yield* makeSqliteStore({ folder })
  yield* store.create(thread("a"))
  return { folder, store, claim: yield* store.claim("a") }
})

/** A driver that counts the characters that go into a database, and the bytes that come out of it. */
const counting = (count: TurnCount): Driver => ({
  ...driver(),
  open: (path) => {
    const database = driver().open(path)
    const sizeOf = (value: unknown): number =>
      typeof value === "string" || value instanceof Uint8Array ? value.length : 0
    const add = (values: ReadonlyArray<unknown>): void => {
      for (const value of values) count.add(sizeOf(value))
    }
    const counted = (row: Row): Row => {
      add(Object.values(row))
      return row
    }
    return {
      ...database,
      prepare: (sql) => {
        const { all, get, run } = database.prepare(sql)
        return {
          run: (...values) => {
            add(values)
            return run(...values)
          },
          get: (...values) => {
            add(values)
            const row = get(...values)
            return row && counted(row)
          },
          all: (...values) => {
            add(values)
            return all(...values).map(counted)
          }
        }
      }
    }
  }
})

describe("long texts", () => {
  it.effect("are pieces, and no other row has more than can be written in a moment", () =>
    Effect.gen(function* () {
      const { claim, folder, store } = yield* opened
      const situation = { ...checkpoint(2).situation, state: long("s") }
      yield* store.append(
        claim,
        batch(0, grew("m", "x", long("e")), {
          entries: [said(0, long("p")), said(1)],
          checkpoint: checkpoint(2, { situation }),
          thread: { state: long("t") }
        })
      )
      yield* idle(store)
      assert.strictEqual(ask(folder, "SELECT 1 FROM journal").length, 0)
      for (const [table, column, most] of [
        ["events", "chunk", 64],
        ["entries", "entry", 100],
        ["checkpoints", "checkpoint", 64],
        ["states", "state", 64],
        ["pieces", "piece", 70_000]
      ] as const) {
        const [row] = ask(folder, `SELECT max(octet_length(${column})) AS bytes FROM ${table}`)
        assert.isAtMost(Number(row?.["bytes"]), most, table)
      }
    })
  )

  it.live("of ten megabytes go in and out a little in each turn", () =>
    Effect.gen(function* () {
      const count = yield* countTurns
      const store = yield* makeSqliteStore({ folder: yield* emptyFolder, driver: counting(count) })
      yield* store.create(thread("a"))
      const claim = yield* store.claim("a")
      const text = long("a", 10_000_000)
      yield* store.append(
        claim,
        batch(0, grew("m", text), {
          entries: [said(0, text)],
          checkpoint: checkpoint(1, { situation: { ...checkpoint(1).situation, state: text } }),
          thread: { state: text }
        })
      )
      yield* idle(store)
      assert.isAtMost(count.most().most, 1_200_000)
      assert.isAtLeast(count.most().turns, 40)
      yield* store.events("a", 0, 10)
      yield* store.entries("a", { path: trunk })
      yield* store.entriesById("a", ["p0"])
      yield* store.thread("a")
      yield* store.checkpointBefore("a", 10)
      assert.isAtMost(count.most().most, 1_200_000)
    })
  )

  it.effect("leave nothing behind when they are replaced, or their thread is removed", () =>
    Effect.gen(function* () {
      const { claim, folder, store } = yield* opened
      const write = (n: number, mark: string) =>
        store.append(
          claim,
          batch(n, grew("m", "x"), {
            entries: [said(0, long(mark))],
            checkpoint: checkpoint(n + 1, { situation: { ...checkpoint(1).situation, state: long(mark) } }),
            thread: { state: long(mark) }
          })
        )
      for (let n = 0; n < 6; n++) yield* write(n, "a")
      const all = [
        ["entries", "entry"],
        ["states", "state"],
        ["checkpoints", "checkpoint"]
      ] as const
      assert.isAbove(pointedIn(folder, ...all), 20)
      assert.strictEqual(piecesIn(folder), pointedIn(folder, ...all))
      yield* store.change("a", { state: "short" })
      yield* store.append(claim, batch(6, [], { entries: [said(0, "short")] }))
      assert.strictEqual(piecesIn(folder), pointedIn(folder, ["checkpoints", "checkpoint"]))
      yield* store.remove("a")
      yield* idle(store)
      assert.strictEqual(piecesIn(folder), 0)
    })
  )

  it.effect("that a killed bridge has written in part are gone when the thread is claimed again", () =>
    Effect.gen(function* () {
      const { claim, folder, store } = yield* opened
      yield* store.append(claim, batch(0, grew("m", long("a"))))
      const kept = piecesIn(folder)
      const database = driver().open(databaseFile(folder))
      const [row] = database.prepare("SELECT max(key) AS key FROM pieces").all()
      for (let n = 1; n <= 9; n++)
        database.prepare("INSERT INTO pieces (key, piece) VALUES (?, 'half')").run(Number(row?.["key"]) + n)
      database.close()
      assert.strictEqual(piecesIn(folder), kept + 9)
      const again = yield* store.claim("a")
      assert.strictEqual(piecesIn(folder), kept)
      yield* store.append(again, batch(1, grew("m", long("b"))))
      assert.deepStrictEqual(
        (yield* store.events("a", 0, 10)).map(({ event }) => event.type === "item_grew" && event.delta),
        [long("a"), long("b")]
      )
    })
  )

  it.effect("of which a piece is missing or another are told as damage", () =>
    Effect.gen(function* () {
      const { claim, folder, store } = yield* opened
      yield* store.append(claim, batch(0, grew("m", long("a")), { entries: [said(0, long("b"))] }))
      const database = driver().open(databaseFile(folder))
      database.exec("UPDATE pieces SET piece = 'other' WHERE key = (SELECT min(key) FROM pieces)")
      database.exec("DELETE FROM pieces WHERE key = (SELECT max(key) FROM pieces)")
      database.close()
      const [events, entries] = yield* Effect.all([
        Effect.flip(store.events("a", 0, 10)),
        Effect.flip(store.entries("a", { path: trunk }))
      ])
      assert.strictEqual(events.code, "STORE_DAMAGED")
      assert.include(events.message, "its pieces have")
      assert.strictEqual(entries.code, "STORE_DAMAGED")
      assert.include(entries.message, "a piece of it is not there")
    })
  )
})

describe("a pointer", () => {
  it("is no JSON, and tells where a text is", () => {
    const range = { first: 68_719_476_735, count: 1_000_000, bytes: Number.MAX_SAFE_INTEGER }
    assert.isAtMost(pointerTo(range).length, 64)
    assert.deepStrictEqual(rangeIn(pointerTo(range)), range)
    assert.throws(() => JSON.parse(pointerTo(range)))
    for (const text of ["", "@", "@1", '"@1+1:1"', "[]", "@1+1:1 "]) assert.isUndefined(rangeIn(text))
  })
})
