import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import {
  depthExceeds,
  type HttpLimits,
  hasBody,
  mediaProblem,
  parseBody,
  readJson
} from "../../../src/face/http/HttpLimits.ts"

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

describe("depth", () => {
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

  it("is that of the parsed value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), fc.boolean(), (value, limit, pretty) => {
        expect(depthExceeds(JSON.stringify(value, null, pretty ? 2 : 0), limit)).toBe(depthOf(value) > limit)
      })
    )
  })
  it("does not count what is in strings", () => {
    expect(depthExceeds(JSON.stringify('[[["\\[[['), 0)).toBe(false)
  })
  it.effect("is looked at before anything is built", () =>
    Effect.gen(function* () {
      const deep = new TextEncoder().encode("[".repeat(5_000_000))
      expect((yield* Effect.flip(parseBody(deep, 200))).code).toBe("TOO_DEEP")
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
