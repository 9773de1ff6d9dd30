import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { makeBoundedLog } from "../../src/log/BoundedLog.ts"

interface Entry {
  readonly seq: number
  readonly text: string
}

const add = (log: ReturnType<typeof makeBoundedLog<Entry>>, ...texts: ReadonlyArray<string>): void => {
  for (const text of texts) log.add((seq) => ({ seq, text }), text.length)
  log.wake()
}

describe("a bounded log", () => {
  it.effect("gives every reader everything from where it begins, in order, whenever it is added", () =>
    Effect.gen(function* () {
      const log = makeBoundedLog<Entry>({ maxEntries: 100, maxCharacters: 1000 })
      add(log, "a", "b")
      const reading = yield* Effect.forkChild(Stream.runCollect(log.read(1)), { startImmediately: true })
      add(log, "c")
      log.close()
      add(log, "too late")
      expect((yield* Fiber.join(reading)).map(({ text }) => text)).toEqual(["b", "c"])
    })
  )

  it.effect("tells a reader what it has missed", () =>
    Effect.gen(function* () {
      const log = makeBoundedLog<Entry>({ maxEntries: 2, maxCharacters: 1000 })
      add(log, "a", "b", "c")
      expect(yield* Effect.flip(Stream.runCollect(log.read(0)))).toMatchObject({ wanted: 0, oldest: 1 })
    })
  )

  it("keeps the newest, and no more than it may", () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 30 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 200 }),
        (batches, maxEntries, maxCharacters) => {
          const log = makeBoundedLog<Entry>({ maxEntries, maxCharacters })
          for (const batch of batches) add(log, ...batch)
          const all = batches.flat()
          const kept = all.slice(log.oldest())
          expect(log.next()).toBe(all.length)
          expect(kept.length).toBeLessThanOrEqual(maxEntries)
          // One is kept however long it is.
          if (kept.length > 1) expect(kept.join("").length).toBeLessThanOrEqual(maxCharacters)
          const more = all.slice(Math.max(0, log.oldest() - 1))
          // And nothing was dropped for which there was room.
          if (log.oldest() > 0) expect(more.length > maxEntries || more.join("").length > maxCharacters).toBe(true)
        }
      )
    ))
})
