/**
 * Where clients come in: a WebSocket on the bridge's own port, beside all other faces, and a unix socket.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import * as Effect from "effect/Effect"
import { afterEach, assert, describe, it } from "vitest"
import { WebSocket } from "ws"
import { makeAppServer } from "../../../src/face/appserver/AppServer.ts"
import { makeSocketDoor } from "../../../src/face/appserver/SocketDoor.ts"
import { streamChannel } from "../../../src/face/appserver/StreamChannel.ts"
import { listenOnUnixSocket } from "../../../src/face/appserver/UnixDoor.ts"
import { fakeSessions } from "../../FakeSessions.ts"
import { token } from "../../Serving.ts"
import { managed } from "../management/Managed.ts"
import { CodexClient } from "./CodexClient.ts"

const appServer = { runtime: "claude", cwd: "/" } as const

let clients: Array<CodexClient> = []

afterEach(() => {
  const faults = clients.flatMap((client) => client.faults)
  clients = []
  assert.deepStrictEqual(faults, [])
})

const clientOf = (write: (line: string) => void): CodexClient => {
  const client = new CodexClient(write)
  clients.push(client)
  return client
}

/** A client over a WebSocket; the status of the refusal, where it is refused. */
const open = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<CodexClient | number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers })
    const client = clientOf((line) => socket.send(line))
    socket.on("message", (data) => client.receive(String(data)))
    socket.on("close", () => client.end())
    socket.on("open", () => resolve(client))
    socket.on("unexpected-response", (request, { statusCode }) => {
      request.destroy()
      resolve(statusCode ?? 0)
    })
    socket.on("error", reject)
  })

const opened = async (url: string, headers?: Readonly<Record<string, string>>): Promise<CodexClient> => {
  const client = await open(url, headers)
  if (typeof client === "number") throw new Error(`refused with ${client}`)
  return client
}

const bearer = { authorization: `Bearer ${token}` }

describe("a WebSocket", () => {
  it("is a client of the same sessions as all others", () =>
    managed(
      async ({ client: management, server }) => {
        const url = server.url.replace("http", "ws")
        const client = await opened(url, bearer)
        await client.hello()
        const thread = await client.start()
        assert.strictEqual((await client.turn(thread, "Hi"))["status"], "completed")
        const { sessions } = await management.sessions.list()
        assert.deepStrictEqual(
          sessions.map(({ threadId, title }) => [threadId, title]),
          [[thread, "Hi"]]
        )
        // Somebody else speaks: whoever follows hears it.
        const from = client.heard.length
        await management.sessions.send(thread, { content: "From the page" })
        await client.notified("turn/completed", () => true, from)
        assert.include(JSON.stringify(client.items()), "From the page")
        const other = await opened(`${url}/app-server`, bearer)
        await other.hello()
      },
      { http: { appServer }, session: { approvals: "interrupt" } }
    ))

  it("lets in who has the token, from no foreign page, and only where it is", () =>
    managed(
      async ({ server }) => {
        const url = server.url.replace("http", "ws")
        assert.deepStrictEqual(
          await Promise.all([
            open(url),
            open(url, { authorization: "Bearer wrong" }),
            open(url, { ...bearer, origin: "http://evil.example" }),
            open(url, { ...bearer, host: "evil.example" }),
            open(`${url}/elsewhere`, bearer)
          ]),
          [401, 401, 403, 403, 404]
        )
      },
      { http: { appServer } }
    ))

  it("drops what is no single message", () =>
    managed(
      async ({ server }) => {
        const client = await opened(server.url.replace("http", "ws"), bearer)
        client.sendLine('{"id":1,"method":"model/list"}\n{"id":2,"method":"model/list"}')
        await client.hello()
        assert.strictEqual(client.heard.length, 1)
      },
      { http: { appServer } }
    ))

  it("is not there unless somebody wants it", () =>
    managed(async ({ server }) => {
      assert.notInstanceOf(await open(server.url.replace("http", "ws"), bearer).catch(() => 0), CodexClient)
    }))
})

describe("a unix socket", () => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-"))

  it("is for its user alone, and takes the place of one that was left behind", async () => {
    const path = join(folder, "s.sock")
    const serve = (use: () => Promise<void>) =>
      Effect.gen(function* () {
        const server = yield* makeAppServer(appServer)
        yield* listenOnUnixSocket(path, yield* makeSocketDoor(server, { access: "file" }))
        yield* Effect.promise(use)
        const second = yield* Effect.flip(listenOnUnixSocket(path, () => undefined))
        assert.strictEqual(second.code, "SOCKET_IN_USE")
      }).pipe(Effect.scoped, Effect.provide(fakeSessions().layer), Effect.runPromise)
    for (let round = 0; round < 2; round++)
      await serve(async () => {
        assert.strictEqual(statSync(path).mode & 0o777, 0o600)
        const client = await opened(`ws+unix://${path}:/`)
        await client.hello()
      })
    const file = join(folder, "file")
    writeFileSync(file, "")
    const refused = await Effect.runPromise(Effect.scoped(Effect.flip(listenOnUnixSocket(file, () => undefined))))
    assert.strictEqual(refused.code, "SOCKET_FAILED")
    const nowhere = Effect.flip(listenOnUnixSocket(join(folder, "none", "s.sock"), () => undefined))
    assert.include(
      (await Effect.runPromise(Effect.scoped(nowhere))).message,
      `there is no folder ${join(folder, "none")}`
    )
    rmSync(folder, { recursive: true })
  })
})

describe("a pipe", () => {
  it("is served to its end, lines cut anywhere", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const client = clientOf(() => undefined)
    output.on("data", (chunk: Buffer) => {
      for (const line of chunk.toString().split("\n").filter(Boolean)) client.receive(line)
    })
    const served = Effect.gen(function* () {
      yield* (yield* makeAppServer(appServer)).serve(streamChannel(input, output))
    }).pipe(Effect.scoped, Effect.provide(fakeSessions().layer), Effect.runPromise)
    const line = '{"id":"ü","method":"initialize","params":{"clientInfo":{"name":"t","version":"1"}}}\r\n'
    for (const byte of Buffer.from(line)) input.write(Buffer.from([byte]))
    await client.until(({ id }) => id === "ü")
    input.end()
    await served
  })

  it("that is closed right after the last request gives every answer", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const client = clientOf(() => undefined)
    output.on("data", (chunk: Buffer) => {
      for (const line of chunk.toString().split("\n").filter(Boolean)) client.receive(line)
    })
    const asked = [
      { id: 1, method: "initialize", params: { clientInfo: { name: "t", version: "1" } } },
      { id: 2, method: "model/list", params: {} },
      { id: 3, method: "thread/start", params: {} }
    ]
    input.end(asked.map((request) => `${JSON.stringify(request)}\n`).join(""))
    await Effect.gen(function* () {
      yield* (yield* makeAppServer(appServer)).serve(streamChannel(input, output))
    }).pipe(Effect.scoped, Effect.provide(fakeSessions().layer), Effect.runPromise)
    assert.deepStrictEqual(
      client.heard.flatMap(({ id, result }) => (result === undefined ? [] : [id])).sort(),
      [1, 2, 3]
    )
  })
})
