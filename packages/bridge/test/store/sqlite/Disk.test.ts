/** Disks that refuse: each says what happened, where, and what to do; and nothing that was acknowledged is lost. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { databaseFile } from "../../../src/store/sqlite/OpenDatabase.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../Folder.ts"
import { batch, checkpoint, deltas, grew, said, thread } from "../Samples.ts"
import { asSomebody, openFolder, readOnly, smallDisk } from "./Disk.ts"

const opened = (folder: string) => Effect.scoped(Effect.asVoid(makeSqliteStore({ folder })))

/** A database with a thread. */
const begun = (folder: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* makeSqliteStore({ folder })
      yield* store.create(thread("a"))
      yield* store.append(yield* store.claim("a"), batch(0, grew("m", "kept")))
    })
  )

describe("the files", () => {
  it.effect("are for this user alone, in a folder for this user alone", () =>
    Effect.gen(function* () {
      const folder = join(yield* emptyFolder, "deep/er")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* makeSqliteStore({ folder })
          yield* store.create(thread("a"))
          assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
          const files = readdirSync(folder)
          assert.includeMembers(files, ["agentwire.db", "agentwire.db-wal"])
          for (const file of files) assert.strictEqual(statSync(join(folder, file)).mode & 0o777, 0o600, file)
        })
      )
      chmodSync(databaseFile(folder), 0o644)
      yield* opened(folder)
      assert.strictEqual(statSync(databaseFile(folder)).mode & 0o777, 0o600)
    })
  )

  it.effect("need not all be copied when the bridge has ended: one has everything", () =>
    Effect.gen(function* () {
      const [folder, copy] = [yield* emptyFolder, yield* emptyFolder]
      yield* begun(folder)
      copyFileSync(databaseFile(folder), databaseFile(copy))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* makeSqliteStore({ folder: copy })
          assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["kept"])
        })
      )
    })
  )
})

describe("a place that cannot be used", () => {
  const refused = (folder: string) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(opened(folder))
      assert.strictEqual(error.path, databaseFile(folder))
      assert.include(error.message, folder)
      return error
    })

  it.effect("is a folder in which nothing may be made", () =>
    Effect.gen(function* () {
      const folder = yield* openFolder
      chmodSync(folder, 0o555)
      const error = yield* asSomebody(refused(folder))
      assert.strictEqual(error.code, "STORE_UNWRITABLE")
      assert.match(error.message, /permission denied.*Check that this user may write the folder/)
      chmodSync(folder, 0o755)
    })
  )

  it.effect("is a folder that may not be made", () =>
    Effect.gen(function* () {
      const folder = yield* openFolder
      chmodSync(folder, 0o555)
      const error = yield* asSomebody(refused(join(folder, "more")))
      assert.strictEqual(error.code, "STORE_UNWRITABLE")
      chmodSync(folder, 0o755)
    })
  )

  it.effect("is a file that may be read and not written, or a folder without room for its companions", () =>
    Effect.gen(function* () {
      const folder = yield* openFolder
      yield* begun(folder)
      chmodSync(databaseFile(folder), 0o444)
      assert.strictEqual((yield* asSomebody(refused(folder))).code, "STORE_UNWRITABLE")
      chmodSync(databaseFile(folder), 0o666)
      for (const companion of ["-wal", "-shm"]) rmSync(`${databaseFile(folder)}${companion}`, { force: true })
      chmodSync(folder, 0o555)
      const error = yield* asSomebody(refused(folder))
      assert.include(["STORE_UNWRITABLE", "STORE_UNREADABLE"], error.code)
      assert.match(error.message, /Check that (this user may write )?the folder/)
      chmodSync(folder, 0o755)
      chmodSync(databaseFile(folder), 0o600)
      yield* opened(folder)
    })
  )

  it.effect("is a file system that is read-only, also for root", () =>
    Effect.gen(function* () {
      const folder = yield* openFolder
      yield* begun(folder)
      // Who may not mount is somebody whom permissions concern.
      const isMounted = yield* readOnly(folder)
      if (!isMounted) chmodSync(databaseFile(folder), 0o444)
      const error = yield* refused(folder)
      assert.strictEqual(error.code, "STORE_UNWRITABLE")
      assert.include(error.message, isMounted ? "read-only file system" : "permission denied")
      assert.include(error.message, "the disk is not read-only")
    })
  )

  it.effect("is a file where the folder should be, a folder where the file should be, or a pipe", () =>
    Effect.gen(function* () {
      const base = yield* emptyFolder
      writeFileSync(join(base, "file"), "")
      assert.strictEqual((yield* refused(join(base, "file"))).code, "STORE_UNREADABLE")
      mkdirSync(join(base, "one/agentwire.db"), { recursive: true })
      const error = yield* refused(join(base, "one"))
      assert.strictEqual(error.code, "STORE_UNREADABLE")
      assert.include(error.message, "is not a file")
      mkdirSync(join(base, "two"))
      symlinkSync("/dev/zero", join(base, "two/agentwire.db"))
      assert.strictEqual((yield* refused(join(base, "two"))).code, "STORE_UNREADABLE")
    })
  )
})

