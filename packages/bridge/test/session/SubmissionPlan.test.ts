/** What becomes of a submission, given what its session does. */
import type { Model } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import type { Submission } from "../../src/session/Session.ts"
import { planSubmission, type SessionDoing } from "../../src/session/SubmissionPlan.ts"
import { permission } from "../FakeSessions.ts"

const idle: SessionDoing = {
  waiting: [],
  isGoingBack: false,
  inTurn: false,
  isWorking: false,
  isStopping: false,
  isQueueEmpty: true,
  canSteer: true,
  busy: "reject"
}
const working = { ...idle, inTurn: true, isWorking: true }
const asking = { ...idle, inTurn: true, waiting: [permission("q")] }
const pageTool: Model.Request = { kind: "page_tool", id: "p", call: "c", tool: "pick", input: {}, message: "Pick." }

const nothing: Pick<Submission, "answers" | "results"> = { answers: [], results: [] }
const prompt = { ...nothing, prompt: { type: "prompt" as const, said: [{ id: "u", content: "Hi" }] } }
const branch = { ...prompt, branch: { from: null, after: null, anchor: null, again: [] } }
const answer = { ...nothing, answers: [{ id: "q", answer: { type: "allow" as const } }] }

describe("a prompt", () => {
  it.each([
    ["begins when nothing is done", idle, "begin"],
    ["waits behind others", { ...idle, isQueueEmpty: false }, "wait"],
    ["is refused by a busy session", working, "refuse"],
    ["waits where that is chosen", { ...working, busy: "queue" }, "wait"],
    ["ends the turn where that is chosen", { ...working, busy: "interrupt" }, "interrupt"],
    ["goes into the turn where that is chosen", { ...working, busy: "steer" }, "steer"],
    ["goes into a turn in which something is asked, too", { ...asking, busy: "steer" }, "steer"],
    ["waits where the agent hears nothing in mid-turn", { ...working, busy: "steer", canSteer: false }, "wait"],
    ["does not go into a turn that ends", { ...working, isStopping: true, busy: "steer" }, "wait"],
    ["waits for a turn that ends", { ...working, isStopping: true }, "wait"],
    ["is refused while something is asked", asking, "refuse"],
    ["ends a turn that only waits for the page", { ...asking, waiting: [pageTool] }, "interrupt"],
    ["is refused while the agent goes back", { ...idle, isGoingBack: true }, "refuse"],
    ["waits until the agent is there, where that is chosen", { ...idle, isGoingBack: true, busy: "queue" }, "wait"]
  ] as const)("%s", (_, doing, plan) => expect(planSubmission(prompt, doing)).toBe(plan))

  it("that goes back ends the turn, whatever is asked in it", () => {
    for (const doing of [working, asking]) expect(planSubmission(branch, doing)).toBe("interrupt")
    expect(planSubmission(branch, idle)).toBe("begin")
  })

  it("waits for the turn whose questions it answers", () => {
    expect(planSubmission({ ...prompt, answers: answer.answers }, asking)).toBe("wait")
  })
})

describe("an answer alone", () => {
  it("goes to the turn that waits for it", () => expect(planSubmission(answer, asking)).toBe("wait"))

  it("is needed: a request that says nothing is refused while the agent works", () => {
    expect(planSubmission(nothing, working)).toBe("refuse")
    expect(planSubmission(nothing, asking)).toBe("wait")
  })
})
