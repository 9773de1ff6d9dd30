/** What is left of a conversation when the bridge that had it is gone: all of it, for the page and for the agent. */
import { join } from "node:path"
import { type JsonObject, type ModelScript, startModel } from "@agentwire/fixtures"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { layerSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"
import { setUp } from "./AgentSetup.ts"
import { agentAt, type ClientAgent, clients, conversationOf, listening, type Place, say } from "./OnBridge.ts"

type Reply = ModelScript["replies"][number]
const says = (...deltas: ReadonlyArray<string>): Reply => ({ kind: "message", blocks: [{ kind: "text", deltas }] })

/** One bridge after the other on the same store, and what the model was asked. */
const bridges = (
  script: ModelScript,
  lives: (asked: ReadonlyArray<JsonObject>) => ReadonlyArray<(place: Pick<Place, "url" | "kit">) => Promise<void>>
) =>
  Effect.gen(function* () {
    const asked: Array<JsonObject> = []
    const { options, project } = yield* setUp("2.1.325", { replies: [] })
    const model = yield* Effect.acquireRelease(
      Effect.promise(() =>
        startModel({ script, onRequest: (path, body) => void (path === "/v1/messages" && asked.push(body)) })
      ),
      ({ close }) => Effect.promise(close)
    )
    const agents = cliLauncher({ ...options, env: { ...options.env, ANTHROPIC_BASE_URL: model.url } })
    const store = layerSqliteStore({ folder: join(project, "..", "data") })
    for (const life of lives(asked)) yield* Effect.scoped(listening(agents, { session: { cwd: project }, store }, life))
  }).pipe(Effect.scoped)

/** An agent that has what a page has after it was loaded: what `connect` gives. */
const loaded = async (kit: string, client = clients[0]): Promise<ClientAgent> => {
  const page = agentAt(`${kit}/connect`, client)
  await page.runAgent()
  const agent = agentAt(`${kit}/run`, client)
  agent.setMessages(page.messages)
  return agent
}

const times = (text: string, part: string): number => text.split(part).length - 1

describe("after a restart of the bridge", () => {
  it.live.each(clients)("a page has what was said, and the agent goes on with it", (client) =>
    bridges({ replies: [says("Noted: ", "amber."), says("It was amber.")] }, (asked) => [
      async ({ kit }) => {
        const agent = say(agentAt(`${kit}/run`, client), "My word is amber.")
        await agent.runAgent()
        expect(conversationOf(agent)).toEqual([
          ["user", "My word is amber."],
          ["assistant", "Noted: amber."]
        ])
      },
      async ({ kit }) => {
        const agent = await loaded(kit, client)
        expect(conversationOf(agent)).toEqual([
          ["user", "My word is amber."],
          ["assistant", "Noted: amber."]
        ])
        await say(agent, "What was it?").runAgent()
        expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "It was amber." })
        const request = JSON.stringify(asked.at(-1)?.["messages"])
        for (const part of ["My word is amber.", "Noted: amber.", "What was it?"]) expect(times(request, part)).toBe(1)
      },
      async ({ kit }) => {
        expect(conversationOf(await loaded(kit, client)).map(([, content]) => content)).toEqual([
          "My word is amber.",
          "Noted: amber.",
          "What was it?",
          "It was amber."
        ])
      }
    ])
  )

  it.live("what was said of an answer that was cut short is there, and the next run works", () => {
    const cut: Reply = {
      kind: "message",
      blocks: [{ kind: "text", deltas: ["The first half", "never sent"] }],
      break: { how: "hang", afterEvents: 4 }
    }
    return bridges({ replies: [cut, says("Here I am.")] }, () => [
      async ({ kit }) => {
        const agent = say(agentAt(`${kit}/run`), "Tell me.")
        await new Promise<void>((resolve, reject) => {
          agent
            .runAgent({}, { onTextMessageContentEvent: () => resolve() })
            .then(() => reject(new Error("The run ended.")), reject)
        })
      },
      async ({ kit }) => {
        const agent = await loaded(kit)
        expect(conversationOf(agent)).toEqual([
          ["user", "Tell me."],
          ["assistant", "The first half"]
        ])
        await say(agent, "Are you there?").runAgent()
        expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Here I am." })
      }
    ])
  })
})
