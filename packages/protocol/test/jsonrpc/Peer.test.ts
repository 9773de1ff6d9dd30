import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import fc from "fast-check"
import {
  makePeer,
  type Notice,
  type Notification,
  type Peer,
  Refusal,
  requestCancelled
} from "../../src/jsonrpc/index.ts"
import { failsSoon, held, shuffledPair } from "./Wires.ts"

failsSoon()

const noticesIn = (notices: Array<Notice>) => ({
  noticed: (notice: Notice) => Effect.sync(() => void notices.push(notice))
})

describe("a request", () => {
  it.effect("has its result, whatever the order of the answers; ids count from 0", () =>
    Effect.gen(function* () {
      const { channel, say, sent } = yield* held
      const peer = yield* makePeer(channel, { writesVersion: false })
      const one = yield* Effect.forkChild(peer.request("one", { a: 1 }))
      expect(yield* Queue.take(sent)).toEqual({ id: 0, method: "one", params: { a: 1 } })
      const two = yield* Effect.forkChild(peer.request("two"))
      expect(yield* Queue.take(sent)).toEqual({ id: 1, method: "two" })
      yield* say({ id: 1, result: "second" }, { jsonrpc: "2.0", id: 0, result: "first" })
      expect([yield* Fiber.join(one), yield* Fiber.join(two)]).toEqual(["first", "second"])
    })
  )

  it.effect("says which id it has before it is sent", () =>
    Effect.gen(function* () {
      const { channel, sent } = yield* held
      const peer = yield* makePeer(channel)
      const named: Array<unknown> = []
      yield* Effect.forkChild(peer.request("m", undefined, { named: (id) => void named.push(id) }))
      yield* Queue.take(sent)
      expect(named).toEqual([0])
    })
  )

  it.effect("of the other side is over when its answer is written, and what follows comes after it, stamped", () =>
    Effect.gen(function* () {
      const { channel, say, sent } = yield* held
      const done: Array<string> = []
      const peer: Peer = yield* makePeer(channel, {
        writesVersion: false,
        handle: ({ method }) =>
          method === "bad" ? Effect.fail(new Refusal({ code: 1, message: "no" })) : Effect.succeed(done.push(method)),
        answered: ({ id, method }) => Effect.ignore(peer.notify("over", { id, method })),
        stamp: () => ({ at: 7 })
      })
      yield* say({ id: "a", method: "good" })
      expect([yield* Queue.take(sent), yield* Queue.take(sent)]).toEqual([
        { id: "a", result: 1 },
        { method: "over", params: { id: "a", method: "good" }, at: 7 }
      ])
      yield* say({ id: "b", method: "bad" })
      expect([yield* Queue.take(sent), yield* Queue.take(sent)]).toEqual([
        { id: "b", error: { code: 1, message: "no" } },
        { method: "over", params: { id: "b", method: "bad" }, at: 7 }
      ])
    })
  )

  it.effect("fails with the other side's error, by its code", () =>
    Effect.gen(function* () {
      const { channel, say, sent } = yield* held
      const peer = yield* makePeer(channel)
      const asked = yield* Effect.forkChild(Effect.flip(peer.request("m")))
      expect(yield* Queue.take(sent)).toEqual({ jsonrpc: "2.0", id: 0, method: "m" })
      yield* say({ id: 0, error: { code: -32600, message: "no", data: [1] } })
      expect(yield* Fiber.join(asked)).toMatchObject({
        reason: "REFUSED",
        method: "m",
        code: -32600,
        message: "no",
        data: [1]
      })
    })
  )

  it.effect("ends with its time limit, is taken back, and an answer after that is told and ignored", () =>
    Effect.gen(function* () {
      const { channel, end, say, sent } = yield* held
      const notices: Array<Notice> = []
      const peer = yield* makePeer(channel, {
        ...noticesIn(notices),
        cancellation: ({ id }) => ({ method: "cancel", params: { id } })
      })
      const asked = yield* Effect.forkChild(Effect.flip(peer.request("slow", undefined, { limit: "5 seconds" })))
      yield* Queue.take(sent)
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(asked)).toMatchObject({ reason: "TIMEOUT", method: "slow" })
      expect(yield* Queue.take(sent)).toMatchObject({ method: "cancel", params: { id: 0 } })
      yield* say({ id: 0, result: 1 }, { id: 0, result: 2 }, { id: 77, result: 3 })
      yield* end
      yield* peer.closed
      expect(notices.map(({ _tag }) => _tag)).toEqual(["UnexpectedAnswer", "UnexpectedAnswer", "UnexpectedAnswer"])
    })
  )

  it.effect("that is interrupted is taken back once, and one that was answered is not", () =>
    Effect.gen(function* () {
      const { channel, end, say, sent } = yield* held
      const peer = yield* makePeer(channel, { cancellation: ({ id }) => ({ method: "cancel", params: { id } }) })
      const first = yield* Effect.forkChild(peer.request("first"))
      yield* Queue.take(sent)
      yield* say({ id: 0, result: 1 })
      yield* Fiber.join(first)
      const second = yield* Effect.forkChild(peer.request("second"))
      yield* Queue.take(sent)
      yield* Fiber.interrupt(second)
      expect(yield* Queue.take(sent)).toMatchObject({ method: "cancel", params: { id: 1 } })
      yield* end
      yield* peer.closed
      expect(yield* Queue.size(sent)).toBe(0)
    })
  )

  it.effect("fails when the other side goes, and so does every later one", () =>
    Effect.gen(function* () {
      const { channel, end, sent } = yield* held
      const peer = yield* makePeer(channel)
      const asked = yield* Effect.forkChild(Effect.flip(peer.request("m")))
      yield* Queue.take(sent)
      yield* end
      expect(yield* Fiber.join(asked)).toMatchObject({ reason: "CLOSED", method: "m" })
      yield* peer.closed
      expect(yield* Effect.flip(peer.request("n"))).toMatchObject({ reason: "CLOSED", method: "n" })
      expect(yield* Effect.flip(peer.notify("n"))).toMatchObject({ reason: "CLOSED" })
    })
  )

  it.effect("is one too many beyond the limit, and not once there is room", () =>
    Effect.gen(function* () {
      const { channel, say, sent } = yield* held
      const peer = yield* makePeer(channel, { maxWaiting: 1 })
      const first = yield* Effect.forkChild(peer.request("first"))
      yield* Queue.take(sent)
      expect(yield* Effect.flip(peer.request("second"))).toMatchObject({ reason: "BUSY" })
      yield* say({ id: 0, result: 1 })
      yield* Fiber.join(first)
      const third = yield* Effect.forkChild(peer.request("third"))
      expect(yield* Queue.take(sent)).toMatchObject({ id: 1, method: "third" })
      yield* say({ id: 1, result: 3 })
      expect(yield* Fiber.join(third)).toBe(3)
    })
  )

  it.effect("that cannot be written says so, and leaves nothing waiting", () =>
    Effect.gen(function* () {
      const { channel } = yield* held
      const cannot = { ...channel, send: () => Effect.fail("the pipe is closed") }
      const peer = yield* makePeer(cannot, { maxWaiting: 1 })
      expect(yield* Effect.flip(peer.request("m"))).toMatchObject({ reason: "UNSENT" })
      const circle: Record<string, unknown> = {}
      circle["self"] = circle
      expect(yield* Effect.flip(peer.request("m", circle))).toMatchObject({ reason: "UNSENT" })
      expect(yield* Effect.flip(peer.notify("m", circle))).toMatchObject({ reason: "UNSENT" })
    })
  )
})

