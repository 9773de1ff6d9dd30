/**
 * The demo agent behind the whole bridge, with the real clients of AG-UI 1.0.0 and 0.0.59: what somebody without an
 * account gets to see.
 */
import { Conform } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerCodexRuntime } from "../../packages/bridge/src/runtime/codex/CodexRuntime.ts"
import { demoLauncher } from "../../packages/cli/src/demo/DemoAgent.ts"
import { demoCodexLauncher } from "../../packages/cli/src/demo/DemoServer.ts"
import { codexPrompts, demoPrompts } from "../../packages/cli/src/demo/Turns.ts"
import {
  agentAt,
  type ClientAgent,
  clients,
  listening,
  type Place,
  type Ran,
  run,
  say,
  servedBy,
  toolCallsOf,
  withClientOfTurn
} from "./OnBridge.ts"

const onDemo = <A>(
  use: (place: Pick<Place, "url" | "kit" | "session">) => Promise<A>,
  speed: number | "instant" = "instant"
): Effect.Effect<A> =>
  listening(demoLauncher({ speed }), { session: { cwd: process.cwd(), approvals: "interrupt" } }, use).pipe(
    Effect.scoped
  )

const pageTools = [
  {
    name: "setAccent",
    description: "Changes the accent colour",
    parameters: { type: "object", properties: { color: { type: "string" } } }
  }
]

/** What is wrong with what a client was sent in a turn, but for remarks. */
const wrongWith = (...runs: ReadonlyArray<Ran>): ReadonlyArray<string> =>
  Conform.checkEvents(runs.flatMap(({ events }) => events))
    .findings.filter(({ level }) => level !== "info")
    .map(({ message, rule }) => `${rule}: ${message}`)

const typesOf = ({ events }: Ran): ReadonlySet<string> => new Set(events.map(({ type }) => type))

const answer = (agent: ClientAgent, payload: unknown): Promise<Ran> =>
  run(agent, {
    resume: agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "resolved" as const, payload }))
  })

/** Answers the calls of the page's tools. */
const inThePage = async (agent: ClientAgent, content: string): Promise<Ran> => {
  const answered = new Set(agent.messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])))
  for (const { id } of toolCallsOf(agent))
    if (!answered.has(id)) agent.addMessage({ id: crypto.randomUUID(), role: "tool", toolCallId: id, content })
  return run(agent, { tools: pageTools })
}

const lastOf = (agent: ClientAgent): string => String(agent.messages.at(-1)?.content)

/** What each suggestion must show: its events, and words of the end. */
const shown: Readonly<Record<string, readonly [events: ReadonlyArray<string>, words: string]>> = {
  "Explain how agentwire works": [["REASONING_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT"], "## The short version"],
  "Look around in the project": [["TOOL_CALL_ARGS", "TOOL_CALL_RESULT"], "tea timer"],
  "Write a haiku into a file": [["TOOL_CALL_START"], "Saved as it was"],
  "Send two helpers": [["SUBAGENT_STARTED", "SUBAGENT_FINISHED", "TOOL_CALL_RESULT"], "Both are back"],
  "Make this page teal": [["TOOL_CALL_START"], "> The page has it."],
  "Ask me a question": [["TOOL_CALL_START"], "**Tapes** keep every line"],
  "Plan a tea party": [["TOOL_CALL_RESULT"], "All three are done"],
  "Tell me a long story": [["TEXT_MESSAGE_CONTENT"], "has not lost a line"],
  "Show me an error": [["RUN_ERROR"], "529"],
  "anything else": [["TEXT_MESSAGE_CONTENT"], "demo agent"]
}

/** Says it, and answers whatever is asked until the turn is over. */
const converse = async (agent: ClientAgent, prompt: string): Promise<ReadonlyArray<Ran>> => {
  const runs = [await run(say(agent, prompt), { tools: pageTools })]
  if (prompt === "Ask me a question") runs.push(await answer(agent, { answer: "Tapes" }))
  else if (agent.pendingInterrupts.length > 0) runs.push(await answer(agent, { approved: true }))
  else if (prompt === "Make this page teal") runs.push(await inThePage(agent, "The page has it."))
  return runs
}

const check = (agent: ClientAgent, prompt: string, runs: ReadonlyArray<Ran>, promised = shown): void => {
  const [events, words] = promised[prompt] ?? [[], ""]
  expect(wrongWith(...runs), prompt).toEqual([])
  for (const type of events)
    expect(
      runs.flatMap((ran) => [...typesOf(ran)]),
      prompt
    ).toContain(type)
  expect(lastOf(agent), prompt).toContain(words)
}

