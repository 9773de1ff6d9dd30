/** Which session a thread has: opened, created, found and removed. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { stored, world } from "../Registry.ts"

describe("open", () => {
  it.effect("gives one session to all who ask, also at once", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { made, sessions } = yield* world({}, { making: Deferred.await(gate) })
      const asking = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(sessions.open("a")))
      yield* Deferred.succeed(gate, undefined)
      const all = yield* Effect.forEach(asking, Fiber.join)
      assert.strictEqual(new Set(all).size, 1)
      assert.strictEqual(yield* sessions.open("a"), all[0])
      assert.lengthOf(made, 1)
    })
  )

  it.effect("goes on when the first who asked goes away", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { made, sessions } = yield* world({}, { making: Deferred.await(gate) })
      const first = yield* Effect.forkChild(sessions.open("a"), { startImmediately: true })
      const second = yield* Effect.forkChild(sessions.open("a"), { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(second)
      assert.lengthOf(made, 1)
      assert.isFalse(made[0]?.closed)
    })
  )

  it.effect("a maker that breaks breaks only what waited for it", () =>
    Effect.gen(function* () {
      let broken = true
      const making = Effect.suspend(() => (broken ? Effect.die(new Error("broken")) : Effect.void))
      const { sessions } = yield* world({}, { making })
      assert.isTrue(Exit.hasDies(yield* Effect.exit(sessions.open("a"))))
      broken = false
      assert.strictEqual((yield* sessions.open("a")).threadId, "a")
    })
  )

  it.effect("makes another when the one there is has ended by itself", () =>
    Effect.gen(function* () {
      const { fake, made, sessions } = yield* world()
      const first = yield* sessions.open("a")
      fake("a").status = "terminated"
      assert.notStrictEqual(yield* sessions.open("a"), first)
      assert.isTrue(made[0]?.closed)
    })
  )

  it.effect.each(["", "a".repeat(257), "a\nb", "a\u0000", "\u007f", "a\u0085", "\ud800"])("%j names no thread", (id) =>
    Effect.gen(function* () {
      const { made, sessions } = yield* world()
      assert.strictEqual((yield* Effect.flip(sessions.open(id))).code, "BAD_THREAD_ID")
      assert.isUndefined(yield* sessions.find(id))
      assert.lengthOf(made, 0)
    })
  )

  it.effect.each(["a".repeat(256), "ü😀", "__proto__", "a/../b", " "])("%j does", (id) =>
    Effect.gen(function* () {
      const { sessions } = yield* world()
      assert.strictEqual((yield* sessions.open(id)).threadId, id)
    })
  )
})

describe("the index", () => {
  it.effect("learns a provider's id when the session does, and gives it back to the next session", () =>
    Effect.gen(function* () {
      const { fake, index, made, sessions } = yield* world()
      yield* sessions.open("a")
      assert.isUndefined(made[0]?.request.stored)
      yield* fake("a").request.remember(stored("p1"))
      assert.strictEqual((yield* index.get("a"))?.providerSessionId, "p1")
      fake("a").status = "terminated"
      yield* sessions.open("a")
      assert.strictEqual(made[1]?.request.stored?.providerSessionId, "p1")
    })
  )

  it.effect("threads from before a restart are found and listed; others are not made by looking", () =>
    Effect.gen(function* () {
      const { index, made, sessions } = yield* world()
      yield* index.set("old", stored("p1"))
      yield* sessions.open("new")
      assert.sameDeepMembers(
        (yield* sessions.list).map(({ providerSessionId, status, threadId }) => [threadId, status, providerSessionId]),
        [
          ["new", "idle", undefined],
          ["old", "disconnected", "p1"]
        ]
      )
      assert.isUndefined(yield* sessions.find("nobody"))
      assert.lengthOf(made, 1)
      assert.strictEqual((yield* sessions.find("old"))?.threadId, "old")
      assert.lengthOf(yield* sessions.list, 2)
    })
  )
})

describe("create", () => {
  it.effect("makes a session with what was chosen for it, and no second one", () =>
    Effect.gen(function* () {
      const { index, made, sessions } = yield* world()
      yield* sessions.create("a", { cwd: "/else", mode: "planner" })
      assert.deepStrictEqual(made[0]?.request.choices, { cwd: "/else", mode: "planner" })
      yield* index.set("old", stored("p1"))
      for (const known of ["a", "old"]) {
        const refused = yield* Effect.flip(sessions.create(known, {}))
        assert.strictEqual(refused.code, "THREAD_EXISTS")
      }
      assert.lengthOf(made, 1)
    })
  )
})

describe("remove", () => {
  it.effect("ends the session and forgets the thread, whatever the session still says", () =>
    Effect.gen(function* () {
      const { fake, index, sessions } = yield* world()
      yield* sessions.open("a")
      yield* fake("a").request.remember(stored("p1"))
      assert.isTrue(yield* sessions.remove("a"))
      assert.isTrue(fake("a").closed)
      yield* fake("a").request.remember(stored("p1"))
      assert.isUndefined(yield* index.get("a"))
      assert.isUndefined(yield* sessions.find("a"))
      assert.isFalse(yield* sessions.remove("a"))
    })
  )

  it.effect("forgets a thread that is only in the index", () =>
    Effect.gen(function* () {
      const { index, sessions } = yield* world()
      yield* index.set("old", stored("p1"))
      assert.isTrue(yield* sessions.remove("old"))
      assert.lengthOf(yield* sessions.list, 0)
    })
  )

  it.effect("the thread's next session begins when the last one has ended", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { made, sessions } = yield* world({}, { ending: Deferred.await(gate) })
      yield* sessions.open("a")
      const removing = yield* Effect.forkChild(sessions.remove("a"), { startImmediately: true })
      const opening = yield* Effect.forkChild(sessions.open("a"), { startImmediately: true })
      yield* TestClock.adjust("1 hour")
      assert.lengthOf(made, 1)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(removing)
      yield* Fiber.join(opening)
      assert.deepStrictEqual(
        made.map(({ closed }) => closed),
        [true, false]
      )
    })
  )

  it.effect("while it is being made: whoever waits gets a new one", () =>
    Effect.gen(function* () {
      let first = true
      const making = Effect.suspend(() => {
        if (!first) return Effect.void
        first = false
        return Effect.never
      })
      const { made, sessions } = yield* world({}, { making })
      const opening = yield* Effect.forkChild(sessions.open("a"), { startImmediately: true })
      yield* TestClock.adjust(1)
      assert.isTrue(yield* sessions.remove("a"))
      assert.strictEqual((yield* Fiber.join(opening)).threadId, "a")
      assert.lengthOf(made, 1)
    })
  )
})
