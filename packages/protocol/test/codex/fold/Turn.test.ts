import { describe, expect, it } from "vitest"
import { endFold, foldPrompt, initialFold } from "../../../src/codex/index.ts"
import type { Event, EventOf } from "../../../src/model/Event.ts"
import { began, completed, delta, fold, note, over, prompted, started, thread } from "./Lines.ts"

const ends = (events: ReadonlyArray<Event>) =>
  events.flatMap((event) => (event.type === "turn_ended" ? [event.outcome] : []))
const failure = (codexErrorInfo: unknown) => ({ status: "failed", error: { message: "No more.", codexErrorInfo } })

describe("a turn", () => {
  it.each([
    [{ status: "completed" }, { type: "completed" }],
    [{ status: "interrupted" }, { type: "cancelled" }],
    [failure("unauthorized"), { type: "failed", code: "unauthorized", message: "No more." }],
    [
      failure({ responseStreamDisconnected: { httpStatusCode: null } }),
      { type: "failed", code: "responseStreamDisconnected", message: "No more." }
    ],
    [failure("usageLimitExceeded"), { type: "limited", code: "usageLimitExceeded", message: "No more." }],
    [failure(null), { type: "failed", code: "error", message: "No more." }]
  ])("that ends %j", (end, outcome) => {
    expect(ends(fold([began(), over("u", end)]).events)).toEqual([outcome])
  })

  it("whose end says nothing has failed if an error was its last word", () => {
    const error = note("error", { error: { message: "Broken", codexErrorInfo: "badRequest" }, willRetry: false })
    expect(ends(fold([began(), error, over("u", { status: undefined })]).events)).toEqual([
      { type: "failed", code: "badRequest", message: "Broken" }
    ])
  })

  it("is begun by a prompt, and the echo of the prompt gives nothing", () => {
    const echo = { type: "userMessage", id: "x", clientId: "c", content: [{ type: "text", text: "Hi" }] }
    const { events } = fold([began(), started(echo), completed(echo), over()], prompted("Hi", "c"))
    expect(events.map(({ type }) => type)).toEqual(["turn_ended"])
    const other = { ...echo, clientId: "somebody" }
    const heard = fold([began(), completed(other), over()], prompted("Hi", "c")).events
    expect(heard[0]).toMatchObject({ type: "item_started", id: "somebody", item: { kind: "prompt", content: "Hi" } })
  })

  it("fails where Codex refuses the prompt", () => {
    const asked = { from: "client", id: 3, method: "turn/start", params: { threadId: thread, input: [] } }
    const refused = { id: 3, error: { code: -32600, message: "thread not found" } }
    expect(ends(fold([asked, refused], prompted("Hi")).events)).toEqual([
      { type: "failed", code: "prompt_refused", message: "thread not found" }
    ])
  })

  it("is one with the review that runs in it: only the outer one ends", () => {
    const inner = note("turn/started", { turn: { id: "v", items: [], status: "inProgress", rootTurnId: "u" } })
    const { events } = fold([started({ type: "enteredReviewMode", id: "e", review: "look" }), inner, over("u")])
    expect(events.filter(({ type }) => type.startsWith("turn_")).map(({ type }) => type)).toEqual([
      "turn_started",
      "turn_ended"
    ])
  })

  it("is charged with the difference of the thread's totals, cached input being a part of the input (§3.19)", () => {
    const counts = (inputTokens: number, outputTokens: number) => ({
      inputTokens,
      cachedInputTokens: inputTokens / 2,
      outputTokens
    })
    const usage = (total: number, last: number) =>
      note("thread/tokenUsage/updated", { tokenUsage: { total: counts(total, total), last: counts(last, last) } })
    const { events } = fold([began(), usage(300, 100), usage(400, 100), usage(400, 0), over()])
    const end = events.find((event): event is EventOf<"turn_ended"> => event.type === "turn_ended")
    expect(end?.usage).toEqual({ input: 200, output: 200, cachedInput: 100, cacheWriteInput: 0 })
  })
})

describe("the end of the agent", () => {
  it("ends what is open, and says how", () => {
    const { state } = fold([began(), delta("m", "Hel")])
    expect(endFold(state, { type: "exit", code: null, signal: "SIGKILL" })[1]).toEqual([
      { type: "item_ended", lane: null, id: "m", abandoned: true },
      {
        type: "turn_ended",
        outcome: {
          type: "failed",
          code: "process_exited",
          message: "The agent was killed by SIGKILL in the middle of the turn."
        }
      }
    ])
    expect(ends(endFold(state, { type: "cancelled" })[1])).toEqual([{ type: "cancelled" }])
  })

  it("says nothing where nothing is open", () => {
    expect(endFold(initialFold(), { type: "end" })[1]).toEqual([])
  })

  it("fails a prompt that no turn has followed", () => {
    const [state] = foldPrompt(initialFold(), [])
    expect(ends(endFold(state, { type: "end" })[1])).toMatchObject([{ type: "failed", code: "stream_ended" }])
  })
})
