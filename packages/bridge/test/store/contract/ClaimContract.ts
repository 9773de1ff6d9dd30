/** Claims of threads: what every store owes to those who have them, and to those who do not. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { batch, deltas, grew, thread } from "../Samples.ts"
import { alone, claimed, type PlaceMaker } from "./Place.ts"

/** Runs this part of the suite. */
export const claimContract = (name: string, place: PlaceMaker): void => {
  describe(`${name}: a claim`, () => {
    it.effect("needs a thread", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(store.claim("none"))
          assert.strictEqual(error.code, "THREAD_MISSING")
        })
      )
    )

    it.effect("is refused while another bridge has the thread; other threads go on", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        const [one, two] = [yield* open(), yield* open()]
        const claim = yield* claimed(one)
        const error = yield* Effect.flip(two.claim("a"))
        if (error.code !== "THREAD_ELSEWHERE") assert.fail(error.code)
        assert.include(error.message, "a")
        assert.strictEqual(error.owner.pid, process.pid)
        yield* two.create(thread("b"))
        yield* two.append(yield* two.claim("b"), batch(0, grew("m", "b")))
        yield* one.append(claim, batch(0, grew("m", "a")))
        assert.deepStrictEqual(deltas(yield* two.events("a", 0, 10)), ["a"])
        assert.deepStrictEqual(deltas(yield* one.events("b", 0, 10)), ["b"])
      })
    )

    it.effect("passes on when it is given back, and when its bridge ends", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        const scope = yield* Scope.make()
        const one = yield* Scope.provide(open(), scope)
        const two = yield* open()
        const claim = yield* claimed(one)
        yield* one.release(claim)
        const second = yield* two.claim("a")
        assert.isAbove(second.epoch, claim.epoch)
        assert.isUndefined(second.abandoned)
        assert.strictEqual((yield* Effect.flip(one.append(claim, batch(0, grew("m", "x"))))).code, "CLAIM_LOST")
        // Too late: it is not its own any more.
        yield* one.release(claim)
        yield* two.append(second, batch(0, grew("m", "b")))
        yield* two.release(second)
        yield* one.claim("a")
        yield* Scope.close(scope, Exit.void)
        const third = yield* two.claim("a")
        assert.deepStrictEqual([third.next, third.abandoned], [1, undefined])
      })
    )

    it.effect("that was given back does not write", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          yield* store.release(claim)
          const error = yield* Effect.flip(store.append(claim, batch(0, grew("m", "x"))))
          if (error.code !== "CLAIM_LOST") assert.fail(error.code)
          assert.strictEqual(error.how, "released")
          assert.strictEqual((yield* store.lost(claim)).how, "released")
        })
      )
    )

    it.effect("of the same bridge replaces the one before", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const first = yield* claimed(store)
          yield* store.append(first, batch(0, grew("m", "a")))
          const second = yield* store.claim("a")
          assert.isAbove(second.epoch, first.epoch)
          const error = yield* Effect.flip(store.append(first, batch(1, grew("m", "x"))))
          if (error.code !== "CLAIM_LOST") assert.fail(error.code)
          assert.strictEqual(error.how, "taken")
          assert.strictEqual((yield* store.lost(first)).how, "taken")
          yield* store.append(second, batch(1, grew("m", "b")))
          assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["a", "b"])
        })
      )
    )

    it.effect("of a bridge that gives no sign of life is taken over when its lease is over, and not before", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        // A clock that stands still is what a suspended process has.
        const clock = yield* Clock.Clock
        const still: Clock.Clock = { ...clock, currentTimeMillisUnsafe: () => 0, sleep: () => Effect.never }
        const one = yield* open({ lease: "15 seconds" }).pipe(Effect.provideService(Clock.Clock, still))
        const two = yield* open({ lease: "15 seconds" })
        const claim = yield* claimed(one)
        yield* one.append(claim, batch(0, grew("m", "a")))
        yield* TestClock.adjust("14 seconds")
        assert.strictEqual((yield* Effect.flip(two.claim("a"))).code, "THREAD_ELSEWHERE")
        yield* TestClock.adjust("2 seconds")
        const second = yield* two.claim("a")
        assert.strictEqual(second.next, 1)
        assert.isTrue(second.abandoned)
        const error = yield* Effect.flip(one.append(claim, batch(1, grew("m", "x"))))
        assert.strictEqual(error.code, "CLAIM_LOST")
        assert.strictEqual((yield* one.lost(claim)).how, "taken")
        yield* two.append(second, batch(1, grew("m", "b")))
        assert.deepStrictEqual(deltas(yield* one.events("a", 0, 10)), ["a", "b"])
      })
    )

    it.effect("of a bridge that is alive lasts, however long nothing is written", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        const [one, two] = [yield* open({ lease: "15 seconds" }), yield* open({ lease: "15 seconds" })]
        const claim = yield* claimed(one)
        for (let n = 0; n < 12; n++) {
          yield* TestClock.adjust("5 seconds")
          // Reading waits for nothing, so what renews the lease has had its turn when a write is done.
          yield* one.mark(`${n}`)
        }
        assert.strictEqual((yield* Effect.flip(two.claim("a"))).code, "THREAD_ELSEWHERE")
        yield* one.append(claim, batch(0, grew("m", "a")))
      })
    )

    it.effect("that is lost is told to those who wait for it, also when nothing is written", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        const [one, two] = [yield* open({ lease: "15 seconds" }), yield* open({ lease: "15 seconds" })]
        const claim = yield* claimed(one)
        const waiting = yield* Effect.forkChild(one.lost(claim), { startImmediately: true })
        yield* two.remove("a")
        yield* TestClock.adjust("20 seconds")
        assert.strictEqual((yield* Fiber.join(waiting)).how, "removed")
      })
    )

    it.effect("of a thread that was removed does not write into a new one of the same id", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const old = yield* claimed(store)
          yield* store.append(old, batch(0, grew("m", "old")))
          assert.isTrue(yield* store.remove("a"))
          assert.isFalse(yield* store.remove("a"))
          assert.strictEqual((yield* Effect.flip(store.append(old, batch(1, grew("m", "x"))))).code, "CLAIM_LOST")
          const fresh = yield* claimed(store)
          assert.isAbove(fresh.epoch, old.epoch)
          assert.strictEqual(fresh.next, 0)
          assert.isUndefined(fresh.checkpoint)
          assert.strictEqual((yield* Effect.flip(store.append(old, batch(0, grew("m", "x"))))).code, "CLAIM_LOST")
          assert.deepStrictEqual(yield* store.events("a", 0, 10), [])
        })
      )
    )
  })
}
