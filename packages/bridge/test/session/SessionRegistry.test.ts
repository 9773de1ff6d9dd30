/** Which session a thread has: opened, created, found and removed. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { makeMemory } from "../../src/store/memory/Memory.ts"
import { world } from "../Registry.ts"
import { testThread } from "../TestLog.ts"

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

describe("the store", () => {
  it.effect("has what a session says of its thread, and gives it to the next session", () =>
    Effect.gen(function* () {
      const { fake, made, sessions, store } = yield* world()
      yield* sessions.open("a")
      assert.isUndefined(made[0]?.claim.thread.providerSessionId)
      yield* store.append(fake("a").claim, { first: 0, events: [], thread: { providerSessionId: "p1" } })
      fake("a").status = "terminated"
      yield* sessions.open("a")
      assert.strictEqual(made[1]?.claim.thread.providerSessionId, "p1")
    })
  )

  it.effect("threads from before a restart are found and listed; others are not made by looking", () =>
    Effect.gen(function* () {
      const { made, sessions, store } = yield* world()
      yield* store.create(testThread("old", { providerSessionId: "p1", title: "Words", activeAt: 7 }))
      yield* TestClock.adjust("1 minute")
      yield* sessions.open("new")
      assert.deepStrictEqual(
        (yield* sessions.list).map(({ providerSessionId, status, threadId, title, usedAt }) => [
          ...[threadId, status, providerSessionId],
          ...[title, usedAt]
        ]),
        [
          ["new", "idle", undefined, undefined, 60_000],
          ["old", "disconnected", "p1", "Words", 7]
        ]
      )
      assert.isUndefined(yield* sessions.find("nobody"))
      assert.lengthOf(made, 1)
      assert.strictEqual((yield* sessions.find("old"))?.threadId, "old")
      assert.lengthOf(yield* sessions.list, 2)
    })
  )

  it.effect("a thread is as old as its last message, however often it is looked at", () =>
    Effect.gen(function* () {
      const { sessions, store } = yield* world()
      yield* store.create(testThread("old", { activeAt: 7 }))
      yield* TestClock.adjust("1 hour")
      yield* sessions.find("old")
      assert.deepStrictEqual(
        (yield* sessions.list).map(({ usedAt }) => usedAt),
        [7]
      )
    })
  )

  it.effect("lists more threads than a page has", () =>
    Effect.gen(function* () {
      const { sessions, store } = yield* world()
      for (let n = 0; n < 1005; n++) yield* store.create(testThread(`thread ${n}`))
      assert.strictEqual(new Set((yield* sessions.list).map(({ threadId }) => threadId)).size, 1005)
    })
  )
})

describe("a thread of another bridge", () => {
  const neighbours = Effect.fnUntraced(function* () {
    const memory = makeMemory()
    const [here, there] = [yield* world({}, {}, memory), yield* world({}, {}, memory)]
    yield* there.sessions.open("taken")
    return { here, there }
  })

  it.effect("is refused, and all others can be had", () =>
    Effect.gen(function* () {
      const { here, there } = yield* neighbours()
      for (const asking of [here.sessions.open("taken"), here.sessions.find("taken")])
        assert.strictEqual((yield* Effect.flip(asking)).code, "THREAD_ELSEWHERE")
      assert.strictEqual((yield* here.sessions.open("free")).threadId, "free")
      assert.strictEqual((yield* Effect.flip(here.sessions.create("taken", {}))).code, "THREAD_EXISTS")
      yield* there.close
      assert.strictEqual((yield* here.sessions.open("taken")).threadId, "taken")
    })
  )

  it.effect("that takes over ends the session here, and the thread is elsewhere then", () =>
    Effect.gen(function* () {
      const { fake, sessions, store } = yield* world()
      yield* sessions.open("a")
      fake("a").lose({ code: "CLAIM_LOST", message: "Taken." })
      while (!fake("a").closed) yield* Effect.yieldNow
      // It can be opened again where nobody has it any more.
      assert.notStrictEqual(yield* sessions.open("a"), undefined)
      assert.isDefined(yield* store.thread("a"))
    })
  )
})

describe("create", () => {
  it.effect("makes a session with what was chosen for it, and no second one", () =>
    Effect.gen(function* () {
      const { made, sessions, store } = yield* world()
      yield* sessions.create("a", { cwd: "/else", mode: "planner", agent: { model: "m" } })
      assert.deepInclude(made[0]?.claim.thread, { cwd: "/else", mode: "planner", options: { model: "m" } })
      yield* store.create(testThread("old"))
      for (const known of ["a", "old"]) {
        const refused = yield* Effect.flip(sessions.create(known, {}))
        assert.strictEqual(refused.code, "THREAD_EXISTS")
      }
      assert.lengthOf(made, 1)
    })
  )

  it.effect("leaves no thread behind where there is no room for its session", () =>
    Effect.gen(function* () {
      const { fake, sessions, store } = yield* world({ maxSessions: 1 })
      yield* sessions.open("a")
      fake("a").status = "active"
      assert.strictEqual((yield* Effect.flip(sessions.create("b", {}))).code, "SESSION_LIMIT")
      assert.isUndefined(yield* store.thread("b"))
    })
  )
})

describe("remove", () => {
  it.effect("ends the session and forgets the thread", () =>
    Effect.gen(function* () {
      const { fake, sessions, store } = yield* world()
      yield* sessions.open("a")
      assert.isTrue(yield* sessions.remove("a"))
      assert.isTrue(fake("a").closed)
      assert.isUndefined(yield* store.thread("a"))
      assert.isUndefined(yield* sessions.find("a"))
      assert.isFalse(yield* sessions.remove("a"))
    })
  )

  it.effect("forgets a thread that has no session", () =>
    Effect.gen(function* () {
      const { sessions, store } = yield* world()
      yield* store.create(testThread("old"))
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