describe("a request of the other side", () => {
  it.effect("is answered whatever becomes of its handler", () =>
    Effect.gen(function* () {
      const { channel, say, sent } = yield* held
      const notices: Array<Notice> = []
      const circle: Record<string, unknown> = {}
      circle["self"] = circle
      yield* makePeer(channel, {
        ...noticesIn(notices),
        writesVersion: false,
        handle: ({ method, params }) => {
          switch (method) {
            case "echo":
              return Effect.succeed(params)
            case "refuse":
              return Effect.fail(new Refusal({ code: -32602, message: "bad params" }))
            case "die":
              return Effect.die(new Error("a secret"))
            case "circle":
              return Effect.succeed(circle)
            default:
              throw new Error("a handler that throws")
          }
        }
      })
      const answers: Array<unknown> = []
      for (const method of ["echo", "refuse", "die", "circle", "throw"]) {
        yield* say({ id: 0, method, params: [1] })
        answers.push(yield* Queue.take(sent))
      }
      const broke = { id: 0, error: { code: -32603, message: "The request could not be handled." } }
      expect(answers).toEqual([
        { id: 0, result: [1] },
        { id: 0, error: { code: -32602, message: "bad params" } },
        broke,
        broke,
        broke
      ])
      expect(notices.map(({ _tag }) => _tag)).toEqual(["HandlerBroke", "HandlerBroke", "HandlerBroke"])
    })
  )

  it.effect("is answered with null where there is nothing to say, and refused where nobody handles any", () =>
    Effect.gen(function* () {
      const { channel, say, sent } = yield* held
      yield* makePeer(channel, { writesVersion: false, handle: () => Effect.void })
      yield* say({ id: "s", method: "m" })
      expect(yield* Queue.take(sent)).toEqual({ id: "s", result: null })
      const other = yield* held
      yield* makePeer(other.channel, { writesVersion: false })
      yield* other.say({ id: 1, method: "m" })
      expect(yield* Queue.take(other.sent)).toMatchObject({ id: 1, error: { code: -32601 } })
    })
  )

  it.effect("is not mistaken for an answer to ours with the same id", () =>
    Effect.gen(function* () {
      const { channel, say, sent } = yield* held
      const peer = yield* makePeer(channel, { writesVersion: false, handle: ({ method }) => Effect.succeed(method) })
      const ours = yield* Effect.forkChild(peer.request("ours"))
      expect(yield* Queue.take(sent)).toEqual({ id: 0, method: "ours" })
      yield* say({ id: 0, method: "theirs" })
      expect(yield* Queue.take(sent)).toEqual({ id: 0, result: "theirs" })
      yield* say({ id: 0, result: "answer" })
      expect(yield* Fiber.join(ours)).toBe("answer")
    })
  )

  it.effect("can be taken back, and is refused beyond the limit", () =>
    Effect.gen(function* () {
      const { channel, say, sent } = yield* held
      const begun = yield* Deferred.make<void>()
      yield* makePeer(channel, {
        writesVersion: false,
        maxHandled: 1,
        handle: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
        cancels: ({ method, params }) => (method === "cancel" ? (params as { readonly id: number }).id : undefined)
      })
      yield* say({ id: 5, method: "long" })
      yield* Deferred.await(begun)
      yield* say({ id: 6, method: "another" })
      expect(yield* Queue.take(sent)).toMatchObject({ id: 6, error: { code: -32001 } })
      yield* say({ method: "cancel", params: { id: 5 } })
      expect(yield* Queue.take(sent)).toMatchObject({ id: 5, error: { code: requestCancelled } })
    })
  )

  it.effect("is answered after the last word of the other side, where that may still be listening, for a while", () =>
    Effect.gen(function* () {
      const { channel, end, say, sent } = yield* held
      const [go, begun] = [yield* Deferred.make<string>(), yield* Deferred.make<void>()]
      const peer = yield* makePeer(channel, {
        writesVersion: false,
        lastAnswers: "3 seconds",
        handle: ({ method }) =>
          method === "slow" ? Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(go)) : Effect.never
      })
      yield* say({ id: 1, method: "slow" }, { id: 2, method: "endless" })
      yield* end
      yield* Deferred.await(begun)
      yield* Deferred.succeed(go, "done")
      expect(yield* Queue.take(sent)).toEqual({ id: 1, result: "done" })
      const closed = yield* Effect.forkChild(peer.closed)
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(closed)
      expect(yield* Queue.size(sent)).toBe(0)
    })
  )
})

