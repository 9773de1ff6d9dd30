/** What is asked of the database is found by an index, so that it takes no longer in a large one. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { trunk } from "../../../src/store/Checkpoint.ts"
import type { Driver } from "../../../src/store/sqlite/Database.ts"
import { findDriver } from "../../../src/store/sqlite/Driver.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../Folder.ts"
import { batch, checkpoint, grew, type OpenStore, said, thread } from "../Samples.ts"

/** A driver that remembers every statement, with a way to ask SQLite how each would be done. */
const spying = () => {
  const found = findDriver()
  if (found === undefined) throw new Error("there is no SQLite")
  const statements = new Set<string>()
  let explain = (_sql: string): ReadonlyArray<string> => []
  const driver: Driver = {
    ...found,
    open: (path) => {
      const database = found.open(path)
      explain = (sql) =>
        database
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map(({ detail }) => String(detail))
      return {
        ...database,
        prepare: (sql) => {
          statements.add(sql)
          return database.prepare(sql)
        }
      }
    }
  }
  return { driver, statements, explain: (sql: string) => explain(sql) }
}

/** Everything that a store can be asked. */
const everything = (store: OpenStore) =>
  Effect.gen(function* () {
    yield* store.create(thread("a", { state: 1, workspaceId: "w" }), { entries: [said(0)] })
    const claim = yield* store.claim("a")
    for (let n = 0; n < 5; n++)
      yield* store.append(
        claim,
        batch(n, grew("m", "x"), { checkpoint: checkpoint(n + 1), entries: [said(n + 1)], thread: { activeAt: n } })
      )
    yield* store.events("a", 0, 10)
    yield* store.checkpointBefore("a", 3)
    yield* store.entries("a", { path: trunk })
    yield* store.countEntries("a", { path: trunk })
    for (const ids of [["m"], ["m", "p1"]])
      for (const except of [undefined, { from: 1, until: 3 }]) {
        yield* store.entriesById("a", ids, except)
        yield* store.messageParts("a", ids, except)
      }
    yield* store.countMessages("a", { path: trunk })
    yield* store.countMessages("a", { path: [{ branch: 0, through: 1 }, { branch: 1 }] })
    const after = { activeAt: 1, threadId: "a" }
    for (const query of [{}, { archived: true }, { workspaceId: "w" }, { workspaceId: "w", archived: false }])
      for (const paged of [query, { ...query, after }]) yield* store.threads(paged)
    yield* store.thread("a")
    yield* store.change("a", { title: "T", state: 2 })
    yield* store.next("a")
    yield* store.release(claim)
    yield* store.putWorkspace({ id: "w", name: "W", folder: "/", createdAt: 1 })
    yield* store.workspace("w")
    yield* store.removeWorkspace("w")
    yield* store.mark("m")
    yield* store.isMarked("m")
    yield* store.remove("a")
    // What is done when nothing else is has had its turns.
    for (let n = 0; n < 10; n++) yield* store.mark(`${n}`)
  })

/**
 * Tables that are small, an index that is read from its end, the rows of a thread in the journal, which are few, and what
 * is counted as it is found.
 */
const small = /^SCAN (nodes|removed|epochs|chain|sqlite_schema|threads USING INDEX threads_all|\(subquery-1\))$/
const isFine = (detail: string, sql: string): boolean =>
  small.test(detail) || (detail === "USE TEMP B-TREE FOR ORDER BY" && sql.startsWith("WITH RECURSIVE chain"))

describe("a database", () => {
  it.effect("reads no table whole, and sorts nothing that grows, whatever it is asked", () =>
    Effect.gen(function* () {
      const { driver, explain, statements } = spying()
      const store = yield* makeSqliteStore({ folder: yield* emptyFolder, driver })
      yield* everything(store)
      const asked = [...statements].filter((sql) => /^\s*(SELECT|UPDATE|DELETE|WITH|INSERT|REPLACE)/.test(sql))
      assert.isAbove(asked.length, 30)
      const slow = asked.flatMap((sql) =>
        explain(sql)
          .filter((detail) => /\bSCAN\b(?!.*CONSTANT ROW)|TEMP B-TREE/.test(detail) && !isFine(detail, sql))
          .map((detail) => `${detail}: ${sql}`)
      )
      assert.deepStrictEqual(slow, [])
      // Nor does it read all of a thread to find a part of it.
      const plans = asked.flatMap((sql) => explain(sql))
      for (const search of [
        "entries USING INDEX entries_id (thread=? AND id=?)",
        "entries USING INDEX entries_branch (thread=? AND branch=? AND rowid<?)",
        "entries USING COVERING INDEX entries_branch (thread=? AND branch=? AND rowid<?)",
        "events USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
        "checkpoints USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
        "threads USING INDEX threads_archived (archived=? AND (active_at,id)<(?,?))",
        "threads USING INDEX threads_workspace (workspace=? AND (active_at,id)<(?,?))",
        "threads USING INDEX threads_workspace_archived (workspace=? AND archived=? AND (active_at,id)<(?,?))"
      ])
        assert.include(plans, `SEARCH ${search}`)
    })
  )

  it.effect("reads as many rows for a page of a long thread as for one of a short thread", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const counted = { rows: 0 }
      const found = findDriver()
      if (found === undefined) return assert.fail("there is no SQLite")
      const driver: Driver = {
        ...found,
        open: (path) => {
          const database = found.open(path)
          return {
            ...database,
            prepare: (sql) => {
              const statement = database.prepare(sql)
              const count = <A extends ReadonlyArray<unknown>>(rows: A): A => {
                counted.rows += rows.length
                return rows
              }
              return { ...statement, all: (...values) => count(statement.all(...values)) }
            }
          }
        }
      }
      const store = yield* makeSqliteStore({ folder, driver })
      for (const [id, length] of [
        ["short", 200],
        ["long", 20_000]
      ] as const)
        yield* store.create(thread(id), { entries: Array.from({ length }, (_, n) => said(n)) })
      const rowsFor = (id: string, before: number) =>
        Effect.gen(function* () {
          counted.rows = 0
          assert.lengthOf((yield* store.entries(id, { path: trunk, maxEntries: 50, before })).entries, 50)
          return counted.rows
        })
      const short = yield* rowsFor("short", 200)
      for (const before of [20_000, 10_000, 60]) assert.isAtMost(yield* rowsFor("long", before), short)
    })
  )
})
