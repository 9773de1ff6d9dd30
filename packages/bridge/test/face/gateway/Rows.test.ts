/**
 * Every row of the tables in docs/gateway.md: each method is called, and each event is heard, by a client that was written
 * from that page alone. What comes is what its schema says, and nothing else.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Model } from "@agentwire/protocol"
import { Gateway } from "@agentwire/protocol"
import * as Schema from "effect/Schema"
import { afterAll, assert, describe, expect, it } from "vitest"
import { eventOrigins, methodOrigins, withGatewayTables } from "../../../../../scripts/GatewayReference.ts"
import { ask, echo, init, isPrompt, result, text, toolUse } from "../../AgentLines.ts"
import { fakeSessions } from "../../FakeSessions.ts"
import { keepSession } from "../../KeptProjects.ts"
import { serving, token } from "../../Serving.ts"
import { type Managed, type ManagedOptions, managed } from "../management/Managed.ts"
import { connect, type Json, type PlainClient } from "./PlainClient.ts"

const guide = readFileSync(fileURLToPath(new URL("../../../../../docs/gateway.md", import.meta.url)), "utf8")
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-")))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it("the tables are those of the schemas", () => {
  expect(withGatewayTables(guide), "run `npm run options`").toBe(guide)
})

const answered = (method: Gateway.GatewayMethod, payload: Json): Json => {
  const { payload: schema } = Gateway.gatewayMethods[method]
  Schema.decodeUnknownSync(schema as unknown as Schema.Codec<unknown>, { onExcessProperty: "error" })(payload)
  return payload
}

/** Calls a method, and holds the answer to its schema. */
const called = async (client: PlainClient, method: Gateway.GatewayMethod, params?: Json): Promise<Json> =>
  answered(method, await client.ask(method, params))

const idOf = (payload: Json): string => (payload["session"] as { readonly id: string }).id

const asking: ManagedOptions = {
  behave: (message, say) =>
    isPrompt(message)
      ? say(init(), toolUse("toolu_1", "Bash", { command: "ls" }), ask("q", "Bash", "toolu_1", { command: "ls" }))
      : message["type"] === "control_response"
        ? say(text("Thank you"), result())
        : echo(message, say)
}

interface Row {
  readonly options?: ManagedOptions
  readonly check: (client: PlainClient, bridge: Managed) => Promise<void>
}

