/**
 * The class in the hands of strangers: its handler in the servers people have, with the real clients of AG-UI 1.0.0
 * and 0.0.59; and the class in front of the real CLI.
 */
import { existsSync, readFileSync } from "node:fs"
import { createServer, request, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { join } from "node:path"
import { Bridge, type BridgeConfig, BridgeError } from "@agentwire/bridge"
import { loadTape, startModel } from "@agentwire/fixtures"
import { says, text, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import { type HttpBindings, serve } from "@hono/node-server"
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response"
import * as Effect from "effect/Effect"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { onTestFinished } from "vitest"
import { livingIn } from "../../packages/bridge/test/FakeCli.ts"
import { setUp } from "./AgentSetup.ts"
import { backTo, countsOf } from "./Counts.ts"
import { clients, say } from "./OnBridge.ts"

const tape = { name: "plain_text", tape: loadTape({ scenario: "plain_text", version: "2.1.325" }) }

/** A server with a bridge in it: where it is, and what closes it. */
interface Mounted {
  readonly port: number
  readonly close: () => Promise<unknown>
}

const portOf = (server: { readonly address: () => unknown }): number => (server.address() as AddressInfo).port

const listening = async (server: Server): Promise<Mounted> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
  }
}

/** How a bridge is put into each server, below `/agent`. */
const mounts: Readonly<Record<string, (bridge: Bridge) => Promise<Mounted>>> = {
  "node:http": (bridge) => listening(createServer(bridge.handler({ prefix: "/agent" }))),
  Express: (bridge) => {
    const app = express()
    app.use("/agent", bridge.handler())
    return listening(createServer(app))
  },
  "Express behind express.json()": (bridge) => {
    const app = express()
    app.use(express.json())
    app.use("/agent", bridge.handler())
    return listening(createServer(app))
  },
  "Express behind express.raw()": (bridge) => {
    const app = express()
    app.use(express.raw({ type: "application/json" }))
    app.use("/agent", bridge.handler())
    return listening(createServer(app))
  },
  Hono: async (bridge) => {
    const app = new Hono<{ Bindings: HttpBindings }>()
    const handler = bridge.handler({ prefix: "/agent" })
    app.all("/agent/*", ({ env }) => {
      handler(env.incoming, env.outgoing)
      return RESPONSE_ALREADY_SENT
    })
    const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
      const made = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(made))
    })
    return {
      port: portOf(server),
      close: () =>
        new Promise((resolve) => {
          server.close(resolve)
          if ("closeAllConnections" in server) server.closeAllConnections()
        })
    }
  },
  Fastify: async (bridge) => {
    const app = fastify({ forceCloseConnections: true })
    const handler = bridge.handler({ prefix: "/agent" })
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser("*", (_, payload, done) => done(null, payload))
      scope.all("/agent/*", (incoming, reply) => {
        reply.hijack()
        handler(incoming.raw, reply.raw)
      })
    })
    await app.listen({ port: 0, host: "127.0.0.1" })
    return { port: portOf(app.server), close: () => app.close() }
  }
}

const opened = async (config: BridgeConfig = {}): Promise<Bridge> => {
  const bridge = new Bridge({ agent: { tapes: [tape] }, cwd: process.cwd(), ...config })
  onTestFinished(() => bridge.stop())
  await bridge.open()
  return bridge
}

const mountedIn = async (name: string, bridge: Bridge): Promise<string> => {
  const mount = mounts[name]
  if (mount === undefined) throw new Error(`no server ${name}`)
  const { close, port } = await mount(bridge)
  onTestFinished(async () => void (await close()))
  return `http://127.0.0.1:${port}/agent`
}

