/** The real Claude Code behind Codex's protocol: a session as Codex's clients have it, from the first word on. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { says, saysWith, text, tool } from "@agentwire/fixtures/scenario"
import { assert, describe, it } from "vitest"
import { inStdioPlace } from "./StdioServer.ts"

const touch = (name: string) => tool("Bash", { command: `touch ${name}`, description: "Make a file" })

describe("smoke", () => {
  it("answers", () =>
    inStdioPlace({ replies: [says(text("Hel", "lo."))] }, async ({ start }) => {
      const server = start()
      const { client } = server
      setTimeout(() => console.log(JSON.stringify(client.heard).slice(0,3000), server.err()), 15000)
      await client.hello()
      const thread = await client.start()
      setTimeout(() => console.log(JSON.stringify(client.heard, null, 0).slice(0, 6000), client.faults, server.err()), 20000)
      const turn = await client.turn(thread, "Hi")
      console.log(JSON.stringify(client.heard, null, 1).slice(0, 9000), client.faults, server.err())
      assert.strictEqual(turn["status"], "completed")
    }))
})
void [existsSync, readFileSync, writeFileSync, join, saysWith, touch]
