/** What a request to run asks of a session, and when it is refused. */
import type { Agui, Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { type ApprovalMode, aguiThread } from "../../../src/face/agui/AguiThread.ts"
import { readSubmission } from "../../../src/face/agui/Submission.ts"
import { bareSession } from "../../BareSession.ts"
import { permission } from "../../FakeSessions.ts"
import { testLog } from "../../TestLog.ts"

const user = (id: string): Agui.Message => ({ id, role: "user", content: `Prompt ${id}` })

const input = (messages: ReadonlyArray<Agui.Message>, more: Partial<Agui.RunAgentInput> = {}): Agui.RunAgentInput => ({
  threadId: "t",
  runId: "r",
  messages,
  ...more
})

const answerTo = (interruptId: string) => ({
  resume: [{ interruptId, status: "resolved" as const, payload: { approved: true } }]
})

/** Reads requests of one thread, one after the other. */
const reader = (approvals: ApprovalMode = "interrupt") => {
  const thread = Effect.runSync(aguiThread(bareSession("t", testLog()), approvals))
  return (request: Agui.RunAgentInput, requests: ReadonlyArray<Model.Request> = [], state?: unknown) =>
    readSubmission(thread, request, approvals, {
      requests,
      pageCalls: [],
      inTurn: requests.length > 0,
      branch: 0,
      state
    })
}

const said = (read: ReturnType<ReturnType<typeof reader>>) => Result.getOrThrow(read).prompt?.said.map(({ id }) => id)

const codeOf = (read: ReturnType<ReturnType<typeof reader>>) =>
  Result.isFailure(read) ? read.failure.code : "accepted"

describe("a request", () => {
  it("is new until it is accepted, and then not again", () => {
    const read = reader()
    expect(said(read(input([user("a")])))).toEqual(["a"])
    const again = read(input([user("a")]))
    expect(said(again)).toEqual(["a"])
    Result.getOrThrow(again).onAccepted?.()
    expect(said(read(input([user("a")])))).toBeUndefined()
    expect(said(read(input([user("a"), user("b")])))).toEqual(["b"])
  })

  it("has the id of its run as its ticket, and offers the tools it brings", () => {
    const tools = [{ name: "paint", description: "Paints", parameters: {} }]
    const { ticket, tools: offered } = Result.getOrThrow(reader()(input([user("a")], { runId: "mine", tools })))
    expect([ticket, offered.map(({ name }) => name)]).toEqual(["mine", ["paint"]])
  })

  it("is repeated without what its client already has", () => {
    const read = reader()
    Result.getOrThrow(read(input([user("a")]))).onAccepted?.()
    const answered: ReadonlyArray<Agui.Message> = [user("a"), { id: "x", role: "assistant", content: "Yes." }]
    const { echo } = Result.getOrThrow(
      read(
        input([...answered, user("b")], {
          tools: [{ name: "paint", description: "Paints", parameters: {} }],
          context: [{ description: "where", value: "here" }]
        })
      )
    )
    expect(echo).toMatchObject({ runId: "r", messages: [user("b")], tools: [], context: [] })
  })
})

describe("a question that is open", () => {
  it("comes before a prompt, where questions end runs", () => {
    expect(codeOf(reader("interrupt")(input([user("a")]), [permission("q")]))).toBe("INTERRUPT_OPEN")
  })

  it("does not, where questions are events", () => {
    expect(codeOf(reader("event")(input([user("a")]), [permission("q")]))).toBe("accepted")
  })

  it("is answered with the prompt that comes along", () => {
    const read = reader()(input([user("a")], answerTo("q")), [permission("q")])
    expect(said(read)).toEqual(["a"])
    expect([...Result.getOrThrow(read).answered]).toEqual(["q"])
  })
})

describe("an answer that nobody waits for", () => {
  it("is refused when there is nothing else", () => {
    expect(codeOf(reader()(input([], answerTo("gone"))))).toBe("INTERRUPT_UNKNOWN")
  })

  it("is refused a second time", () => {
    const read = reader()
    Result.getOrThrow(read(input([], answerTo("q")), [permission("q")])).onAccepted?.()
    expect(codeOf(read(input([], answerTo("q"))))).toBe("INTERRUPT_UNKNOWN")
  })

  it("does not keep a prompt away", () => {
    expect(said(reader()(input([user("a")], answerTo("gone"))))).toEqual(["a"])
  })
})