describe.each(clients)("the demo agent", (client) => {
  it.live("shows what each suggestion promises, all in one thread", () =>
    onDemo(async ({ url }) => {
      expect(Object.keys(shown)).toEqual(expect.arrayContaining(demoPrompts.map(({ prompt }) => prompt)))
      const agent = agentAt(url, client)
      for (const prompt of Object.keys(shown)) check(agent, prompt, await converse(agent, prompt))
      const ids = agent.messages.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    })
  )
})

describe("the demo agent", () => {
  const haiku = "Write a haiku into a file"

  it.live("writes what was edited", () =>
    onDemo(async ({ url }) => {
      const agent = agentAt(url)
      const asked = await run(say(agent, haiku))
      const editedArgs = { file_path: "/tmp/mine.md", content: "Mine,\nnot yours.\n" }
      const ran = await answer(agent, { approved: true, editedArgs })
      expect(wrongWith(asked, ran)).toEqual([])
      expect(lastOf(agent)).toContain("Mine,\nnot yours.")
      expect(JSON.stringify(agent.messages)).toContain("File created successfully at: /tmp/mine.md")
    })
  )

  it.live("does not write what was denied, and says why", () =>
    onDemo(async ({ url }) => {
      const agent = agentAt(url)
      const asked = await run(say(agent, haiku))
      const ran = await answer(agent, { approved: false, reason: "I prefer limericks." })
      expect(wrongWith(asked, ran)).toEqual([])
      expect(lastOf(agent)).toContain("nothing was written")
      expect(agent.messages).toContainEqual(
        expect.objectContaining({ role: "tool", content: expect.stringContaining("I prefer limericks.") })
      )
    })
  )

  it.live("asks once after the person has chosen the mode that it suggests, and again after a mere yes", () =>
    onDemo(async ({ url }) => {
      const agent = agentAt(url)
      await run(say(agent, haiku))
      await answer(agent, { approved: true })
      expect((await run(say(agent, haiku))).outcome).toMatchObject({ type: "interrupt" })
      const [asked] = agent.pendingInterrupts
      await answer(agent, { approved: true, updatedPermissions: asked?.metadata?.["suggestions"] })
      expect((await run(say(agent, haiku))).outcome).toEqual({ type: "success" })
      expect(lastOf(agent)).toContain("without a question")
    })
  )

  it.live("asks no more for a file that was allowed for the session", () =>
    onDemo(async ({ url }) => {
      const agent = agentAt(url)
      await run(say(agent, haiku))
      await answer(agent, { approved: true, always: true })
      expect((await run(say(agent, haiku))).outcome).toEqual({ type: "success" })
    })
  )

  it.live("changes the page to the colour that was asked for, or says that it cannot", () =>
    onDemo(async ({ url }) => {
      const agent = agentAt(url)
      await run(say(agent, "Make this page orange"))
      expect(lastOf(agent)).toContain("offers me no tool")
      const called = await run(say(agent, "Make this page orange"), { tools: pageTools })
      expect(toolCallsOf(agent).at(-1)?.function).toEqual({ name: "setAccent", arguments: '{"color":"orange"}' })
      expect(wrongWith(called, await inThePage(agent, "Orange, as you wished."))).toEqual([])
      expect(lastOf(agent)).toContain("> Orange, as you wished.")
    })
  )

  it.live("stops in the middle of a word, and is ready for the next", () =>
    onDemo(async ({ session, url }) => {
      const agent = agentAt(url)
      const { stop } = await session()
      let stopped: Promise<boolean> | undefined
      const ran = await run(say(agent, "Tell me a long story"), {}, ({ type }) => {
        if (type === "TEXT_MESSAGE_CONTENT") stopped ??= Effect.runPromise(stop())
      })
      expect(await stopped).toBe(true)
      expect(wrongWith(ran)).toEqual([])
      expect(lastOf(agent)).toMatch(/^Once/)
      expect(lastOf(agent).length).toBeLessThan(1000)
      check(agent, "anything else", await converse(agent, "anything else"))
    }, 4)
  )

  it.live("takes turns in any order, as often as one likes", () =>
    onDemo(async ({ url }) => {
      const agent = agentAt(url)
      let seed = 20_261_116
      for (let turn = 0; turn < 10; turn++) {
        seed = (seed * 48_271) % 2_147_483_647
        const prompt = Object.keys(shown)[seed % Object.keys(shown).length] ?? ""
        check(agent, prompt, await converse(agent, prompt))
      }
      const ids = agent.messages.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    })
  )

  it.live("is one for each thread", () =>
    onDemo(async ({ session, url }) => {
      const prompts = ["Send two helpers", haiku, "Make this page teal"]
      await Promise.all(
        ["one", "two"].map(async (thread) => {
          const agent = agentAt(url, clients[0], thread)
          for (const prompt of prompts) check(agent, prompt, await converse(agent, prompt))
        })
      )
      const ids = await Promise.all(
        ["one", "two"].map(async (thread) => Effect.runPromise((await session(thread)).providerSessionId))
      )
      expect(new Set(ids).size).toBe(2)
    })
  )
})

