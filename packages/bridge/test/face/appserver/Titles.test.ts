/** The names of threads: every client is told, whoever gives them. */
import * as Effect from "effect/Effect"
import { assert, it } from "vitest"
import { init, isPrompt, result, text } from "../../AgentLines.ts"
import type { Behaviour } from "../../FakeAgent.ts"
import { connected, type TestClient } from "./Connected.ts"

const greeted = async (connect: () => TestClient): Promise<TestClient> => {
  const client = connect()
  await client.hello()
  return client
}

const namesOf = (client: TestClient): ReadonlyArray<unknown> =>
  client.heard.flatMap(({ method, params }) => (method === "thread/name/updated" ? [params] : []))

it("a name that a person gives through another face is told, also to who does not follow the thread", () =>
  connected(async ({ connect, sessions }) => {
    const [client, other] = [await greeted(connect), await greeted(connect)]
    const thread = await client.start()
    // How it begins is no name.
    await client.turn(thread, "Hello there")
    await Effect.runPromise(sessions.change(thread, { title: "From the page" }))
    const told = { threadId: thread, threadName: "From the page" }
    assert.deepStrictEqual(await client.notified("thread/name/updated"), told)
    assert.deepStrictEqual(await other.notified("thread/name/updated"), told)
    assert.deepStrictEqual(namesOf(client), [told])
  }))

it("a name that a client gives is told once, after its answer; one that the thread has, to that client", () =>
  connected(async ({ connect }) => {
    const [client, other] = [await greeted(connect), await greeted(connect)]
    const thread = await client.start()
    const told = { threadId: thread, threadName: "A name" }
    const before = client.heard.length
    await client.ask("thread/name/set", { threadId: thread, name: "A name" })
    await client.notified("thread/name/updated")
    const order = client.heard.slice(before).map(({ method }) => method)
    assert.isBelow(order.indexOf(undefined), order.indexOf("thread/name/updated"))
    await client.ask("thread/name/set", { threadId: thread, name: "A name" })
    await client.until(() => namesOf(client).length === 2)
    assert.deepStrictEqual(namesOf(client), [told, told])
    assert.deepStrictEqual(await other.notified("thread/name/updated"), told)
  }))

const titles: Behaviour = (line, say) =>
  isPrompt(line)
    ? say(
        init(),
        { type: "system", subtype: "session_title_changed", title: "The agent's", uuid: "u", session_id: "s" },
        text("Hello."),
        result()
      )
    : Effect.void

it("a name that the agent's program gives is told, unless a person has given one", () =>
  connected(
    async ({ connect }) => {
      const client = await greeted(connect)
      const thread = await client.start()
      await client.turn(thread, "Hello")
      assert.deepStrictEqual(await client.notified("thread/name/updated"), {
        threadId: thread,
        threadName: "The agent's"
      })
      await client.ask("thread/name/set", { threadId: thread, name: "Mine" })
      await client.turn(thread, "Again")
      await client.until(() => namesOf(client).length === 2)
      const { data } = await client.ask("thread/list")
      assert.deepInclude((data as ReadonlyArray<object>)[0], { name: "Mine" })
      assert.strictEqual(namesOf(client).length, 2)
    },
    { behave: titles }
  ))

it("a client that is not interested is not told", () =>
  connected(async ({ connect, sessions }) => {
    const client = connect()
    await client.hello({ experimentalApi: true, optOutNotificationMethods: ["thread/name/updated"] })
    const thread = await client.start()
    await Effect.runPromise(sessions.change(thread, { title: "From the page" }))
    await client.turn(thread, "Hello")
    assert.deepStrictEqual(namesOf(client), [])
  }))
