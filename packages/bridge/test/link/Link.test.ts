/** The link as a whole: what a gateway asks is done once, read on after a cut, and refused in words where it cannot be. */
import { connect, type Socket } from "node:net"
import type { Model } from "@agentwire/protocol"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import type { LinkAddress } from "../../src/link/Place.ts"
import { makeRemoteSessions } from "../../src/link/RemoteSessions.ts"
import { listenAt } from "../../src/link/Socket.ts"
import type { Session, Submission } from "../../src/session/Session.ts"
import { fakeSessions, permission } from "../FakeSessions.ts"
import { attached, linkFolder, serving } from "./Linked.ts"

const quietly = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  Effect.runPromise(effect.pipe(Effect.scoped, Effect.provide(Logger.layer([]))))

const prompt = (ticket: string): Submission => ({
  ticket,
  answers: [],
  results: [],
  tools: [],
  prompt: { type: "prompt", said: [{ id: ticket, content: "Hi" }] }
})

const answering: Submission = { ticket: "a", answers: [], results: [], tools: [] }

const submit = (session: Session, submission: Submission) => session.submit(() => Result.succeed(submission))

/** A wire between the two that can be cut. */
const wireTo = (address: LinkAddress) =>
  Effect.gen(function* () {
    const open = new Set<Socket>()
    const own: LinkAddress = { ...address, place: { _tag: "Unix", path: `${address.folder}/wire.sock` } }
    const { place } = address
    yield* listenAt(own.place, (here) => {
      const there = place._tag === "Unix" ? connect(place.path) : connect(place.port, place.host)
      for (const [one, other] of [
        [here, there],
        [there, here]
      ] as const) {
        open.add(one)
        one.on("error", () => other.destroy())
        one.on("close", () => other.destroy())
        one.pipe(other)
      }
    })
    const cut = (): void => {
      for (const socket of open) socket.destroy()
      open.clear()
    }
    return { own, cut }
  })

/** A runtime with fake sessions, a gateway, and a wire between them that can be cut. */
const linked = (
  onPrompt: Parameters<typeof fakeSessions>[0] = () => undefined,
  patience: Duration.Input = "30 seconds"
) =>
  Effect.gen(function* () {
    const fakes = fakeSessions(onPrompt)
    const address = yield* linkFolder
    const runtime = yield* Scope.make()
    yield* serving(address).pipe(Scope.provide(runtime), Effect.provide(fakes.layer))
    const { cut, own } = yield* wireTo(address)
    const link = yield* attached(own, { patience })
    const sessions = yield* makeRemoteSessions(link)
    return { address, fakes, link, cut, sessions, runtime }
  })

const word = (n: number): Model.Event => ({ type: "noticed", lane: null, name: "word", value: n })

describe("a cut of the link", () => {
  it("costs no event, and brings none twice", () =>
    quietly(
      Effect.gen(function* () {
        const { cut, fakes, sessions } = yield* linked()
        const session = yield* sessions.open("t")
        const reading = yield* Effect.forkChild(Stream.runCollect(Stream.take(session.log.read(0), 200)))
        for (let n = 0; n < 200; n++) {
          fakes.get("t").say(word(n))
          if (n % 40 === 20) cut()
          if (n % 10 === 0) yield* Effect.sleep(1)
        }
        const read = yield* Fiber.join(reading)
        expect(read.map(({ event, seq }) => [seq, event])).toEqual(read.map((_, n) => [n, word(n)]))
        expect(session.log.next()).toBe(200)
      })
    ))

  it("does not do again what was done, when its answer is lost", () =>
    quietly(
      Effect.gen(function* () {
        let cutOnce: (() => void) | undefined
        const { cut, fakes, sessions } = yield* linked(() => {
          cutOnce?.()
          cutOnce = undefined
        })
        cutOnce = cut
        const session = yield* sessions.open("t")
        let accepted = 0
        const { begins } = yield* submit(session, { ...prompt("p"), onAccepted: () => accepted++ })
        expect([begins, accepted]).toEqual(["with_turn", 1])
        expect(fakes.get("t").submissions.map(({ ticket }) => ticket)).toEqual(["p"])
        expect(session.log.situation().turn?.ticket).toBe("p")
      })
    ))

  it("lets an answer to a question arrive once", () =>
    quietly(
      Effect.gen(function* () {
        const { cut, fakes, sessions } = yield* linked()
        const fake = fakes.get("t")
        const session = yield* sessions.open("t")
        fake.ask(permission("q"))
        const waiting = yield* session.waiting
        expect(waiting.map(({ request }) => request.id)).toEqual(["q"])
        const sent = yield* Effect.forkChild(
          submit(session, { ...answering, answers: [{ id: "q", answer: { type: "allow" } }] })
        )
        cut()
        yield* Fiber.join(sent)
        expect(fake.submissions).toHaveLength(1)
        expect(session.log.situation().requests.size).toBe(0)
      })
    ))
})

