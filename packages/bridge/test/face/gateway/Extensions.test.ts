/**
 * Further methods and events, by the port that hosts of extensions fill.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { assert, it } from "vitest"
import {
  GatewayExtensions,
  GatewayMethodFailed,
  type GatewayNews,
  type GatewayPrompted
} from "../../../src/face/gateway/Extensions.ts"
import { serveHttp } from "../../../src/server/HttpServer.ts"
import { fakeSessions } from "../../FakeSessions.ts"
import { token } from "../../Serving.ts"
import { connect, type PlainClient } from "./PlainClient.ts"

const withExtensions = (
  use: (
    client: PlainClient,
    host: { readonly news: (event: GatewayNews) => void; readonly prompted: Array<GatewayPrompted> },
    url: string
  ) => Promise<void>
): Promise<void> =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<GatewayNews>()
    const prompted: Array<GatewayPrompted> = []
    const extensions = Layer.succeed(GatewayExtensions, {
      methods: () => new Set(["voice.speak", "voice.break", "voice.crash", "session.list"]),
      call: (method, params, caller) =>
        method === "voice.crash"
          ? Effect.die(new Error("a bug"))
          : method === "voice.break"
            ? Effect.fail(new GatewayMethodFailed({ code: "EXTENSION_FAILED", message: "No voice." }))
            : Effect.succeed({ spoken: params["text"], by: caller.sessionId ?? null }),
      events: Stream.fromQueue(queue),
      prompted: (prompt) => Effect.sync(() => void prompted.push(prompt)),
      health: Effect.succeed({ voice: { ok: false, details: { why: "hoarse" } } })
    })
    yield* Effect.gen(function* () {
      const { url } = yield* serveHttp({ port: 0, access: { token: Redacted.make(token) }, gateway: {} })
      yield* Effect.promise(async () => {
        const client = await connect(url, token)
        await use(client, { news: (event) => void Queue.offerUnsafe(queue, event), prompted }, url)
      })
    }).pipe(Effect.scoped, Effect.provide(fakeSessions().layer), Effect.provide(extensions))
  }).pipe(Effect.runPromise)

it("methods are called, and what they fail with is told", () =>
  withExtensions(async (client) => {
    assert.deepStrictEqual(await client.ask("voice.speak", { text: "Hi" }), { spoken: "Hi", by: null })
    const broken = await client.call("voice.break")
    assert.deepStrictEqual([broken.ok, broken.code, broken.error], [false, "EXTENSION_FAILED", "No voice."])
    assert.strictEqual((await client.call("voice.crash")).code, "INTERNAL")
    assert.strictEqual((await client.call("voice.sing")).code, "UNKNOWN_METHOD")
    // The gateway's own names win.
    assert.deepStrictEqual((await client.ask("session.list"))["sessions"], [])
  }))

it("events are told to those who want them", () =>
  withExtensions(async (client, host, url) => {
    const other = await connect(url, token)
    await client.ask("subscribe", { events: ["voice.*"] })
    await other.ask("subscribe", { events: ["session.*"] })
    host.news({ event: "voice.spoken", payload: { text: "Hi" } })
    assert.deepStrictEqual((await client.told("voice.spoken")).payload, { text: "Hi" })
    await other.ask("session.info")
    assert.deepStrictEqual(other.events(), [])
  }))

it("a prompt with a source is told before it is said", () =>
  withExtensions(async (client, { prompted }) => {
    const { messageId, promptId, sessionId, source } = await client.ask("session.prompt", {
      content: "Hi",
      source: "mail/1"
    })
    assert.deepStrictEqual(prompted, [{ promptId, messageId, sessionId, source }] as unknown as Array<GatewayPrompted>)
    await client.ask("session.prompt", { content: "Hi", sessionId: "other" }).catch(() => undefined)
    assert.strictEqual(prompted.length, 1)
  }))

it("how they are is in /health", () =>
  withExtensions(async (_, __, url) => {
    const health = await (await fetch(`${url}/health`, { headers: { authorization: `Bearer ${token}` } })).json()
    assert.deepInclude(health, { clients: 1, extensions: { voice: { ok: false, details: { why: "hoarse" } } } })
  }))
