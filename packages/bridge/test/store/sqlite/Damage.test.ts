/** Databases that are not what was written: each is refused in words, or only the threads that are hurt are. */
import { randomBytes } from "node:crypto"
import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { sweeping } from "../../../../fixtures/test/Sweep.ts"
import { trunk } from "../../../src/store/Checkpoint.ts"
import { findDriver } from "../../../src/store/sqlite/Driver.ts"
import { migrations } from "../../../src/store/sqlite/Migrations.ts"
import { databaseFile } from "../../../src/store/sqlite/OpenDatabase.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../Folder.ts"
import { batch, checkpoint, deltas, grew, type OpenStore, said, thread } from "../Samples.ts"

const withStore = <A, E>(folder: string, use: (store: OpenStore) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(makeSqliteStore({ folder }), use))

const pageSize = 4096
const ids = ["a", "b", "c"]

/** Fills a database with three threads, of which each has many pages of its own. */
const fill = (folder: string) =>
  withStore(folder, (store) =>
    Effect.gen(function* () {
      for (const id of ids) {
        yield* store.create(thread(id))
        const claim = yield* store.claim(id)
        for (let n = 0; n < 20; n++)
          yield* store.append(
            claim,
            batch(n, grew("m", `event ${id} ${n} ${id.repeat(5000)}`), {
              checkpoint: checkpoint(n + 1),
              entries: [said(n, `entry ${id} ${n} ${id.repeat(5000)}`)]
            })
          )
        yield* store.release(claim)
      }
    })
  )

/** The bytes of such a database: filling one takes far longer than hurting it. */
let original: Buffer | undefined

/** A folder with such a database. */
const filled = Effect.gen(function* () {
  const folder = yield* emptyFolder
  if (original === undefined) {
    yield* fill(folder)
    original = readFileSync(databaseFile(folder))
  } else writeFileSync(databaseFile(folder), original, { mode: 0o600 })
  return folder
})

const overwrite = (path: string, offset: number, bytes: Buffer): void => {
  const file = openSync(path, "r+")
  writeSync(file, bytes, 0, bytes.length, offset)
  closeSync(file)
}

/** Where a text is in the database. */
const placeOf = (path: string, text: string): number => {
  const place = readFileSync(path).indexOf(text)
  assert.isAbove(place, 0, text)
  return place
}

/** That a failure is one of damage, and says where it is and what to do. */
const assertDamaged = (error: { readonly code: string; readonly message: string }, path: string): void => {
  assert.strictEqual(error.code, "STORE_DAMAGED")
  assert.include(error.message, path)
  assert.include(error.message, "restore a backup")
}

/** That a thread is whole and can be written. */
const assertWhole = (store: OpenStore, id: string) =>
  Effect.gen(function* () {
    assert.lengthOf(yield* store.events(id, 0, 100), 20)
    assert.lengthOf((yield* store.entries(id, { path: trunk })).entries, 20)
    const claim = yield* store.claim(id)
    assert.strictEqual(claim.checkpoint?.seq, 20)
    yield* store.append(claim, batch(20, grew("m", "more"), { entries: [said(20)], checkpoint: checkpoint(21) }))
    assert.deepStrictEqual(deltas(yield* store.events(id, 20, 10)), ["more"])
  })

