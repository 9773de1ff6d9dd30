/** Who is let in, and what each side says to one that is older or has another secret. */
import { writeFileSync } from "node:fs"
import { connect } from "node:net"
import { makePeer, Refusal } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { askStatus } from "../../src/link/AskStatus.ts"
import { versionsOf } from "../../src/link/Hello.ts"
import { meetRuntime } from "../../src/link/LinkClient.ts"
import { features } from "../../src/link/Methods.ts"
import { type LinkAddress, linkAddress } from "../../src/link/Place.ts"
import { refusalCodes } from "../../src/link/RefusalCodes.ts"
import { makeSecret, proofOf, readSecret } from "../../src/link/Secret.ts"
import { linkSocket, listenAt } from "../../src/link/Socket.ts"
import { fakeSessions } from "../FakeSessions.ts"
import { attached, linkFolder, serving } from "./Linked.ts"

const quietly = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  Effect.runPromise(effect.pipe(Effect.scoped, Effect.provide(Logger.layer([]))))

const program = "agentwire test"

/** A runtime by hand, which lacks some of what there is. */
const older = (address: LinkAddress, without: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const run = yield* FiberSet.makeRuntime<never>()
    let asked: unknown
    const known = Object.fromEntries(Object.entries(features).filter(([name]) => !without.includes(name)))
    yield* listenAt(address.place, (socket) => {
      const secret = makeSecret(address.folder)
      run(
        Effect.gen(function* () {
          const peer = yield* makePeer(linkSocket(socket).channel, {
            handle: ({ method, params }) => {
              const said = params as { readonly nonce: string }
              if (method === "hello")
                return Effect.succeed({
                  ...versionsOf("agentwire 0.1"),
                  nonce: "n".repeat(20),
                  proof: proofOf(secret, "runtime", "n".repeat(20), said.nonce)
                })
              if (method !== "enter") {
                asked = method
                return Effect.fail(new Refusal({ code: refusalCodes.tooLarge, message: "Too large." }))
              }
              return Effect.succeed({
                boot: "b",
                pid: 1,
                program: "agentwire 0.1",
                link: 1,
                features: known,
                agentName: "A",
                agents: [],
                agent: "a",
                cwd: "/",
                asks: true
              })
            }
          })
          yield* peer.closed
        }).pipe(Effect.scoped)
      )
    })
    return { asked: () => asked }
  })

describe("a gateway", () => {
  it("is let in with the secret, over a unix socket and over loopback", () =>
    quietly(
      Effect.gen(function* () {
        const { folder, place } = yield* linkFolder
        for (const each of [place, { _tag: "Tcp" as const, host: "127.0.0.1", port: 0 }]) {
          const server = yield* Effect.provide(serving({ folder, place: each }), fakeSessions().layer)
          const status = yield* askStatus({ address: { folder, place: server.place }, program })
          expect(status.runtime).toMatchObject({ program, pid: process.pid, draining: false })
          expect(status.gateways).toEqual([])
        }
      })
    ))

  it("is told who is attached, and what it has said of itself", () =>
    quietly(
      Effect.gen(function* () {
        const address = yield* linkFolder
        const server = yield* Effect.provide(serving(address), fakeSessions().layer)
        const link = yield* attached(address)
        const report = { url: "http://127.0.0.1:1", clients: 3, memory: 7, extensions: 0 }
        yield* link.call("report", report)
        expect((yield* server.status).gateways).toMatchObject([{ program, link: 1, pid: process.pid, report }])
      })
    ))

  it("with another secret is not let in, and neither is a runtime believed that does not know it", () =>
    quietly(
      Effect.gen(function* () {
        const address = yield* linkFolder
        yield* Effect.provide(serving(address), fakeSessions().layer)
        writeFileSync(`${address.folder}/secret`, `${"x".repeat(43)}\n`)
        expect(readSecret(address.folder)).toBe("x".repeat(43))
        const refused = yield* Effect.flip(meetRuntime({ address, program }, "id"))
        expect(refused).toMatchObject({ code: "LINK_SECRET" })
        expect(refused.message).toContain("does not know the secret")
      })
    ))

  it("that asks before it has proved anything is told nothing", () =>
    quietly(
      Effect.gen(function* () {
        const address = yield* linkFolder
        yield* Effect.provide(serving(address), fakeSessions().layer)
        const { place } = address
        if (place._tag !== "Unix") throw new Error("The default is a unix socket.")
        const socket = connect(place.path)
        const peer = yield* makePeer(linkSocket(socket).channel)
        const refused = yield* Effect.flip(peer.request("sessions.list", { args: {} }))
        expect(refused).toMatchObject({ reason: "REFUSED", code: refusalCodes.secret })
        // A stranger that sends much is cut off.
        const flood = yield* Effect.exit(peer.request("hello", { nonce: "x".repeat(200_000) }))
        expect(flood._tag).toBe("Failure")
        yield* peer.closed
      })
    ))

  it("without a runtime says in words that there is none", () =>
    quietly(
      Effect.gen(function* () {
        const address = yield* linkFolder
        const refused = yield* Effect.flip(askStatus({ address, program }))
        expect(refused.code).toBe("LINK_FAILED")
        expect(refused.message).toContain("Nobody listens at")
      })
    ))
})

describe("a second runtime", () => {
  it("at the same place is refused, and one after it takes the place", () =>
    quietly(
      Effect.gen(function* () {
        const address = yield* linkFolder
        const { layer } = fakeSessions()
        yield* Effect.gen(function* () {
          yield* serving(address)
          expect(yield* Effect.flip(serving(address))).toMatchObject({ code: "LINK_IN_USE" })
        }).pipe(Effect.scoped, Effect.provide(layer))
        yield* Effect.provide(serving(address), layer)
      })
    ))
})

describe("an older runtime", () => {
  it("is not asked what it does not know: that is refused in words", () =>
    quietly(
      Effect.gen(function* () {
        const address = yield* linkFolder
        const runtime = yield* older(address, ["sessions.fork"])
        const link = yield* attached(address)
        const refused = yield* Effect.flip(link.call("sessions.fork", { from: "a", threadId: "b" }))
        expect(refused).toMatchObject({ code: "RUNTIME_TOO_OLD" })
        expect(refused.message).toBe("The runtime (agentwire 0.1) is too old: it cannot fork a thread. Update it.")
        expect(runtime.asked()).toBeUndefined()
        expect(yield* Effect.flip(link.call("sessions.list", {}))).toMatchObject({ code: "LINK_TOO_LARGE" })
      })
    ))
})

describe("an address", () => {
  it("has its secret beside what is kept, wherever the socket is", () => {
    const address = linkAddress("/data", "tcp://127.0.0.1:1")
    expect(address).toMatchObject({ success: { folder: "/data/link" } })
  })
})