describe("what is no message", () => {
  it.effect("is told and does nothing", () =>
    Effect.gen(function* () {
      const { channel, end, sayText, sent } = yield* held
      const notices: Array<Notice> = []
      const peer = yield* makePeer(channel, { ...noticesIn(notices), handle: () => Effect.succeed(1) })
      for (const text of ["{", "[]", "3", "{}", '{"id":null,"method":"m"}']) yield* sayText(text)
      yield* end
      yield* peer.closed
      expect(notices.map((notice) => (notice._tag === "NotAMessage" ? notice.why : notice._tag))).toEqual([
        "NOT_JSON",
        "BATCH",
        "NOT_OBJECT",
        "NO_KIND",
        "BAD_ID"
      ])
      expect(yield* Queue.size(sent)).toBe(0)
    })
  )
})

describe("notifications", () => {
  it.effect("are heard in order, and one that breaks its listener does not end the others", () =>
    Effect.gen(function* () {
      const { channel, end, say } = yield* held
      const heard: Array<string> = []
      const notices: Array<Notice> = []
      const peer = yield* makePeer(channel, {
        ...noticesIn(notices),
        notified: ({ method }) => (method === "bad" ? Effect.die("broken") : Effect.sync(() => void heard.push(method)))
      })
      yield* say({ method: "a" }, { method: "bad" }, { method: "b" }, { method: "c" })
      yield* end
      yield* peer.closed
      expect(heard).toEqual(["a", "b", "c"])
      expect(notices).toMatchObject([{ _tag: "HandlerBroke", method: "bad" }])
    })
  )

  it.effect("do not hold up an answer that their listener waits for", () =>
    Effect.gen(function* () {
      const { channel, say, sent } = yield* held
      const got = yield* Deferred.make<unknown>()
      const peer: { request: (method: string) => Effect.Effect<unknown> } = { request: () => Effect.never }
      const made = yield* makePeer(channel, {
        notified: () => Effect.asVoid(Effect.flatMap(peer.request("more"), (result) => Deferred.succeed(got, result)))
      })
      peer.request = (method) => Effect.orDie(made.request(method))
      yield* say({ method: "news" })
      yield* Queue.take(sent)
      yield* say({ id: 0, result: "more of it" })
      expect(yield* Deferred.await(got)).toBe("more of it")
    })
  )
})