describe("a database that cannot be opened", () => {
  for (const [name, hurt] of [
    ["holds random bytes", (path: string) => writeFileSync(path, randomBytes(50_000))],
    ["was cut", (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ["was cut within its first page", (path: string) => truncateSync(path, 1000)],
    ["has lost its first page", (path: string) => overwrite(path, 0, randomBytes(pageSize))],
    ["has a list of tables that is no list", (path: string) => overwrite(path, 100, randomBytes(pageSize - 100))]
  ] as const)
    it.effect(`because it ${name} is refused in words, and stays as it is`, () =>
      Effect.gen(function* () {
        const folder = yield* filled
        const path = databaseFile(folder)
        hurt(path)
        const before = readFileSync(path)
        const error = yield* Effect.flip(withStore(folder, () => Effect.void))
        assertDamaged(error, path)
        // Nobody can use any thread of it.
        assert.notInclude(error.message, "can still be used")
        assert.isTrue(readFileSync(path).equals(before))
      })
    )

  it.effect("because a later version wrote it is left alone", () =>
    Effect.gen(function* () {
      const folder = yield* filled
      const path = databaseFile(folder)
      const database = findDriver()?.open(path)
      database?.exec("PRAGMA user_version = 7; CREATE TABLE later (n INTEGER)")
      database?.close()
      const before = readFileSync(path)
      const error = yield* Effect.flip(withStore(folder, () => Effect.void))
      assert.strictEqual(error.code, "STORE_TOO_NEW")
      assert.include(error.message, `A later version of agentwire has written ${path}`)
      assert.include(error.message, `format 7, and this one knows up to ${migrations.length}`)
      assert.include(error.message, "Update agentwire")
      assert.isTrue(readFileSync(path).equals(before))
    })
  )

  it.effect("because another program wrote it is left alone", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const path = databaseFile(folder)
      const database = findDriver()?.open(path)
      database?.exec("CREATE TABLE bookmarks (url TEXT)")
      database?.close()
      const error = yield* Effect.flip(withStore(folder, () => Effect.void))
      assert.strictEqual(error.code, "STORE_UNREADABLE")
      assert.include(error.message, "a database of another program")
    })
  )
})

describe("a database that is damaged in one place", () => {
  for (const [name, bytes] of [
    ["random bytes", () => randomBytes(pageSize)],
    ["zeros", () => Buffer.alloc(pageSize)],
    ["the bytes of another page", (path: string) => readFileSync(path).subarray(0, pageSize)]
  ] as const)
    it.effect(`fails for the thread that has ${name} in place of a page, and the others go on`, () =>
      Effect.gen(function* () {
        const folder = yield* filled
        const path = databaseFile(folder)
        for (const text of ["entry b 7 ", "event b 7 "])
          overwrite(path, Math.floor(placeOf(path, text) / pageSize) * pageSize, bytes(path))
        yield* withStore(folder, (store) =>
          Effect.gen(function* () {
            assertDamaged(yield* Effect.flip(store.events("b", 0, 100)), path)
            assertDamaged(yield* Effect.flip(store.entries("b", { path: trunk })), path)
            for (const id of ["a", "c"]) yield* assertWhole(store, id)
            assert.lengthOf((yield* store.threads()).threads, 3)
          })
        )
      })
    )

  it.effect("fails for whoever writes there, and not for those who write at the same time", () =>
    Effect.gen(function* () {
      const folder = yield* filled
      const path = databaseFile(folder)
      overwrite(path, Math.floor(placeOf(path, "entry b 7 ") / pageSize) * pageSize, randomBytes(pageSize))
      yield* withStore(folder, (store) =>
        Effect.gen(function* () {
          const claims = yield* Effect.forEach(ids, (id) => store.claim(id))
          const results = yield* Effect.all(
            claims.map((claim) =>
              Effect.result(store.append(claim, batch(20, grew("m", "x"), { entries: [said(7, "changed")] })))
            ),
            { concurrency: "unbounded" }
          )
          const [a, b, c] = results
          assert.strictEqual(a?._tag, "Success")
          assert.strictEqual(c?._tag, "Success")
          if (b?._tag !== "Failure") return assert.fail("it was written")
          assertDamaged(b.failure, path)
          // Nothing of it was written.
          assert.strictEqual(yield* store.next("b"), 20)
          assert.strictEqual(yield* store.next("c"), 21)
        })
      )
    })
  )

  it.effect("tells of JSON that is none, or is not what it should be", () =>
    Effect.gen(function* () {
      const folder = yield* filled
      const path = databaseFile(folder)
      // Text within a page: SQLite does not notice.
      overwrite(path, placeOf(path, '","lane":null,"kind":"prompt","content":"entry b 7 '), Buffer.from('"!'))
      overwrite(path, placeOf(path, '"kind":"prompt","content":"entry c 7 ') + 8, Buffer.from("nonsen"))
      yield* withStore(folder, (store) =>
        Effect.gen(function* () {
          for (const id of ["b", "c"]) {
            const error = yield* Effect.flip(store.entries(id, { path: trunk }))
            assertDamaged(error, path)
            assert.include(error.message, "Entry 7 of the transcript")
            assert.lengthOf((yield* store.entries(id, { path: trunk, before: 7 })).entries, 7)
          }
          yield* assertWhole(store, "a")
        })
      )
    })
  )

  it.effect("tells of events that are missing, rather than leave them out", () =>
    Effect.gen(function* () {
      const folder = yield* filled
      const database = findDriver()?.open(databaseFile(folder))
      const within = "(key & 68719476735)"
      for (const n of [7, 19])
        database?.exec(`DELETE FROM events WHERE ${n} BETWEEN ${within} AND ${within} + count - 1`)
      database?.close()
      yield* withStore(folder, (store) =>
        Effect.gen(function* () {
          for (const from of [0, 7, 19]) {
            const error = yield* Effect.flip(store.events("a", from, 100))
            assertDamaged(error, databaseFile(folder))
            assert.match(error.message, /^Event \d+ of thread/)
          }
          assert.lengthOf(yield* store.events("a", 0, 1), 1)
        })
      )
    })
  )

  it.live("anywhere gives an answer to every question: what was written, or that it is damaged", () =>
    Effect.gen(function* () {
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(hurts, (drawn) => Effect.runPromise(Effect.scoped(survives(drawn)))),
          sweeping ? { numRuns: 400 } : { numRuns: 80, seed: 13 }
        )
      )
      assert.isAbove(outcomes.damaged, 10)
      assert.isAbove(outcomes.whole, 10)
    })
  )
})

