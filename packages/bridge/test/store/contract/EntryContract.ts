/** Checkpoints and transcripts: what every store owes to those who open a thread and page in it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { trunk } from "../../../src/store/Checkpoint.ts"
import { batch, call, checkpoint, noticed, result, said, text, thread } from "../Samples.ts"
import { alone, claimed, type PlaceMaker } from "./Place.ts"

/** Runs this part of the suite. */
export const entryContract = (name: string, place: PlaceMaker): void => {
  describe(`${name}: a checkpoint`, () => {
    it.effect("is the newest one up to a number", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          assert.isUndefined(yield* store.checkpointBefore("a", 100))
          const wide = Array.from({ length: 400 }, (_, n) => noticed(n))
          for (const [n, first] of [0, 400, 800].entries())
            yield* store.append(claim, batch(first, wide, { checkpoint: checkpoint(first + 400, { nextPosition: n }) }))
          for (const [seq, expected] of [
            [399, undefined],
            [400, 400],
            [799, 400],
            [1200, 1200],
            [Number.POSITIVE_INFINITY, 1200]
          ] as const)
            assert.strictEqual((yield* store.checkpointBefore("a", seq))?.seq, expected, `before ${seq}`)
          assert.strictEqual((yield* store.claim("a")).checkpoint?.nextPosition, 2)
        })
      )
    )

    it.effect("at the same number replaces the one before, also without events", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const at = (nextPosition: number) => batch(0, [], { checkpoint: checkpoint(0, { nextPosition }) })
          yield* store.append(claim, at(1))
          yield* store.append(claim, at(2))
          assert.deepStrictEqual((yield* store.claim("a")).checkpoint, checkpoint(0, { nextPosition: 2 }))
        })
      )
    )
  })

  describe(`${name}: a transcript`, () => {
    const positions = ({ entries }: { readonly entries: ReadonlyArray<{ readonly position: number }> }) =>
      entries.map(({ position }) => position)

    it.effect("is paged backwards by number and by size; a page has at least one entry", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const entries = Array.from({ length: 10 }, (_, n) => said(n, "ü".repeat(100)))
          yield* store.create(thread("a"), { entries })
          const bytes = Buffer.byteLength(JSON.stringify(entries[0]?.entry))
          const query = { path: trunk }
          assert.deepStrictEqual(yield* store.entries("a", query), { entries, more: false })
          for (const [more, expected, isMore] of [
            [{ maxEntries: 3 }, [7, 8, 9], true],
            [{ maxEntries: 3, before: 7 }, [4, 5, 6], true],
            [{ maxEntries: 3, before: 3 }, [0, 1, 2], false],
            [{ maxBytes: 2 * bytes }, [8, 9], true],
            [{ maxBytes: 2 * bytes - 1 }, [9], true],
            [{ maxBytes: 1 }, [9], true],
            [{ maxBytes: 1, before: 1 }, [0], false],
            [{ before: 0 }, [], false],
            [{ maxEntries: 0 }, [], true]
          ] as const) {
            const page = yield* store.entries("a", { ...query, ...more })
            assert.deepStrictEqual(positions(page), [...expected], JSON.stringify(more))
            assert.strictEqual(page.more, isMore, JSON.stringify(more))
          }
          assert.strictEqual(yield* store.countEntries("a", { ...query, before: 4 }), 4)
        })
      )
    )

    it.effect("follows a path through the branches", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const branches = [0, 0, 0, 1, 1, 0, 2, 2, 1]
          yield* store.create(thread("a"), { entries: branches.map((branch, n) => said(n, `${n}`, branch)) })
          const paths = [
            [[{ branch: 0 }], [0, 1, 2, 5]],
            [
              [{ branch: 0, through: 1 }, { branch: 1 }],
              [0, 1, 3, 4, 8]
            ],
            [
              [{ branch: 0, through: 1 }, { branch: 1, through: 3 }, { branch: 2 }],
              [0, 1, 3, 6, 7]
            ],
            [[{ branch: 3 }], []],
            [[], []]
          ] as const
          for (const [path, expected] of paths) {
            assert.deepStrictEqual(positions(yield* store.entries("a", { path })), [...expected])
            assert.strictEqual(yield* store.countEntries("a", { path }), expected.length)
            // In pages of two, from the end.
            const paged: Array<number> = []
            for (let before: number | undefined; ; ) {
              const page = yield* store.entries("a", { path, maxEntries: 2, ...(before !== undefined && { before }) })
              paged.unshift(...positions(page))
              before = page.entries[0]?.position
              if (!page.more) break
            }
            assert.deepStrictEqual(paged, [...expected])
          }
        })
      )
    )

    it.effect("has an entry once, as it was last, and finds it by its id", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          yield* store.append(claim, batch(0, [], { entries: [said(0, "old"), said(1)] }))
          yield* store.append(claim, batch(0, [], { entries: [said(0, "new")] }))
          const entries = [said(0, "new"), said(1)]
          assert.deepStrictEqual((yield* store.entries("a", { path: trunk })).entries, entries)
          assert.deepStrictEqual(yield* store.entriesById("a", ["p1", "none", "p0", "p0"]), entries)
          assert.deepStrictEqual(yield* store.entriesById("none", ["p1"]), [])
        })
      )
    )

    it.effect("finds a text with the calls that hang on it, and counts them as one message", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const entries = [
            said(0),
            text(1, "m"),
            call(2, "c", "m"),
            call(3, "d", "lone"),
            result(4, "c"),
            call(5, "e", "lone")
          ]
          const elsewhere = call(6, "f", "m", 1)
          yield* store.create(thread("a"), { entries: [...entries, elsewhere] })
          const parts = yield* store.messageParts("a", ["m", "none", "m"])
          assert.deepStrictEqual(positions({ entries: parts }), [1, 2, 6])
          assert.deepStrictEqual(positions({ entries: yield* store.messageParts("a", ["lone"]) }), [3, 5])
          assert.deepStrictEqual(yield* store.messageParts("a", ["c", "p0", ""]), [])
          assert.deepStrictEqual(yield* store.messageParts("none", ["m"]), [])
          for (const [query, messages] of [
            [{ path: trunk }, 4],
            [{ path: trunk, before: 3 }, 2],
            [{ path: [{ branch: 0, through: 1 }, { branch: 1 }] }, 2],
            [{ path: [{ branch: 0, through: 0 }, { branch: 1 }] }, 2],
            [{ path: [] }, 0]
          ] as const)
            assert.strictEqual(yield* store.countMessages("a", query), messages, JSON.stringify(query))
        })
      )
    )

    it.effect("tells ids apart that are no valid Unicode", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const ids = ["\ud800", "\udfff", "\ufffd", "a\u0000b", "a"]
          const entries = ids.map((id, position) => ({ position, branch: 0, entry: { ...said(0).entry, id } }))
          yield* store.create(thread("a"), { entries })
          for (const [n, id] of ids.entries())
            assert.deepStrictEqual(yield* store.entriesById("a", [id]), entries.slice(n, n + 1))
        })
      )
    )
  })
}
