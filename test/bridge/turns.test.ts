/**
 * What happens in the turns of one thread, from the real clients through the bridge to the real CLIs and back.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Lane } from "@agentwire/fixtures"
import { says, saysWith, text, thinking, tool } from "@agentwire/fixtures/scenario"
import type { Model } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  agentAt,
  allowAlways,
  approveAll,
  type Client,
  type ClientAgent,
  chosenWires,
  conversationOf,
  headers,
  isNewest,
  onBridge,
  type Place,
  requestText,
  run,
  say,
  toolCallsOf,
  wires,
  withClientOfTurn,
  withClientsOn
} from "./OnBridge.ts"

const touch = (name: string) => tool("Bash", { command: `touch ${name}`, description: "Make a file" })

/** An answer that takes long, and so can be stopped. */
const endless = saysWith({ break: { how: "hang", afterEvents: 5 } }, text("Once ", "upon ", "a time"))

/** Calls a sub-agent, and what that one does. */
const delegate = (name: string) =>
  tool("Agent|Task", {
    description: `Agent ${name}`,
    prompt: `[${name}] Do your part.`,
    subagent_type: "general-purpose",
    run_in_background: false
  })
const worker = (name: string): Lane => ({
  match: `[${name}]`,
  replies: [says(touch(`by-${name}`)), says(`${name} is done.`)]
})

const isText = ({ type }: { readonly type: string }) => type === "TEXT_MESSAGE_CONTENT"

const lastOf = (agent: ClientAgent) => conversationOf(agent).at(-1)

/** What the agent told somebody, without its calls. */
const wordsTo = (agent: ClientAgent) =>
  conversationOf(agent).flatMap(([role, content]) => (role === "assistant" && content ? [content] : []))

const pageTools = ["color", "size"].map((name) => ({
  name,
  description: `Lets the person choose a ${name}`,
  parameters: { type: "object", properties: {} }
}))

const stop = async ({ kit }: Pick<Place, "kit">): Promise<unknown> => {
  const response = await fetch(`${kit}/stop/thread-1`, { method: "POST", headers })
  return response.json()
}

/** Waits until something holds. */
const until = async (holds: Effect.Effect<boolean>): Promise<void> => {
  await Effect.runPromise(
    Effect.repeat(Effect.delay(holds, "20 millis"), { until: (now) => now }).pipe(Effect.timeout("100 seconds"))
  )
}

/** Waits until a session has nothing to do. */
const idle = (status: Effect.Effect<string>): Promise<void> => until(Effect.map(status, (now) => now !== "active"))

