/**
 * Strangers at the door of the agents: the server that CLIs connect to with a WebSocket lets in the agent of a session
 * and nobody else, and says so in the log.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { WebSocket } from "ws"
import { makeSocketServer } from "../../../packages/bridge/src/runtime/claude/SocketServer.ts"
import { backTo, countsOf } from "../Counts.ts"
import { wireTo } from "../RawRun.ts"
import { attack } from "./Attack.ts"

const upgrade = (path: string, headers: ReadonlyArray<string>): string =>
  [
    `GET ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ...headers,
    "\r\n"
  ].join("\r\n")

interface Door {
  readonly path: string
  readonly token: string
}

const strangers: ReadonlyArray<readonly [name: string, bytes: (door: Door) => string, status: number, code: string]> = [
  ["without a token", ({ path }) => upgrade(path, []), 401, "UNAUTHORIZED"],
  ["with another token", ({ path }) => upgrade(path, ["Authorization: Bearer guess"]), 401, "UNAUTHORIZED"],
  [
    "with a part of the token",
    ({ path, token }) => upgrade(path, [`Authorization: Bearer ${token.slice(0, -1)}`]),
    401,
    "UNAUTHORIZED"
  ],
  ["with the token in the query", ({ path, token }) => upgrade(`${path}?token=${token}`, []), 401, "UNAUTHORIZED"],
  [
    "with the token as a protocol, as a page could",
    ({ path, token }) => upgrade(path, ["Origin: http://evil.example", `Sec-WebSocket-Protocol: ${token}`]),
    401,
    "UNAUTHORIZED"
  ],
  [
    "with a cookie, as a page could",
    ({ path, token }) => upgrade(path, ["Origin: null", `Cookie: Authorization=Bearer ${token}`]),
    401,
    "UNAUTHORIZED"
  ],
  ["at another path", ({ token }) => upgrade("/ws/cli/another", [`Authorization: Bearer ${token}`]), 404, "NOT_FOUND"],
  [
    "at a path that leads there",
    ({ path, token }) => upgrade(`/x/..${path}`, [`Authorization: Bearer ${token}`]),
    404,
    "NOT_FOUND"
  ],
  [
    "without an upgrade",
    ({ path, token }) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    426,
    "UPGRADE_REQUIRED"
  ]
]

describe("the server for agents", () => {
  it.live("refuses strangers, keeps none of their connections, and the agent's own is not disturbed", () => {
    const logged: Array<unknown> = []
    const logger = Logger.map(Logger.formatStructured, (entry) => void logged.push(entry))
    return Effect.gen(function* () {
      const server = yield* makeSocketServer()
      let agent: WebSocket | undefined
      const welcomed: Array<WebSocket> = []
      const { token, url } = yield* server.invite("session", (socket) => {
        agent = socket
        welcomed.push(socket)
      })
      const { pathname: path, port: digits } = new URL(url)
      const port = Number(digits)
      const own = wireTo(port)
      own.socket.write(upgrade(path, [`Authorization: Bearer ${token}`]))
      yield* Effect.promise(() => own.until((got) => got.startsWith("HTTP/1.1 101 ")))
      const before = countsOf()
      for (const [name, bytes, status, code] of strangers) {
        const answer = yield* Effect.promise(() => attack({ port }, bytes({ path, token })))
        expect([answer.status, answer.code ?? code], name).toEqual([status, code])
        expect(JSON.stringify(logged), name).toContain(code)
      }
      // Some never close their half.
      const staying = strangers.map(([, bytes]) => {
        const wire = wireTo(port)
        wire.socket.write(bytes({ path, token }))
        return wire
      })
      yield* Effect.promise(() => Promise.all(staying.map(({ until }) => until((got) => got.includes("\r\n\r\n")))))
      for (const { socket } of staying) socket.pause()
      yield* backTo({ ...before, sockets: before.sockets + staying.length })
      for (const { socket } of staying) socket.destroy()
      yield* backTo(before)
      expect(welcomed).toHaveLength(1)
      agent?.send("still here")
      yield* Effect.promise(() => own.until((got) => got.includes("still here")))
      expect(JSON.stringify(logged)).not.toContain(token)
      own.socket.destroy()
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
  })
})
