/** The log of a thread: what every store owes to it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { trunk } from "../../../src/store/Checkpoint.ts"
import { batch, checkpoint, deltas, grew, noticed, said, thread } from "../Samples.ts"
import { alone, claimed, type PlaceMaker } from "./Place.ts"

/** Runs this part of the suite. */
export const logContract = (name: string, place: PlaceMaker): void => {
  describe(`${name}: the log of a thread`, () => {
    it.effect("has the events that were appended, in order, numbered from 0", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          assert.strictEqual(claim.next, 0)
          yield* store.append(claim, batch(0, [noticed({ a: 1 }), ...grew("m", "Hel", "lo")]))
          yield* store.append(claim, batch(3, grew("m", " ", "world")))
          const events = yield* store.events("a", 0, 100)
          assert.deepStrictEqual(
            events.map(({ seq }) => seq),
            [0, 1, 2, 3, 4]
          )
          assert.deepStrictEqual(events[0], { seq: 0, ...noticed({ a: 1 }) })
          assert.deepStrictEqual(deltas(events), ["Hel", "lo", " ", "world"])
          assert.strictEqual(yield* store.next("a"), 5)
        })
      )
    )

    it.effect("is read from any number, as much of it as is wanted", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const letters = [..."abcdefghij"]
          yield* store.append(claim, batch(0, grew("m", ...letters.slice(0, 6))))
          yield* store.append(claim, batch(6, grew("m", ...letters.slice(6)), { checkpoint: checkpoint(10) }))
          for (let from = 0; from <= 11; from++)
            for (let limit = 0; limit <= 11; limit++)
              assert.deepStrictEqual(
                deltas(yield* store.events("a", from, limit)),
                letters.slice(from, from + limit),
                `${limit} from ${from}`
              )
        })
      )
    )

    it.effect("keeps half surrogate pairs, NULs, odd times and names as they are", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const events = [
            ...grew("\ud800\u0000", "\ud83d", "\ude00", "", "\u0000", "ü😀"),
            ...[5, 5, 4.25, -3, 0, 1e15].map((at) => noticed({ __proto__: null, [at]: "x" }, at)),
            { at: 7, event: { type: "item_grew", lane: "__proto__", id: "", delta: "" } } as const
          ]
          yield* store.append(claim, batch(0, events, { checkpoint: checkpoint(events.length) }))
          const found = yield* store.events("a", 0, 100)
          assert.deepStrictEqual(
            found,
            events.map((each, seq) => JSON.parse(JSON.stringify({ seq, ...each })))
          )
        })
      )
    )

    it.effect("takes each batch once, however often it is appended", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const [one, two] = [batch(0, grew("m", "a", "b")), batch(2, grew("m", "c"))]
          for (const each of [one, one, two, one, two, two]) yield* store.append(claim, each)
          assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["a", "b", "c"])
        })
      )
    )

    it.effect("refuses events that leave a gap, or that are there in part", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          yield* store.append(claim, batch(0, grew("m", "a", "b")))
          for (const first of [1, 3, 7]) {
            const error = yield* Effect.flip(store.append(claim, batch(first, grew("m", "x", "y"))))
            assert.strictEqual(error.code, "STORE_OUT_OF_ORDER")
            assert.include(error.message, "number 2 is the next")
          }
          assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["a", "b"])
        })
      )
    )

    it.effect("refuses what another claim has written before: it need not be the same", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const first = yield* claimed(store)
          yield* store.append(first, batch(0, grew("m", "a", "b")))
          const second = yield* store.claim("a")
          const error = yield* Effect.flip(store.append(second, batch(0, grew("m", "a", "b"))))
          assert.strictEqual(error.code, "STORE_OUT_OF_ORDER")
        })
      )
    )

    it.effect("has appends in the order in which they are run, also when none waits for another", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          yield* store.create(thread("a"))
          yield* store.create(thread("b"))
          const claims = [yield* store.claim("a"), yield* store.claim("b")] as const
          const appends = Array.from({ length: 50 }, (_, n) =>
            claims.map((claim) => store.append(claim, batch(n, grew("m", `${claim.threadId}${n}`))))
          )
          yield* Effect.all(appends.flat(), { concurrency: "unbounded" })
          for (const { threadId } of claims)
            assert.deepStrictEqual(
              deltas(yield* store.events(threadId, 0, 100)),
              Array.from({ length: 50 }, (_, n) => `${threadId}${n}`)
            )
        })
      )
    )

    it.effect("has nothing of an append that is refused", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const refused = batch(5, grew("m", "x"), {
            checkpoint: checkpoint(6),
            entries: [said(0)],
            thread: { title: "No" }
          })
          yield* Effect.flip(store.append(claim, refused))
          assert.strictEqual(yield* store.next("a"), 0)
          assert.isUndefined(yield* store.checkpointBefore("a", 100))
          assert.deepStrictEqual(yield* store.entries("a", { path: trunk }), { entries: [], more: false })
          assert.deepStrictEqual(yield* store.thread("a"), thread("a"))
        })
      )
    )

    it.effect("is there in the next life, with all that came with it", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        yield* Effect.scoped(
          Effect.gen(function* () {
            const store = yield* open()
            const claim = yield* claimed(store)
            yield* store.append(
              claim,
              batch(0, grew("m", "a", "b"), {
                checkpoint: checkpoint(2),
                entries: [said(0), said(1)],
                thread: { title: "Letters", state: { n: 1 } }
              })
            )
          })
        )
        const store = yield* open()
        const claim = yield* store.claim("a")
        assert.strictEqual(claim.next, 2)
        assert.deepStrictEqual(claim.checkpoint, checkpoint(2))
        assert.deepStrictEqual(claim.thread, thread("a", { title: "Letters", state: { n: 1 } }))
        yield* store.append(claim, batch(2, grew("m", "c")))
        assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["a", "b", "c"])
        assert.deepStrictEqual((yield* store.entries("a", { path: trunk })).entries, [said(0), said(1)])
      })
    )
  })
}