describe.each(chosenWires)("with Claude Code %s over %s", (...wire) => {
  it.live("the agent thinks, and runs two tools of one message that a person approves", () =>
    withClientsOn(wire, (client) =>
      onBridge(
        wire,
        { replies: [says(thinking("Two, ", "I think."), text("Both."), touch("one"), touch("two")), says("Done.")] },
        { session: { approvals: "interrupt" } },
        async ({ project, url }) => {
          const agent = say(agentAt(url, client), "Go")
          await run(agent)
          // The CLI asks for one command at a time; both calls are announced before that.
          expect(toolCallsOf(agent)).toHaveLength(2)
          expect(existsSync(join(project, "one")) || existsSync(join(project, "two"))).toBe(false)
          expect(await approveAll(agent)).toBe(2)
          expect(existsSync(join(project, "one")) && existsSync(join(project, "two"))).toBe(true)
          expect(conversationOf(agent).filter(([role, content]) => role !== "assistant" || content !== "")).toEqual([
            ["user", "Go"],
            ["reasoning", "Two, I think."],
            ["assistant", "Both."],
            ["tool", expect.any(String)],
            ["tool", expect.any(String)],
            ["assistant", "Done."]
          ])
          expect(toolCallsOf(agent).map(({ function: { name } }) => name)).toEqual(["Bash", "Bash"])
        }
      )
    )
  )

  it.live("two sub-agents at once are told from the agent, ask a person, and both get their answer", () =>
    withClientsOn(wire, (client) =>
      onBridge(
        wire,
        {
          replies: [says("Delegating.", delegate("alpha"), delegate("beta")), says("All done.")],
          lanes: [worker("alpha"), worker("beta")]
        },
        { session: { approvals: "interrupt" } },
        async ({ project, url }) => {
          const agent = say(agentAt(url, client), "Go")
          await run(agent)
          expect(await approveAll(agent)).toBe(2)
          expect(existsSync(join(project, "by-alpha")) && existsSync(join(project, "by-beta"))).toBe(true)
          expect(lastOf(agent)).toEqual(["assistant", "All done."])
          expect(agent.messages.filter(({ role }) => role === "tool")).toHaveLength(4)
          if (!isNewest(client)) return
          const callOf = (part: string) => toolCallsOf(agent).find((call) => call.function.arguments.includes(part))
          for (const name of ["alpha", "beta"]) {
            const task = callOf(`[${name}]`)
            expect(task).toBeDefined()
            expect(ownerOf(agent, callOf(`touch by-${name}`)?.id)).toBe(task?.id)
            expect(ownerOf(agent, task?.id)).toBeUndefined()
          }
        }
      )
    )
  )

  it.live("two tools of the page are asked for together and answered in one run", () =>
    withClientsOn(wire, (client) =>
      onBridge(
        wire,
        {
          replies: [
            says(tool("mcp__frontend__color", { of: "sky" }), tool("mcp__frontend__size", { of: "sea" })),
            says("Blue and big.")
          ]
        },
        {},
        async ({ asked, url }) => {
          const agent = say(agentAt(url, client), "Choose")
          await run(agent, { tools: pageTools })
          const calls = toolCallsOf(agent)
          expect(calls.map(({ function: { arguments: input, name } }) => [name, input])).toEqual([
            ["color", '{"of":"sky"}'],
            ["size", '{"of":"sea"}']
          ])
          for (const [index, content] of ["a deep blue", "three miles"].entries())
            agent.addMessage({ id: `result-${index}`, role: "tool", toolCallId: calls[index]?.id ?? "", content })
          await run(agent, { tools: pageTools })
          expect(lastOf(agent)).toEqual(["assistant", "Blue and big."])
          expect(requestText(asked.at(-1))).toMatch(/a deep blue.*three miles/s)
        }
      )
    )
  )

  it.live("a run is stopped, another is left, and the thread works on", () =>
    withClientsOn(wire, (client) =>
      onBridge(wire, { replies: [endless, says("Second."), endless, says("Fourth.")] }, {}, async (place) => {
        const agent = say(agentAt(`${place.kit}/run`, client), "One")
        let stopped: Promise<unknown> | undefined
        const first = await run(agent, {}, (event) => {
          if (isText(event)) stopped ??= stop(place)
        })
        expect(await stopped).toMatchObject({ stopped: true })
        expect(first.error).toBeUndefined()
        expect(first.outcome).toEqual(isNewest(client) ? { type: "cancelled" } : undefined)
        await run(say(agent, "Two"))
        expect(lastOf(agent)).toEqual(["assistant", "Second."])

        agent.url = place.url
        await run(say(agent, "Three"), {}, (event) => void (isText(event) && agent.abortRun()))
        const session = await place.session()
        await idle(session.status)
        await run(say(agent, "Four"))
        expect(lastOf(agent)).toEqual(["assistant", "Fourth."])
        expect(requestText(place.asked.at(-1))).toMatch(/Two.*Second\..*Three.*Four/s)
      })
    )
  )

  it.live("an agent that is killed in mid-turn is missed, and its conversation goes on", () =>
    withClientsOn(wire, (client) =>
      onBridge(
        wire,
        {
          replies: [
            says("Noted."),
            says("Working.", tool("Bash", { command: "kill -9 $PPID", description: "End the agent" })),
            says("You said: plum.")
          ]
        },
        { session: { policy: allowAlways } },
        async ({ asked, url }) => {
          const agent = say(agentAt(url, client), "Remember the plum")
          await run(agent)
          const { error } = await run(say(agent, "Work"))
          expect(error).toMatchObject({ code: "process_exited", message: expect.stringContaining("SIGKILL") })
          expect((await run(say(agent, "What did I say?"))).error).toBeUndefined()
          expect(lastOf(agent)).toEqual(["assistant", "You said: plum."])
          expect(requestText(asked.at(-1))).toMatch(/Remember the plum.*Noted\..*What did I say\?/s)
        }
      )
    )
  )

  it.live("questions and plans reach the person, and the answers the model", () =>
    withClientsOn(wire, (client) =>
      onBridge(
        wire,
        {
          replies: [
            says(
              tool("AskUserQuestion", {
                questions: [
                  {
                    question: "Which colour?",
                    header: "Colour",
                    multiSelect: false,
                    options: [
                      { label: "Red", description: "Like fire" },
                      { label: "Blue", description: "Like water" }
                    ]
                  }
                ]
              })
            ),
            says(tool("ExitPlanMode", { plan: "# Plan\n\n1. Paint it" })),
            says("Planned.")
          ]
        },
        { session: { approvals: "interrupt", agent: { permissionMode: "plan" } } },
        async ({ asked, url }) => {
          const agent = say(agentAt(url, client), "Plan it")
          await run(agent)
          expect(agent.pendingInterrupts).toHaveLength(1)
          await run(agent, {
            resume: [
              {
                interruptId: agent.pendingInterrupts[0]?.id ?? "",
                status: "resolved",
                payload: { answers: { "Which colour?": "Blue" } }
              }
            ]
          })
          expect(requestText(asked.at(-1))).toMatch(/Which colour\?.*=.*Blue/s)
          expect(agent.pendingInterrupts).toHaveLength(1)
          expect(await approveAll(agent)).toBe(1)
          expect(lastOf(agent)).toEqual(["assistant", "Planned."])
          expect(requestText(asked.at(-1))).toMatch(/approved (your|exiting) plan/)
        }
      )
    )
  )
})

/** The sub-agent that made a call; undefined when the agent itself did. */
const ownerOf = (agent: ClientAgent, call: string | undefined): unknown => {
  const maker = agent.messages.find(
    (message) => message.role === "assistant" && message.toolCalls?.some(({ id }) => id === call)
  )
  expect(maker).toBeDefined()
  return maker !== undefined && "subagentRunId" in maker ? maker.subagentRunId : undefined
}

