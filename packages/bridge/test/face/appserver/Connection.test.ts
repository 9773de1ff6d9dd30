/**
 * Codex's manners: what is dropped, what is refused and in which words, ids of every kind, and many clients at once.
 */
import { readFileSync } from "node:fs"
import { clientRequests } from "@agentwire/protocol/codex"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { answeredMethods } from "../../../src/face/appserver/Methods.ts"
import { init, isPrompt, ask as question, result, text, toolResult, toolUse } from "../../AgentLines.ts"
import type { Behaviour } from "../../FakeAgent.ts"
import { connected } from "./Connected.ts"

describe("a connection", () => {
  it("drops what is no message without an answer, and goes on", () =>
    connected(async ({ connect }) => {
      const client = connect()
      for (const line of [
        "",
        "nothing",
        "[]",
        "17",
        "null",
        '{"id":null,"method":"model/list"}',
        '{"id":1.5,"method":"model/list"}'
      ])
        client.sendLine(line)
      client.sendLine('[{"id":1,"method":"model/list"}]')
      await client.hello()
      assert.strictEqual(client.heard.length, 1)
      assert.notProperty(client.heard[0], "jsonrpc")
    }))

  it("takes jsonrpc of any version, and writes none", () =>
    connected(async ({ connect }) => {
      const client = connect()
      client.send({
        jsonrpc: "1.0",
        id: "a",
        method: "initialize",
        params: { clientInfo: { name: "t", version: "1" } }
      })
      const answer = await client.until(({ id }) => id === "a")
      assert.deepStrictEqual(Object.keys(answer), ["id", "result"])
    }))

  it("refuses in Codex's words", () =>
    connected(async ({ connect }) => {
      const client = connect()
      assert.strictEqual(await client.refusal("thread/list", {}), "Not initialized")
      await client.hello({})
      assert.strictEqual(
        await client.refusal("initialize", { clientInfo: { name: "t", version: "1" } }),
        "Already initialized"
      )
      assert.match(
        await client.refusal("thread/dream", {}),
        /^Invalid request: unknown variant `thread\/dream`, expected one of .*`initialize`/
      )
      assert.strictEqual(
        await client.refusal("collaborationMode/list", {}),
        "collaborationMode/list requires experimentalApi capability"
      )
      assert.strictEqual(await client.refusal("turn/start", { input: [] }), "Invalid request: missing field `threadId`")
      assert.strictEqual(await client.refusal("thread/loaded/list"), "Invalid request: missing field `params`")
      const unknown = "01980000-0000-7000-8000-000000000000"
      const input = [{ type: "text", text: "Hello?", text_elements: [] }]
      assert.strictEqual(
        await client.refusal("turn/start", { threadId: unknown, input }),
        `thread not found: ${unknown}`
      )
      assert.strictEqual(
        await client.refusal("thread/resume", { threadId: unknown }),
        `no rollout found for thread id ${unknown}`
      )
      assert.strictEqual(await client.refusal("thread/read", { threadId: unknown }), `thread not loaded: ${unknown}`)
      const thread = await client.start()
      assert.strictEqual(
        await client.refusal("turn/steer", { threadId: thread, input, expectedTurnId: "x" }),
        "no active turn to steer"
      )
      assert.match(await client.refusal("thread/start", { approvalPolicy: "on-failure" }), /^Invalid request: /)
      assert.match(await client.refusal("thread/start", { sandbox: "workspaceWrite" }), /^Invalid request: /)
      const errors = client.heard.flatMap(({ error }) => (isRecord(error) ? [error["code"]] : []))
      assert.deepStrictEqual([...new Set(errors)], [-32600])
    }))

  it("answers every method of Codex's, or says that it does not", () =>
    connected(async ({ connect }) => {
      const client = connect()
      await client.hello()
      for (const method of Object.keys(clientRequests).filter((name) => !answeredMethods.includes(name))) {
        const { error } = await client.answer(method, {})
        assert.deepStrictEqual(isRecord(error) && error["data"], { code: "METHOD_UNSUPPORTED" }, method)
      }
      // Without any params, and with those that clients send.
      for (const method of [
        "configRequirements/read",
        "account/read",
        "model/list",
        "config/read",
        "hooks/list",
        "plugin/list"
      ])
        await client.ask(method)
      await client.answer("configRequirements/read")
    }))

  it("gives ids back as they are: strings, whole numbers, 0, and the same one twice", () =>
    connected(async ({ connect }) => {
      const client = connect()
      await client.hello()
      for (const id of ["", "initialize", 0, -7, 2 ** 53 - 1]) {
        const answer = await client.answer("model/list", {}, id)
        assert.strictEqual(answer["id"], id)
      }
      client.send({ id: "twice", method: "model/list", params: {} })
      client.send({ id: "twice", method: "model/list", params: {} })
      const from = client.heard.length
      await client.until(({ id }) => id === "twice", from)
      await client.until(() => client.heard.filter(({ id }) => id === "twice").length === 2)
    }))

  it("takes a line of a megabyte, and gives it back", () =>
    connected(async ({ connect }) => {
      const client = connect()
      await client.hello()
      const thread = await client.start()
      const long = "a".repeat(1_000_000)
      const turn = await client.turn(thread, long)
      assert.strictEqual(turn["status"], "completed")
      const [prompt] = client.items()
      assert.include(JSON.stringify(prompt), long)
    }))

  it("leaves out the notifications that a client does not want", () =>
    connected(async ({ connect }) => {
      const client = connect()
      await client.hello({ optOutNotificationMethods: ["thread/started", "item/started"] })
      await client.turn(await client.start(), "Hi")
      const methods = client.methods()
      assert.notInclude(methods, "thread/started")
      assert.notInclude(methods, "item/started")
      assert.include(methods, "item/completed")
    }))

  it("serves a hundred clients at once", () =>
    connected(async ({ connect }) => {
      const clients = Array.from({ length: 100 }, connect)
      await Promise.all(clients.map((client) => client.hello()))
      const [first] = clients
      const thread = (await first?.start()) ?? ""
      await Promise.all(clients.slice(1).map((client) => client.ask("thread/resume", { threadId: thread })))
      const turn = (await first?.say(thread, "Hi")) ?? ""
      const ends = await Promise.all(clients.map((client) => client.ended(turn)))
      assert.strictEqual(ends.filter(({ status }) => status === "completed").length, 100)
      const told = new Set(clients.map((client) => client.items().length))
      assert.deepStrictEqual([...told], [2])
    }))
})

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

