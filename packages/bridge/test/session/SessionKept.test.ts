/**
 * What a session keeps of its thread besides what was said: what it is called, the application's state, MCP servers.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { echo } from "../AgentLines.ts"
import { deltas } from "../AguiClient.ts"
import type { Behaviour, FakeAgents, Line } from "../FakeAgent.ts"
import { controls, happened, type Setting, withSession } from "../WithSession.ts"

describe("what is known of a session", () => {
  it.effect("is kept: what it is called, who the provider says it is, and what was chosen for it", () =>
    withSession(echo, {}, ({ client, session, store }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi" })
        yield* client.run("r2", { prompt: "Again" })
        yield* session.native.request("set_permission_mode", { mode: "plan" })
        yield* session.log.settled
        expect(yield* store.thread("t")).toMatchObject({
          providerSessionId: "provider-1",
          title: "Hi",
          titleBy: "prompt",
          options: { permissionMode: "plan" }
        })
      })
    )
  )
})

describe("what a thread is called", () => {
  const renamed: Line = { type: "system", subtype: "session_title_changed", title: "By  the\nprovider", uuid: "u-1" }

  it.effect("is what a person says, else the provider, else the first prompt", () =>
    withSession(echo, {}, ({ agents, client, session, store }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi" })
        expect(yield* session.title).toBe("Hi")
        yield* agents.say({ ...renamed, session_id: "provider-1" })
        while ((yield* session.title) === "Hi") yield* Effect.yieldNow
        expect(yield* session.title).toBe("By the provider")
        yield* session.rename("Mine")
        yield* agents.say({ ...renamed, session_id: "provider-1", title: "Other", uuid: "u-2" })
        yield* client.run("r2", { prompt: "Again" })
        expect(yield* session.title).toBe("Mine")
        expect(yield* store.thread("t")).toMatchObject({ title: "Mine", titleBy: "person" })
      })
    )
  )

  it.effect("is what the provider finds when it is asked for a title", () =>
    withSession(
      (line, say) => {
        const request = line["request"] as Line | undefined
        if (request?.["subtype"] !== "generate_session_title") return echo(line, say)
        const response = { subtype: "success", request_id: line["request_id"], response: { title: "Generated" } }
        return say({ type: "control_response", response })
      },
      {},
      ({ client, session }) =>
        Effect.gen(function* () {
          yield* client.run("r1", { prompt: "Hi" })
          yield* session.native.request("generate_session_title", { description: "Hi", persist: true })
          expect(yield* session.title).toBe("Generated")
        })
    )
  )

  it.effect("stays what it was before", () =>
    withSession(echo, { thread: { title: "Before", titleBy: "person" } }, ({ client, session }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi" })
        expect(yield* session.title).toBe("Before")
      })
    )
  )
})

describe("the application's state", () => {
  const stateOf = ({ session }: Setting): unknown => session.log.situation().state

  it.effect("is what a client sent last; one that has none changes nothing", () =>
    withSession(echo, {}, (setting) =>
      Effect.gen(function* () {
        const { client } = setting
        yield* client.run("r1", { prompt: "Hi", state: { count: 1, agentwire: { model: "m" } } })
        expect(stateOf(setting)).toEqual({ count: 1 })
        yield* client.run("r2", { prompt: "Again", state: {} })
        expect(stateOf(setting)).toEqual({ count: 1 })
        yield* client.run("r3", { prompt: "And again", state: { agentwire: { model: "m" } } })
        expect(stateOf(setting)).toEqual({})
      })
    )
  )

  it.effect("is written down when it has changed, and only then", () =>
    withSession(echo, {}, ({ client, session, store }) =>
      Effect.gen(function* () {
        for (const [n, state] of [{ a: 1, b: [2] }, { b: [2], a: 1 }, { a: 1 }].entries())
          yield* client.run(`r${n}`, { prompt: `Prompt ${n}`, state })
        const changes = (yield* happened(session)).filter(({ type }) => type === "state_changed")
        expect(changes).toEqual([
          { type: "state_changed", state: { a: 1, b: [2] } },
          { type: "state_changed", state: { a: 1 } }
        ])
        expect((yield* store.thread("t"))?.state).toEqual({ a: 1 })
      })
    )
  )
})

describe("MCP servers that somebody gave the agent", () => {
  const servers = { docs: { type: "http", url: "http://127.0.0.1:9/mcp" } }
  const setServers = (agents: FakeAgents) =>
    controls(agents, "mcp_set_servers").map((line) => (line["request"] as Line)["servers"])
  const agreeing: Behaviour = (line, say) => {
    const request = line["request"] as Line | undefined
    if (request?.["subtype"] !== "mcp_set_servers") return echo(line, say)
    const response = { added: [], removed: [], errors: {} }
    return say({ type: "control_response", response: { subtype: "success", request_id: line["request_id"], response } })
  }

  it.effect("are kept, and the next process has them before its first prompt", () =>
    withSession(agreeing, {}, ({ agents, client, session, store }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi" })
        yield* session.native.request("mcp_set_servers", { servers })
        yield* session.log.settled
        expect((yield* store.thread("t"))?.mcpServers).toEqual(servers)
        yield* session.disconnect
        const before = agents.sent.length
        yield* client.run("r2", { prompt: "Again" })
        expect(setServers(agents).at(-1)).toMatchObject(servers)
        const kinds = agents.sent
          .slice(before)
          .map((line) => (line["request"] as Line | undefined)?.["subtype"] ?? line["type"])
        expect(kinds).toEqual(["initialize", "mcp_set_servers", "user"])
      })
    )
  )

  it.effect("are there after a restart, and one who refuses them is talked to all the same", () =>
    withSession(echo, { thread: { mcpServers: servers } }, ({ agents, client }) =>
      Effect.gen(function* () {
        expect(deltas(yield* client.run("r1", { prompt: "Hi" }))).toEqual(["You said: Hi"])
        expect(setServers(agents)).toMatchObject([servers])
      })
    )
  )
})
