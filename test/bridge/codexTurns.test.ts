/**
 * Turns of the real Codex that are more than an answer, with both AG-UI clients: words that are said in the middle of one,
 * sub-agents, and skills.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { withCodex } from "./CodexBridge.ts"
import {
  agentAt,
  allowAlways,
  approveAll,
  conversationOf,
  run,
  say,
  toolCallsOf,
  withClientOfTurn
} from "./OnBridge.ts"

/** A command that is at work until there is a file in the project. */
const waitsFor = (...files: ReadonlyArray<string>) =>
  ({
    kind: "command",
    command: `until ${files.map((file) => `[ -e ${file} ]`).join(" && ")}; do sleep 0.1; done`
  }) as const

const spawn = (name: string) =>
  ({
    kind: "call",
    name: "spawn_agent",
    namespace: "multi_agent_v1",
    arguments: { message: `[${name}] Go.`, agent_type: "default" }
  }) as const

const lane = (name: string) =>
  ({
    match: `[${name}] Go.`,
    replies: [
      { kind: "command", command: `touch by-${name}` },
      { kind: "text", deltas: [`${name} did it.`] }
    ]
  }) as const

type ClientAgent = ReturnType<typeof agentAt>

/** The sub-agent that a message is of; undefined when it is the agent's own. */
const ownerOf = (message: ClientAgent["messages"][number] | undefined): unknown =>
  message !== undefined && "subagentRunId" in message ? message.subagentRunId : undefined

const saying = (agent: ClientAgent, words: string) => agent.messages.find(({ content }) => content === words)

const calling = (agent: ClientAgent, words: string) =>
  agent.messages.find(
    (message) =>
      message.role === "assistant" && message.toolCalls?.some((call) => call.function.arguments.includes(words))
  )

describe("a turn of the real Codex", () => {
  it.live("hears what is said in the middle of it", () =>
    withClientOfTurn(0, (client) =>
      withCodex(
        [waitsFor("heard"), { kind: "text", deltas: ["Both."] }, { kind: "text", deltas: ["Next."] }],
        { session: { policy: allowAlways, busy: "steer" } },
        async ({ asked, project, session: open, url }) => {
          const { log, wire } = await open()
          const isSent = Stream.runDrain(
            Stream.take(
              Stream.filter(wire.read(0), ({ line }) => line.includes('"turn/steer"')),
              1
            )
          )
          const [first, other] = [agentAt(url, client), agentAt(url, client)]
          let steering: ReturnType<typeof run> | undefined
          const ran = await run(say(first, "One"), {}, ({ type }) => {
            if (type !== "TOOL_CALL_END") return
            // Another page of the same thread, whose words go into the turn. The command ends when they are under way.
            other.setMessages(first.messages.filter(({ role }) => role === "user"))
            steering = run(say(other, "Left"))
            Effect.runFork(
              Effect.andThen(
                isSent,
                Effect.sync(() => writeFileSync(join(project, "heard"), ""))
              )
            )
          })
          const steered = await steering
          expect([ran.outcome, steered?.outcome]).toEqual([{ type: "success" }, { type: "success" }])
          expect(log.situation().turns).toBe(1)
          expect(conversationOf(first)).toMatchObject([
            ["user", "One"],
            ["assistant", undefined],
            ["tool", ""],
            ["user", "Left"],
            ["assistant", "Both."]
          ])
          expect(other.messages.at(-1)).toMatchObject({ role: "assistant", content: "Both." })
          expect(JSON.stringify(asked[1]).split('"Left"')).toHaveLength(2)
          await run(say(other, "Two"))
          expect(other.messages.at(-1)).toMatchObject({ content: "Next." })
        }
      )
    )
  )

  it.live("has sub-agents that are told apart, ask a person, and get their answers", () =>
    withClientOfTurn(1, (client) =>
      withCodex(
        [
          { kind: "response", items: [spawn("alpha"), spawn("beta")] },
          waitsFor("by-alpha", "by-beta"),
          { kind: "text", deltas: ["All done."] }
        ],
        { session: { approvals: "interrupt" }, lanes: [lane("alpha"), lane("beta")] },
        async ({ project, session, url }) => {
          const agent = say(agentAt(url, client), "Go")
          await run(agent)
          expect(await approveAll(agent)).toBe(3)
          // A sub-agent may outlive the turn: what it says then is told in the next run.
          const { log } = await session()
          while (log.situation().lanes.size > 0) await new Promise((resolve) => setTimeout(resolve, 10))
          await run(say(agent, "And?"))
          expect(["alpha", "beta"].map((name) => existsSync(join(project, `by-${name}`)))).toEqual([true, true])
          expect(ownerOf(saying(agent, "All done."))).toBeUndefined()
          for (const name of ["alpha", "beta"]) {
            const [task] = toolCallsOf(agent).filter((call) => call.function.arguments.includes(`[${name}]`))
            expect(task).toBeDefined()
            expect(ownerOf(calling(agent, `[${name}]`))).toBeUndefined()
            expect(ownerOf(calling(agent, `touch by-${name}`))).toBe(task?.id)
            expect(ownerOf(saying(agent, `${name} did it.`))).toBe(task?.id)
          }
        }
      )
    )
  )

  it.live("has the skills of its project, and reads one that is named", () =>
    withCodex(
      [{ kind: "text", deltas: ["Greetings."] }],
      {
        before: async ({ project }) => {
          const folder = join(project, ".agents", "skills", "greet")
          mkdirSync(folder, { recursive: true })
          writeFileSync(
            join(folder, "SKILL.md"),
            "---\nname: greet\ndescription: How to greet.\n---\nAlways begin with Greetings-7.\n"
          )
        }
      },
      async ({ asked, session, url }) => {
        await run(say(agentAt(url), "Say hello with $greet"))
        expect(JSON.stringify(asked[0]?.["input"])).toContain("Always begin with Greetings-7.")
        const { native } = await session()
        expect(await Effect.runPromise(native.request("skills/list", {}))).toMatchObject({
          data: [{ skills: expect.arrayContaining([expect.objectContaining({ name: "greet", scope: "repo" })]) }]
        })
      }
    )
  )
})
