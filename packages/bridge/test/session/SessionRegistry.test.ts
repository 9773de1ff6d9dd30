import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { makeEventLog } from "../../src/log/EventLog.ts"
import type { WaitingRequest } from "../../src/session/Requests.ts"
import type { Session, SessionStatus } from "../../src/session/Session.ts"
import {
  layerSessions,
  SessionMaker,
  type SessionRegistryOptions,
  type SessionRequest
} from "../../src/session/SessionRegistry.ts"
import { Sessions } from "../../src/session/Sessions.ts"
import { SessionIndex } from "../../src/store/SessionIndex.ts"
import { bareSession } from "../BareSession.ts"
import { permission } from "../FakeSessions.ts"

/** A session without an agent, whose state the test sets. */
interface Fake {
  readonly request: SessionRequest
  readonly session: Session
  status: SessionStatus
  waiting: ReadonlyArray<WaitingRequest>
  disconnects: number
  closed: boolean
}

const fakeOf = (request: SessionRequest): Fake => {
  const log = makeEventLog(() => 0)
  const fake: Fake = {
    request,
    status: "idle",
    waiting: [],
    disconnects: 0,
    closed: false,
    session: {
      ...bareSession(request.threadId, log),
      status: Effect.sync(() => fake.status),
      providerSessionId: Effect.succeed(request.stored?.providerSessionId),
      waiting: Effect.sync(() => fake.waiting),
      disconnect: Effect.sync(() => {
        fake.disconnects++
        fake.status = "disconnected"
      })
    }
  }
  return fake
}

const question: WaitingRequest = { request: permission("q"), lane: null, expiresAt: 0 }

/** The sessions of a bridge, with what its maker made, and hooks into making and ending. */
const world = Effect.fnUntraced(function* (
  options: SessionRegistryOptions = {},
  { making = Effect.void, ending = Effect.void }: { making?: Effect.Effect<void>; ending?: Effect.Effect<void> } = {}
) {
  const made: Array<Fake> = []
  const maker = Layer.succeed(SessionMaker, {
    make: (request) =>
      Effect.gen(function* () {
        yield* making
        const fake = fakeOf(request)
        yield* Effect.addFinalizer(() =>
          Effect.andThen(
            ending,
            Effect.sync(() => (fake.closed = true))
          )
        )
        made.push(fake)
        return fake.session
      })
  })
  const scope = yield* Scope.fork(yield* Effect.scope)
  const context = yield* Layer.build(
    layerSessions(options).pipe(Layer.provide(maker), Layer.provideMerge(SessionIndex.layerMemory()))
  ).pipe(Scope.provide(scope))
  const get = <A, E>(effect: Effect.Effect<A, E, Sessions | SessionIndex>) => Effect.provide(effect, context)
  return {
    made,
    fake: (threadId: string): Fake => {
      const fake = made.findLast(({ request }) => request.threadId === threadId)
      if (fake === undefined) throw new Error(`No session was made for ${threadId}`)
      return fake
    },
    sessions: yield* get(
      Effect.gen(function* () {
        return yield* Sessions
      })
    ),
    index: yield* get(
      Effect.gen(function* () {
        return yield* SessionIndex
      })
    ),
    close: Scope.close(scope, Exit.void)
  }
})

const stored = (providerSessionId: string) => ({ providerSessionId, cwd: "/work" })

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
      yield* all.fake(id).request.remember(stored(id))
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
        made.filter(({ closed }) => closed).map(({ request }) => request.threadId),
        ["b"]
      )
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* sessions.find("b"))?.threadId, "b")
      assert.strictEqual(fake("b").request.stored?.providerSessionId, "b")
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
              const alive = made.filter(({ closed }) => !closed).map(({ request }) => request.threadId)
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
      assert.isUndefined(yield* sessions.find("thread 1"))
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
