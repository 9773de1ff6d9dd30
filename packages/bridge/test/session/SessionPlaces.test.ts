/** How many sessions there are at a time, and which of them go. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import type { Sessions } from "../../src/session/Sessions.ts"
import { type Fake, question, world } from "../Registry.ts"

describe("idle sessions", () => {
  it.effect("lose their process after a while, once, and keep their place", () =>
    Effect.gen(function* () {
      const { fake, made, sessions } = yield* world()
      const session = yield* sessions.open("a")
      yield* TestClock.adjust("14 minutes")
      assert.strictEqual(fake("a").disconnects, 0)
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(fake("a").disconnects, 1)
      assert.strictEqual(yield* sessions.open("a"), session)
      assert.lengthOf(made, 1)
    })
  )

  const use: ReadonlyArray<
    readonly [string, (fake: Fake, sessions: Sessions["Service"]) => Effect.Effect<unknown, unknown>]
  > = [
    ["somebody asks for it", (_, { open }) => open("a")],
    ["a run is going on", (fake) => Effect.sync(() => (fake.status = "active"))],
    ["it starts", (fake) => Effect.sync(() => (fake.status = "starting"))],
    ["it waits for an answer", (fake) => Effect.sync(() => (fake.waiting = [question]))],
    [
      "the agent says something by itself",
      (fake) => Effect.sync(() => fake.session.log.append([{ type: "noticed", lane: null, name: "news", value: 1 }]))
    ]
  ]
  it.effect.each(use)("keep it while %s", ([, use]) =>
    Effect.gen(function* () {
      const { fake, sessions } = yield* world()
      yield* sessions.open("a")
      for (let minutes = 0; minutes < 60; minutes += 10) {
        yield* use(fake("a"), sessions)
        yield* TestClock.adjust("10 minutes")
      }
      assert.strictEqual(fake("a").disconnects, 0)
      fake("a").status = "idle"
      fake("a").waiting = []
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual(fake("a").disconnects, 1)
    })
  )
})

describe("too many sessions", () => {
  const full = Effect.fnUntraced(function* () {
    const all = yield* world({ maxSessions: 3, grace: "10 seconds" })
    for (const id of ["a", "b", "c"]) {
      yield* all.sessions.open(id)
      yield* all.store.change(id, { providerSessionId: id })
      yield* TestClock.adjust("1 second")
    }
    return all
  })

  it.effect("the one used longest ago goes, and its thread stays", () =>
    Effect.gen(function* () {
      const { fake, made, sessions } = yield* full()
      yield* TestClock.adjust("1 minute")
      yield* sessions.open("a")
      yield* sessions.open("d")
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        made.filter(({ closed }) => closed).map(({ claim }) => claim.threadId),
        ["b"]
      )
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* sessions.find("b"))?.threadId, "b")
      assert.strictEqual(fake("b").claim.thread.providerSessionId, "b")
    })
  )

  it.effect("none goes that is at work, waits for an answer, or was just asked for", () =>
    Effect.gen(function* () {
      const { fake, made, sessions } = yield* full()
      yield* TestClock.adjust("1 minute")
      fake("a").status = "active"
      fake("b").waiting = [question]
      yield* sessions.open("c")
      assert.strictEqual((yield* Effect.flip(sessions.open("d"))).code, "SESSION_LIMIT")
      assert.isFalse(made.some(({ closed }) => closed))
      // Who has a place is not refused.
      yield* sessions.open("a")
      yield* TestClock.adjust("10 seconds")
      yield* sessions.open("d")
      yield* TestClock.adjust(1)
      assert.isTrue(fake("c").closed)
    })
  )

  it.effect("there are never more than there may be, whoever comes and goes", () =>
    Effect.gen(function* () {
      const step = fc.record({
        threads: fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { minLength: 1, maxLength: 5 }),
        seconds: fc.nat(20),
        remove: fc.option(fc.constantFrom("a", "b", "c"))
      })
      const steps = fc.sample(fc.array(step, { maxLength: 30 }), { numRuns: 50, seed: 7 })
      for (const all of steps)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { made, sessions } = yield* world({ maxSessions: 3, grace: "10 seconds" })
            for (const { remove, seconds, threads } of all) {
              yield* Effect.forEach(threads, (id) => Effect.result(sessions.open(id)), { concurrency: "unbounded" })
              yield* TestClock.adjust(`${seconds} seconds`)
              if (remove !== null) yield* sessions.remove(remove)
              const alive = made.filter(({ closed }) => !closed).map(({ claim }) => claim.threadId)
              assert.isAtMost(alive.length, 3)
              assert.strictEqual(new Set(alive).size, alive.length)
            }
          })
        )
    })
  )
})

describe("the end", () => {
  it.effect("ends all sessions side by side, and opens no more", () =>
    Effect.gen(function* () {
      const { close, made, sessions } = yield* world({}, { ending: Effect.sleep("5 seconds") })
      for (let i = 0; i < 20; i++) yield* sessions.open(`thread ${i}`)
      const closing = yield* Effect.forkChild(close, { startImmediately: true })
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(closing)
      assert.isTrue(made.every(({ closed }) => closed))
      assert.strictEqual((yield* Effect.flip(sessions.open("late"))).code, "CLOSING")
      assert.strictEqual((yield* Effect.flip(sessions.find("thread 1"))).code, "CLOSING")
    })
  )

  it.effect("does not leave anybody waiting for a session that will not be", () =>
    Effect.gen(function* () {
      const { close, sessions } = yield* world({}, { making: Effect.never })
      const opening = yield* Effect.forkChild(Effect.flip(sessions.open("a")), { startImmediately: true })
      yield* TestClock.adjust(1)
      yield* close
      assert.strictEqual((yield* Fiber.join(opening)).code, "CLOSING")
    })
  )
})