/** The same of the demo's Codex, which has no helpers and asks nothing outside of its plan mode. */
const shownByCodex: typeof shown = {
  "Explain how agentwire works": [["REASONING_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT"], "Claude Code says the same"],
  "Look around in the project": [["TOOL_CALL_ARGS", "TOOL_CALL_RESULT"], "tea timer"],
  "Write a haiku into a file": [["TOOL_CALL_START"], "Saved as you saw it"],
  "Make this page teal": [["TOOL_CALL_START"], "> The page has it."],
  "Plan a tea party": [["TEXT_MESSAGE_CONTENT"], "All three are done"],
  "Tell me a long story": [["TEXT_MESSAGE_CONTENT"], "has not lost a line"],
  "Show me an error": [["RUN_ERROR"], ""],
  "anything else": [["TEXT_MESSAGE_CONTENT"], "the real Codex 0.166.0"]
}

const onCodexDemo = <A>(
  use: (place: Pick<Place, "url" | "kit" | "session">) => Promise<A>,
  speed: number | "instant" = "instant"
): Effect.Effect<A> =>
  servedBy(
    Layer.provide(layerCodexRuntime, demoCodexLauncher({ speed })),
    { session: { cwd: process.cwd(), approvals: "interrupt" } },
    use
  ).pipe(Effect.scoped)

describe("the demo's Codex", () => {
  const haiku = "Write a haiku into a file"

  it.live("shows what each suggestion promises, twice, all in one thread", () =>
    withClientOfTurn(1, (client) =>
      onCodexDemo(async ({ url }) => {
        expect(Object.keys(shownByCodex)).toEqual(expect.arrayContaining(codexPrompts.map(({ prompt }) => prompt)))
        const agent = agentAt(url, client)
        for (const prompt of [...Object.keys(shownByCodex), ...Object.keys(shownByCodex)].reverse())
          check(agent, prompt, await converse(agent, prompt), shownByCodex)
        const ids = agent.messages.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      })
    )
  )

  it.live("shows the change before it is made, and does not make what was denied", () =>
    onCodexDemo(async ({ url }) => {
      const agent = agentAt(url)
      const asked = await run(say(agent, haiku))
      expect(JSON.stringify(agent.pendingInterrupts)).toContain("the stream becomes a story.")
      const ran = await answer(agent, { approved: false })
      expect(wrongWith(asked, ran)).toEqual([])
      expect(lastOf(agent)).toContain("nothing was written")
    })
  )

  it.live("asks once where it was allowed for the session, and again after a mere yes", () =>
    onCodexDemo(async ({ url }) => {
      const agent = agentAt(url)
      await run(say(agent, haiku))
      await answer(agent, { approved: true })
      await run(say(agent, haiku))
      await answer(agent, { approved: true, always: true })
      expect(lastOf(agent)).toContain("will not ask again")
      expect((await run(say(agent, haiku))).outcome).toEqual({ type: "success" })
      expect(lastOf(agent)).toContain("without a question")
    })
  )

  it.live("stops in the middle of a word, or of a question, and is ready for the next", () =>
    onCodexDemo(async ({ session, url }) => {
      const agent = agentAt(url)
      const { stop } = await session()
      let stopped: Promise<boolean> | undefined
      const ran = await run(say(agent, "Tell me a long story"), {}, ({ type }) => {
        if (type === "TEXT_MESSAGE_CONTENT") stopped ??= Effect.runPromise(stop())
      })
      expect(await stopped).toBe(true)
      expect(wrongWith(ran)).toEqual([])
      expect(lastOf(agent)).toMatch(/^Once/)
      expect(lastOf(agent).length).toBeLessThan(1000)
      await run(say(agent, haiku))
      expect(agent.pendingInterrupts).toHaveLength(1)
      await Effect.runPromise(stop())
      agent.pendingInterrupts = []
      check(agent, "anything else", await converse(agent, "anything else"), shownByCodex)
    }, 8)
  )
})
