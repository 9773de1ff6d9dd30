/**
 * Clients of the gateway, in front of a bridge with fake agents.
 */
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { makeMemory } from "../../../src/store/memory/Memory.ts"
import { layerMemoryStore } from "../../../src/store/memory/MemoryStore.ts"
import { ask, init, isPrompt, result, text, toolUse } from "../../AgentLines.ts"
import type { Behaviour } from "../../FakeAgent.ts"
import { token } from "../../Serving.ts"
import { type Managed, type ManagedOptions, managed } from "../management/Managed.ts"
import { connect, type PlainClient } from "./PlainClient.ts"

/** A bridge with a gateway, and a client that is told everything. */
const withGateway = (
  use: (client: PlainClient, bridge: Managed) => Promise<void>,
  { http = {}, session = {}, ...options }: ManagedOptions = {}
): Promise<void> =>
  managed(
    async (bridge) => {
      const client = await connect(bridge.server.url, token)
      await use(client, bridge)
    },
    { http: { gateway: {}, ...http }, session: { approvals: "event", ...session }, ...options }
  )

const names = (client: PlainClient, from = 0) => client.events(from).map(({ event }) => event.replace("session.", ""))

/** An agent that begins to speak, and stops when it is told to, or never. */
const slow: Behaviour = (message, say) => {
  if (isPrompt(message)) return say(init(), text("I begin"))
  return Effect.void
}

describe("a prompt", () => {
  it("is answered, and its turn is told from beginning to end", () =>
    withGateway(async (client) => {
      await client.ask("subscribe", { events: ["session.*"] })
      const { messageId, promptId, sessionId } = await client.turn("Hi")
      assert.deepStrictEqual(names(client), [
        "turn_start",
        "user_message",
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "turn_stop"
      ])
      const [start, said] = client.events()
      assert.strictEqual(start?.payload["promptId"], promptId)
      assert.strictEqual((said?.payload["message"] as { id: string } | undefined)?.id, messageId)
      assert.isTrue(client.events().every(({ payload }) => payload["sessionId"] === sessionId))
      const { messages } = await client.ask("session.history")
      assert.include(JSON.stringify(messages), "You said: Hi")
    }))

  it("is heard by everybody who subscribed, and by nobody else", () =>
    withGateway(async (client, { server }) => {
      const [all, other, one, none] = [
        await connect(server.url, token),
        await connect(server.url, token),
        await connect(server.url, token),
        await connect(server.url, token)
      ]
      await client.ask("subscribe", { events: ["session.*"] })
      await all.ask("subscribe", { events: ["*"] })
      const { session: elsewhere } = await other.ask("session.create", {})
      await other.ask("subscribe", { events: ["*"], sessionIds: [(elsewhere as { id: string }).id] })
      await one.ask("subscribe", { events: ["session.turn_stop"] })
      await client.turn("Hi")
      await all.told("session.turn_stop")
      await one.told("session.turn_stop")
      assert.deepStrictEqual(names(one), ["turn_stop"])
      assert.deepStrictEqual(names(all), names(client))
      assert.deepStrictEqual([...names(none), ...names(other)], [])
      await all.ask("unsubscribe", { events: ["*"] })
      const from = all.heard.length
      await client.turn("Again")
      await one.told("session.turn_stop", one.heard.length - 1)
      assert.deepStrictEqual(names(all, from), [])
    }))

  it("of another door is heard, too", () =>
    withGateway(async (client, { client: management }) => {
      await client.ask("subscribe", { events: ["session.*"] })
      const { threadId } = await management.sessions.create({})
      await management.sessions.send(threadId, { content: "From the page" })
      const { payload } = await client.told("session.turn_stop")
      assert.strictEqual(payload["sessionId"], threadId)
    }))
})

describe("an interrupt", () => {
  it("stops the interface at once, though the agent says nothing", () =>
    withGateway(
      async (client, { agents }) => {
        await client.ask("subscribe", { events: ["session.*"] })
        await client.ask("session.prompt", { content: "Begin" })
        await client.told("session.content_block_start")
        assert.deepStrictEqual(await client.ask("session.interrupt"), { status: "interrupted", stopped: true })
        const { payload } = await client.told("session.turn_stop")
        assert.deepStrictEqual(payload["outcome"], { type: "cancelled" })
        const from = client.heard.length
        // What the agent still says of it is nobody's business.
        await Effect.runPromise(
          agents.say(text("and go on"), result({ subtype: "error_during_execution", is_error: true }))
        )
        const { questions } = await client.ask("session.questions")
        assert.deepStrictEqual([questions, names(client, from)], [[], []])
      },
      { behave: slow }
    ))
})

