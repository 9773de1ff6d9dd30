/** Texts of megabytes, wherever they are: what every store owes to them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { othersFirst } from "../../../src/eventloop/Turns.ts"
import { trunk } from "../../../src/store/Checkpoint.ts"
import { batch, checkpoint, deltas, grew, noticed, said, thread } from "../Samples.ts"
import { alone, claimed, type PlaceMaker } from "./Place.ts"

/** Texts that are not the same when they are cut, or put together, in a wrong way. */
const long = (mark: string): string => `${mark}${'\u0000"é😀\ud800 '.repeat(120_000)}${mark}`

/** Runs this part of the suite. */
export const longContract = (name: string, place: PlaceMaker): void => {
  describe(`${name}: what has megabytes`, () => {
    it.live("comes back as it was, from wherever it is, also when the store is opened again", () =>
      Effect.gen(function* () {
        const kept = yield* place
        const events = [noticed({ a: long("1"), list: [long("2")] }), ...grew("m", "x", long("3"), "y")]
        const situation = { ...checkpoint(4).situation, state: { deep: [long("4")] } }
        const written = batch(0, events, {
          entries: [said(0, long("5")), said(1), said(2, long("6"))],
          checkpoint: checkpoint(4, { situation, nextPosition: 3 }),
          thread: {
            state: { [long("7")]: long("8") },
            waiting: [{ ticket: "w", said: [{ id: "u", content: long("9") }] }],
            activeAt: 9
          }
        })
        const check = (store: Effect.Success<ReturnType<typeof kept.open>>) =>
          Effect.gen(function* () {
            assert.deepStrictEqual(
              yield* store.events("a", 0, 10),
              events.map((each, seq) => JSON.parse(JSON.stringify({ seq, ...each })))
            )
            assert.deepStrictEqual(deltas(yield* store.events("a", 2, 2)), [long("3"), "y"])
            assert.deepStrictEqual((yield* store.entries("a", { path: trunk, maxBytes: 1e9 })).entries, written.entries)
            assert.deepStrictEqual(yield* store.entriesById("a", ["p2"]), [said(2, long("6"))])
            assert.deepStrictEqual(yield* store.checkpointBefore("a", 100), written.checkpoint)
            const known = yield* store.thread("a")
            assert.deepStrictEqual([known?.state, known?.waiting], [written.thread?.state, written.thread?.waiting])
          })
        yield* Effect.scoped(
          Effect.gen(function* () {
            const store = yield* kept.open()
            const claim = yield* claimed(store)
            yield* store.append(claim, written)
            // Once, however often it is appended.
            yield* store.append(claim, written)
            yield* check(store)
          })
        )
        const again = yield* kept.open()
        yield* check(again)
        const claim = yield* again.claim("a")
        assert.deepStrictEqual(claim.checkpoint, written.checkpoint)
        assert.deepStrictEqual(claim.thread.state, written.thread?.state)
        assert.strictEqual(claim.next, 4)
      })
    )

    it.live(
      "is written in the order in which it was appended, with all that was appended while that took its time",
      () =>
        alone(place, (store) =>
          Effect.gen(function* () {
            const claim = yield* claimed(store)
            const texts = ["a", long("b"), "c", "d", long("e"), long("f"), "g"]
            const finished: Array<number> = []
            yield* Effect.all(
              texts.map((text, n) =>
                Effect.tap(store.append(claim, batch(n, grew("m", text))), () => Effect.sync(() => finished.push(n)))
              ),
              { concurrency: "unbounded" }
            )
            assert.deepStrictEqual(finished, [0, 1, 2, 3, 4, 5, 6])
            assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), texts)
          })
        )
    )

    it.live("does not keep others from writing", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          yield* store.create(thread("b"))
          const other = yield* store.claim("b")
          const writing = yield* Effect.forkChild(
            store.append(claim, batch(0, grew("m", long("a"), long("b")), { entries: [said(0, long("c"))] })),
            { startImmediately: true }
          )
          yield* store.append(other, batch(0, grew("m", "small")))
          assert.deepStrictEqual(deltas(yield* store.events("b", 0, 10)), ["small"])
          yield* Fiber.join(writing)
        })
      )
    )

    it.live("is there whole or not at all, whoever reads it while it is written, replaced or removed", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const versions = ["a", "b", "c", "d"].map(long)
          const seen = new Set<string>()
          const reading = yield* Effect.forkChild(
            Effect.gen(function* () {
              for (;;) {
                const [entry] = yield* store.entriesById("a", ["p0"])
                if (entry?.entry.kind === "prompt") seen.add(String(entry.entry.content))
                const state = (yield* store.thread("a"))?.state
                if (state !== undefined) seen.add(String(state))
                yield* othersFirst
              }
            }),
            { startImmediately: true }
          )
          for (const [n, version] of versions.entries())
            yield* store.append(
              claim,
              batch(n, grew("m", "x"), { entries: [said(0, version)], thread: { state: version } })
            )
          yield* store.remove("a")
          for (let turn = 0; turn < 50; turn++) yield* othersFirst
          assert.isUndefined(reading.pollUnsafe())
          yield* Fiber.interrupt(reading)
          for (const text of seen) assert.include(versions, text)
        })
      )
    )

    it.live("counts with all of its bytes where a page may have so many", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const entries = [said(0), said(1, long("x")), said(2)]
          yield* store.append(claim, batch(0, grew("m", "x"), { entries }))
          const bytes = entries.map(({ entry }) => Buffer.byteLength(JSON.stringify(entry)))
          const all = (bytes[1] ?? 0) + (bytes[2] ?? 0)
          const idsIn = (maxBytes: number) =>
            Effect.map(store.entries("a", { path: trunk, maxBytes }), ({ entries, more }) => [
              ...entries.map(({ entry }) => entry.id),
              more
            ])
          assert.deepStrictEqual(yield* idsIn(all - 1), ["p2", true])
          assert.deepStrictEqual(yield* idsIn(all), ["p1", "p2", true])
        })
      )
    )
  })
}
