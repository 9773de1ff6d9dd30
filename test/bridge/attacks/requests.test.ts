/**
 * Requests that must not get in, against `agentwire serve` as a process of its own: each is refused with its code and
 * a line in the log, and a run that is open all along streams to its end as if nothing was.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { paths } from "../../../packages/bridge/src/face/management/Paths.ts"
import { eventually } from "../../../packages/bridge/test/FakeCli.ts"
import { backTo, type Counts, countsOf, peakMegabytes } from "../Counts.ts"
import { eventsIn, hasFinished, head, runBody, runRequest, textIn, token, type Wire, wireTo } from "../RawRun.ts"
import { type ServeProcess, startServe } from "../ServeProcess.ts"
import { type Attack, attack, headWithout, wrongTokens } from "./Attack.ts"

const json = (port: number, body: string, more: Readonly<Record<string, string>> = {}, line?: string): string =>
  head(port, { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)), ...more }, line) +
  body

const run = runBody("attacked", "one")

/** A run without the header. */
const runWithout = (name: string) => (port: number) =>
  headWithout([name], { "Content-Type": "application/json", "Content-Length": String(run.length) })(port) + run

/** Raw text: `%p` is the port, `%a` the right authorization. */
const raw =
  (text: string) =>
  ({ port }: { readonly port: number }): string =>
    text.replaceAll("%p", String(port)).replaceAll("%a", `Authorization: Bearer ${token}`)

const withoutToken: ReadonlyArray<Attack> = [
  { name: "no token", bytes: ({ port }) => runWithout("authorization")(port), reply: [401, "UNAUTHORIZED"] },
  ...wrongTokens.map(
    ([what, header]): Attack => ({
      name: what,
      bytes: ({ port }) => json(port, run, { Authorization: header }),
      reply: [401, "UNAUTHORIZED"]
    })
  ),
  {
    name: "a wrong token before the right one",
    bytes: raw("GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\nAuthorization: Bearer no\r\n%a\r\n\r\n"),
    reply: [401, "UNAUTHORIZED"]
  },
  {
    name: "a wrong token behind the right one",
    bytes: raw("GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\nAuthorization: Bearer no\r\n\r\n"),
    reply: [401, "UNAUTHORIZED"]
  },
  {
    name: "the right token in two headers",
    bytes: raw("GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n%a\r\n\r\n"),
    reply: [401, "UNAUTHORIZED"]
  },
  {
    name: "the token in the query",
    bytes: raw(`GET /info?token=${token}&access_token=${token} HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n\r\n`),
    reply: [401, "UNAUTHORIZED"]
  },
  {
    name: "the token as a user of the address",
    bytes: raw(`GET http://${token}@127.0.0.1:%p/info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n\r\n`),
    reply: [401, "UNAUTHORIZED"]
  },
  {
    name: "the token in a cookie",
    bytes: raw(`GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\nCookie: authorization=Bearer ${token}\r\n\r\n`),
    reply: [401, "UNAUTHORIZED"]
  },
  {
    name: "the token under another name",
    bytes: raw(`GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\nProxy-Authorization: Bearer ${token}\r\n\r\n`),
    reply: [401, "UNAUTHORIZED"]
  }
]

const routes = ["GET /nowhere", "GET /info", "POST /agent/default/run", ...Object.values(paths)]

const onEveryRoute: ReadonlyArray<Attack> = routes.map((route) => ({
  name: route,
  bytes: raw(
    `${route} HTTP/1.1\r\nHost: 127.0.0.1:%p\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}`
  ),
  reply: [401, "UNAUTHORIZED"]
}))

const origins = [
  "http://evil.example",
  "https://127.0.0.1",
  "null",
  "file://",
  "http://localhost.evil.example",
  "*",
  "x"
]

