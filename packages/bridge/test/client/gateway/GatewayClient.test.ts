/**
 * The client of the gateway, against a real one; and against connections that break.
 */
import { connect, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import { assert, describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import {
  type GatewayClient,
  type GatewayClientOptions,
  makeGatewayClient
} from "../../../src/client/gateway/GatewayClient.ts"
import { GatewayError } from "../../../src/client/gateway/GatewayError.ts"
import type { GatewaySocketClass, SessionEvent } from "../../../src/client/gateway/index.ts"
import { init, isPrompt, text } from "../../AgentLines.ts"
import { type Managed, managed } from "../../face/management/Managed.ts"
import { token } from "../../Serving.ts"

const SocketClass = WebSocket as unknown as GatewaySocketClass

const withClient = (
  use: (client: GatewayClient, bridge: Managed) => Promise<void>,
  options: Partial<GatewayClientOptions> = {},
  url = (own: string): string => own
): Promise<void> =>
  managed(
    async (bridge) => {
      const client = makeGatewayClient({
        url: url(bridge.server.url),
        token,
        WebSocket: SocketClass,
        maxRetryDelay: 20,
        ...options
      })
      try {
        await use(client, bridge)
      } finally {
        client.close()
      }
    },
    { http: { gateway: {} }, session: { approvals: "event" } }
  )

/** A way to a server that can be cut. */
const makeWay = async () => {
  const sockets = new Set<Socket>()
  let target = 0
  const server = createServer((from) => {
    const to = connect(target, "127.0.0.1")
    sockets.add(from)
    from.pipe(to).pipe(from)
    from.on("error", () => to.destroy())
    to.on("error", () => from.destroy())
    from.on("close", () => {
      sockets.delete(from)
      to.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address() as { readonly port: number }
  return {
    url: `http://127.0.0.1:${address.port}`,
    http: { gateway: {}, access: { token: "none", allowedHosts: [`127.0.0.1:${address.port}`] } } as const,
    leadTo: (port: number) => {
      target = port
    },
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => server.close()
  }
}

const failure = async (promise: Promise<unknown>): Promise<GatewayError> => {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause
  )
  assert.instanceOf(error, GatewayError)
  return error as GatewayError
}

/** Waits for an event of a name. */
const next = (client: GatewayClient, name: SessionEvent["event"]): Promise<SessionEvent> =>
  new Promise((resolve, reject) => {
    client.listen(name, (event) => resolve(event as SessionEvent)).catch(reject)
  })

describe("a client", () => {
  it("calls methods, and hears what it listens to", () =>
    withClient(async (client) => {
      const heard: Array<string> = []
      const end = await client.listen("session.*", ({ event }) => void heard.push(event))
      const stopped = next(client, "session.turn_stop")
      const { sessionId } = await client.call("session.prompt", { content: "Hi" })
      assert.strictEqual((await stopped).payload.sessionId, sessionId)
      assert.include(heard, "session.content_block_delta")
      const { messages } = await client.call("session.history", { sessionId })
      assert.strictEqual(messages.length, 2)
      end()
      assert.strictEqual((await client.call("session.info")).sessionId, sessionId)
    }))

  it("fails with the code of the server, and with its own", () =>
    withClient(async (client) => {
      assert.strictEqual((await failure(client.call("session.get", { sessionId: "none" }))).code, "SESSION_NOT_FOUND")
      assert.strictEqual((await failure(client.callExtension("voice.speak"))).code, "UNKNOWN_METHOD")
      const stopping = new AbortController()
      const waiting = client.call("session.list", {}, { signal: stopping.signal })
      stopping.abort()
      assert.strictEqual(await waiting.catch((cause: { readonly name: string }) => cause.name), "AbortError")
      client.close()
      assert.strictEqual((await failure(client.call("session.list"))).code, "CLOSED")
    }))

  it("gives up a call when there is no gateway", async () => {
    const client = makeGatewayClient({ url: "http://127.0.0.1:1", WebSocket: SocketClass, maxRetryDelay: 5 })
    const { code, message } = await failure(client.call("session.list", {}, { timeout: 50 }))
    assert.deepStrictEqual([code, client.state()], ["TIMEOUT", "connecting"])
    assert.include(message, "no connection")
    client.close()
  })

  it("says when there is no WebSocket", () => {
    const before = globalThis.WebSocket
    Reflect.deleteProperty(globalThis, "WebSocket")
    try {
      assert.throws(() => makeGatewayClient({ url: "http://127.0.0.1:1" }), /Node 20/)
    } finally {
      if (before !== undefined) globalThis.WebSocket = before
    }
  })
})

describe("a connection that breaks", () => {
  it("is made again, as often as it does, and nothing is missed or heard twice", async () => {
    const way = await makeWay()
    await managed(
      async ({ agents, server }) => {
        way.leadTo(server.port)
        const states: Array<string> = []
        const client = makeGatewayClient({
          url: way.url,
          WebSocket: SocketClass,
          maxRetryDelay: 5,
          onState: (state) => void states.push(state)
        })
        const uncut = makeGatewayClient({ url: server.url, WebSocket: SocketClass })
        const [heard, all]: [Array<string>, Array<string>] = [[], []]
        await client.listen("session.*", (event) => void heard.push(JSON.stringify(event)))
        await uncut.listen("session.*", (event) => void all.push(JSON.stringify(event)))
        const [begun, seen] = [next(client, "session.content_block_stop"), next(uncut, "session.content_block_stop")]
        const { sessionId } = await uncut.call("session.prompt", { content: "Begin" })
        await Promise.all([begun, seen])
        for (let round = 0; round < 5; round++) {
          way.cut()
          await Effect.runPromise(agents.say(text(`Word ${round}`)))
        }
        const stopped = next(uncut, "session.turn_stop")
        await uncut.call("session.interrupt", { sessionId })
        await stopped
        await expect.poll(() => heard.length).toBe(all.length)
        assert.deepStrictEqual(heard, all)
        assert.isAbove(states.filter((state) => state === "open").length, 1)
        client.close()
        uncut.close()
        way.close()
      },
      {
        http: way.http,
        behave: (message, say) => (isPrompt(message) ? say(init(), text("Begun")) : Effect.void)
      }
    )
  })

  it("ends the calls that were on it", async () => {
    const way = await makeWay()
    await managed(
      async ({ server }) => {
        way.leadTo(server.port)
        const client = makeGatewayClient({
          url: way.url,
          WebSocket: SocketClass,
          maxRetryDelay: 5
        })
        await client.call("session.list")
        const waiting = failure(client.call("session.list"))
        way.cut()
        assert.strictEqual((await waiting).code, "DISCONNECTED")
        assert.deepStrictEqual((await client.call("session.list")).sessions, [])
        client.close()
        way.close()
      },
      { http: way.http }
    )
  })
})

describe("a client that comes back", () => {
  /** Whether a client is told of a turn, and how its connection is cut and made again. */
  const withCuts = async (
    use: (parts: {
      readonly client: GatewayClient
      readonly uncut: GatewayClient
      readonly bridge: Managed
      readonly cut: () => Promise<void>
      readonly lost: Array<string>
    }) => Promise<void>
  ): Promise<void> => {
    const way = await makeWay()
    await managed(
      async (bridge) => {
        way.leadTo(bridge.server.port)
        const lost: Array<string> = []
        let opened = (): void => undefined
        const client = makeGatewayClient({
          url: way.url,
          WebSocket: SocketClass,
          maxRetryDelay: 5,
          onState: (state) => {
            if (state === "open") opened()
          },
          onLost: (sessionIds) => void lost.push(...sessionIds)
        })
        const uncut = makeGatewayClient({ url: bridge.server.url, WebSocket: SocketClass })
        const cut = async (): Promise<void> => {
          const again = new Promise<void>((resolve) => {
            opened = resolve
          })
          way.cut()
          await again
          // What waits is sent after all that is listened to was said.
          await client.call("session.info")
        }
        await use({ client, uncut, bridge, cut, lost })
        client.close()
        uncut.close()
        way.close()
      },
      { http: way.http }
    )
  }
  const made = async (client: GatewayClient): Promise<string> => (await client.call("session.create")).session.id

  it("listens on to the others where a session was removed meanwhile", () =>
    withCuts(async ({ bridge, client, cut, lost, uncut }) => {
      const [gone, here] = [await made(uncut), await made(uncut)]
      const heard: Array<string> = []
      const sessionIds = [gone, here]
      await client.listen("session.turn_stop", ({ payload }) => void heard.push(payload.sessionId), { sessionIds })
      await client.listen("session.turn_start", ({ payload }) => void heard.push(payload.sessionId), {
        sessionIds: [here]
      })
      await Effect.runPromise(bridge.sessions.remove(gone))
      await cut()
      const stopped = next(uncut, "session.turn_stop")
      await uncut.call("session.prompt", { sessionId: here, content: "Hi" })
      await stopped
      await expect.poll(() => heard).toEqual([here, here])
      assert.deepStrictEqual(lost, [gone])
    }))

  it("misses nothing of what it listens to in several ways", () =>
    withCuts(async ({ client, cut, lost, uncut }) => {
      const id = await made(uncut)
      const [heard, all]: [Array<string>, Array<string>] = [[], []]
      await client.listen("voice.*", () => undefined)
      for (const name of ["session.turn_start", "session.content_block_delta", "session.turn_stop"] as const) {
        await client.listen(name, (event) => void heard.push(JSON.stringify(event)), { sessionIds: [id] })
        await uncut.listen(name, (event) => void all.push(JSON.stringify(event)), { sessionIds: [id] })
      }
      const turn = async (): Promise<void> => {
        const before = all.filter((each) => each.includes("session.turn_stop")).length
        await uncut.call("session.prompt", { sessionId: id, content: "Hi" })
        await expect.poll(() => all.filter((each) => each.includes("session.turn_stop")).length).toBe(before + 1)
      }
      await turn()
      for (let round = 0; round < 3; round++) {
        const again = cut()
        await turn()
        await again
      }
      await expect.poll(() => heard.length).toBe(all.length)
      assert.deepStrictEqual(heard, all)
      assert.deepStrictEqual(lost, [])
    }))
})