describe("a full disk", () => {
  it.effect("refuses what does not fit, keeps what did, and goes on when there is room", () =>
    Effect.gen(function* () {
      const { clear, driver, folder } = yield* smallDisk
      const options = { folder, ...(driver !== undefined && { driver }) }
      const scope = yield* Scope.make()
      const store = yield* Scope.provide(makeSqliteStore(options), scope)
      for (const id of ["a", "b"]) yield* store.create(thread(id))
      const claim = yield* store.claim("a")
      const other = yield* store.claim("b")
      const text = "x".repeat(20_000)
      const next = (n: number) =>
        batch(n, grew("m", `${n} ${text}`), { checkpoint: checkpoint(n + 1), entries: [said(n, `${n} ${text}`)] })
      let written = 0
      let refusal = yield* Effect.result(store.append(claim, next(0)))
      while (refusal._tag === "Success" && written < 1000)
        refusal = yield* Effect.result(store.append(claim, next(++written)))
      if (refusal._tag === "Success") return assert.fail("the disk is never full")
      assert.strictEqual(refusal.failure.code, "STORE_DISK_FULL")
      assert.include(refusal.failure.message, databaseFile(folder))
      assert.include(refusal.failure.message, "Make room")
      assert.isAbove(written, 2)
      // What was acknowledged is there, and can be read.
      assert.strictEqual(yield* store.next("a"), written)
      assert.lengthOf(yield* store.events("a", 0, 1e6), written)
      // What comes after it is refused until it is written.
      const later = yield* Effect.flip(store.append(claim, batch(written + 1, grew("m", "later"))))
      assert.include(["STORE_DISK_FULL", "STORE_OUT_OF_ORDER"], later.code)
      clear()
      yield* store.append(claim, next(written))
      yield* store.append(claim, batch(written + 1, grew("m", "later")))
      yield* store.append(other, batch(0, grew("m", "b")))
      yield* Scope.close(scope, Exit.void)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const again = yield* makeSqliteStore(options)
          const texts = deltas(yield* again.events("a", 0, 1e6))
          assert.deepStrictEqual(
            texts.map((each) => each.split(" ")[0]),
            [...Array.from({ length: written + 1 }, (_, n) => `${n}`), "later"]
          )
        })
      )
    })
  )

  it.effect("is told at the start, too, and nothing is left behind that is in the way later", () =>
    Effect.gen(function* () {
      const { clear, driver, folder } = yield* smallDisk
      // Without a disk to fill, there is a limit that is not even enough for the tables.
      const tiny = driver && {
        ...driver,
        open: (path: string) => {
          const database = driver.open(path)
          database.exec("PRAGMA max_page_count = 3")
          return database
        }
      }
      if (driver === undefined) writeFileSync(join(folder, "more"), Buffer.alloc(450_000))
      const options = { folder, ...(tiny !== undefined && { driver: tiny }) }
      const error = yield* Effect.flip(Effect.scoped(makeSqliteStore(options)))
      assert.strictEqual(error.code, "STORE_DISK_FULL")
      if (driver === undefined) clear()
      assert.isTrue(existsSync(databaseFile(folder)))
      yield* begun(folder)
    })
  )
})