const fromPages: ReadonlyArray<Attack> = [
  ...origins.map(
    (origin): Attack => ({
      name: `a page of ${origin}, with the token`,
      bytes: ({ port }) => json(port, run, { Origin: origin }),
      reply: [403, "ORIGIN_REFUSED"]
    })
  ),
  {
    name: "a page with two origins",
    bytes: raw(
      "GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\nOrigin: http://127.0.0.1:%p\r\nOrigin: http://evil.example\r\n\r\n"
    ),
    reply: [403, "ORIGIN_REFUSED"]
  },
  {
    name: "the question of a foreign page whether it may ask",
    bytes: raw(
      "OPTIONS / HTTP/1.1\r\nHost: 127.0.0.1:%p\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization\r\nAccess-Control-Request-Private-Network: true\r\n\r\n"
    ),
    reply: [403, "ORIGIN_REFUSED"]
  },
  // What a page may send without asking first. Old browsers send no Origin with a form, so the type has to do.
  ...[
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain; x=application/json"
  ].map(
    (type): Attack => ({
      name: `a form as ${type}, even with the token`,
      bytes: ({ port }) => json(port, run, { "Content-Type": type }),
      reply: [415, "UNSUPPORTED_MEDIA_TYPE"]
    })
  ),
  {
    name: "a form of a page, which has no token",
    bytes: ({ port }) =>
      headWithout(["authorization"], {
        "Content-Type": "text/plain",
        "Content-Length": String(run.length),
        "Sec-Fetch-Mode": "no-cors",
        "Sec-Fetch-Site": "cross-site"
      })(port) + run,
    reply: [401, "UNAUTHORIZED"]
  },
  {
    name: "a body without a type",
    bytes: ({ port }) => runWithout("content-type")(port),
    reply: [415, "UNSUPPORTED_MEDIA_TYPE"]
  },
  {
    name: "a compressed body",
    bytes: ({ port }) => json(port, run, { "Content-Encoding": "gzip" }),
    reply: [415, "UNSUPPORTED_MEDIA_TYPE"]
  }
]

const hosts = [
  "evil.example:%p",
  "127.0.0.1.evil.example:%p",
  "localhost.evil.example:%p",
  "127.0.0.1:1",
  "127.0.0.1",
  "0.0.0.0:%p",
  "192.168.0.1:%p",
  "[::2]:%p"
]
const brokenHosts = ["user@127.0.0.1:%p", "127.0.0.1:%p, evil.example", "127.0.0.1:%p/", "", "127.0.0.1:999999"]

const underOtherNames: ReadonlyArray<Attack> = [
  ...hosts.map(
    (host): Attack => ({
      name: `the host ${host}, with the token`,
      bytes: raw(`GET /info HTTP/1.1\r\nHost: ${host}\r\n%a\r\n\r\n`),
      reply: [403, "HOST_REFUSED"]
    })
  ),
  ...brokenHosts.map(
    (host): Attack => ({
      name: `the host "${host}", with the token`,
      bytes: raw(`GET /info HTTP/1.1\r\nHost: ${host}\r\n%a\r\n\r\n`),
      reply: [400, "BAD_REQUEST"]
    })
  ),
  { name: "no host", bytes: raw("GET /info HTTP/1.1\r\n%a\r\n\r\n"), reply: [400, "BAD_REQUEST"] },
  { name: "no host in HTTP/1.0", bytes: raw("GET /info HTTP/1.0\r\n%a\r\n\r\n"), reply: [400, "BAD_REQUEST"] },
  {
    name: "two hosts",
    bytes: raw("GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\nHost: evil.example\r\n%a\r\n\r\n"),
    reply: [400, "BAD_REQUEST"]
  },
  {
    name: "an address of another server",
    bytes: raw("GET http://evil.example/info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n\r\n"),
    reply: [400, "BAD_REQUEST"]
  },
  {
    name: "an address of another server as the host, too",
    bytes: raw("GET http://evil.example/info HTTP/1.1\r\nHost: evil.example\r\n%a\r\n\r\n"),
    reply: [403, "HOST_REFUSED"]
  }
]

const nowhere = [
  "/..",
  "/../info",
  "/%2e%2e/info",
  "/./info",
  "/info/..",
  "/info%2f",
  "/agent%2fdefault%2frun",
  "/info;x",
  "/info%00",
  "/%00",
  "/\\info",
  "/..%5cinfo",
  "/%c0%af",
  "/INFO",
  "/info.",
  "/agent/default/stop",
  "/etc/passwd",
  "/__proto__",
  "/constructor"
]
const unreadable = ["/%", "/%zz", "/%c0%af", "info", "*", "?"]

