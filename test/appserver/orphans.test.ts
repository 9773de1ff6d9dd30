/** A server that is killed in mid-turn takes its agent with it: nothing of the real Claude Code is left. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { says, tool } from "@agentwire/fixtures/scenario"
import * as Effect from "effect/Effect"
import { assert, it } from "vitest"
import { eventually, isAlive, livingIn } from "../../packages/bridge/test/FakeCli.ts"
import { inStdioPlace } from "./StdioServer.ts"

/** A command that tells its process, and stays. */
const stays = tool("Bash", {
  command: "echo $$ > pid.tmp && mv pid.tmp pid && tail -f /dev/null",
  description: "Stay"
})

it("kill -9 of the server leaves no process of the agent", { timeout: 120_000 }, () =>
  inStdioPlace({ replies: [says(stays)] }, async ({ project, start }) => {
    const { client, kill } = start()
    client.onQuestion = () => ({ result: { decision: "accept" } })
    await client.hello()
    const thread = await client.start({ approvalPolicy: "on-request" })
    await client.say(thread, "Stay.")
    const told = join(project, "pid")
    await Effect.runPromise(eventually(() => existsSync(told)))
    const bash = Number(readFileSync(told, "utf8"))
    const all = livingIn(project)
    assert.include(all, bash)
    // The server, Claude Code, and its command.
    assert.isAbove(all.length, 2)
    await kill()
    await Effect.runPromise(eventually(() => !all.some(isAlive)))
    assert.deepStrictEqual(livingIn(project), [])
  })
)