describe("followers of a thread", () => {
  it("are all asked, and the first answer counts", () =>
    connected(
      async ({ connect }) => {
        const [one, other] = [connect(), connect()]
        await Promise.all([one.hello(), other.hello()])
        const thread = await one.start()
        await other.ask("thread/resume", { threadId: thread })
        other.onQuestion = () => ({ result: { decision: "accept" } })
        const turn = await one.say(thread, "Go")
        await one.notified("item/commandExecution/requestApproval")
        assert.strictEqual((await one.ended(turn))["status"], "completed")
        const resolved = await one.notified("serverRequest/resolved")
        assert.deepStrictEqual(resolved, { threadId: thread, requestId: 0 })
        await other.notified("serverRequest/resolved")
        // Too late: nothing comes of it.
        one.send({ id: 0, result: { decision: "decline" } })
        await one.ask("model/list")
      },
      { behave: asking }
    ))

  it("that vanish leave the question to the others, and the thread running", () =>
    connected(
      async ({ connect }) => {
        const one = connect()
        await one.hello()
        const thread = await one.start()
        const turn = await one.say(thread, "Go")
        await one.notified("item/commandExecution/requestApproval")
        await one.leave()
        const other = connect()
        await other.hello()
        other.onQuestion = () => ({ result: { decision: "accept" } })
        const resumed = await other.ask("thread/resume", { threadId: thread })
        assert.deepNestedInclude(resumed, { "thread.status.type": "active" })
        assert.strictEqual((await other.ended(turn))["status"], "completed")
      },
      { behave: asking }
    ))

  it("that never answer are not waited for longer than the session waits", () =>
    connected(
      async ({ agents, connect }) => {
        const one = connect()
        await one.hello()
        const turn = await one.say(await one.start(), "Go")
        await one.ended(turn)
        await one.notified("serverRequest/resolved")
        assert.include(JSON.stringify(agents.sent.at(-1)), '"behavior":"deny"')
      },
      { behave: asking, session: { approvalTimeout: "10 millis" } }
    ))

  it("that take nothing slow nobody", () =>
    connected(async ({ connect }) => {
      const [one, slow] = [connect(), connect()]
      await Promise.all([one.hello(), slow.hello()])
      const thread = await one.start()
      await slow.ask("thread/resume", { threadId: thread })
      slow.stall()
      for (const words of ["One", "Two", "Three"])
        assert.strictEqual((await one.turn(thread, words))["status"], "completed")
      await slow.leave()
    }))
})

describe("the document", () => {
  it("has a row for each method that is answered, and no other", () => {
    const document = readFileSync(new URL("../../../../../docs/app-server.md", import.meta.url), "utf8")
    const table = document.slice(document.indexOf("## Methods"))
    const named = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
    assert.deepStrictEqual([...named].sort(), [...answeredMethods])
  })
})
