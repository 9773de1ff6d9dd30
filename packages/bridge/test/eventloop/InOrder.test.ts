import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { InOrder } from "../../src/eventloop/InOrder.ts"
import { othersFirst } from "../../src/eventloop/Turns.ts"

describe("what takes several turns", () => {
  it.effect("is done in the order in which it was run, failures included", () =>
    Effect.gen(function* () {
      const order = new InOrder()
      const done: Array<string> = []
      const task = (name: string, turns: number) =>
        order.run(
          Effect.gen(function* () {
            for (let turn = 0; turn < turns; turn++) yield* othersFirst
            done.push(name)
            if (name === "b") return yield* Effect.fail("no")
          })
        )
      expect(order.isIdle).toBe(true)
      const all = yield* Effect.forkChild(
        Effect.all([task("a", 5), Effect.flip(task("b", 1)), task("c", 3), task("d", 0)], { concurrency: "unbounded" }),
        { startImmediately: true }
      )
      expect(order.isIdle).toBe(false)
      yield* Fiber.join(all)
      expect(done).toEqual(["a", "b", "c", "d"])
      expect(order.isIdle).toBe(true)
    })
  )

  it.effect("is not overtaken by what comes after something that was interrupted while it waited", () =>
    Effect.gen(function* () {
      const order = new InOrder()
      const gate = yield* Deferred.make<void>()
      const done: Array<string> = []
      const note = (name: string) => Effect.sync(() => void done.push(name))
      const start = { startImmediately: true }
      const first = yield* Effect.forkChild(order.run(Effect.andThen(Deferred.await(gate), note("first"))), start)
      const second = yield* Effect.forkChild(order.run(note("second")), start)
      const third = yield* Effect.forkChild(order.run(note("third")), start)
      const gone = yield* Effect.forkChild(Fiber.interrupt(second), start)
      for (let turn = 0; turn < 10; turn++) yield* othersFirst
      expect(done).toEqual([])
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.await(first)
      yield* Fiber.await(gone)
      yield* Fiber.await(third)
      expect(done).toEqual(["first", "third"])
    })
  )
})
