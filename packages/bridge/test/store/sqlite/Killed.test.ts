/** What a store has acknowledged outlives its process, however that ends. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { trunk } from "../../../src/store/Checkpoint.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../Folder.ts"
import { pouredEntry, pouredEvent } from "../child/Poured.ts"
import { startStore } from "../child/StoreProcess.ts"

const kills = process.env["AGENTWIRE_SWEEP"] === undefined ? 30 : 300
const ids = ["one", "two", "three"]

it.live(`${kills} kills in the middle of appends lose nothing that was acknowledged, and nothing is there twice`, () =>
  Effect.gen(function* () {
    const folder = yield* emptyFolder
    const seed = (Math.random() * 2 ** 31) | 0
    let state = seed
    const random = (below: number): number => {
      state = (Math.imul(state, 22695477) + 1) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    console.log(`kills with seed ${seed}`)
    /** The number of the next event of each thread, of what was acknowledged. */
    const written = new Map(ids.map((id) => [id, 0]))
    for (let kill = 0; kill < kills; kill++) {
      const child = yield* startStore(folder)
      assert.deepStrictEqual(yield* Effect.promise(() => child.reply()), { ok: "ready" })
      child.order({ do: "pour", ids, seed: random(2 ** 31) })
      const enough = 1 + random(120)
      yield* Effect.promise(async () => {
        for (let lines = 0; ; lines++) {
          if (lines === enough) await child.kill()
          const line = await child.line()
          if (line === undefined) return
          const said = readLine(line)
          if (said === undefined) continue
          assert.isAbove(said.written, written.get(said.id) ?? 0)
          written.set(said.id, said.written)
        }
      })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* makeSqliteStore({ folder })
          for (const id of ids) {
            const next = (yield* store.next(id)) ?? 0
            assert.isAtLeast(next, written.get(id) ?? 0, `seed ${seed}, kill ${kill}, thread ${id}`)
            const events = yield* store.events(id, 0, next + 1)
            assert.deepStrictEqual(
              events,
              Array.from({ length: next }, (_, seq) => ({ seq, ...pouredEvent(id, seq) })),
              `seed ${seed}, kill ${kill}, thread ${id}`
            )
            const newest = yield* store.checkpointBefore(id, next)
            const count = newest?.nextPosition ?? 0
            const page = yield* store.entries(id, { path: trunk, maxEntries: 1e6 })
            assert.deepStrictEqual(
              page.entries,
              Array.from({ length: count }, (_, position) => pouredEntry(id, position))
            )
            assert.deepStrictEqual((yield* store.thread(id))?.state, newest && { next: newest.seq })
            written.set(id, next)
          }
        })
      )
    }
    for (const [id, next] of written) assert.isAbove(next, 100, id)
  })
)

/** A line that says what is written. The last one may have been cut by the kill. */
const readLine = (line: string): { readonly id: string; readonly written: number } | undefined => {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
