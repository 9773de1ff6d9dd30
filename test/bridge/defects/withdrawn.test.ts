/**
 * A question that the CLI takes back (`control_cancel_request`) while the policy still thinks about it: nobody is asked,
 * and nobody waits for the policy.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { says, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { agentAt, clients, newest, onBridge, run, type Setting, say, wires } from "../OnBridge.ts"
import { pendingIn, stops } from "./Doors.ts"
import { expectAnswered, lanesOf, promptOf, timesAsked } from "./Marked.ts"
import { within } from "./Waiting.ts"

type Policy = NonNullable<NonNullable<Setting["session"]>["policy"]>

/** A policy that asks a person, and thinks about one call for as long as it is let. */
const thinkingAt = (slowCall: number) => {
  let calls = 0
  let begin = (): void => undefined
  let decide = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const decided = new Promise<void>((resolve) => {
    decide = resolve
  })
  const policy: Policy = () =>
    Effect.promise(async () => {
      if (++calls === slowCall) {
        begin()
        await decided
      }
      return { _tag: "Ask" }
    })
  return { policy, begun, decide: () => decide() }
}

/** When a policy is asked about a call: by the hook before it, and by `can_use_tool`. */
const callsOfPolicy = [
  ["a hook", 1, newest],
  ...clients.map((client) => ["the question itself", 2, client] as const)
] as const

describe.each(callsOfPolicy)("while the policy thinks, asked by %s,", (_, slowCall, client) => {
  it.live("a stop frees the thread at once, and the question is never asked", () => {
    const { begun, decide, policy } = thinkingAt(slowCall)
    const touch = tool("Bash", { command: "touch unwanted", description: "Make a file" })
    return onBridge(
      wires[0],
      { replies: [says("Nobody's.")], lanes: lanesOf("t", { first: [says(touch), says("It went on.")] }) },
      { session: { approvals: "interrupt", policy } },
      async (place) => {
        const agent = agentAt(`${place.kit}/run`, client, "t")
        const first = run(say(agent, promptOf("t", "first")))
        await within("the policy is asked", begun)
        expect(await stops.copilotkit(place, "t")).toMatchObject({ stopped: true })
        expect(await within("the end of the stopped run", first)).toMatchObject({ error: undefined })
        expect(agent.pendingInterrupts).toEqual([])
        await expectAnswered(agent, "t", "next")
        decide()
        await expectAnswered(agent, "t", "last")
        expect(agent.pendingInterrupts).toEqual([])
        expect(await pendingIn(place, "t")).toEqual([])
        expect([timesAsked(place, "t", "next"), timesAsked(place, "t", "last")]).toEqual([1, 1])
        expect(existsSync(join(place.project, "unwanted"))).toBe(false)
      }
    )
  })
})
