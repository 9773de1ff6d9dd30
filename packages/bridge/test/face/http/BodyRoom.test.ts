import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { makeBodyRoom } from "../../../src/face/http/BodyRoom.ts"

const bodyOf = (bytes: number) => ({ headers: { "content-length": String(bytes) } })
const unknown = { headers: { "transfer-encoding": "chunked" } }
const limits = { maxBodyBytes: 5_000_000, maxBodiesBytes: 10_000_000, requestTimeout: "30 seconds" } as const

describe("the room for large bodies", () => {
  it.effect("is for as many as fit; the others wait until there is room again", () =>
    Effect.gen(function* () {
      const room = yield* makeBodyRoom(limits)
      const begun: Array<string> = []
      const begin = (name: string, bytes: number) =>
        Effect.gen(function* () {
          const end = yield* Deferred.make<void>()
          const use = Effect.andThen(
            Effect.sync(() => void begun.push(name)),
            Deferred.await(end)
          )
          const fiber = yield* Effect.forkChild(room(bodyOf(bytes), use), { startImmediately: true })
          return Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(fiber))
        })
      const endOne = yield* begin("one", 5_000_000)
      yield* begin("two", 5_000_000)
      const endThree = yield* begin("three", 4_000_000)
      yield* begin("small", 400_000)
      expect(begun).toEqual(["one", "two", "small"])
      yield* endOne
      yield* endThree
      expect(begun).toEqual(["one", "two", "small", "three"])
    })
  )
  it.effect("is there again when reading failed or was given up", () =>
    Effect.gen(function* () {
      const room = yield* makeBodyRoom(limits)
      for (let n = 0; n < 5; n++) {
        expect(yield* Effect.flip(room(unknown, Effect.fail("broken")))).toBe("broken")
        const reading = yield* Effect.forkChild(room(unknown, Effect.never), { startImmediately: true })
        yield* Fiber.interrupt(reading)
      }
      expect(yield* room(unknown, Effect.succeed("read"))).toBe("read")
    })
  )
  it.effect("is not waited for longer than a request may take", () =>
    Effect.gen(function* () {
      const room = yield* makeBodyRoom(limits)
      for (let n = 0; n < 2; n++) yield* Effect.forkChild(room(unknown, Effect.never), { startImmediately: true })
      const waiting = yield* Effect.forkChild(Effect.flip(room(unknown, Effect.void)), { startImmediately: true })
      yield* TestClock.adjust("30 seconds")
      expect((yield* Fiber.join(waiting)).code).toBe("TOO_MANY_BODIES")
    })
  )
  it.effect("is enough for one, however large it is", () =>
    Effect.gen(function* () {
      const room = yield* makeBodyRoom({ ...limits, maxBodiesBytes: 1_000_000 })
      expect(yield* room(bodyOf(4_000_000), Effect.succeed("read"))).toBe("read")
    })
  )
})
