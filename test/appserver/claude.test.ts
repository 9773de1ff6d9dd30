/** The real Claude Code behind Codex's protocol: what Codex's clients do with a session, from the first word on. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { says, saysWith, text, tool } from "@agentwire/fixtures/scenario"
import { isRecord } from "@agentwire/protocol/wire"
import { assert, describe, it } from "vitest"
import type { Message } from "../../packages/bridge/test/face/appserver/CodexClient.ts"
import { inStdioPlace } from "./StdioServer.ts"

const touch = (name: string) => tool("Bash", { command: `touch ${name}`, description: "Make a file" })

const write = (path: string, content: string) => tool("Write", { file_path: path, content })

/** An answer that takes long, and so can be stopped. */
const endless = saysWith({ break: { how: "hang", afterEvents: 5 } }, text("Once ", "upon ", "a time"))

const decide = (decision: string) => ({ result: { decision } })

const statusOf = (items: ReadonlyArray<Message>, type: string): ReadonlyArray<unknown> =>
  items.flatMap((item) => (item["type"] === type ? [item["status"]] : []))

const textsOf = (turn: unknown): ReadonlyArray<unknown> => {
  const items = isRecord(turn) && Array.isArray(turn["items"]) ? (turn["items"] as ReadonlyArray<unknown>) : []
  return items.flatMap((item) => (isRecord(item) && item["type"] === "agentMessage" ? [item["text"]] : []))
}

describe("a session over stdio", () => {
  it(
    "answers, asks, is stopped, and is there after a restart",
    () =>
      inStdioPlace(
        {
          replies: [
            says(text("Hel", "lo.")),
            says(touch("yes")),
            says("Made."),
            says(touch("no")),
            says("Not made."),
            // For the first two Claude Code has a rule of its own, for what follows it has none.
            ...["touch often", "touch often", "echo a >> often", "echo a >> often"].map((command) =>
              says(tool("Bash", { command, description: "Make a file" }))
            ),
            says(write("often.txt", "one\n")),
            says(write("often.txt", "two\n")),
            says("Made twice."),
            says(write("note.txt", "one\ntwo\n")),
            says("Written."),
            endless,
            says("Again."),
            says("After the restart.")
          ]
        },
        async ({ asked, project, start }) => {
          /** What the newest request to the model asked for. */
          const wish = () => {
            const { model, output_config: config } = asked.at(-1) ?? {}
            return [model, isRecord(config) ? config["effort"] : undefined]
          }
          mkdirSync(join(project, ".claude/skills/tidy"), { recursive: true })
          writeFileSync(
            join(project, ".claude/skills/tidy/SKILL.md"),
            "---\nname: tidy\ndescription: Tidies up\n---\nTidy up.\n"
          )
          const first = start()
          const { client } = first
          await client.hello()
          const thread = await client.start({ approvalPolicy: "on-request" })

          const hello = await client.turn(thread, "Say hello.")
          assert.deepStrictEqual([hello["status"], textsOf(hello)], ["completed", ["Hello."]])
          const said = client.heard.flatMap(({ method, params }) =>
            method === "item/agentMessage/delta" && isRecord(params) ? [params["delta"]] : []
          )
          assert.strictEqual(said.join(""), "Hello.")
          const { data: listed } = await client.ask("skills/list", { cwds: [project] })
          const { skills } = (listed as ReadonlyArray<Message>)[0] ?? {}
          assert.deepInclude(
            (skills as ReadonlyArray<Message>).find(({ name }) => name === "tidy"),
            { description: "Tidies up", scope: "repo", enabled: true }
          )

          client.onQuestion = () => decide("accept")
          assert.strictEqual((await client.turn(thread, "Make yes."))["status"], "completed")
          assert.isTrue(existsSync(join(project, "yes")))
          const question = client.heard.findIndex(({ method }) => method === "item/commandExecution/requestApproval")
          assert.strictEqual(client.heard[question]?.["id"], 0)
          const order = client.methods(question)
          assert.isBelow(order.indexOf("serverRequest/resolved"), order.indexOf("item/completed"))

          client.onQuestion = () => decide("decline")
          assert.strictEqual((await client.turn(thread, "Make no."))["status"], "completed")
          assert.isFalse(existsSync(join(project, "no")))
          assert.deepStrictEqual(statusOf(client.items(), "commandExecution"), ["completed", "declined"])

          const questions: Array<string> = []
          client.onQuestion = (method) => {
            questions.push(method)
            return decide("acceptForSession")
          }
          await client.turn(thread, "Make it often.")
          assert.strictEqual(readFileSync(join(project, "often"), "utf8"), "a\na\n")
          assert.strictEqual(readFileSync(join(project, "often.txt"), "utf8"), "two\n")
          assert.deepStrictEqual(questions, [
            "item/commandExecution/requestApproval",
            "item/commandExecution/requestApproval",
            "item/fileChange/requestApproval"
          ])

          let changes: unknown
          client.onQuestion = (method, { itemId }) => {
            assert.strictEqual(method, "item/fileChange/requestApproval")
            // The diff is there before the question is.
            changes = client.items("item/started").find(({ id }) => id === itemId)?.["changes"]
            return decide("accept")
          }
          await client.turn(thread, "Write a note.")
          assert.include(JSON.stringify(changes), "two")
          assert.strictEqual(readFileSync(join(project, "note.txt"), "utf8"), "one\ntwo\n")

          const turnId = await client.say(thread, "Tell a story.")
          await client.notified("item/agentMessage/delta", ({ turnId: of }) => of === turnId)
          await client.ask("turn/interrupt", { threadId: thread, turnId })
          assert.strictEqual((await client.ended(turnId))["status"], "interrupted")
          // Another model and another effort than before stay for the turns after it, also after a restart.
          const wanted = ["claude-opus-4-6", "low"]
          assert.notDeepEqual(wish(), wanted)
          const again = await client.say(thread, "And again.", { model: "claude-opus-4-6", effort: "low" })
          assert.deepStrictEqual(textsOf(await client.ended(again)), ["Again."])
          assert.deepStrictEqual(wish(), wanted)

          const open = client.items("item/started").map(({ id }) => id)
          const closed = new Set(client.items().map(({ id }) => id))
          assert.deepStrictEqual(
            open.filter((id) => !closed.has(id)),
            []
          )
          assert.strictEqual(await first.end(), 0)

          const second = start()
          const later = second.client
          await later.hello()
          const { data } = await later.ask("thread/list", {})
          assert.deepStrictEqual(
            (data as ReadonlyArray<Message>).map(({ id, preview }) => [id, preview]),
            [[thread, "Say hello."]]
          )
          const resumed = await later.ask("thread/resume", { threadId: thread })
          const turns = isRecord(resumed["thread"]) ? (resumed["thread"]["turns"] as ReadonlyArray<Message>) : []
          assert.strictEqual(turns.length, 7)
          assert.strictEqual(turns[5]?.["id"], turnId)
          assert.deepStrictEqual(textsOf(turns[0]), ["Hello."])
          assert.deepStrictEqual(textsOf(await later.turn(thread, "Go on.")), ["After the restart."])
          assert.deepStrictEqual(wish(), wanted)
          assert.strictEqual(await second.end(), 0)
        }
      ),
    120_000
  )
})
