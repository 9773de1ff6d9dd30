/** What is posted is taken once, whatever comes again, breaks or has to wait. */
import { createServer, request as post, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as fc from "fast-check"
import { makeInbox } from "../../../src/runtime/claude/Inbox.ts"
import { PostedLines } from "../../../src/runtime/claude/PostedLines.ts"

type Event = Readonly<Record<string, unknown>>

/** A place to post to, and what was taken there. */
const place = (
  options: {
    readonly maxMessages?: number
    readonly maxBodyBytes?: number
    readonly askedAgain?: (id: string) => void
    readonly tap?: () => void
  } = {},
  onAnswer: (response: ServerResponse) => void = () => undefined
) =>
  Effect.gen(function* () {
    const inbox = yield* makeInbox({ maxMessages: options.maxMessages ?? 1024 })
    const lost: Array<string> = []
    const posted = new PostedLines({
      inbox,
      maxBodyBytes: options.maxBodyBytes ?? 1_000_000,
      lost: (why) => lost.push(why),
      ...(options.askedAgain !== undefined && { askedAgain: options.askedAgain }),
      ...(options.tap !== undefined && { tap: { data: options.tap, exit: () => undefined } })
    })
    const server = createServer((request, response) => {
      const end = response.end.bind(response)
      response.end = (() => {
        onAnswer(response)
        return end("{}")
      }) as typeof response.end
      posted.receive(request, response)
    })
    yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close().closeAllConnections()))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const send = (body: string) =>
      Effect.promise(() => fetch(url, { method: "POST", body }).then(async (answer) => answer.status))
    return {
      url,
      lost,
      posted,
      messages: inbox.messages,
      send,
      say: (...events: ReadonlyArray<unknown>) => send(JSON.stringify({ events })),
      take: Effect.map(Queue.take(inbox.messages), (decoded) =>
        decoded._tag === "Known" ? decoded.message : decoded
      ) as Effect.Effect<unknown, never>
    }
  })

const said = (n: number): Event => ({ type: "keep_alive", uuid: `u${n}`, n })