/** Places in the file, as parts of its length, and what is written there. */
const hurts = fc.array(
  fc.record({
    at: fc.double({ min: 0.001, max: 0.999, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 6000 }),
    isPage: fc.boolean()
  }),
  { minLength: 1, maxLength: 4 }
)

/** How often an answer was one or the other. */
const outcomes = { damaged: 0, whole: 0 }

/** Asks everything of a database that is hurt, and writes to it. */
const survives = (drawn: ReadonlyArray<{ at: number; bytes: Uint8Array; isPage: boolean }>) =>
  Effect.gen(function* () {
    const folder = yield* filled
    const path = databaseFile(folder)
    const { size } = statSync(path)
    for (const { at, bytes, isPage } of drawn) {
      const offset = Math.floor(at * size)
      const place = isPage ? Math.floor(offset / pageSize) * pageSize : offset
      overwrite(path, place, Buffer.from(bytes).subarray(0, size - place))
    }
    const answered = <A, E extends { readonly code: string }>(effect: Effect.Effect<A, E>) =>
      Effect.match(effect, {
        onFailure: ({ code }) => {
          assert.strictEqual(code, "STORE_DAMAGED")
          outcomes.damaged++
        },
        onSuccess: () => void outcomes.whole++
      })
    const ask = (store: OpenStore) =>
      Effect.gen(function* () {
        yield* answered(store.threads())
        for (const id of ids) {
          yield* answered(store.thread(id))
          yield* answered(store.events(id, 0, 100))
          yield* answered(store.entries(id, { path: trunk }))
          yield* answered(store.entriesById(id, ["p7"]))
          yield* answered(store.checkpointBefore(id, 100))
          yield* Effect.gen(function* () {
            const claim = yield* store.claim(id)
            yield* store.append(
              claim,
              batch(claim.next, grew("m", "x"), { entries: [said(7)], checkpoint: checkpoint(claim.next + 1) })
            )
            yield* store.events(id, claim.next, 10)
          }).pipe(
            // A thread whose name is gone is not there.
            Effect.catchIf(
              ({ code }) => code === "THREAD_MISSING",
              () => Effect.void
            ),
            answered
          )
        }
        yield* answered(store.remove("b"))
      })
    // What says which program and version wrote it may be hurt, too.
    yield* withStore(folder, ask).pipe(
      Effect.catch((error) =>
        Effect.sync(() => assert.include(["STORE_DAMAGED", "STORE_TOO_NEW", "STORE_UNREADABLE"], error.code))
      )
    )
  })
