/** Answers to questions that are not there, or not there any more: never a success without a word. */
import { says, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import { agentAt, approve, clients, onBridge, run, say, toolCallsOf, wires } from "../OnBridge.ts"
import { postRun, runBody } from "../RawRun.ts"
import { codeOf, managementOf, pendingIn, stops, untilStatus } from "./Doors.ts"
import { expectAnswered, lanesOf, promptOf } from "./Marked.ts"
import { within } from "./Waiting.ts"

const touch = tool("Bash", { command: "touch wanted", description: "Make a file" })
const script = {
  replies: [says("Nobody's.")],
  lanes: lanesOf("t", { first: [says(touch), says("Then not.")] })
}
const unknown = "there-is-no-such-question"

describe("an answer", () => {
  it.live("to a question that never was is an error, on a new thread and on a known one", () =>
    onBridge(wires[0], script, { session: { approvals: "interrupt" } }, async (place) => {
      const resume = [{ interruptId: unknown, status: "resolved", payload: { approved: true } }]
      const answered = async () => (await postRun(place.url, runBody("t", "", { messages: [], resume }))).at(-1)
      const error = { type: "RUN_ERROR", code: "INTERRUPT_UNKNOWN", message: expect.stringContaining(unknown) }
      expect(await within("the end of the run", answered())).toMatchObject(error)
      const agent = agentAt(place.url, undefined, "t")
      await expectAnswered(agent, "t", "next")
      expect(await within("the end of the run", answered())).toMatchObject(error)
      expect(await codeOf(managementOf(place).approvals.answer("t", unknown, { behavior: "allow" }))).toBe(
        "NOTHING_PENDING"
      )
      await expectAnswered(agent, "t", "last")
    })
  )

  it.live.each(clients)("to a question that somebody else has answered is an error, and the thread goes on", (client) =>
    onBridge(wires[0], script, { session: { approvals: "interrupt" } }, async (place) => {
      const { approvals } = managementOf(place)
      const agent = agentAt(place.url, client, "t")
      await within("the question", run(say(agent, promptOf("t", "first"))))
      const id = agent.pendingInterrupts[0]?.id ?? ""
      expect(await codeOf(approvals.answer("t", id, { behavior: "deny" }))).toBe("done")
      expect(await codeOf(approvals.answer("t", id, { behavior: "allow" }))).toBe("NOTHING_PENDING")
      expect(await pendingIn(place, "t")).toEqual([])
      await untilStatus(place, "t", "idle")
      expect((await within("the end of the run", approve(agent))).error).toMatchObject({ code: "INTERRUPT_UNKNOWN" })
      await expectAnswered(agent, "t", "next")
      await expectAnswered(agent, "t", "last")
    })
  )
})

describe.each(clients)("a result of a tool of the page", (client) => {
  it.live("that nobody waits for any more is an error, and the thread goes on", () =>
    onBridge(
      wires[0],
      {
        replies: [says("Nobody's.")],
        lanes: lanesOf("t", { first: [says(tool("mcp__frontend__color", {})), says("Then not.")] })
      },
      {},
      async (place) => {
        const tools = [{ name: "color", description: "Lets the person choose a color", parameters: { type: "object" } }]
        const agent = agentAt(`${place.kit}/run`, client, "t")
        await within("the call", run(say(agent, promptOf("t", "first")), { tools }))
        const [call] = toolCallsOf(agent)
        await stops.copilotkit(place, "t")
        await untilStatus(place, "t", "idle", "disconnected")
        agent.addMessage({ id: "late", role: "tool", toolCallId: call?.id ?? "", content: "a deep blue" })
        const late = await within("the end of the run", run(agent, { tools }))
        expect(late.error).toMatchObject({ code: "RESULT_UNKNOWN", message: expect.stringContaining(call?.id ?? "?") })
        await expectAnswered(agent, "t", "next")
        await expectAnswered(agent, "t", "last")
      }
    )
  )
})