describe("PostedLines", () => {
  it.live("takes lines in their order, one or many at a time", () =>
    Effect.gen(function* () {
      const { say, take } = yield* place()
      expect(yield* say(said(1))).toBe(200)
      expect(yield* say(said(2), said(3), said(4))).toBe(200)
      for (const n of [1, 2, 3, 4]) expect(yield* take).toMatchObject({ n })
    }).pipe(Effect.scoped)
  )

  it.live("takes what is posted again once, and what comes behind it", () =>
    Effect.gen(function* () {
      const { say, take } = yield* place()
      const question = { type: "control_request", request_id: "r", request: { subtype: "from_afar" } }
      const withdrawal = { type: "control_cancel_request", request_id: "r" }
      const answer = { type: "control_response", response: { subtype: "success", request_id: "r" } }
      yield* say(said(1), question)
      yield* say(said(1), question, answer, withdrawal, said(2))
      yield* say(said(1), question, answer, withdrawal, said(2), said(3))
      const types = []
      for (let i = 0; i < 6; i++) types.push(((yield* take) as Event)["type"])
      expect(types).toEqual([
        "keep_alive",
        "control_request",
        "control_response",
        "control_cancel_request",
        "keep_alive",
        "keep_alive"
      ])
      yield* say(said(9))
      expect(yield* take).toMatchObject({ n: 9 })
    }).pipe(Effect.scoped)
  )

  it.live("has every line once, in order, however often the same bodies come", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 2 })), {
            minLength: 1,
            maxLength: 8
          }),
          (batches) =>
            Effect.gen(function* () {
              const { say, take } = yield* place()
              let next = 0
              for (const [size, retries] of batches) {
                const events = Array.from({ length: size }, () => said(next++))
                // A retry may have more behind what it repeats, as 2.1.120 has.
                for (let i = 0; i < retries; i++) yield* say(...events, ...(i === 1 ? [said(next++)] : []))
                if (retries < 2) yield* say(...events)
              }
              const heard = new Set<unknown>()
              for (let n = 0; n < next; n++) heard.add(((yield* take) as Event)["n"])
              expect(heard.size).toBe(next)
            }).pipe(Effect.scoped, Effect.runPromise)
        ),
        { numRuns: 20, seed: 18 }
      )
    )
  )

  it.live("passes nothing on before its POST is answered, and tells when a request comes again", () =>
    Effect.gen(function* () {
      const again: Array<string> = []
      const order: Array<string> = []
      const { say, take } = yield* place(
        { askedAgain: (id) => again.push(id), tap: () => order.push("passed on") },
        () => order.push("answered")
      )
      const question = { type: "control_request", request_id: "r", request: { subtype: "from_afar" } }
      yield* say(question)
      yield* take
      expect(order).toEqual(["answered", "passed on"])
      yield* say(question, said(1))
      expect(yield* take).toMatchObject({ n: 1 })
      expect(again).toEqual(["r"])
    }).pipe(Effect.scoped)
  )

  it.live("passes on at the end what was never answered", () =>
    Effect.gen(function* () {
      const { posted, take, url } = yield* place({}, (response) => response.destroy())
      yield* Effect.promise(() =>
        fetch(url, { method: "POST", body: JSON.stringify({ events: [said(1)] }) }).catch(() => undefined)
      )
      yield* Effect.callback<void>((resume) => posted.whenQuiet(() => resume(Effect.void)))
      expect(yield* take).toMatchObject({ n: 1 })
    }).pipe(Effect.scoped)
  )

  it.live("loses nothing of a body that breaks off half way, and takes nothing of it", () =>
    Effect.gen(function* () {
      const { say, take, url } = yield* place()
      const body = JSON.stringify({ events: [said(1), said(2)] })
      yield* Effect.callback<void>((resume) => {
        const half = post(url, { method: "POST", headers: { "content-length": body.length } })
        half.on("error", () => resume(Effect.void))
        half.write(body.slice(0, 40), () => half.destroy(new Error("cut")))
      })
      yield* say(said(1), said(2))
      for (const n of [1, 2]) expect(yield* take).toMatchObject({ n })
      yield* say(said(3))
      expect(yield* take).toMatchObject({ n: 3 })
    }).pipe(Effect.scoped)
  )

  it.live("lets the answer wait while the reader is slow, and takes it once when the CLI lost patience", () =>
    Effect.gen(function* () {
      const { say, take, url } = yield* place({ maxMessages: 1 })
      const body = JSON.stringify({ events: [said(1), said(2), said(3)] })
      const impatient = new AbortController()
      const held = fetch(url, { method: "POST", body, signal: impatient.signal }).then(
        () => "answered",
        () => "gave up"
      )
      // The first is in the inbox when the others wait, and so does the answer.
      expect(yield* take).toMatchObject({ n: 1 })
      impatient.abort()
      expect(yield* Effect.promise(() => held)).toBe("gave up")
      const again = Effect.runPromise(say(said(1), said(2), said(3), said(4)))
      for (const n of [2, 3, 4]) expect(yield* take).toMatchObject({ n })
      expect(yield* Effect.promise(() => again)).toBe(200)
    }).pipe(Effect.scoped)
  )

  it.live("tells of a body that is none of the CLI's as an odd line", () =>
    Effect.gen(function* () {
      const { send, take } = yield* place()
      expect(yield* send('{"events": "all"}\n')).toBe(200)
      expect(yield* take).toMatchObject({ _tag: "Invalid" })
      expect(yield* send("nonsense")).toBe(200)
      expect(yield* take).toMatchObject({ _tag: "Invalid" })
    }).pipe(Effect.scoped)
  )

  it.live("refuses a body that is too long, and says that something is lost", () =>
    Effect.gen(function* () {
      const { lost, say, send, take } = yield* place({ maxBodyBytes: 200 })
      yield* say(said(1))
      expect(yield* take).toMatchObject({ n: 1 })
      // The answer may come before all of it is written, and the connection with it.
      yield* Effect.exit(send("x".repeat(100_000)))
      expect(lost).toEqual([expect.stringContaining("longer than the limit")])
    }).pipe(Effect.scoped)
  )

  it.live("answers nothing well when nobody reads any more", () =>
    Effect.gen(function* () {
      const { posted, say } = yield* place()
      posted.close()
      expect(yield* say(said(1))).toBe(404)
    }).pipe(Effect.scoped)
  )

  it.live("is quiet when nothing has come for a moment", () =>
    Effect.gen(function* () {
      const { posted, say } = yield* place()
      yield* say(said(1))
      yield* Effect.callback<void>((resume) => posted.whenQuiet(() => resume(Effect.void)))
    }).pipe(Effect.scoped)
  )
})
