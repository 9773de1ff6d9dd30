/**
 * A session to many clients: slow ones, and one that is gone.
 */
import type { Model } from "@agentwire/protocol"
import { assert, describe, expect, it } from "vitest"
import { fakeSessions } from "../../FakeSessions.ts"
import { serving, token } from "../../Serving.ts"
import { connect } from "./PlainClient.ts"

const lane = null
const begun: ReadonlyArray<Model.Event> = [
  { type: "turn_started", cause: "prompt" },
  { type: "reply_started", lane, id: "m" },
  { type: "item_started", lane, id: "t", item: { kind: "text" } }
]
const ended: ReadonlyArray<Model.Event> = [
  { type: "item_ended", lane, id: "t" },
  { type: "reply_ended", lane, id: "m" },
  { type: "turn_ended", outcome: { type: "completed" } }
]

/** So many pieces of a text of so many characters. */
const pieces = (count: number, length: number): ReadonlyArray<Model.Event> =>
  Array.from({ length: count }, (_, index) => ({
    type: "item_grew" as const,
    lane,
    id: "t",
    delta: `${index} ${"x".repeat(length)}`
  }))

describe("a client that does not take what it is told", () => {
  it("misses nothing, and nobody waits for it", async () => {
    const fakes = fakeSessions()
    await serving(
      fakes,
      async ({ url }) => {
        const fake = fakes.get("s")
        const [slow, quick] = [await connect(url, token), await connect(url, token)]
        for (const client of [slow, quick]) await client.ask("subscribe", { events: ["session.*"], sessionIds: ["s"] })
        slow.socket.pause()
        fake.say(...begun)
        for (let round = 0; round < 100; round++) {
          fake.say(...pieces(50, 4000))
          await quick.told("session.content_block_delta", 0, ({ seq }) => seq === 3 + round * 50)
        }
        fake.say(...ended)
        await quick.told("session.turn_stop")
        assert.isUndefined(slow.events().find(({ event }) => event === "session.turn_stop"))
        slow.socket.resume()
        await slow.told("session.turn_stop")
        assert.deepStrictEqual(
          slow.events().map(({ payload }) => payload),
          quick.events().map(({ payload }) => payload)
        )
        // It hears what is new, as before.
        fake.say({ type: "turn_started", cause: "agent" })
        await slow.told("session.turn_start", slow.heard.length - 1, ({ cause }) => cause === "agent")
      },
      { gateway: { limits: { maxWaitingBytes: 200_000 } } }
    )
  })

  it("is let go when it takes nothing for too long", async () => {
    const fakes = fakeSessions()
    await serving(
      fakes,
      async ({ url }) => {
        const fake = fakes.get("s")
        const stuck = await connect(url, token)
        await stuck.ask("subscribe", { events: ["session.*"], sessionIds: ["s"] })
        stuck.socket.pause()
        const gone = new Promise<void>((resolve) => stuck.socket.once("close", () => resolve()))
        fake.say(...begun)
        fake.say(...pieces(2000, 10_000))
        // A paused socket hears nothing of its end either, until it is read again.
        const other = await connect(url, token)
        await other.ask("subscribe", { events: ["session.*"], sessionIds: ["s"] })
        fake.say(...ended)
        await other.told("session.turn_stop")
        const connected = async () => {
          const health = await fetch(`${url}/health`, { headers: { authorization: `Bearer ${token}` } })
          return ((await health.json()) as { readonly clients: number }).clients
        }
        await expect.poll(connected).toBe(1)
        stuck.socket.resume()
        await gone
      },
      { gateway: { limits: { maxWaitingBytes: 100_000, stallLimit: 50 } } }
    )
  })

  it("is let go when it does not answer any more", async () => {
    const fakes = fakeSessions()
    await serving(
      fakes,
      async ({ url }) => {
        const mute = await connect(url, token)
        mute.socket.pong = () => undefined
        // `ws` answers pings by itself, by the frame.
        Reflect.set(mute.socket, "_autoPong", false)
        await mute.gone()
      },
      { gateway: { limits: { heartbeat: 20 } } }
    )
  })
})

describe("whoever joins in the middle of a message", () => {
  it("is told what it has until now", async () => {
    const fakes = fakeSessions()
    await serving(
      fakes,
      async ({ url }) => {
        const fake = fakes.get("s")
        fake.say(...begun, ...pieces(3, 1))
        const client = await connect(url, token)
        await client.ask("subscribe", { events: ["session.*"], sessionIds: ["s"] })
        const { payload } = await client.told("session.content_block_start")
        assert.deepInclude(payload["content_block"], { type: "text", text: "0 x1 x2 x" })
        fake.say(...ended)
        await client.told("session.turn_stop")
      },
      { gateway: {} }
    )
  })
})