const methods: { readonly [M in Gateway.GatewayMethod]: Row } = {
  "session.prompt": {
    check: async (client, { agents }) => {
      const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }
      const document = { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AAAA" } }
      await client.ask("subscribe", { events: ["session.turn_stop"] })
      const from = client.heard.length
      const content = [{ type: "text", text: "Look" }, image, document]
      const payload = await called(client, "session.prompt", { content, source: "mail/1", context: "Be brief." })
      assert.strictEqual(payload["source"], "mail/1")
      await client.told("session.turn_stop", from)
      const sent = JSON.stringify(agents.sent.find(isPrompt))
      for (const part of ["Look", "image/png", "application/pdf", "Be brief."]) assert.include(sent, part)
    }
  },
  "session.history": {
    check: async (client) => {
      await client.ask("subscribe", { events: ["session.turn_stop"] })
      for (const words of ["one", "two", "three"]) await client.turn(words)
      const words = ({ messages }: Json) =>
        (messages as ReadonlyArray<{ readonly content: ReadonlyArray<{ readonly text: string }> }>).map(
          ({ content }) => content[0]?.text
        )
      const newest = await called(client, "session.history", { limit: 2, offset: 0 })
      assert.deepStrictEqual(words(newest), ["three", "You said: three"])
      assert.deepInclude(newest, { total: 6, hasMore: true, offset: 0 })
      assert.hasAllKeys(newest["usage"], [
        "input_tokens",
        "output_tokens",
        "cache_read_input_tokens",
        "cache_creation_input_tokens"
      ])
      const older = await called(client, "session.history", { limit: 2, offset: 2 })
      assert.deepStrictEqual(words(older), ["two", "You said: two"])
      assert.deepInclude(older, { total: 6, hasMore: true, offset: 2 })
      const byCursor = await called(client, "session.history", { limit: 2, before: newest["before"] })
      assert.deepStrictEqual(words(byCursor), words(older))
      const oldest = await called(client, "session.history", { offset: 4 })
      assert.deepStrictEqual(words(oldest), ["one", "You said: one"])
      assert.deepInclude(oldest, { hasMore: false })
      assert.deepInclude(await called(client, "session.history", { offset: 100 }), { messages: [], total: 6 })
    }
  },
  "session.create": {
    check: async (client, { agents }) => {
      const made = await called(client, "session.create", {
        sessionId: "ses_mine",
        title: "Mine",
        model: "m1",
        effort: "low",
        permissionMode: "plan",
        options: { maxTurns: 3 }
      })
      assert.deepInclude(made["session"], { id: "ses_mine", title: "Mine", status: "active", ccSessionId: null })
      assert.strictEqual(agents.launched.length, 0)
      await client.ask("subscribe", { events: ["session.turn_stop"] })
      await client.turn("Hi")
      assert.deepInclude(agents.launched[0]?.options, {
        model: "m1",
        effort: "low",
        permissionMode: "plan",
        maxTurns: 3
      })
      assert.strictEqual((await client.call("session.create", { sessionId: "ses_mine" })).code, "THREAD_EXISTS")
    }
  },
  "session.switch": {
    check: async (client) => {
      const [first, second] = [idOf(await client.ask("session.create")), idOf(await client.ask("session.create"))]
      const { session } = await called(client, "session.switch", { sessionId: first })
      assert.strictEqual((session as Json)["id"], first)
      assert.strictEqual((await client.ask("session.info"))["sessionId"], first)
      const { workspaces } = await client.ask("workspace.list")
      assert.deepInclude((workspaces as ReadonlyArray<Json>)[0], { activeSessionId: first })
      assert.notStrictEqual(first, second)
    }
  },
  "session.list": {
    check: async (client) => {
      for (let count = 0; count < 3; count++) await client.ask("session.create")
      const page = await called(client, "session.list", { limit: 2 })
      assert.strictEqual((page["sessions"] as ReadonlyArray<Json>).length, 2)
      assert.isTrue(page["hasMore"])
      const rest = await called(client, "session.list", { limit: 2, before: page["before"] })
      assert.strictEqual((rest["sessions"] as ReadonlyArray<Json>).length, 1)
      await client.ask("session.config", { archived: true })
      const archived = await called(client, "session.list", { archived: true })
      assert.deepInclude((archived["sessions"] as ReadonlyArray<Json>)[0], { status: "archived" })
    }
  },
  "session.info": {
    check: async (client) => {
      assert.deepInclude(await called(client, "session.info"), { sessionId: null, isProcessRunning: false })
      const id = idOf(await client.ask("session.create", { effort: "max" }))
      const info = await called(client, "session.info")
      assert.deepInclude(info, { sessionId: id, isActive: false, isProcessRunning: false, questions: 0 })
      assert.deepInclude(info["sessionConfig"], { effort: "max" })
      await client.ask("subscribe", { events: ["session.turn_stop"] })
      await client.turn("Hi")
      assert.deepInclude(await called(client, "session.info"), { isProcessRunning: true, isActive: false })
    }
  },
  "session.interrupt": {
    options: { behave: (message, say) => (isPrompt(message) ? say(init(), text("I begin")) : echo(message, say)) },
    check: async (client) => {
      await client.ask("session.create")
      assert.deepInclude(await called(client, "session.interrupt"), { stopped: false })
      await client.ask("subscribe", { events: ["session.*"] })
      await client.ask("session.prompt", { content: "Go" })
      await client.told("session.content_block_delta")
      assert.deepInclude(await called(client, "session.interrupt"), { status: "interrupted", stopped: true })
      await client.told("session.turn_stop")
    }
  },
  "session.reset": {
    check: async (client, { agents }) => {
      await client.ask("subscribe", { events: ["session.turn_stop"] })
      const { sessionId } = await client.turn("Before", {})
      const reset = await called(client, "session.reset")
      assert.deepInclude(reset, { status: "reset", previousSessionId: sessionId })
      await client.turn("After")
      const { messages } = await client.ask("session.history")
      assert.notInclude(JSON.stringify(messages), "Before")
      const before = await client.ask("session.history", { sessionId })
      assert.include(JSON.stringify(before["messages"]), "Before")
      assert.strictEqual(agents.launched.length, 2)
    }
  },
  "session.get": {
    check: async (client) => {
      const id = idOf(await client.ask("session.create"))
      assert.deepInclude((await called(client, "session.get", { sessionId: id }))["session"], { id })
    }
  },
  "session.config": {
    check: async (client, { agents }) => {
      await client.ask("session.create")
      const config = { model: "m2", effort: "medium", permissionMode: "acceptEdits", title: "New", summary: "About" }
      const { sessionConfig } = await called(client, "session.config", config)
      assert.deepInclude(sessionConfig, { model: "m2", effort: "medium", permissionMode: "acceptEdits" })
      assert.include(JSON.stringify(agents.sent), '"max_thinking_tokens":8000')
      assert.include(JSON.stringify(agents.sent), '"effortLevel":"medium"')
      assert.deepInclude((await client.ask("session.get"))["session"], { title: "New", summary: "About" })
    }
  },
  "session.questions": {
    options: asking,
    check: async (client) => {
      await client.ask("subscribe", { events: ["session.*"] })
      await client.ask("session.prompt", { content: "Go" })
      await client.told("session.request_opened")
      const { questions } = await called(client, "session.questions")
      assert.strictEqual((questions as ReadonlyArray<Json>).length, 1)
    }
  },
  "session.answer": {
    options: asking,
    check: async (client) => {
      await client.ask("subscribe", { events: ["session.*"] })
      await client.ask("session.prompt", { content: "Go" })
      const { payload } = await client.told("session.request_opened")
      const { id: requestId } = payload["request"] as { readonly id: string }
      await called(client, "session.answer", { requestId, answer: { type: "deny", reason: "No." } })
      await client.told("session.turn_stop")
    }
  },
  "workspace.list": {
    check: async (client) => {
      await client.ask("session.create")
      const { workspaces } = await called(client, "workspace.list")
      assert.strictEqual((workspaces as ReadonlyArray<Json>).length, 1)
    }
  },
  "workspace.get": {
    check: async (client) => {
      const { workspace } = await client.ask("workspace.getOrCreate", { cwd: root, name: "Mine" })
      const { id } = workspace as { readonly id: string }
      assert.deepInclude((await called(client, "workspace.get", { workspaceId: id }))["workspace"], {
        cwd: root,
        name: "Mine"
      })
    }
  },
  "workspace.getOrCreate": {
    options: { projects: join(root, "projects") },
    check: async (client) => {
      const folder = join(root, "begun")
      mkdirSync(folder)
      const found = keepSession(join(root, "projects"), folder)
      const first = await called(client, "workspace.getOrCreate", { cwd: folder })
      assert.deepInclude(first, { created: true })
      const [session] = first["sessions"] as ReadonlyArray<Json>
      assert.deepInclude(session, { id: found, found: true })
      // It goes on as soon as it is named.
      const { messages } = await client.ask("session.history", { sessionId: found })
      assert.isAbove((messages as ReadonlyArray<Json>).length, 0)
      const again = await called(client, "workspace.getOrCreate", { cwd: folder })
      assert.deepInclude(again, { created: false })
      assert.notProperty((again["sessions"] as ReadonlyArray<Json>)[0], "found")
      const { id: workspaceId } = again["workspace"] as { readonly id: string }
      const made = await client.ask("session.create", { workspaceId })
      assert.deepInclude(made["session"], { cwd: folder, workspaceId })
    }
  },
  subscribe: {
    check: async (client) => {
      assert.deepEqual(await called(client, "subscribe", { events: ["session.turn_stop", "*"] }), {
        subscribed: ["session.turn_stop", "*"]
      })
      await client.turn("Hi")
    }
  },
  unsubscribe: {
    check: async (client) => {
      await client.ask("subscribe", { events: ["session.*"] })
      await client.turn("Hi")
      assert.deepEqual(await called(client, "unsubscribe", { events: ["session.*"] }), { unsubscribed: ["session.*"] })
      await client.ask("subscribe", { events: ["session.turn_stop"] })
      const from = client.heard.length
      await client.turn("Again")
      assert.deepStrictEqual(
        client.events(from).map(({ event }) => event),
        ["session.turn_stop"]
      )
    }
  }
}