const byPath: ReadonlyArray<Attack> = [
  ...nowhere
    .filter((path) => !unreadable.includes(path))
    .map(
      (path): Attack => ({
        name: `the path ${path}`,
        bytes: raw(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n\r\n`),
        reply: [404, "NOT_FOUND"]
      })
    ),
  ...unreadable.map(
    (path): Attack => ({
      name: `the path ${path}`,
      bytes: raw(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n\r\n`),
      reply: [400, "BAD_REQUEST"]
    })
  ),
  ...["//info", "/info?x=%00", "/info#x"].map(
    (path): Attack => ({
      name: `the path ${path}, without the token`,
      bytes: raw(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n\r\n`),
      reply: [401, "UNAUTHORIZED"]
    })
  ),
  {
    name: "a path that is too long",
    bytes: raw(`GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n\r\n`),
    reply: [431, "HEADERS_TOO_LARGE"]
  },
  {
    name: "a NUL in the path",
    bytes: raw("GET /info\0 HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n\r\n"),
    reply: [400, "BAD_REQUEST"]
  },
  {
    name: "an agent nobody has",
    bytes: ({ port }) => json(port, run, {}, "POST /agent/..%2f..%2fetc/run HTTP/1.1"),
    reply: [404, "AGENT_NOT_FOUND"]
  },
  {
    name: "a thread with a line end in its name",
    bytes: ({ port }) => json(port, runBody("a\nb", "one")),
    reply: [400, "BAD_THREAD_ID"]
  },
  {
    name: "a thread with a name of a megabyte",
    bytes: ({ port }) => json(port, runBody("x".repeat(1_000_000), "one")),
    reply: [400, "BAD_THREAD_ID"]
  }
]

const byMethod: ReadonlyArray<Attack> = [
  ...["TRACE", "PUT", "PATCH", "HEAD", "PROPFIND", "M-SEARCH"].map(
    (method): Attack => ({
      name: method,
      bytes: raw(`${method} /agent/default/run HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n\r\n`),
      reply: [405, method === "HEAD" ? "" : "METHOD_NOT_ALLOWED"]
    })
  ),
  {
    name: "CONNECT",
    bytes: raw("CONNECT evil.example:443 HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n\r\n"),
    reply: [405, "METHOD_NOT_ALLOWED"]
  },
  {
    name: "a method that is none",
    bytes: raw("STEAL /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n\r\n"),
    reply: [400, "BAD_REQUEST"]
  },
  {
    name: "another method in a header",
    bytes: raw("GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\nX-HTTP-Method-Override: POST\r\n\r\n"),
    reply: [401, "UNAUTHORIZED"]
  },
  {
    name: "an upgrade to a WebSocket",
    bytes: raw(
      "GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ),
    reply: [404, "NOT_FOUND"]
  },
  {
    name: "an upgrade to HTTP/2",
    bytes: raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    reply: [400, "BAD_REQUEST"]
  },
  {
    name: "an expectation nobody meets",
    bytes: raw("GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\nExpect: the-unexpected\r\n\r\n"),
    reply: [400, "BAD_REQUEST"]
  },
  { name: "TLS", bytes: () => Buffer.from("160301020001000001fc0303", "hex"), reply: [400, "BAD_REQUEST"] },
  { name: "no HTTP at all", bytes: () => "hello\r\n\r\n", reply: [400, "BAD_REQUEST"] }
]

const smuggled = "POST / HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\nContent-Type: application/json\r\n"

const smuggling: ReadonlyArray<Attack> = (
  [
    ["both lengths", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /info HTTP/1.1\r\n\r\n"],
    ["two lengths", "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde"],
    ["a length with a sign", "Content-Length: +4\r\n\r\nabcd"],
    ["a length below nothing", "Content-Length: -1\r\n\r\n"],
    ["a length in hex", "Content-Length: 0x4\r\n\r\nabcd"],
    ["a length beyond all numbers", "Content-Length: 99999999999999999999999\r\n\r\n"],
    ["a coding nobody knows", "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"],
    ["a coding that hides another", "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"],
    ["a space before the colon", "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"],
    ["a folded header", "X: 1\r\n Transfer-Encoding: chunked\r\n\r\n"],
    ["bare line feeds", "Content-Length: 0\n\n"],
    ["a bare carriage return", "X: 1\rTransfer-Encoding: chunked\r\n\r\n"],
    ["a NUL in a header", "X: \0\r\n\r\n"],
    ["a chunk that is not as long as it says", "Transfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n0\r\n\r\n"],
    ["a chunk of no number", "Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n"],
    ["a chunk beyond all numbers", "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"]
  ] as const
).map(([name, rest]) => ({ name, bytes: raw(smuggled + rest), reply: [400, "BAD_REQUEST"] }))

const headersOf = (count: number, size: number): string =>
  Array.from({ length: count }, (_, n) => `X-${n}: ${"x".repeat(size)}\r\n`).join("")

const floods: ReadonlyArray<Attack> = [
  {
    name: "200 headers",
    bytes: raw(`GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n${headersOf(200, 1)}\r\n`),
    reply: [431, "HEADERS_TOO_LARGE"]
  },
  {
    name: "an origin behind so many headers that nobody looks",
    bytes: raw(
      `GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n${headersOf(120, 1)}Origin: http://evil.example\r\n\r\n`
    ),
    reply: [431, "HEADERS_TOO_LARGE"]
  },
  {
    name: "a header of 100 KB",
    bytes: raw(`GET /info HTTP/1.1\r\nHost: 127.0.0.1:%p\r\n%a\r\n${headersOf(1, 100_000)}\r\n`),
    mayBeCut: true,
    reply: [431, "HEADERS_TOO_LARGE"]
  },
  {
    name: "headers without an end",
    bytes: function* ({ port }) {
      yield head(port).slice(0, -2)
      for (let n = 0; n < 10_000; n++) yield headersOf(100, 100)
    },
    mayBeCut: true,
    reply: [431, "HEADERS_TOO_LARGE"]
  },
  {
    name: "trailers without an end",
    bytes: function* ({ port }) {
      yield `${head(port, { "Content-Type": "application/json", "Transfer-Encoding": "chunked" })}0\r\n`
      for (let n = 0; n < 10_000; n++) yield headersOf(100, 100)
    },
    mayBeCut: true,
    reply: [431, "HEADERS_TOO_LARGE"]
  },
  {
    name: "JSON that is 100,000 deep",
    bytes: ({ port }) => json(port, `${"[".repeat(100_000)}${"]".repeat(100_000)}`),
    reply: [400, "TOO_DEEP"]
  },
  {
    name: "objects that are 100,000 deep, in a run",
    bytes: ({ port }) => json(port, run.replace("[]", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`)),
    reply: [400, "TOO_DEEP"]
  },
  { name: "JSON that is none", bytes: ({ port }) => json(port, "{]"), reply: [400, "BAD_JSON"] },
  {
    name: "JSON that is not UTF-8",
    bytes: ({ port }) => [
      head(port, { "Content-Type": "application/json", "Content-Length": "3" }),
      Buffer.from([0x22, 0xff, 0x22])
    ],
    reply: [400, "BAD_JSON"]
  },
  { name: "a run that is none", bytes: ({ port }) => json(port, '{"threadId":7}'), reply: [400, "BAD_INPUT"] },
  {
    name: "a run with a prototype",
    bytes: ({ port }) => json(port, '{"__proto__":{"threadId":"t","runId":"r","messages":[]}}'),
    reply: [400, "BAD_INPUT"]
  }
]

const megabyte = Buffer.alloc(1_000_000, "x")

/** Sends a gigabyte, unless it is stopped; tells how much it has sent. */
const gigabyte = (headers: Readonly<Record<string, string>>, chunked: boolean, sent: { megabytes: number }) =>
  function* ({ port }: { readonly port: number }) {
    sent.megabytes = 0
    yield head(port, { "Content-Type": "application/json", ...headers })
    for (; sent.megabytes < 1000; sent.megabytes++) {
      yield chunked ? Buffer.concat([Buffer.from("F4240\r\n"), megabyte, Buffer.from("\r\n")]) : megabyte
    }
  }

const sent = { megabytes: 0 }
const length = { "Content-Length": "1000000000" }
const chunked = { "Transfer-Encoding": "chunked" }
const wrong = { Authorization: "Bearer wrong-wrong-wrong-wrong" }

const huge: ReadonlyArray<Attack> = [
  { name: "declared", bytes: gigabyte(length, false, sent), mayBeCut: true, reply: [413, "BODY_TOO_LARGE"] },
  { name: "in chunks", bytes: gigabyte(chunked, true, sent), mayBeCut: true, reply: [413, "PART_TOO_LARGE"] },
  {
    name: "declared, without the token",
    bytes: gigabyte({ ...length, ...wrong }, false, sent),
    mayBeCut: true,
    reply: [401, "UNAUTHORIZED"]
  },
  {
    name: "in chunks, without the token",
    bytes: gigabyte({ ...chunked, ...wrong }, true, sent),
    mayBeCut: true,
    reply: [401, "UNAUTHORIZED"]
  }
]

let serve: ServeProcess
let open: Wire
let before: Counts

beforeAll(async () => {
  serve = await startServe()
  open = wireTo(serve.port)
  open.socket.write(runRequest(serve.port, runBody("open all along", "count")))
  await open.until((got) => got.includes("TEXT_MESSAGE_CONTENT"))
  before = countsOf(serve.pid)
})

afterAll(async () => {
  await serve?.stop()
})

/** How many refusals of a code were sent out. */
const refused = new Map<string, number>()

/** How many the log tells of: each has a line, and a flood of them one with a count. */
const logged = (code: string): number =>
  serve
    .log()
    .filter((entry) => entry["code"] === code)
    .reduce((sum, { count, event }) => sum + (event === "request refused" ? 1 : Number(count ?? 0)), 0)

const expectRefused = async ({ bytes, mayBeCut = false, reply: [status, code] }: Attack): Promise<void> => {
  const answer = await attack(serve, bytes(serve))
  if (!mayBeCut || answer.status !== undefined) expect([answer.status, answer.code ?? ""]).toEqual([status, code])
  expect(answer.text).not.toContain(token)
  expect(answer.text.toLowerCase()).not.toContain("access-control-allow-origin")
  if (code !== "") refused.set(code, (refused.get(code) ?? 0) + 1)
}

const rooms: ReadonlyArray<readonly [room: string, attacks: ReadonlyArray<Attack>]> = [
  ["without the token", withoutToken],
  ["without the token on the route", onEveryRoute],
  ["from a page", fromPages],
  ["under another name", underOtherNames],
  ["by path", byPath],
  ["by method and protocol", byMethod],
  ["by smuggling", smuggling],
  ["by too much", floods]
]

describe.each(rooms)("%s", (_, attacks) => {
  test.each(attacks)("$name", expectRefused)
})

describe("a body of a gigabyte", () => {
  test.each(huge)("$name: is neither read to the end nor kept", async (row) => {
    const peak = peakMegabytes(serve.pid)
    await expectRefused(row)
    expect(sent.megabytes).toBeLessThan(100)
    expect(peakMegabytes(serve.pid) - peak).toBeLessThan(100)
  })
})

describe("many requests on one connection", () => {
  test("are each asked for the token", async () => {
    const { closed, got, socket } = wireTo(serve.port)
    const ask = (authorization: string) =>
      `GET /info HTTP/1.1\r\nHost: 127.0.0.1:${serve.port}\r\nAuthorization: ${authorization}\r\n\r\n`
    const statuses = () => [...got().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    socket.write([`Bearer ${token}`, `Bearer ${token}`, "Bearer x", `Bearer ${token}`].map(ask).join(""))
    await closed
    // What comes after a refusal is not read.
    expect(statuses()).toEqual(["200", "200", "401"])
  })
  test("by the thousand, without reading the answers, are not kept in memory", async () => {
    const peak = peakMegabytes(serve.pid)
    const { closed, socket } = wireTo(serve.port)
    socket.pause()
    const request = `GET /info HTTP/1.1\r\nHost: 127.0.0.1:${serve.port}\r\n\r\n`.repeat(100)
    for (let n = 0; n < 300; n++) {
      if (!socket.write(request) && n > 250) break
      await new Promise((resolve) => setImmediate(resolve))
    }
    socket.destroy()
    await closed
    expect(peakMegabytes(serve.pid) - peak).toBeLessThan(100)
  })
})

describe("after all this", () => {
  test("each refusal is in the log", async () => {
    for (const [code, count] of refused)
      await Effect.runPromise(eventually(() => logged(code) >= count)).catch(() =>
        expect.unreachable(`${code}: ${logged(code)} of ${count} are in the log`)
      )
  })
  test("nothing was run", () => {
    expect(serve.log().filter(({ event }) => event === "run started")).toHaveLength(1)
    expect(serve.log().filter(({ event }) => event === "agent started")).toHaveLength(1)
  })
  test("the run that was open ends with exactly its text", async () => {
    writeFileSync(join(serve.project, "stop-counting"), "")
    await open.until(hasFinished)
    await Effect.runPromise(eventually(() => existsSync(join(serve.project, "counted"))))
    expect(textIn(eventsIn(open.got().replace(/\r\n[0-9a-f]+\r\n/g, "")))).toBe(
      readFileSync(join(serve.project, "counted"), "utf8")
    )
    open.socket.destroy()
  })
  test("processes, sockets and pipes are back", () => Effect.runPromise(backTo(before, serve.pid)))
  test("the log has neither the token nor what was sent with it", () => {
    expect(serve.err()).not.toContain(token)
    expect(serve.err()).not.toContain("evil.example")
    expect(serve.err()).not.toContain(token.slice(0, -1))
    expect(serve.log().filter(({ level }) => level === "error")).toEqual([])
  })
  test("the server ends in order", async () => {
    expect(await serve.stop()).toBe(0)
  })
})
