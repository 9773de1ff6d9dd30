import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { hasBody, mediaProblem, parseBody, readJson } from "../../../src/face/http/Body.ts"
import type { HttpLimits } from "../../../src/face/http/HttpLimits.ts"

const request = (headers: Record<string, string>, ...chunks: ReadonlyArray<string | Uint8Array>): IncomingMessage => {
  const message = new IncomingMessage(new Socket())
  message.headers = headers
  for (const chunk of chunks) message.push(chunk)
  return message
}

const json = { "content-type": "application/json" }

const read = (message: IncomingMessage, limits?: HttpLimits) =>
  readJson(message, limits).pipe(Effect.match({ onFailure: ({ code }): unknown => code, onSuccess: (value) => value }))

const whole = (headers: Record<string, string>, ...chunks: ReadonlyArray<string | Uint8Array>): IncomingMessage => {
  const message = request(headers, ...chunks)
  message.push(null)
  return message
}

describe("the content type", () => {
  it("is JSON, whatever its parameters", () => {
    for (const type of ["application/json", "application/json; charset=utf-8", "Application/JSON ;x=y"])
      expect(mediaProblem({ headers: { "content-type": type } })).toBeUndefined()
  })
  it("is none that a browser sends without asking", () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain; application/json",
      "application/jsonp",
      ""
    ])
      expect(mediaProblem({ headers: { "content-type": type } })?.code).toBe("UNSUPPORTED_MEDIA_TYPE")
    expect(mediaProblem({ headers: {} })?.code).toBe("UNSUPPORTED_MEDIA_TYPE")
  })
  it("hides nothing", () => {
    expect(mediaProblem({ headers: { ...json, "content-encoding": "gzip" } })?.code).toBe("UNSUPPORTED_MEDIA_TYPE")
  })
})

describe("reading", () => {
  it.effect("joins chunks, also inside a character", () =>
    Effect.gen(function* () {
      const bytes = new TextEncoder().encode('{"text":"ü😀"}')
      for (let cut = 1; cut < bytes.length; cut++)
        expect(yield* read(whole(json, bytes.subarray(0, cut), bytes.subarray(cut)))).toEqual({ text: "ü😀" })
    })
  )
  it.effect("stops at the limit", () =>
    Effect.gen(function* () {
      expect(yield* read(whole(json, '"1234"'), { maxBodyBytes: 6 })).toBe("1234")
      expect(yield* read(whole(json, '"12345"'), { maxBodyBytes: 6 })).toBe("BODY_TOO_LARGE")
      expect(yield* read(request(json, "x".repeat(13)), { maxBodyBytes: 6 })).toBe("BODY_TOO_LARGE")
    })
  )
  it.effect("does not begin with what is declared too large", () =>
    Effect.gen(function* () {
      expect(yield* read(request({ ...json, "content-length": "13" }), { maxBodyBytes: 6 })).toBe("BODY_TOO_LARGE")
    })
  )
  it.effect("refuses what is not JSON, without repeating it", () =>
    Effect.gen(function* () {
      for (const body of ["", "{", "secret", "{'a':1}"]) expect(yield* read(whole(json, body))).toBe("BAD_JSON")
      expect(yield* read(whole(json, new Uint8Array([0x22, 0xff, 0x22])))).toBe("BAD_JSON")
      const refusal = yield* Effect.flip(readJson(whole(json, "secret")))
      expect(refusal.message).not.toContain("secret")
    })
  )
  it.effect("refuses a body that breaks off", () =>
    Effect.gen(function* () {
      const message = request(json, '{"a":')
      const fiber = yield* Effect.forkChild(read(message), { startImmediately: true })
      message.destroy()
      expect(yield* Fiber.join(fiber)).toBe("BAD_REQUEST")
    })
  )
  it.effect("does not begin with what is lost already", () =>
    Effect.gen(function* () {
      const message = request(json, '{"a":')
      message.destroy()
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      expect(yield* read(message)).toBe("BAD_REQUEST")
    })
  )
  it.effect("does not wait for ever", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(read(request(json, "{"), { requestTimeout: "3 seconds" }), {
        startImmediately: true
      })
      yield* TestClock.adjust("3 seconds")
      expect(yield* Fiber.join(fiber)).toBe("BODY_TIMEOUT")
    })
  )
})