describe("the method", () => {
  it("has a row, and each row is here", () => {
    assert.sameMembers(Object.keys(methods), Object.keys(methodOrigins))
    for (const name of Object.keys(methods)) assert.include(guide, `| \`${name}\` |`)
  })

  it.each(Object.entries(methods))("%s", (_, { check, options: { http, session, ...options } = {} }) =>
    managed(
      async (bridge) => {
        const client = await connect(bridge.server.url, token)
        await check(client, bridge)
        client.close()
      },
      {
        roots: ["/", root],
        http: { gateway: {}, ...http },
        session: { approvals: "event", ...session },
        ...options
      }
    )
  )
})

const lane = null
const request: Model.Request = { id: "q", kind: "page_tool", message: "?", call: "c", tool: "look", input: {} }

/** A conversation in which everything happens. */
const everything: ReadonlyArray<Model.Event> = [
  { type: "turn_started", cause: "prompt", ticket: "p" },
  { type: "item_started", lane, id: "u", item: { kind: "prompt", content: "Go" } },
  { type: "reply_started", lane, id: "m" },
  { type: "item_started", lane, id: "t", item: { kind: "text" } },
  { type: "item_grew", lane, id: "t", delta: "Well" },
  { type: "item_ended", lane, id: "t" },
  { type: "item_started", lane, id: "c", item: { kind: "call", tool: "Agent", action: "agent", parent: "t" } },
  { type: "item_ended", lane, id: "c" },
  { type: "reply_ended", lane, id: "m" },
  { type: "lane_opened", lane: "c", parent: null, name: "helper" },
  { type: "item_started", lane, id: "k", item: { kind: "task", content: { status: "running" } } },
  { type: "request_opened", lane, request },
  { type: "request_closed", lane, id: "q", by: "answered" },
  { type: "lane_closed", lane: "c", outcome: { type: "completed" } },
  { type: "call_answered", lane, id: "c", content: "done", failed: false },
  { type: "turn_ended", outcome: { type: "completed" } },
  { type: "branched", branch: 1, from: null, after: null, anchor: null }
]

describe("the event", () => {
  it("has a row, and each row is heard, as its schema says", async () => {
    const fakes = fakeSessions()
    await serving(
      fakes,
      async ({ url }) => {
        const client = await connect(url, token)
        fakes.get("s")
        await client.ask("subscribe", { events: ["session.*", "session.event"], sessionIds: ["s"] })
        fakes.get("s").say(...everything)
        await client.told("session.branched")
        const told = client.events()
        const rows = Object.keys(eventOrigins).map((type) => `session.${type}`)
        assert.sameMembers([...new Set(told.map(({ event }) => event))], rows)
        for (const row of rows) assert.include(guide, `| \`${row}\` |`)
        for (const each of told)
          Schema.decodeUnknownSync(Gateway.sessionEvents[each.event] as Schema.Codec<unknown>, {
            onExcessProperty: "error"
          })(each)
      },
      { gateway: {} }
    )
  })
})
