/**
 * Versions of the CLI between those whose whole behaviour was recorded: what is known of them holds, and what is only
 * assumed is tried (docs/wire/claude-code.md §9).
 */

import type { JsonObject } from "@agentwire/fixtures"
import { says, tool } from "@agentwire/fixtures/scenario"
import { Claude } from "@agentwire/protocol"
import { isRecord } from "@agentwire/protocol/wire"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeClient } from "../../packages/bridge/src/client/Client.ts"
import type { ManagementError } from "../../packages/bridge/src/client/ManagementError.ts"
import { firstOf } from "../../packages/fixtures/test/Sweep.ts"
import {
  agentAt,
  type ClientAgent,
  headers,
  onBridge,
  type Place,
  requestText,
  run,
  say,
  toolCallsOf
} from "./OnBridge.ts"

const clientOf = ({ url }: Place) => makeClient({ url, token: headers.Authorization.slice("Bearer ".length) })

/** What came of a request: `answered`, or the code of its refusal. */
const outcomeOf = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => "answered",
    ({ code }: ManagementError) => code
  )

const pageTool = (name: string) => ({
  name,
  description: `The ${name} tool of the page.`,
  parameters: { type: "object", properties: { of: { type: "string", description: `What to ${name}.` } } }
})

/** Says something, and gives the page's answer to the tool the model calls. */
const turn = async (agent: ClientAgent, text: string, names: ReadonlyArray<string>, result: string): Promise<void> => {
  const tools = names.map(pageTool)
  await run(say(agent, text), { tools })
  const call = toolCallsOf(agent).at(-1)
  expect(call?.function.name).toBe(names.at(-1))
  agent.addMessage({ id: `result-${text}`, role: "tool", toolCallId: call?.id ?? "", content: result })
  await run(agent, { tools })
}

/** A call of a tool by whichever of the names that its server may have had is offered to the model. */
const callOf = (name: string) =>
  says(tool(["frontend_3", "frontend_2", "frontend"].map((server) => `mcp__${server}__${name}`).join("|"), {}))

const toolIn = (body: JsonObject | undefined, name: string): JsonObject | undefined =>
  [body?.["tools"]]
    .flat()
    .flatMap((each) => (isRecord(each) ? [each] : []))
    .find((each) => each["name"] === name)

describe("the tools of the page", () => {
  // A version (2.1.160) of which nobody knows, and the first three ways of changing them, each on the oldest and the
  // newest version it was seen to be needed on.
  it.live.each(firstOf(1, ["2.1.63", "2.1.160", "2.1.62", "2.1.92", "2.1.112", "2.1.270"]))(
    "change between two turns of %s, and the model gets the real results of both",
    (version) =>
      onBridge(
        [version, "stdio"],
        { replies: [callOf("pick"), says("One."), callOf("paint"), says("Two."), callOf("print"), says("Three.")] },
        {},
        async ({ asked, url }) => {
          const agent = agentAt(url)
          await turn(agent, "Pick", ["pick"], "picked in the page")
          expect(requestText(asked.at(-1))).toContain("picked in the page")
          await turn(agent, "Paint", ["pick", "paint"], "painted in the page")
          expect(requestText(asked.at(-1))).toContain("painted in the page")
          await turn(agent, "Print", ["pick", "paint", "print"], "printed in the page")
          expect(requestText(asked.at(-1))).toContain("printed in the page")
          expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Three." })
        }
      )
  )

  it.live("are in the first request of 2.1.325 with description and schema", () =>
    onBridge(["2.1.325", "stdio"], { replies: [says("Hello.")] }, {}, async ({ asked, url }) => {
      await run(say(agentAt(url), "Hello"), { tools: [pageTool("pick")] })
      expect(toolIn(asked[0], "mcp__frontend__pick")).toMatchObject({
        description: "The pick tool of the page.",
        input_schema: pageTool("pick").parameters
      })
      expect(toolIn(asked[0], "mcp__frontend__pick")).not.toHaveProperty("defer_loading")
    })
  )
})

describe("a control request", () => {
  it.live.each(
    firstOf(1, [
      ["2.1.86", "answered"],
      ["2.1.85", "AGENT_UNSUPPORTED"],
      ["2.1.92", "answered"],
      ["2.1.113", "answered"]
    ] as const)
  )("get_context_usage of %s: %s", ([version, outcome]) =>
    onBridge([version, "stdio"], { replies: [says("Hello.")] }, {}, async (place) => {
      await run(say(agentAt(place.url), "Hello"))
      const asked = clientOf(place).sessions.contextUsage("thread-1")
      expect(await outcomeOf(asked)).toBe(outcome)
    })
  )

  it.live("that nobody knows of is tried: 2.1.72 answers one, and says of another that it does not know it", () =>
    onBridge(["2.1.72", "stdio"], { replies: [says("Hello.")] }, {}, async (place) => {
      await run(say(agentAt(place.url), "Hello"))
      const session = await place.session()
      const ask = (subtype: "get_settings" | "reload_plugins") => {
        expect(Claude.lookupAnswer(subtype, "2.1.72")).toEqual({ value: "unsupported", assumed: true })
        return Effect.runPromise(Effect.result(session.native.request(subtype, {})))
      }
      expect(await ask("get_settings")).toMatchObject({ _tag: "Success" })
      expect(await ask("reload_plugins")).toMatchObject({
        failure: { code: "UNSUPPORTED", message: "Unsupported control request subtype: reload_plugins" }
      })
    })
  )
})
