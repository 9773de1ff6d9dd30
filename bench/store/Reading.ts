/** How long pages of transcripts, events and lists take to be read, and a database to be opened. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { trunk } from "../../packages/bridge/src/store/Checkpoint.ts"
import type { PlacedEntry, Store } from "../../packages/bridge/src/store/Store.ts"
import { makeSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"
import { quantile } from "./Appends.ts"
import { bytesIn, freshFolder, threadOf } from "./Contenders.ts"

const entryOf = (position: number): PlacedEntry => ({
  position,
  branch: 0,
  entry:
    position % 2 === 0
      ? { id: `prompt-${position}`, lane: null, kind: "prompt", content: `Question ${position}: how does it go on?` }
      : {
          id: `msg_${position}`,
          lane: null,
          kind: "text",
          text: `Answer ${position}. ${"It goes on and on. ".repeat(20)}`
        }
})

/** What was said in a thread. */
export const entries = (count: number): ReadonlyArray<PlacedEntry> =>
  Array.from({ length: count }, (_, n) => entryOf(n))

/** The median of some runs, in milliseconds, after one that does not count. */
const median = async (run: () => unknown, times = 15): Promise<number> => {
  const took: Array<number> = []
  await run()
  for (let n = 0; n < times; n++) {
    const begun = performance.now()
    await run()
    took.push(performance.now() - begun)
  }
  return quantile(took, 0.5)
}

const withStore = <A>(folder: string, use: (store: Store["Service"]) => Promise<A>): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(Effect.flatMap(makeSqliteStore({ folder }), (store) => Effect.promise(() => use(store))))
  )

const report = (name: string, ms: number, words: string): void =>
  console.log(`  ${name.padEnd(52)}${ms.toFixed(2).padStart(9)} ms   ${words}`)

/** Pages of a long thread beside those of a short one, and beside a file that is read whole. */
export const measureReading = async (): Promise<void> => {
  const folder = freshFolder()
  const [short, long] = [1000, 100_000]
  console.log(`\nreading pages of a thread of ${long} entries, beside one of ${short}`)
  await withStore(folder, async (store) => {
    await Effect.runPromise(store.create(threadOf("short"), { entries: entries(short) }))
    await Effect.runPromise(store.create(threadOf("long"), { entries: entries(long) }))
    const claim = await Effect.runPromise(store.claim("long"))
    for (let first = 0; first < long; first += 1000)
      await Effect.runPromise(
        store.append(claim, {
          first,
          events: Array.from({ length: 1000 }, (_, n) => ({
            at: first + n,
            event: { type: "item_grew", lane: null, id: `msg_${first}`, delta: `piece ${n} ` }
          }))
        })
      )
  })
  const whole = JSON.stringify(entries(long).map(({ entry }) => entry))
  writeFileSync(join(folder, "whole.json"), whole)
  const floor = await median(() => JSON.parse(readFileSync(join(folder, "whole.json"), "utf8")), 3)
  await withStore(folder, async (store) => {
    const page = (id: string, before?: number, maxEntries = 100) =>
      median(() =>
        Effect.runPromise(store.entries(id, { path: trunk, maxEntries, ...(before !== undefined && { before }) }))
      )
    const base = await page("short")
    const times = (ms: number): string => `${(ms / base).toFixed(2)} x the short thread's`
    report("short thread: newest 100 entries", base, "")
    for (const [name, ms] of [
      ["newest 100 entries", await page("long")],
      ["100 entries in the middle", await page("long", long / 2)],
      ["oldest 100 entries", await page("long", 100)]
    ] as const)
      report(`long thread: ${name}`, ms, times(ms))
    const wide = await page("long", undefined, 1000)
    report("long thread: newest 1,000 entries", wide, times(wide))
    const count = await median(() => Effect.runPromise(store.countEntries("long", { path: trunk })))
    report("long thread: counting all entries", count, "")
    const events = await median(() => Effect.runPromise(store.events("long", long / 2, 1000)))
    report("long thread: 1,000 events in the middle", events, "")
    report(
      "floor: the file of the whole thread, parsed",
      floor,
      `${(floor / (await page("long"))).toFixed(0)} x a page`
    )
  })
  // From nothing to the first page, as a client sees it.
  const first = await median(
    () => withStore(folder, (store) => Effect.runPromise(store.entries("long", { path: trunk, maxEntries: 100 }))),
    5
  )
  report("database opened, and newest 100 entries of it", first, "wanted: under 100 ms")
  rmSync(folder, { recursive: true, force: true })
}

/** A database of many threads. */
export const measureOpening = async (): Promise<void> => {
  console.log("\nopening a database and listing its first 100 threads")
  for (const threads of [100, 10_000]) {
    const folder = freshFolder()
    await withStore(folder, async (store) => {
      const all = Array.from({ length: threads }, (_, n) =>
        store.create(threadOf(`thread-${n}`, n), { entries: entries(20) })
      )
      await Effect.runPromise(Effect.all(all, { concurrency: "unbounded", discard: true }))
    })
    const opened = await median(() => withStore(folder, (store) => Effect.runPromise(store.threads())), 5)
    report(`${threads} threads, ${(bytesIn(folder) / 1e6).toFixed(1)} MB`, opened, "wanted: under 1,000 ms")
    rmSync(folder, { recursive: true, force: true })
  }
}