describe("questions", () => {
  const [current] = wires

  it.live("told by events are answered through the session", () =>
    withClientOfTurn(0, (client) =>
      onBridge(
        current,
        { replies: [says(touch("yes")), says(touch("no")), says("Done.")] },
        { session: { approvals: "event" } },
        async ({ asked, project, session, url }) => {
          const opened = await session()
          const answers: Array<Model.Answer> = [{ type: "allow" }, { type: "deny", reason: "Once is enough." }]
          const agent = say(agentAt(url, client), "Go")
          const { error } = await run(agent, {}, (event) => {
            if (event.type !== "CUSTOM" || !("name" in event) || event["name"] !== "tool_approval_request") return
            const { requestId } = event["value"] as { readonly requestId: string }
            void Effect.runPromise(opened.answer(requestId, answers.shift() ?? { type: "dismissed" }))
          })
          expect(error).toBeUndefined()
          expect(answers).toEqual([])
          expect([existsSync(join(project, "yes")), existsSync(join(project, "no"))]).toEqual([true, false])
          expect(requestText(asked.at(-1))).toContain("Once is enough.")
          expect(lastOf(agent)).toEqual(["assistant", "Done."])
        }
      )
    )
  )

  it.live("told by events and not answered in time are refused, and the run goes on", () =>
    withClientOfTurn(1, (client) =>
      onBridge(
        current,
        { replies: [says(touch("late")), says("Then not.")] },
        { session: { approvals: "event", approvalTimeout: "200 millis" } },
        async ({ asked, project, url }) => {
          const agent = say(agentAt(url, client), "Go")
          expect((await run(agent)).error).toBeUndefined()
          expect(existsSync(join(project, "late"))).toBe(false)
          expect(requestText(asked.at(-1))).toContain("Nobody answered within 200ms.")
          expect(wordsTo(agent)).toEqual(["Then not."])
        }
      )
    )
  )

  it.live("nobody answers in time are refused, the model reads why, and the person what it said then", () =>
    withClientOfTurn(2, (client) =>
      onBridge(
        current,
        { replies: [says(touch("late")), says("Then not."), says("Fine.")] },
        { session: { approvals: "interrupt", approvalTimeout: "200 millis" } },
        async ({ asked, project, session, url }) => {
          const agent = say(agentAt(url, client), "Go")
          await run(agent)
          const [interrupt] = agent.pendingInterrupts
          expect(interrupt).toBeDefined()
          const opened = await session()
          await until(Effect.map(opened.waiting, (waiting) => waiting.length === 0))
          await until(
            Effect.map(Effect.orDie(opened.log.moment()), ({ transcript }) =>
              JSON.stringify(transcript).includes("Then not.")
            )
          )
          await idle(opened.status)
          expect(requestText(asked.at(-1))).toContain("Nobody answered within 200ms.")
          expect(existsSync(join(project, "late"))).toBe(false)
          const { error } = await run(say(agent, "Well?"), {
            resume: [{ interruptId: interrupt?.id ?? "", status: "cancelled" }]
          })
          expect(error).toBeUndefined()
          expect(wordsTo(agent)).toEqual(["Then not.", "Fine."])
        }
      )
    )
  )
})

describe("a turn the agent begins by itself", () => {
  /** Has the agent say "It runs." in a run, and "It ended." when nobody listens. */
  const afterwards = (client: Client, use: (place: Place, agent: ClientAgent) => Promise<void>) =>
    onBridge(
      wires[0],
      {
        replies: [
          says(tool("Bash", { command: "sleep 0.5", description: "Wait", run_in_background: true })),
          says("It runs."),
          says("It ended."),
          says("Fine.")
        ]
      },
      { session: { policy: allowAlways } },
      async (place) => {
        const agent = say(agentAt(place.url, client), "Go")
        await run(agent)
        expect(wordsTo(agent)).toEqual(["It runs."])
        const { log, status } = await place.session()
        await until(
          Effect.map(Effect.orDie(log.moment()), ({ transcript }) => JSON.stringify(transcript).includes("It ended."))
        )
        await idle(status)
        await use(place, agent)
      }
    )

  it.live("reaches the next connect, and is not told again", () =>
    withClientOfTurn(3, (client) =>
      afterwards(client, async ({ kit, url }) => {
        const page = agentAt(`${kit}/connect`, client)
        await run(page)
        expect(wordsTo(page)).toEqual(["It runs.", "It ended."])
        page.url = url
        expect((await run(say(page, "And?"))).error).toBeUndefined()
        expect(wordsTo(page)).toEqual(["It runs.", "It ended.", "Fine."])
      })
    )
  )

  it.live("reaches the next run, before its own answer", () =>
    withClientOfTurn(4, (client) =>
      afterwards(client, async (_, agent) => {
        expect((await run(say(agent, "And?"))).error).toBeUndefined()
        expect(wordsTo(agent)).toEqual(["It runs.", "It ended.", "Fine."])
      })
    )
  )
})
