/** The log of a database is brought to the disk by the way: some commits at a time, and one time after the other. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { LogSync } from "../../../src/store/sqlite/LogSync.ts"
import { databaseFile } from "../../../src/store/sqlite/OpenDatabase.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../Folder.ts"
import { batch, deltas, grew, thread } from "../Samples.ts"

describe("a log", () => {
  it("never has more than a few commits that the disk was not asked to take, and is never taken twice at once", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 20 }), (bursts) => {
        const asked: Array<() => void> = []
        let begun = 0
        let unasked = 0
        const sync = new LogSync("log", (path, done) => {
          assert.strictEqual(path, "log")
          assert.strictEqual(asked.length, 0)
          asked.push(done)
          begun++
          unasked = 0
        })
        for (const burst of bursts) {
          for (let commit = 0; commit < burst; commit++) {
            unasked++
            sync.committed()
            if (asked.length === 0) assert.isBelow(unasked, 64)
          }
          asked.pop()?.()
        }
        const commits = bursts.reduce((sum, burst) => sum + burst, 0)
        // Nor is it asked all the time.
        assert.isAtMost(begun, commits / 64)
      })
    )
  })

  it.live("is written on while the disk takes it, and a file that is gone stops nobody", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const store = yield* makeSqliteStore({ folder })
      yield* store.create(thread("a"))
      const claim = yield* store.claim("a")
      const texts = Array.from({ length: 200 }, (_, n) => String(n))
      for (const [n, text] of texts.entries()) yield* store.append(claim, batch(n, grew("m", text)))
      assert.deepStrictEqual(deltas(yield* store.events("a", 0, 1000)), texts)
      const missing = new LogSync(`${databaseFile(folder)}-missing`)
      for (let commit = 0; commit < 200; commit++) missing.committed()
    })
  )
})
