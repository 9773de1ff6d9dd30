/** Going back and forking through Codex's protocol, with the real Claude Code. */
import { says } from "@agentwire/fixtures/scenario"
import { isRecord } from "@agentwire/protocol/wire"
import { assert, describe, it } from "vitest"
import type { Message } from "../../packages/bridge/test/face/appserver/CodexClient.ts"
import { inStdioPlace } from "./StdioServer.ts"

const turnsIn = (answer: Message): ReadonlyArray<Message> => {
  const { thread } = answer
  return isRecord(thread) ? (thread["turns"] as ReadonlyArray<Message>) : []
}

const saidIn = (turns: ReadonlyArray<Message>): ReadonlyArray<unknown> =>
  turns.flatMap(({ items }) =>
    (items as ReadonlyArray<Message>).flatMap(({ text, type }) => (type === "agentMessage" ? [text] : []))
  )

describe("branches", () => {
  it(
    "are forks with their history, and threads that went back",
    () =>
      inStdioPlace(
        { replies: ["One.", "Two.", "Three.", "Other.", "Older."].map((words) => says(words)) },
        async ({ start }) => {
          const { client } = start()
          await client.hello()
          const thread = await client.start()
          const first = await client.turn(thread, "1")
          const second = await client.turn(thread, "2")

          const forked = await client.ask("thread/fork", { threadId: thread, lastTurnId: first["id"] })
          assert.deepStrictEqual(saidIn(turnsIn(forked)), ["One."])
          const fork = isRecord(forked["thread"]) ? String(forked["thread"]["id"]) : ""
          await client.turn(fork, "3")
          const read = await client.ask("thread/read", { threadId: fork, includeTurns: true })
          assert.deepStrictEqual(saidIn(turnsIn(read)), ["One.", "Three."])
          assert.strictEqual(new Set(turnsIn(read).map(({ id }) => id)).size, 2)

          const reverted = await client.ask("thread/revert", { threadId: thread, beforeTurnId: second["id"] })
          assert.deepStrictEqual(saidIn(turnsIn(reverted)), ["One."])
          await client.turn(thread, "4")
          const again = await client.ask("thread/read", { threadId: thread, includeTurns: true })
          assert.deepStrictEqual(saidIn(turnsIn(again)), ["One.", "Other."])
          const back = await client
            .ask("thread/rollback", { threadId: thread, numTurns: 1 })
            .catch((error: unknown) => error)
          assert.notInstanceOf(back, Error)
        }
      ),
    120_000
  )
})