describe("two peers over a connection that shuffles and cuts", () => {
  const outcomes = ["succeed", "refuse", "die"] as const
  const call = fc.record({
    side: fc.constantFrom(0, 1),
    kind: fc.constantFrom(...outcomes),
    text: fc.string({ unit: "binary" })
  })

  it("give every request its own answer, once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { maxLength: 60 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true })),
        async (calls, dice) => {
          const random = (): number => dice.next().value ?? 0
          const notices: Array<Notice> = []
          const heard: Array<Notification> = []
          const handled: Array<string> = []
          const play = Effect.gen(function* () {
            const pair = yield* shuffledPair(random)
            const options = (name: string) => ({
              ...noticesIn(notices),
              writesVersion: random() < 0.5,
              notified: (said: Notification) => Effect.sync(() => void heard.push(said)),
              handle: ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
                handled.push(`${name} ${JSON.stringify(params)}`)
                if (method === "refuse") return Effect.fail(new Refusal({ code: 7, message: "no", data: params }))
                return method === "die" ? Effect.die("broken") : Effect.succeed({ name, params })
              }
            })
            const peers = [
              yield* makePeer(pair[0], options("left")),
              yield* makePeer(pair[1], options("right"))
            ] as const
            return yield* Effect.forEach(
              calls,
              ({ kind, side, text }, index) => Effect.exit((peers[side] ?? peers[0]).request(kind, { index, text })),
              { concurrency: "unbounded" }
            )
          })
          const exits = await Effect.runPromise(Effect.scoped(play))
          for (const [index, { kind, side, text }] of calls.entries()) {
            const exit = exits[index] ?? Exit.die("no outcome")
            const params = { index, text }
            if (kind === "succeed") expect(exit).toEqual(Exit.succeed({ name: side === 0 ? "right" : "left", params }))
            else
              expect(Exit.isFailure(exit) && JSON.stringify(exit.cause)).toContain(
                kind === "refuse" ? '"code":7' : '"code":-32603'
              )
          }
          expect(new Set(handled).size).toBe(calls.length)
          expect(handled.length).toBe(calls.length)
          expect(notices.filter(({ _tag }) => _tag !== "HandlerBroke")).toEqual([])
        }
      ),
      { numRuns: 60 }
    )
  })
})