describe("what is too much", () => {
  const bounds = { maxDepth: 200, maxValues: 1000, maxPartLength: 10_000_000, maxPartValues: 1000 }
  const code = (text: string) =>
    Effect.map(Effect.flip(parseBody(new TextEncoder().encode(text), bounds)), (refusal) => refusal.code)

  it.effect("is seen before anything is built", () =>
    Effect.gen(function* () {
      expect(yield* code("[".repeat(5_000_000))).toBe("TOO_DEEP")
      expect(yield* code(`[${"0,".repeat(1_000_000)}0]`)).toBe("TOO_MANY_VALUES")
      expect(yield* code(`{"messages":["${"a".repeat(11_000_000)}"]}`)).toBe("PART_TOO_LARGE")
    })
  )
  it.effect("is refused as soon as it is, however much is to come, and by its first reason", () =>
    Effect.gen(function* () {
      const limits = { maxBodyBytes: 100, maxDepth: 3, maxValues: 10 }
      expect(yield* read(request(json, "[[[[", " ".repeat(300)), limits)).toBe("TOO_DEEP")
      expect(yield* read(request(json, `[${"1,".repeat(20)}`, " ".repeat(300)), limits)).toBe("TOO_MANY_VALUES")
      expect(yield* read(whole(json, `[${"1,".repeat(8)}1]`), limits)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1])
    })
  )
  it.effect("is seen in what a body parser made of it, too", () =>
    Effect.gen(function* () {
      const parsed = (body: unknown, limits: HttpLimits) =>
        Effect.gen(function* () {
          const message = whole(json)
          yield* Effect.promise(() => new Promise((resolve) => message.resume().once("end", resolve)))
          return yield* read(Object.assign(message, { body }), limits)
        })
      const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], [])
      expect(yield* parsed(deep, { maxValues: 1_000_000 })).toBe("TOO_DEEP")
      expect(yield* parsed({ a: [1, 2, 3] }, { maxValues: 4 })).toBe("TOO_MANY_VALUES")
      expect(yield* parsed({ a: [1, 2, 3] }, { maxValues: 5, maxDepth: 2 })).toEqual({ a: [1, 2, 3] })
      expect(yield* parsed({ a: [1, 2, 3] }, { maxDepth: 1 })).toBe("TOO_DEEP")
      const run = { messages: [{ id: "1" }, { id: "2" }], state: 1 }
      for (const body of [run, { method: "agent/run", body: run }]) {
        expect(yield* parsed(body, { maxPartValues: 5 })).toEqual(body)
        expect(yield* parsed(body, { maxPartValues: 1 })).toBe("PART_TOO_LARGE")
        expect(yield* parsed(body, { maxValues: 6 })).toBe("TOO_MANY_VALUES")
        expect(yield* parsed(body, { maxDepth: 1 })).toBe("TOO_DEEP")
      }
    })
  )
  it.effect("is said of the bytes that may be there before it is said that there are more", () =>
    Effect.gen(function* () {
      const limits = { maxBodyBytes: 10, maxDepth: 3 }
      for (const pieces of [["[[[[[[[[[[[["], ["[[", "[[[[[[[[[["]])
        expect(yield* read(whole(json, ...pieces), limits)).toBe("TOO_DEEP")
      expect(yield* read(whole(json, "[1,2,3,4,5,[[[["), limits)).toBe("BODY_TOO_LARGE")
    })
  )
})

describe("others", () => {
  /** How often the event loop goes round while something is read. */
  const turnsOf = (message: IncomingMessage, limits?: HttpLimits) =>
    Effect.gen(function* () {
      let turns = 0
      const turn = () => {
        turns++
        immediate = setImmediate(turn)
      }
      let immediate = setImmediate(turn)
      const value = yield* read(message, limits)
      clearImmediate(immediate)
      return { turns, value }
    })
  const pieces = Array.from({ length: 50 }, (_, at) => `"${String(at).repeat(40_000)}"`)

  it.effect("have their turn between the pieces of a body, however fast these come, and at its end", () =>
    Effect.gen(function* () {
      const chunks = [`{"messages":[${pieces[0]}`, ...pieces.slice(1).map((piece) => `,${piece}`), "]}"]
      const { turns, value } = yield* turnsOf(whole({ ...json, "transfer-encoding": "chunked" }, ...chunks))
      expect(value).toEqual({ messages: pieces.map((piece) => JSON.parse(piece)) })
      expect(turns).toBeGreaterThanOrEqual(pieces.length)
    })
  )
  it.effect("have it, too, where something else has read the bytes", () =>
    Effect.gen(function* () {
      const message = whole(json)
      yield* Effect.promise(() => new Promise((resolve) => message.resume().once("end", resolve)))
      const body = `{"messages":[${pieces.join(",")}]}`
      const { turns, value } = yield* turnsOf(Object.assign(message, { body }))
      expect(value).toEqual(JSON.parse(body))
      expect(turns).toBeGreaterThanOrEqual(Math.floor(body.length / 65_536))
    })
  )
})

describe("a body", () => {
  it("is there when it is declared", () => {
    expect(hasBody({ headers: {} })).toBe(false)
    expect(hasBody({ headers: { "content-length": "0" } })).toBe(false)
    expect(hasBody({ headers: { "content-length": "2" } })).toBe(true)
    expect(hasBody({ headers: { "transfer-encoding": "chunked" } })).toBe(true)
  })
})
