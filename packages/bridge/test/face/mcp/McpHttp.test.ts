/**
 * The application's tools over MCP, with the official client.
 */

import type { Agui } from "@agentwire/protocol"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { layerBridge } from "../../../src/embed/BridgeLayer.ts"
import { layerClaudeRuntime } from "../../../src/runtime/claude/ClaudeRuntime.ts"
import { HttpServer } from "../../../src/server/HttpServer.ts"
import { echo } from "../../AgentLines.ts"
import { fakeAgents } from "../../FakeAgent.ts"

const token = "correct-horse-battery-staple"
const runtime = ManagedRuntime.make(
  layerBridge({
    session: { cwd: "/" },
    http: { port: 0, access: { token: Redacted.make(token) }, mcp: { maxClients: 2 } }
  }).pipe(Layer.provide(layerClaudeRuntime), Layer.provide(fakeAgents(echo).layer))
)
let url = ""
beforeAll(async () => {
  url = (await runtime.runPromise(HttpServer)).url
})
afterAll(() => runtime.dispose())

const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }

/** A run of the application, to its end. */
const page = async (threadId: string, input: Partial<Agui.RunAgentInput>): Promise<ReadonlyArray<Agui.AguiEvent>> => {
  const body = JSON.stringify({ protocolVersion: "1.0", threadId, runId: crypto.randomUUID(), messages: [], ...input })
  const answer = await fetch(url, { method: "POST", headers, body })
  const frames = (await answer.text()).split("\n\n").filter((frame) => frame.startsWith("data: "))
  return frames.map((frame) => JSON.parse(frame.slice(6)) as Agui.AguiEvent)
}

const say = (words: string): Agui.RunAgentInput["messages"] => [
  { id: crypto.randomUUID(), role: "user", content: words }
]
const paint: Agui.Tool = {
  name: "paint",
  description: "Paints the page.",
  parameters: { type: "object", properties: { color: { type: "string" } }, required: ["color"] }
}

const connect = async (threadId: string): Promise<Client> => {
  const client = new Client({ name: "test", version: "1.0.0" })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/${encodeURIComponent(threadId)}`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } }
  })
  await client.connect(transport as Parameters<Client["connect"]>[0])
  return client
}

describe("an MCP client", () => {
  it("finds the application's tools, calls one, and gets what the application answers", async () => {
    await page("a/b ü", { messages: say("Hi"), tools: [paint] })
    const client = await connect("a/b ü")
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([{ name: "paint", inputSchema: { required: ["color"] } }])

    const called = client.callTool({ name: "paint", arguments: { color: "red" } })
    let call: Agui.AguiEvent | undefined
    while (call === undefined) {
      const events = await page("a/b ü", { messages: say("Anything?") })
      call = events.find(({ type }) => type === "TOOL_CALL_START")
    }
    const toolCallId = call.type === "TOOL_CALL_START" ? call.toolCallId : ""
    await page("a/b ü", { messages: [{ id: "result", role: "tool", toolCallId, content: "painted red" }] })
    expect(await called).toMatchObject({ content: [{ type: "text", text: "painted red" }] })

    expect(await client.callTool({ name: "dance" })).toMatchObject({ isError: true })
    await client.close()
  })

  it("is told when there are other tools", async () => {
    await page("changing", { messages: say("Hi") })
    const client = await connect("changing")
    expect((await client.listTools()).tools).toEqual([])
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve())
    })
    await page("changing", { messages: say("Look"), tools: [paint] })
    await changed
    expect((await client.listTools()).tools).toMatchObject([{ name: "paint" }])
    await client.close()
  })

  it("loses its place to others when there are too many, and is told to connect again", async () => {
    await page("full", { messages: say("Hi") })
    const first = await connect("full")
    const others = [await connect("full"), await connect("full")]
    await expect(first.listTools()).rejects.toThrow("SESSION_NOT_FOUND")
    for (const other of others) expect((await other.listTools()).tools).toEqual([])
    for (const client of [first, ...others]) await client.close()
  })
})

describe("nobody else gets in", () => {
  const initialize = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } }
  })
  const ask = async (path: string, init: RequestInit): Promise<readonly [number, unknown]> => {
    const answer = await fetch(`${url}${path}`, init)
    return [answer.status, ((await answer.json()) as { readonly error?: { readonly code?: unknown } }).error?.code]
  }

  it("without the token, to a thread that is not there, or into another thread's session", async () => {
    await page("mine", { messages: say("Hi") })
    await page("yours", { messages: say("Hi") })
    const accept = "application/json, text/event-stream"
    const post = (more: Readonly<Record<string, string>>, body = initialize): RequestInit => ({
      method: "POST",
      headers: { ...headers, accept, ...more },
      body
    })
    expect(await ask("/mcp/mine", post({ authorization: "Bearer wrong" }))).toEqual([401, "UNAUTHORIZED"])
    expect(await ask("/mcp/nobody", post({}))).toEqual([404, "SESSION_NOT_FOUND"])
    expect(await ask("/mcp/mine", post({}, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })))).toEqual([
      400,
      "BAD_INPUT"
    ])
    const opened = await fetch(`${url}/mcp/mine`, post({}))
    await opened.text()
    const id = opened.headers.get("mcp-session-id") ?? ""
    expect(id).not.toBe("")
    expect(await ask("/mcp/yours", post({ "mcp-session-id": id }))).toEqual([404, "SESSION_NOT_FOUND"])
  })
})
