/** What was asked is done once, kept until its answer has arrived, and given up when nobody comes back. */

import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { makeCallBook } from "../../src/link/CallBook.ts"

const call = (number: number, answered = 0, waits = false) => ({ gateway: "g", call: number, answered, waits })

describe("CallBook", () => {
  it.effect("does a request once, however often it is asked", () =>
    Effect.gen(function* () {
      const book = yield* makeCallBook()
      let done = 0
      const work = Effect.sync(() => ++done)
      expect([yield* book.once(call(0), work), yield* book.once(call(0), work)]).toEqual([1, 1])
      expect(yield* book.once({ ...call(0), gateway: "other" }, work)).toBe(2)
    }).pipe(Effect.scoped)
  )

  it.effect("goes on when who asked is gone, and gives the outcome to who asks again", () =>
    Effect.gen(function* () {
      const book = yield* makeCallBook()
      const gate = yield* Deferred.make<string>()
      const asking = yield* Effect.forkChild(book.once(call(0), Deferred.await(gate)), { startImmediately: true })
      yield* Effect.yieldNow
      asking.interruptUnsafe()
      yield* Deferred.succeed(gate, "done")
      expect(yield* book.once(call(0), Effect.succeed("again"))).toBe("done")
    }).pipe(Effect.scoped)
  )

  it.effect("keeps failures, too, and lets go of what was answered", () =>
    Effect.gen(function* () {
      const book = yield* makeCallBook()
      for (let n = 0; n < 100; n++) yield* Effect.exit(book.once(call(n, n), Effect.fail("no")))
      expect(book.size()).toBe(1)
      expect(yield* Effect.flip(book.once(call(99, 99), Effect.succeed("yes")))).toBe("no")
    }).pipe(Effect.scoped)
  )

  it.effect("gives up what waits for somebody when its gateway takes it back or stays away, and nothing else", () =>
    Effect.gen(function* () {
      const book = yield* makeCallBook("1 minute")
      const ends: Array<string> = []
      const waiting = (name: string) => Effect.onInterrupt(Effect.never, () => Effect.sync(() => ends.push(name)))
      const ask = (number: number, waits: boolean) =>
        Effect.forkChild(book.once(call(number, 0, waits), waiting(`${number}`)), { startImmediately: true })
      book.enter("g")
      for (const [number, waits] of [
        [0, true],
        [1, true],
        [2, false]
      ] as const)
        yield* ask(number, waits)
      yield* Effect.yieldNow
      yield* book.cancel("g", 0)
      yield* book.cancel("g", 2)
      yield* Effect.yieldNow
      expect(ends).toEqual(["0"])
      yield* book.leave("g")
      book.enter("g")
      yield* TestClock.adjust("2 minutes")
      expect(ends).toEqual(["0"])
      yield* book.leave("g")
      yield* TestClock.adjust("2 minutes")
      expect(ends).toEqual(["0", "1"])
      expect(book.size()).toBe(0)
    }).pipe(Effect.scoped)
  )
})