describe.each(Object.keys(mounts))("the handler in %s", (name) => {
  it("serves both clients", async () => {
    const bridge = await opened()
    const url = await mountedIn(name, bridge)
    for (const [index, client] of clients.entries())
      for (const path of ["/", "/agent/default/run"]) {
        const agent = new client({ url: `${url}${path}`, headers: bridge.headers, threadId: `${index}${path}` })
        await say(agent, "Hi").runAgent()
        expect(agent.messages.map(({ role }) => role)).toEqual(["user", "assistant"])
        expect(String(agent.messages.at(-1)?.content)).not.toBe("")
      }
    expect(await bridge.listSessions()).toHaveLength(4)
  })

  it("keeps the gate shut, and knows its own paths only", async () => {
    const bridge = await opened()
    const url = await mountedIn(name, bridge)
    const json = { "content-type": "application/json" }
    const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code
    expect(await codeOf(await fetch(`${url}/health`))).toBe("UNAUTHORIZED")
    const foreign = { ...bridge.headers, origin: "http://evil.example" }
    expect(await codeOf(await fetch(`${url}/health`, { headers: foreign }))).toBe("ORIGIN_REFUSED")
    expect(await rebound(url, bridge)).toBe(403)
    expect((await fetch(`${url}/health`, { headers: bridge.headers })).status).toBe(200)
    expect((await fetch(`${url}/health?x=1`, { headers: bridge.headers })).status).toBe(400)
    expect(await codeOf(await fetch(`${url}/nowhere`, { headers: bridge.headers }))).toBe("NOT_FOUND")
    const wrong = await fetch(`${url}/`, { method: "POST", headers: { ...bridge.headers, ...json }, body: "{}" })
    expect(await codeOf(wrong)).toBe("BAD_INPUT")
  })

  it("answers 503 until the bridge is open and once it is stopped, and does not fall", async () => {
    const bridge = new Bridge({ agent: { tapes: [tape] } })
    const url = await mountedIn(name, bridge)
    expect((await fetch(`${url}/health`, { headers: bridge.headers })).status).toBe(503)
    await bridge.open()
    expect((await fetch(`${url}/health`, { headers: bridge.headers })).status).toBe(200)
    await bridge.stop()
    expect((await fetch(`${url}/health`, { headers: bridge.headers })).status).toBe(503)
  })
})

it.each([undefined, 31, 50])("a header cannot hide behind others, in a server whose limit is %s", async (limit) => {
  const bridge = await opened()
  const server = createServer(bridge.handler())
  if (limit !== undefined) server.maxHeadersCount = limit
  const { close, port } = await listening(server)
  onTestFinished(async () => void (await close()))
  const statusOf = (count: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1")
      socket.on("data", (chunk) => resolve(String(chunk).split(" ")[1] ?? "")).on("error", reject)
      const head = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${bridge.token}\r\n`
      socket.write(`${head}${"a:\r\n".repeat(count)}Origin: http://evil.example\r\nConnection: close\r\n\r\n`)
    })
  expect(await statusOf(5)).toBe("403")
  for (const count of [26, 27, 28, 29, 45, 46, 47, 48, 49, 97, 200, 1000, 1500, 3000])
    expect(["403", "431"], `${count} headers before it`).toContain(await statusOf(count))
})

/** The status of a request whose `Host` is another name's, as a page that rebinds its name sends it. */
const rebound = (url: string, bridge: Bridge): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(`${url}/health`, { headers: { ...bridge.headers, host: "evil.example" } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on("error", reject)
      .end()
  })

it("a body that somebody else read and kept is an error that says so", async () => {
  const bridge = await opened()
  const app = express()
  app.use((incoming, _, next) => void incoming.resume().on("end", next))
  app.use("/agent", bridge.handler())
  const { close, port } = await listening(createServer(app))
  onTestFinished(async () => void (await close()))
  const answer = await fetch(`http://127.0.0.1:${port}/agent/`, {
    method: "POST",
    headers: { ...bridge.headers, "content-type": "application/json" },
    body: "{}"
  })
  expect(answer.status).toBe(500)
  expect(await answer.text()).toContain("before this handler")
})

it("a parsed body that nests too deep is refused", async () => {
  const bridge = await opened()
  const mounted = await mountedIn("Express behind express.json()", bridge)
  const answer = await fetch(`${mounted}/`, {
    method: "POST",
    headers: { ...bridge.headers, "content-type": "application/json" },
    body: "[".repeat(20_000) + "]".repeat(20_000)
  })
  expect(await answer.text()).toContain("TOO_DEEP")
})

