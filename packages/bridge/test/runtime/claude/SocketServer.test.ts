/** Who gets in: only the CLI of a session, with its token, at its path, and only while the session lasts. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import WebSocket from "ws"
import { makeSocketServer } from "../../../src/runtime/claude/SocketServer.ts"

/** The outcome of knocking: `open`, or what was answered. */
const checkAccess = (url: string, headers: Readonly<Record<string, string | Array<string>>> = {}) =>
  Effect.callback<string>((resume) => {
    const socket = new WebSocket(url, { headers: headers as Record<string, string> })
    socket.on("open", () => {
      socket.terminate()
      resume(Effect.succeed("open"))
    })
    socket.on("error", ({ message }) => resume(Effect.succeed(message)))
  })

describe("SocketServer", () => {
  it.live("lets in who has the token, at the right path, as often as it comes", () =>
    Effect.gen(function* () {
      const server = yield* makeSocketServer()
      let came = 0
      const { token, url } = yield* server.invite("a b/c", () => came++)
      const other = yield* server.invite("other", () => undefined)
      const bearer = { authorization: `Bearer ${token}` }
      expect(new URL(url).hostname).toBe("127.0.0.1")
      expect(yield* checkAccess(url, bearer)).toBe("open")
      expect(yield* checkAccess(url, bearer)).toBe("open")
      expect(came).toBe(2)
      expect(yield* checkAccess(url)).toContain("401")
      expect(yield* checkAccess(url, { authorization: token })).toContain("401")
      expect(yield* checkAccess(url, { authorization: `Bearer ${token}x` })).toContain("401")
      expect(yield* checkAccess(url, { authorization: `Bearer ${other.token}` })).toContain("401")
      for (const second of ["Bearer no", `Bearer ${token}`])
        expect(yield* checkAccess(url, { authorization: [`Bearer ${token}`, second] })).toContain("401")
      expect(yield* checkAccess(new URL("/ws/cli/none", url).href, bearer)).toContain("404")
      expect(came).toBe(2)
    })
  )

  it.live("tells two agents of one session apart by their tokens", () =>
    Effect.gen(function* () {
      const server = yield* makeSocketServer()
      const came: Array<string> = []
      const first = yield* server.invite("same", () => came.push("first"))
      const second = yield* server.invite("same", () => came.push("second"))
      yield* checkAccess(second.url, { authorization: `Bearer ${second.token}` })
      yield* checkAccess(first.url, { authorization: `Bearer ${first.token}` })
      expect(came).toEqual(["second", "first"])
    })
  )

  it.live("takes posts of a session that posts, with its token, at its path", () =>
    Effect.gen(function* () {
      const server = yield* makeSocketServer()
      const came: Array<string> = []
      const posting = (name: string) => (request: IncomingMessage, response: ServerResponse) => {
        came.push(name)
        request.resume()
        response.end("{}")
      }
      const one = yield* server.invite("a b/c", () => undefined, posting("one"))
      const two = yield* server.invite("two", () => undefined, posting("two"))
      const listening = yield* server.invite("three", () => undefined)
      const post = (url: string, headers: Readonly<Record<string, string>>, method = "POST") =>
        Effect.promise(() => fetch(url, { method, headers, ...(method === "POST" && { body: "{}" }) })).pipe(
          Effect.map(({ status }) => status)
        )
      // As the CLI changes the address.
      const placeOf = (url: string) => `${url.replace("ws://", "http://").replace("/ws/", "/session/")}/events`
      const bearer = { authorization: `Bearer ${one.token}` }
      expect(yield* post(placeOf(one.url), bearer)).toBe(200)
      expect(yield* post(placeOf(two.url), { authorization: `Bearer ${two.token}` })).toBe(200)
      expect(came).toEqual(["one", "two"])
      expect(yield* post(placeOf(one.url), {})).toBe(401)
      expect(yield* post(placeOf(two.url), bearer)).toBe(401)
      expect(yield* post(placeOf(one.url), bearer, "GET")).toBe(426)
      expect(yield* post(one.url.replace("ws://", "http://"), bearer)).toBe(426)
      expect(yield* post(placeOf(listening.url), { authorization: `Bearer ${listening.token}` })).toBe(426)
      expect(came).toEqual(["one", "two"])
    })
  )

  it.live("answers nothing but upgrades, and nobody when the session or the server is over", () =>
    Effect.gen(function* () {
      const life = yield* Scope.make()
      const server = yield* Scope.provide(makeSocketServer(), life)
      const session = yield* Scope.make()
      const { token, url } = yield* Scope.provide(
        server.invite("a", () => undefined),
        session
      )
      const plain = yield* Effect.promise(() => fetch(url.replace("ws:", "http:")))
      expect(plain.status).toBe(426)
      yield* Scope.close(session, Exit.void)
      expect(yield* checkAccess(url, { authorization: `Bearer ${token}` })).toContain("404")
      yield* Scope.close(life, Exit.void)
      expect(yield* checkAccess(url, { authorization: `Bearer ${token}` })).toContain("ECONNREFUSED")
    })
  )
})
