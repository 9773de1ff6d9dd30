/** The application's own tools: while a call waits for the page, everything else goes on. */

import { says, tool } from "@agentwire/fixtures/scenario"
import { isRecord } from "@agentwire/protocol/wire"
import { describe, expect, it } from "@effect/vitest"
import {
  agentAt,
  type Client,
  type ClientAgent,
  newest,
  onBridge,
  type Place,
  run,
  say,
  toolCallsOf,
  wires,
  withClientOfTurn
} from "../OnBridge.ts"
import { pendingIn, stops, untilStatus } from "./Doors.ts"
import { answerOf, ask, endless, expectAnswered, lanesOf, promptOf, timesAsked, wordsTo } from "./Marked.ts"
import { until, within } from "./Waiting.ts"

const tools = [
  { name: "color", description: "Lets the person choose a color", parameters: { type: "object", properties: {} } }
]

const called = says(tool("mcp__frontend__color", { of: "sky" }))
const wentOn = "The call is over."

/** Uses a thread whose first turn waits for the page. */
const whileCalled = (
  client: Client,
  use: (place: Place, agent: ClientAgent, toolCallId: string) => Promise<void>,
  more: Parameters<typeof lanesOf>[1] = {}
) =>
  onBridge(
    wires[0],
    { replies: [says("Nobody's.")], lanes: lanesOf("t", { first: [called, says(wentOn)], ...more }) },
    {},
    async (place) => {
      const agent = agentAt(`${place.kit}/run`, client, "t")
      await within("the call", run(say(agent, promptOf("t", "first")), { tools }))
      const [call] = toolCallsOf(agent)
      if (call === undefined) throw new Error("The page was not called.")
      await use(place, agent, call.id)
    }
  )

/** What the model was told that a call returned, every time it was told. */
const resultsOf = ({ asked }: Place, toolCallId: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  asked.flatMap(({ messages }) =>
    (Array.isArray(messages) ? messages : []).flatMap((message) => {
      const content = isRecord(message) ? message["content"] : undefined
      return (Array.isArray(content) ? content : [])
        .filter(isRecord)
        .filter((block) => block["type"] === "tool_result" && block["tool_use_id"] === toolCallId)
    })
  )

describe("a call that waits for the page, by each client,", () => {
  it.live("is abandoned for a prompt, and the prompt is answered", () =>
    withClientOfTurn(0, (client) =>
      whileCalled(client, async (place, agent, toolCallId) => {
        expect(await ask(agent, promptOf("t", "next"), { tools })).toMatchObject({ error: undefined })
        expect(wordsTo(agent).at(-1)).toBe(answerOf("t", "next"))
        expect(resultsOf(place, toolCallId)).not.toEqual([])
        for (const result of resultsOf(place, toolCallId)) expect(result).toMatchObject({ is_error: true })
        await untilStatus(place, "t", "idle")
        await expectAnswered(agent, "t", "last")
        expect(timesAsked(place, "t", "next")).toBe(1)
        expect(wordsTo(agent).filter((words) => words === answerOf("t", "next"))).toHaveLength(1)
      })
    )
  )

  it.live("has its result, and a prompt of the same run is answered, too", () =>
    withClientOfTurn(1, (client) =>
      whileCalled(client, async (place, agent, toolCallId) => {
        agent.addMessage({ id: "result", role: "tool", toolCallId, content: "a deep blue" })
        expect(await ask(agent, promptOf("t", "next"), { tools })).toMatchObject({ error: undefined })
        expect(wordsTo(agent).at(-1)).toBe(answerOf("t", "next"))
        expect(JSON.stringify(resultsOf(place, toolCallId)[0])).toContain("a deep blue")
        await expectAnswered(agent, "t", "last")
        expect(timesAsked(place, "t", "next")).toBe(1)
        expect(wordsTo(agent).filter((words) => words === answerOf("t", "next"))).toHaveLength(1)
      })
    )
  )
})

describe("one call of two that wait for the page", () => {
  it.live("has its result, and the other is abandoned for a prompt that came with it", () =>
    whileCalled(
      newest,
      async (place, agent, toolCallId) => {
        agent.addMessage({ id: "result", role: "tool", toolCallId, content: "a deep blue" })
        expect(await ask(agent, promptOf("t", "next"), { tools })).toMatchObject({ error: undefined })
        expect(wordsTo(agent).at(-1)).toBe(answerOf("t", "next"))
        expect(JSON.stringify(resultsOf(place, toolCallId)[0])).toContain("a deep blue")
        expect(await pendingIn(place, "t")).toEqual([])
        await expectAnswered(agent, "t", "last")
      },
      { first: [called, called, says(wentOn)] }
    )
  )
})

describe("a call that waits for the page", () => {
  it.live("is listed among what waits, until it is answered", () =>
    whileCalled(newest, async (place, agent, toolCallId) => {
      expect(await pendingIn(place, "t")).toEqual([
        expect.objectContaining({ kind: "page_tool", toolCallId, toolName: "color" })
      ])
      agent.addMessage({ id: "result", role: "tool", toolCallId, content: "a deep blue" })
      await within("the answer", run(agent, { tools }))
      expect(wordsTo(agent)).toEqual([wentOn])
      expect(await pendingIn(place, "t")).toEqual([])
    })
  )

  it.live("is given up with the CLI, which does not wait for ever either", () =>
    onBridge(
      wires[0],
      { replies: [says("Nobody's.")], lanes: lanesOf("t", { first: [called, endless] }) },
      { launcher: { inherit: { PATH: process.env["PATH"] ?? "", MCP_TOOL_TIMEOUT: "500" } } },
      async (place) => {
        const agent = agentAt(`${place.kit}/run`, newest, "t")
        await within("the call", run(say(agent, promptOf("t", "first")), { tools }))
        const [call] = toolCallsOf(agent)
        await until("nothing waits", async () => (await pendingIn(place, "t")).length === 0)
        await until("the model is told", async () => resultsOf(place, call?.id ?? "").length > 0)
        expect(JSON.stringify(resultsOf(place, call?.id ?? ""))).toContain("timed out")
      }
    )
  )

  it.live("is ended by a stop", () =>
    whileCalled(newest, async (place, agent) => {
      expect(await stops.copilotkit(place, "t")).toMatchObject({ stopped: true })
      await untilStatus(place, "t", "idle", "disconnected")
      expect(await pendingIn(place, "t")).toEqual([])
      await expectAnswered(agent, "t", "next")
      await expectAnswered(agent, "t", "last")
    })
  )

  it.live("does not keep a stopped prompt: that does not run later, and answers do not slide", () =>
    whileCalled(
      newest,
      async (place, agent) => {
        let stopped: Promise<unknown> | undefined
        const next = run(say(agent, promptOf("t", "next")), { tools }, ({ type }) => {
          if (type === "RUN_STARTED") stopped ??= stops.copilotkit(place, "t")
        })
        await within("the end of the stopped run", next)
        expect(await stopped).toMatchObject({ stopped: true })
        const before = timesAsked(place, "t", "next")
        await expectAnswered(agent, "t", "last")
        await untilStatus(place, "t", "idle")
        expect(timesAsked(place, "t", "next")).toBe(before)
        expect(timesAsked(place, "t", "last")).toBe(1)
      },
      { next: [endless] }
    )
  )
})
