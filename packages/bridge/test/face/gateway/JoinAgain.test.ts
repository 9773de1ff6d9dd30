/**
 * Whoever joins in the middle of a message is told what is open; whoever is cut off in the middle of that goes on there.
 */
import { assert, it } from "vitest"
import { fakeSessions } from "../../FakeSessions.ts"
import { serving, token } from "../../Serving.ts"
import { connect, type Json } from "./PlainClient.ts"

const lane = null

it("goes on after any event, also after those of joining", async () => {
  const fakes = fakeSessions()
  await serving(
    fakes,
    async ({ url }) => {
      const fake = fakes.get("s")
      fake.say(
        { type: "turn_started", cause: "prompt" },
        { type: "reply_started", lane, id: "m" },
        { type: "item_started", lane, id: "one", item: { kind: "text" } },
        { type: "item_grew", lane, id: "one", delta: "First" },
        { type: "item_started", lane, id: "two", item: { kind: "thought" } },
        { type: "item_grew", lane, id: "two", delta: "Second" }
      )
      const events = { events: ["session.*"], sessionIds: ["s"] }
      const client = await connect(url, token)
      await client.ask("subscribe", events)
      await client.told("session.content_block_start", 0, ({ index }) => index === 1)
      fake.say(
        { type: "item_grew", lane, id: "two", delta: " thought" },
        { type: "item_ended", lane, id: "two" },
        { type: "item_ended", lane, id: "one" },
        { type: "reply_ended", lane, id: "m" },
        { type: "turn_ended", outcome: { type: "completed" } }
      )
      await client.told("session.turn_stop")
      const all = client.events().map(({ payload }) => payload)
      assert.deepStrictEqual(
        all.slice(0, 4).map(({ type }) => type),
        ["turn_start", "message_start", "content_block_start", "content_block_start"]
      )
      for (const [index, { part, seq }] of all.entries()) {
        const back = await connect(url, token)
        const after = { s: { seq, ...(part !== undefined && { part }) } }
        const { sessions } = await back.ask("subscribe", { ...events, after })
        assert.isTrue((sessions as Readonly<Record<string, Json>>)["s"]?.["resumed"])
        const rest = all.slice(index + 1)
        if (rest.length > 0) await back.told("session.turn_stop")
        assert.deepStrictEqual(
          back.events().map(({ payload }) => payload),
          rest
        )
        back.close()
      }
    },
    { gateway: {} }
  )
})
