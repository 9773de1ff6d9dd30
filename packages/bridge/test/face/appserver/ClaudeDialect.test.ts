/** The dialect `claude-app-server`: its example session, and every row of its table of requests. */
import { readFileSync } from "node:fs"
import * as Dialect from "@agentwire/protocol/claudeappserver"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { init, isPrompt, ask as question, result, text, toolResult, toolUse } from "../../AgentLines.ts"
import type { Behaviour } from "../../FakeAgent.ts"
import { connected, type TestClient } from "./Connected.ts"

/** An agent that wants to run a command, and says what came of it. */
const asking: Behaviour = (message, say) => {
  if (isPrompt(message))
    return say(
      init(),
      toolUse("toolu_1", "Bash", { command: "ls" }),
      question("q", "Bash", "toolu_1", { command: "ls" })
    )
  if (message["type"] !== "control_response") return Effect.void
  return say(toolResult("toolu_1", "done"), text("Done."), result())
}

/** An agent that takes a model, and says something. */
const choosing: Behaviour = (message, say) => {
  if (isPrompt(message)) return say(init(), text("Done."), result())
  return message["type"] === "control_request"
    ? say({
        type: "control_response",
        response: { subtype: "success", request_id: message["request_id"], response: {} }
      })
    : Effect.void
}

/** Every notification fits its schema, and says its version. */
const check = (client: TestClient): void => {
  for (const { jsonrpc, method, params } of client.heard) {
    assert.strictEqual(jsonrpc, "2.0")
    if (typeof method !== "string") continue
    const schema: Schema.Codec<unknown> | undefined = Object.entries(Dialect.notifications).find(
      ([name]) => name === method
    )?.[1]
    assert.isTrue(schema !== undefined && Schema.is(schema)(params), method)
  }
  // Codex's schemas know nothing of this dialect.
  client.faults.length = 0
}

const server = { dialect: "claude-app-server" } as const

describe("the dialect", () => {
  it("plays the session of its document, asks, and is answered", () =>
    connected(
      async ({ connect }) => {
        const client = connect()
        const refused = await client.answer("thread/start", {})
        assert.isTrue(isRecord(refused["error"]))
        const { server: named } = await client.ask("initialize", { client: { name: "demo", version: "1.0" }, cwd: "/" })
        assert.deepInclude(named as object, { name: "claude-app-server" })
        await client.notified("initialized")
        const { permission_mode, thread_id } = await client.ask("thread/start", {
          cwd: "/",
          permission_mode: "acceptEdits"
        })
        assert.strictEqual(permission_mode, "default")
        const { turn_id } = await client.ask("turn/start", { thread_id, content: "List the files." })
        const asked = await client.notified("approval/request")
        assert.deepInclude(asked, { thread_id, turn_id, tool_name: "bash", input: { command: "ls" } })
        await client.ask("approval/respond", { request_id: asked["request_id"], approved: true })
        const ended = await client.notified("turn/completed")
        assert.deepInclude(ended, { thread_id, turn_id, status: "completed" })
        const answers = client.heard.findIndex(({ id }) => id === 4)
        assert.isBelow(
          answers,
          client.heard.findIndex(({ method }) => method === "turn/started")
        )
        const { turns } = await client.ask("thread/resume", { thread_id })
        assert.strictEqual((turns as ReadonlyArray<unknown>).length, 1)
        for (const method of ["model/list", "skills/list", "app/list"]) await client.ask(method)
        await client.refusal("turn/interrupt", { thread_id })
        await client.refusal("turn/steer", { thread_id, content: "And?" })
        const unknown = await client.answer("thread/dream", {})
        assert.strictEqual(isRecord(unknown["error"]) && unknown["error"]["code"], -32601)
        const wrong = await client.answer("turn/start", { thread_id })
        assert.strictEqual(isRecord(wrong["error"]) && wrong["error"]["code"], -32602)
        check(client)
      },
      { behave: asking, server }
    ))

  it("says which permission mode applies, forks at a turn, and takes a model for a turn", () =>
    connected(
      async ({ agents, connect }) => {
        const client = connect()
        await client.ask("initialize", { client: { name: "demo" }, permission_mode: "acceptEdits" })
        const { permission_mode, thread_id } = await client.ask("thread/start", {})
        assert.strictEqual(permission_mode, "acceptEdits")
        const { turn_id } = await client.ask("turn/start", { thread_id, content: "One", model: "sonnet" })
        await client.notified("turn/completed")
        assert.strictEqual(agents.launched[0]?.options.permissionMode, "acceptEdits")
        const forked = await client.ask("thread/fork", { thread_id, at_turn_id: turn_id })
        assert.strictEqual(forked["forked_from"], thread_id)
        assert.match(await client.refusal("thread/fork", { thread_id, at_turn_id: "x" }), /no turn x/)
        check(client)
      },
      { behave: choosing, server: { ...server, sessionOptions: ["permissionMode"] } }
    ))

  it("has its requests in the document", () => {
    const document = readFileSync(new URL("../../../../../docs/app-server.md", import.meta.url), "utf8")
    const table = document.slice(document.indexOf("## The dialect"))
    const named = [...table.matchAll(/^\| `([a-z/]+)[^`]*` \|/gm)].map(([, name]) => name)
    assert.deepStrictEqual([...named].sort(), Object.keys(Dialect.requests).sort())
  })
})