describe("a submission", () => {
  it("is read again when something else has happened meanwhile", () =>
    quietly(
      Effect.gen(function* () {
        const { fakes, sessions } = yield* linked()
        const session = yield* sessions.open("t")
        const seen: Array<ReadonlyArray<string>> = []
        yield* session.submit(({ requests }) => {
          seen.push(requests.map(({ id }) => id))
          if (seen.length === 1) fakes.get("t").ask(permission("q"))
          return Result.succeed(prompt("p"))
        })
        expect(seen).toEqual([[], ["q"]])
        expect(fakes.get("t").submissions).toHaveLength(1)
      })
    ))

  it("of two at once is read after the first was accepted", () =>
    quietly(
      Effect.gen(function* () {
        const { fakes, sessions } = yield* linked()
        fakes.get("t").queues = true
        const session = yield* sessions.open("t")
        const order: Array<string> = []
        const say = (ticket: string) =>
          session.submit(() => {
            order.push(`read ${ticket}`)
            return Result.succeed({ ...prompt(ticket), onAccepted: () => void order.push(`accepted ${ticket}`) })
          })
        yield* Effect.all([say("a"), say("b")], { concurrency: "unbounded" })
        expect(order).toEqual(["read a", "accepted a", "read b", "accepted b"])
      })
    ))
})

describe("a runtime that is gone", () => {
  it("is told as such, and serves again when it is back", () =>
    quietly(
      Effect.gen(function* () {
        const { address, fakes, link, runtime, sessions } = yield* linked(undefined, "50 millis")
        const session = yield* sessions.open("t")
        yield* Scope.close(runtime, Exit.void)
        const refused = yield* Effect.flip(sessions.find("t"))
        expect(refused).toMatchObject({ _tag: "SessionRefused", code: "RUNTIME_UNREACHABLE" })
        expect(link.state()._tag).toBe("Down")
        expect(yield* Effect.flip(submit(session, prompt("p")))).toMatchObject({ code: "RUNTIME_UNREACHABLE" })
        yield* Effect.provide(serving(address), fakes.layer)
        const again = yield* Effect.retry(sessions.open("t"), { times: 1000 })
        expect(again).not.toBe(session)
        yield* submit(again, prompt("p"))
        expect(fakes.get("t").submissions).toHaveLength(1)
        // Who still has the session of before is told to ask again.
        expect(yield* session.log.failure).toMatchObject({ code: "RUNTIME_RESTARTED" })
        expect(yield* Effect.flip(submit(session, prompt("q")))).toMatchObject({ code: "RUNTIME_RESTARTED" })
        expect(link.state()._tag).toBe("Up")
      })
    ))
})

describe("a second gateway", () => {
  it("begins where the thread is, and reads what was before from the runtime", () =>
    quietly(
      Effect.gen(function* () {
        const { address, fakes, sessions } = yield* linked()
        yield* sessions.open("t")
        for (let n = 0; n < 50; n++) fakes.get("t").say(word(n))
        fakes.get("t").ask(permission("q"))
        const other = yield* makeRemoteSessions(yield* attached(address))
        const session = yield* other.find("t")
        if (session === undefined) throw new Error("The thread is known.")
        expect(session.log.opened.seq).toBe(51)
        expect([...session.log.situation().requests.keys()]).toEqual(["q"])
        const read = yield* Stream.runCollect(Stream.take(session.log.read(0), 51))
        expect(read.map(({ seq }) => seq)).toEqual(read.map((_, n) => n))
        yield* submit(session, { ...answering, answers: [{ id: "q", answer: { type: "allow" } }] })
        expect(fakes.get("t").waiting).toEqual([])
      })
    ))
})