describe("a question", () => {
  const asking: Behaviour = (message, say) => {
    if (isPrompt(message))
      return say(
        init(),
        toolUse("toolu_1", "Bash", { command: "rm x" }),
        ask("q", "Bash", "toolu_1", { command: "rm x" })
      )
    if (message["type"] === "control_response") return say(text("Thank you"), result())
    return Effect.void
  }

  it("is told, listed, and answered once", () =>
    withGateway(
      async (client, { agents, server }) => {
        const other = await connect(server.url, token)
        await client.ask("subscribe", { events: ["session.*"] })
        await other.ask("subscribe", { events: ["session.*"] })
        const { sessionId } = await client.ask("session.prompt", { content: "Do it" })
        const { payload } = await client.told("session.request_opened")
        const { id: requestId, kind } = payload["request"] as { readonly id: string; readonly kind: string }
        assert.strictEqual(kind, "permission")
        const { questions } = await other.ask("session.questions", { sessionId })
        assert.strictEqual((questions as ReadonlyArray<unknown>).length, 1)
        const wrong = await client.call("session.answer", { requestId, answer: { type: "filled", content: {} } })
        assert.strictEqual(wrong.code, "BAD_INPUT")
        await client.ask("session.answer", { requestId, answer: { type: "allow" } })
        await other.told("session.request_closed")
        const late = await other.call("session.answer", { sessionId, requestId, answer: { type: "deny" } })
        assert.deepStrictEqual([late.ok, late.code], [false, "NOTHING_PENDING"])
        await client.told("session.turn_stop")
        assert.include(JSON.stringify(agents.sent), '"behavior":"allow"')
      },
      { behave: asking }
    ))
})

describe("whoever comes back", () => {
  it("goes on after what it had, and misses nothing", () =>
    withGateway(async (client, { server }) => {
      await client.ask("subscribe", { events: ["session.*", "session.event"] })
      const { sessionId } = await client.turn("First")
      const cut = client.events().length - 4
      const last = client.events()[cut]?.payload as { readonly seq: number; readonly part?: number }
      await client.turn("Second")
      const all = client.events().map((each) => JSON.stringify(each))
      client.close()
      const back = await connect(server.url, token)
      const after = { [sessionId as string]: { seq: last.seq, ...(last.part !== undefined && { part: last.part }) } }
      const { sessions } = await back.ask("subscribe", { events: ["session.*", "session.event"], after })
      assert.isTrue((sessions as Record<string, { resumed: boolean }>)[sessionId as string]?.resumed)
      const rest = all.slice(cut + 1)
      await back.until(() => back.events().length >= rest.length)
      assert.deepStrictEqual(
        back.events().map((each) => JSON.stringify(each)),
        rest
      )
      // And it hears what is new.
      await back.turn("Third", { sessionId })
    }))

  it("goes on after the bridge was restarted", async () => {
    const memory = makeMemory()
    const store = layerMemoryStore({ memory })
    let [sessionId, all, from] = ["", [] as ReadonlyArray<string>, 0]
    await withGateway(
      async (client) => {
        await client.ask("subscribe", { events: ["session.*"] })
        sessionId = String((await client.turn("First"))["sessionId"])
        from = client.events().length
        await client.turn("Second")
        all = client.events().map((each) => JSON.stringify(each))
      },
      { store }
    )
    await withGateway(
      async (client) => {
        const { seq } = JSON.parse(all[from - 1] ?? "").payload as { readonly seq: number }
        await client.ask("subscribe", { events: ["session.*"], after: { [sessionId]: { seq } } })
        const rest = all.slice(from)
        await client.until(() => client.events().length >= rest.length)
        assert.deepStrictEqual(
          client.events().map((each) => JSON.stringify(each)),
          rest
        )
        await client.turn("Third", { sessionId })
      },
      { store }
    )
  })

  it("hears a session that was closed for another, once it is opened again", () =>
    withGateway(
      async (client) => {
        await client.ask("subscribe", { events: ["session.*"] })
        const { sessionId: first } = await client.turn("One")
        const { session } = await client.ask("session.create")
        await client.turn("Other", { sessionId: (session as { readonly id: string }).id })
        await client.turn("Two", { sessionId: first })
        const stops = client.events().filter(({ event }) => event === "session.turn_stop")
        assert.strictEqual(stops.length, 3)
        const seqs = client.events().flatMap(({ payload }) => (payload["sessionId"] === first ? [payload["seq"]] : []))
        assert.deepStrictEqual(
          seqs,
          [...(seqs as Array<number>)].sort((a, b) => a - b)
        )
      },
      { sessions: { maxSessions: 1, grace: 0 } }
    ))

  it("is told where its numbers are of no use", () =>
    withGateway(async (client) => {
      const { session } = await client.ask("session.create", {})
      const { id } = session as { readonly id: string }
      for (const position of [{ seq: 1000 }, { seq: -1, epoch: 1 }]) {
        const { sessions } = await client.ask("subscribe", { events: ["session.*"], after: { [id]: position } })
        assert.isFalse((sessions as Record<string, { resumed: boolean }>)[id]?.resumed)
      }
      await client.turn("Hi")
      assert.strictEqual(names(client).filter((name) => name === "turn_stop").length, 1)
    }))
})

