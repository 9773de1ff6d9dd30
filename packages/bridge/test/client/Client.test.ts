/**
 * The typed client against a real server, over connections that break.
 */
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { fileURLToPath } from "node:url"
import type { Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { build } from "esbuild"
import { assert, describe, it } from "vitest"
import { makeClient } from "../../src/client/Client.ts"
import { ManagementError } from "../../src/client/ManagementError.ts"
import type { Listening } from "../../src/server/HttpServer.ts"
import { managed } from "../face/management/Managed.ts"
import { token } from "../Serving.ts"

/** The error that a promise rejects with. */
const failureOf = (promise: Promise<unknown>): Promise<ManagementError> =>
  promise.then(
    () => assert.fail("it should have failed"),
    (error: unknown) => (error instanceof ManagementError ? error : assert.fail(String(error)))
  )

interface Way {
  readonly host: string
  /** Where it leads to. */
  to: Pick<Listening, "host" | "port"> | undefined
  readonly close: () => void
}

/** A way that breaks after so many bytes of answers, again and again. */
const breaking = async (bytes: () => number): Promise<Way> => {
  const sockets = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(way.to?.port ?? 0, way.to?.host)
    let left = bytes()
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => [near, far].forEach((each) => void each.destroy()))
    }
    near.pipe(far)
    far.on("data", (chunk: Buffer) => {
      near.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) near.destroySoon()
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const way: Way = {
    host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    to: undefined,
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    }
  }
  return way
}

const words = (count: number): ReadonlyArray<Model.EventOf<"noticed">> =>
  Array.from({ length: count }, (_, index) => ({ type: "noticed", lane: null, name: "word", value: index }))

describe("the client", () => {
  it("reads a stream whole and in order over connections that break anywhere", async () => {
    let turn = 0
    const way = await breaking(() => 600 + ((turn++ * 997) % 4000))
    await managed(
      async ({ client, server, sessions }) => {
        way.to = server
        await client.sessions.create({ threadId: "t" })
        const session = await Effect.runPromise(sessions.open("t"))
        const events = words(300)
        session.log.append([{ type: "turn_started", cause: "agent" }])
        session.log.append(events)
        const broken = makeClient({ url: `http://${way.host}`, token, maxRetryDelay: 1 })
        const got: Array<unknown> = []
        for await (const frame of broken.sessions.events("t", { from: 0 })) {
          if (frame.event === "closed") break
          assert.strictEqual(frame.seq, got.length)
          got.push(frame.data)
          if (got.length === events.length + 1) await client.sessions.remove("t")
        }
        assert.deepInclude(got[0], { type: "RUN_STARTED" })
        assert.deepStrictEqual(
          got.slice(1),
          events.map(({ name, value }) => ({ type: "CUSTOM", name, value }))
        )
        assert.isAbove(turn, 5, "it broke")
      },
      { http: { access: { token: Redacted.make(token), allowedHosts: [way.host] } } }
    ).finally(way.close)
  })

  it("has the events of a session as they are, or with their lines, in types, too", async () => {
    await managed(async ({ client, sessions }) => {
      await client.sessions.create({ threadId: "t" })
      const session = await Effect.runPromise(sessions.open("t"))
      session.log.append([{ type: "turn_started", cause: "agent" }], 3)
      for (const options of [{ from: 0 }, { from: 0, lines: false }] as const)
        for await (const frame of client.sessions.events("t", options)) {
          assert(frame.event === "message" && frame.data.type === "RUN_STARTED")
          break
        }
      for await (const frame of client.sessions.events("t", { from: 0, lines: true })) {
        assert(frame.event === "message" && frame.data.event.type === "RUN_STARTED" && frame.data.line === 3)
        break
      }
    })
  })

  it("ends a stream quietly with its signal, also while it waits", async () => {
    await managed(async ({ client }) => {
      await client.sessions.create({ threadId: "t" })
      const leaving = new AbortController()
      let frames = 0
      for await (const frame of client.sessions.events("t", { signal: leaving.signal })) {
        assert.strictEqual(frame.event, "snapshot")
        frames++
        queueMicrotask(() => leaving.abort())
      }
      assert.strictEqual(frames, 1)
    })
  })

  it("tells refusals by their codes", async () => {
    await managed(async ({ client, server }) => {
      const missing = await failureOf(client.sessions.get("none"))
      assert.deepStrictEqual([missing.code, missing.status], ["SESSION_NOT_FOUND", 404])
      const folder = await failureOf(client.sessions.create({ cwd: "relative" }))
      assert.deepStrictEqual([folder.code, folder.why], ["FOLDER_REFUSED", "CWD_NOT_ABSOLUTE"])
      const stranger = makeClient({ url: server.url, token: "wrong" })
      assert.strictEqual((await failureOf(stranger.sessions.list())).code, "UNAUTHORIZED")
      const stream = stranger.sessions.events("t")[Symbol.asyncIterator]()
      assert.strictEqual((await failureOf(stream.next())).code, "UNAUTHORIZED")
    })
  })

  it("tells a server that is not there, or another one", async () => {
    const nobody = makeClient({ url: "http://127.0.0.1:1", token })
    assert.strictEqual((await failureOf(nobody.server.health())).code, "UNREACHABLE")
    const other = makeClient({ url: "http://x", fetch: async () => new Response("<html>", { status: 502 }) })
    const failure = await failureOf(other.server.health())
    assert.deepStrictEqual([failure.code, failure.status], ["BAD_RESPONSE", 502])
    const html = makeClient({ url: "http://x", fetch: async () => new Response("<html>") })
    assert.strictEqual((await failureOf(html.server.health())).code, "BAD_RESPONSE")
  })

  it("does not ask for what a URL would change", async () => {
    const asked: Array<string> = []
    const client = makeClient({
      url: "http://x/",
      fetch: async (url) => {
        asked.push(url)
        return new Response("{}")
      }
    })
    for (const threadId of ["", ".", ".."])
      assert.strictEqual((await failureOf(client.sessions.remove(threadId))).code, "BAD_INPUT")
    await client.sessions.contextUsage("a/../b?c", { detail: "full" })
    assert.deepStrictEqual(asked, ["http://x/api/sessions/a%2F..%2Fb%3Fc/context-usage?detail=full"])
  })

  it("brings neither Node nor Effect into a page", async () => {
    const { metafile } = await build({
      entryPoints: [fileURLToPath(new URL("../../src/client/index.ts", import.meta.url))],
      bundle: true,
      write: false,
      platform: "browser",
      format: "esm",
      conditions: ["agentwire-source"],
      metafile: true
    })
    const strangers = Object.keys(metafile.inputs).filter(
      (path) => !/bridge\/src\/(client|face\/management\/Paths)|protocol\/src\/wire\/[A-Za-z]+\.ts/.test(path)
    )
    assert.deepStrictEqual(strangers, [])
  })
})
