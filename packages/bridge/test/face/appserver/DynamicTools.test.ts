/**
 * Tools that a client brings for its thread: the agent calls them, and the client that brought them runs them.
 */
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import { init, isPrompt, pageToolCall, result, text, toolResult, toolUse } from "../../AgentLines.ts"
import type { Behaviour, Line } from "../../FakeAgent.ts"
import { until } from "../../WithSession.ts"
import type { Message } from "./CodexClient.ts"
import { connected, type TestClient } from "./Connected.ts"

const tool = (name: string) => ({ type: "function", name, description: "A tool.", inputSchema: { type: "object" } })

/** Calls a tool of the application, and says what it gave back. */
const calls =
  (name: string): Behaviour =>
  (line, say) => {
    if (isPrompt(line))
      return say(init(), toolUse("c1", `mcp__frontend__${name}`, { city: "Rome" }), pageToolCall("m1", 7, "c1", name))
    const { response } = (line["response"] ?? {}) as { readonly response?: Line }
    if (response?.["mcp_response"] === undefined) return Effect.void
    const given = JSON.stringify(response["mcp_response"])
    return say(toolResult("c1", given), text("Done."), result())
  }

const greeted = async (connect: () => TestClient): Promise<TestClient> => {
  const client = connect()
  await client.hello()
  return client
}

const gives = (words: string) => () => ({
  result: { contentItems: [{ type: "inputText", text: words }], success: true }
})

const callsOf = (client: TestClient): ReadonlyArray<Message> =>
  client.heard.flatMap(({ method, params }) => (method === "item/tool/call" && isRecord(params) ? [params] : []))

const contentOf = (client: TestClient): string =>
  JSON.stringify(client.items().find(({ type }) => type === "dynamicToolCall")?.["contentItems"])

describe("a tool of a client", () => {
  it("is asked of the client that brought it, and of nobody else", () =>
    connected(
      async ({ connect }) => {
        const [client, other] = [await greeted(connect), await greeted(connect)]
        client.onQuestion = gives("25 degrees")
        other.onQuestion = gives("no idea")
        const thread = await client.start({ dynamicTools: [tool("weather")] })
        await other.ask("thread/resume", { threadId: thread })
        await client.turn(thread, "Weather?")
        assert.deepInclude(callsOf(client)[0], { tool: "weather", namespace: null, arguments: {}, callId: "c1" })
        assert.include(contentOf(client), "25 degrees")
        assert.deepStrictEqual(callsOf(other), [])
      },
      { behave: calls("weather") }
    ))

  it("is asked of whoever follows once that client is gone", () =>
    connected(
      async ({ connect }) => {
        const [client, other] = [await greeted(connect), await greeted(connect)]
        const thread = await client.start({ dynamicTools: [tool("weather")] })
        await client.say(thread, "Weather?")
        await client.notified("item/tool/call")
        await client.leave()
        other.onQuestion = gives("26 degrees")
        await other.ask("thread/resume", { threadId: thread })
        await other.notified("turn/completed")
        assert.include(contentOf(other), "26 degrees")
      },
      { behave: calls("weather") }
    ))

  it("in a group has both names for its client, and one for the agent", () =>
    connected(
      async ({ connect, sessions }) => {
        const client = await greeted(connect)
        client.onQuestion = gives("clear")
        const group = { type: "namespace", name: "sky", description: "Above.", tools: [tool("weather")] }
        const thread = await client.start({ dynamicTools: [group] })
        await client.turn(thread, "Weather?")
        assert.deepInclude(callsOf(client)[0], { tool: "weather", namespace: "sky" })
        const session = await Effect.runPromise(sessions.find(thread))
        const tools = session === undefined ? [] : await Effect.runPromise(session.tools)
        assert.deepStrictEqual(
          tools.map(({ name }) => name),
          ["sky__weather"]
        )
      },
      { behave: calls("sky__weather") }
    ))

  it("that no model takes is refused, and no thread is begun", () =>
    connected(async ({ connect, sessions }) => {
      const client = await greeted(connect)
      const refusal = (...dynamicTools: ReadonlyArray<object>) => client.refusal("thread/start", { dynamicTools })
      assert.include(await refusal(tool("a tool")), "dynamic tool name")
      assert.include(await refusal(tool("one"), tool("one")), "duplicate dynamic tool name: one")
      assert.include(await refusal({ ...tool("one"), inputSchema: "any" }), "input schema")
      assert.deepStrictEqual(await Effect.runPromise(sessions.list), [])
    }))
})

it("a tool that another face has brought is not asked of clients of this one", () =>
  connected(
    async ({ connect, sessions }) => {
      const client = await greeted(connect)
      client.onQuestion = gives("not mine")
      const thread = await client.start()
      const session = await Effect.runPromise(sessions.find(thread))
      if (session === undefined) throw new Error("no session")
      const bring = { ticket: "t", answers: [], results: [], tools: [{ name: "weather", description: "A tool." }] }
      await Effect.runPromise(session.submit(() => Result.succeed(bring)))
      const turn = await client.say(thread, "Weather?")
      await Effect.runPromise(until(session, "request_opened"))
      await Effect.runPromise(session.answer("m1", { type: "result", content: "the page's", failed: false }))
      await client.ended(turn)
      assert.include(contentOf(client), "the page's")
      assert.deepStrictEqual(callsOf(client), [])
    },
    { behave: calls("weather") }
  ))