describe("the class in front of Claude Code 2.1.325", () => {
  const version = "2.1.325"

  it.live("starts, talks, asks, is steered, stops, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const before = countsOf()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const replies = [
            says(text("Hel", "lo.")),
            says(tool("Bash", { command: "touch wrong", description: "Touch" })),
            says("Done."),
            says(tool("Bash", { command: "touch never", description: "Touch" })),
            says("I may not.")
          ]
          const model = yield* Effect.acquireRelease(
            Effect.promise(() => startModel({ script: { replies } })),
            ({ close }) => Effect.promise(close)
          )
          const { options, project } = yield* setUp(version, { replies: [] })
          const agent = { ...options, env: { ...options.env, ANTHROPIC_BASE_URL: model.url } }
          const bridge = new Bridge({ agent, cwd: project, port: 0, approvals: "event" })
          yield* Effect.addFinalizer(() => Effect.promise(() => bridge.stop()))
          yield* Effect.promise(() => talk(bridge, project))
          yield* Effect.promise(() => bridge.stop())
          expect(livingIn(project)).toEqual([])
        })
      )
      yield* backTo(before)
    })
  )

  const talk = async (bridge: Bridge, project: string): Promise<void> => {
    const statuses: Array<string> = []
    bridge.on("status", ({ status }) => statuses.push(status))
    const { url } = await bridge.start()
    const { greeting, threadId } = await bridge.createSession({ start: true })
    expect(greeting?.models.length).toBeGreaterThan(0)

    const first = await bridge.sendMessage(threadId, "Hi")
    let said = ""
    for await (const event of first) if (event.type === "TEXT_MESSAGE_CONTENT") said += event.delta
    expect(said).toBe("Hello.")
    expect(await first.result).toMatchObject({ outcome: "success", text: "Hello." })
    expect((await bridge.getSession(threadId)).init).toMatchObject({ claude_code_version: version })

    // Whoever listens may answer, before the run is over.
    const off = bridge.on("approval", ({ input, requestId }) =>
      bridge.approve(threadId, requestId, { updatedInput: { ...input, command: "echo right > right" } })
    )
    expect(await (await bridge.sendMessage(threadId, "Go")).result).toMatchObject({ text: "Done." })
    off()
    expect(readFileSync(join(project, "right"), "utf8")).toBe("right\n")

    bridge.on("approval", ({ requestId }) => bridge.deny(threadId, requestId, "Not today."))
    expect(await (await bridge.sendMessage(threadId, "Again")).result).toMatchObject({ text: "I may not." })
    expect([existsSync(join(project, "wrong")), existsSync(join(project, "never"))]).toEqual([false, false])

    await bridge.setModel(threadId, "sonnet")
    await bridge.setPermissionMode(threadId, "plan")
    await bridge.setThinkingTokens(threadId, 2000)
    await bridge.updateEnvironment(threadId, { FRUIT: "pear" })
    expect((await bridge.mcpStatus(threadId)).mcpServers).toEqual(expect.any(Array))
    expect((await bridge.contextUsage(threadId)).totalTokens).toBeGreaterThan(0)
    expect(await bridge.control(threadId, "get_settings")).toHaveProperty("effective")
    await expect(bridge.setPermissionMode(threadId, "no such mode")).rejects.toThrow(BridgeError)
    await expect(bridge.reconnectMcpServer(threadId, "nobody")).rejects.toMatchObject({ code: "AGENT_REFUSED" })

    // A client of AG-UI sees the same thread.
    const [HttpAgent = clients[0]] = clients
    if (HttpAgent === undefined) throw new Error("no client")
    const agent = new HttpAgent({ url: `${url}/agent/default/connect`, headers: bridge.headers, threadId })
    await agent.runAgent()
    expect(agent.messages.at(-1)).toMatchObject({ content: "I may not." })

    await bridge.disconnectSession(threadId)
    await bridge.killSession(threadId)
    expect(await bridge.listSessions()).toEqual([])
    expect(statuses.slice(0, 4)).toEqual(["starting", "connected", "active", "idle"])
    expect(statuses.slice(-2)).toEqual(["disconnected", "terminated"])
  }
})