describe("bad input", () => {
  it.each([
    ["", "BAD_JSON"],
    ["nonsense", "BAD_JSON"],
    ["[1,2", "BAD_JSON"],
    ["[]", "BAD_INPUT"],
    ["null", "BAD_INPUT"],
    ['"req"', "BAD_INPUT"],
    ['{"type":"req"}', "BAD_INPUT"],
    ['{"type":"req","id":1,"method":"session.list"}', "BAD_INPUT"],
    ['{"type":"req","id":null,"method":"session.list"}', "BAD_INPUT"],
    ['{"type":"req","id":{},"method":"session.list"}', "BAD_INPUT"],
    [`{"type":"req","id":"${"x".repeat(1000)}","method":"session.list"}`, "BAD_INPUT"],
    [`"${"x".repeat(1_000_000)}"`, "BAD_INPUT"],
    ["x".repeat(1_000_000), "BAD_JSON"],
    [`${"[".repeat(100_000)}`, "BAD_JSON"],
    [`${"[".repeat(10_000)}${"]".repeat(10_000)}`, "TOO_DEEP"],
    ["\u0000", "BAD_JSON"]
  ])("%.40j is answered", (sent, code) =>
    withGateway(async (client) => {
      const answer = await client.raw(sent, "")
      assert.deepStrictEqual([answer.ok, answer.code], [false, code])
      assert.isAbove(answer.error.length, 10)
      assert.isTrue((await client.call("session.list")).ok)
    })
  )

  it.each([
    ["session.fly", {}, "UNKNOWN_METHOD"],
    ["__proto__", {}, "UNKNOWN_METHOD"],
    ["constructor", {}, "UNKNOWN_METHOD"],
    ["", {}, "UNKNOWN_METHOD"],
    ["session.prompt", { content: 7 }, "BAD_INPUT"],
    ["session.prompt", { content: "x", nonsense: 1 }, "BAD_INPUT"],
    ["session.history", {}, "SESSION_NOT_FOUND"],
    ["session.history", { sessionId: "none" }, "SESSION_NOT_FOUND"],
    ["session.get", { sessionId: "\u0000" }, "BAD_THREAD_ID"],
    ["session.history", { sessionId: "none", limit: "all" }, "BAD_INPUT"],
    ["session.create", { cwd: "relative" }, "FOLDER_REFUSED"],
    ["session.create", { options: { nonsense: true } }, "BAD_INPUT"],
    ["session.create", { options: { env: { A: "b" } } }, "OPTION_REFUSED"],
    ["session.create", { workspaceId: "ws_none" }, "WORKSPACE_NOT_FOUND"],
    ["session.list", { before: "nonsense" }, "BAD_CURSOR"],
    ["workspace.get", { workspaceId: "none" }, "WORKSPACE_NOT_FOUND"],
    ["subscribe", { events: ["se*"] }, "BAD_INPUT"],
    ["subscribe", { events: ["*"], sessionIds: ["none"] }, "SESSION_NOT_FOUND"]
  ])("%s with %j is refused with a code", (method, params, code) =>
    withGateway(async (client) => {
      const answer = await client.call(method, params)
      assert.deepStrictEqual([answer.ok, answer.code], [false, code])
    })
  )

  it("binary frames are not heard", () =>
    withGateway(async (client) => {
      client.socket.send(Buffer.from('{"type":"req","id":"b","method":"session.list"}'), { binary: true })
      await client.ask("session.list")
      assert.strictEqual(client.heard.length, 1)
    }))
})

it("/health says how the gateway is", () =>
  withGateway(async (_, { client }) => {
    const health = await client.server.health()
    assert.deepStrictEqual([health.status, health.clients, health.extensions], ["ok", 1, {}])
  }))
