/** Whoever subscribes to all sessions hears of those that are at work already: of all, and whatever one of them is. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert, it } from "vitest"
import { SessionRefused, type SessionSummary, Sessions } from "../../../src/session/Sessions.ts"
import { type FakeSessions, fakeSessions } from "../../FakeSessions.ts"
import { serving, token } from "../../Serving.ts"
import { connect } from "./PlainClient.ts"

const summaryOf = (threadId: string): SessionSummary =>
  ({ threadId, status: "active", createdAt: 0, usedAt: 0, archived: false }) as unknown as SessionSummary

/** Sessions of three pages, one of which is another bridge's. */
const paged = (fakes: FakeSessions): FakeSessions => ({
  ...fakes,
  layer: Layer.effect(
    Sessions,
    Effect.map(Sessions, (sessions) => ({
      ...sessions,
      page: ({ before = "0" }) =>
        Effect.succeed({
          sessions: [summaryOf(["elsewhere", "one", "two"][Number(before)] ?? "")],
          before: before === "2" ? undefined : String(Number(before) + 1)
        }),
      find: (threadId) =>
        threadId === "elsewhere"
          ? Effect.fail(new SessionRefused({ code: "THREAD_ELSEWHERE", message: "Another bridge has it." }))
          : sessions.find(threadId)
    }))
  ).pipe(Layer.provide(fakes.layer))
})

it("hears of sessions on every page, though one is another bridge's", async () => {
  const fakes = fakeSessions()
  const names = ["one", "two"] as const
  for (const name of names) fakes.get(name)
  await serving(
    paged(fakes),
    async ({ url }) => {
      const client = await connect(url, token)
      await client.ask("subscribe", { events: ["session.*"] })
      for (const name of names) {
        fakes.get(name).say({ type: "turn_started", cause: "agent" })
        await client.told("session.turn_start", 0, ({ sessionId }) => sessionId === name)
      }
      assert.strictEqual(client.events().length, 2)
      client.close()
    },
    { gateway: {} }
  )
})
