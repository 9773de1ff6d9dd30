import { describe, expect, it } from "vitest"
import { answerOf, decodeResult, type QuestionMethod, type WireQuestion } from "../../../src/codex/index.ts"
import type { Answer } from "../../../src/model/Request.ts"
import { legacyQuestions, networkQuestion, pageQuestion, questionOf, recordedQuestions } from "./Questions.ts"

const answers: ReadonlyArray<Answer> = [
  { type: "allow" },
  { type: "allow", remember: ["session"] },
  { type: "allow", remember: ["/execpolicy", "/network/0", "/network/1", "/always", "nothing"] },
  { type: "allow", input: { command: "rm -rf /" } },
  { type: "deny", reason: "No." },
  { type: "deny", reason: "No.", interrupt: true },
  { type: "chosen", answers: { "Which?": "Red" } },
  { type: "filled", content: { name: "Ann" } },
  { type: "declined" },
  { type: "dismissed" },
  { type: "result", content: "sunny", failed: false },
  { type: "result", content: [{ type: "image", source: { type: "url", value: "https://x/y.png" } }], failed: true }
]

const questions: ReadonlyArray<WireQuestion> = [...recordedQuestions, networkQuestion, ...legacyQuestions, pageQuestion]

const approvals: ReadonlySet<string> = new Set([
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "execCommandApproval",
  "applyPatchApproval"
])

const allowed = /^\{"decision":("accept|"approved|\{"accept|\{"apply)/

describe("an answer", () => {
  it("was recorded to questions of most kinds", () => {
    expect(new Set(recordedQuestions.map(({ method }) => method)).size).toBeGreaterThanOrEqual(5)
  })

  it("fits what Codex reads, whatever was asked and whatever was answered", () => {
    for (const question of questions)
      for (const answer of answers) {
        const decoded = decodeResult(question.method, answerOf(question, answer))
        expect(decoded, `${question.method} ${answer.type}`).toMatchObject({ _tag: "Known" })
        expect("odd" in decoded ? decoded.odd : undefined).toBeUndefined()
      }
  })

  it("allows nothing unless it says so", () => {
    for (const question of questions.filter(({ method }) => approvals.has(method)))
      for (const answer of answers) {
        const isAllowing = answer.type === "allow" && answer.input === undefined
        const given = JSON.stringify(answerOf(question, answer))
        expect(allowed.test(given), `${question.method} ${JSON.stringify(answer)} ${given}`).toBe(isAllowing)
      }
  })
})

describe("leave to run a command", () => {
  const decide = (answer: Answer) => answerOf(networkQuestion, answer)

  it("is given once, for the session, or with the rule that was named", () => {
    expect(decide({ type: "allow" })).toEqual({ decision: "accept" })
    expect(decide({ type: "allow", remember: ["session"] })).toEqual({ decision: "acceptForSession" })
    expect(decide({ type: "allow", remember: ["/execpolicy"] })).toEqual({
      decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["curl"] } }
    })
    expect(decide({ type: "allow", remember: ["/network/1"] })).toEqual({
      decision: { applyNetworkPolicyAmendment: { network_policy_amendment: { host: "example.org", action: "allow" } } }
    })
  })

  it("is refused, with the turn or without", () => {
    expect(decide({ type: "deny", reason: "No." })).toEqual({ decision: "decline" })
    expect(decide({ type: "deny", reason: "No.", interrupt: true })).toEqual({ decision: "cancel" })
  })

  it("is refused to a command that somebody has changed, because Codex would run the other one", () => {
    expect(decide({ type: "allow", input: { command: "ls", cwd: "/work" } })).toEqual({ decision: "decline" })
    const same = { command: "curl https://example.org", cwd: "/work", networkApprovalContext: {} }
    expect(decide({ type: "allow", input: same })).toEqual({ decision: "accept" })
  })
})

it("leave to change files is refused to other changes than were shown", () => {
  const asked = question("item/fileChange/requestApproval", {})
  const shown = { changes: [{ path: "/work/a", kind: { type: "add" }, diff: "a" }] }
  expect(answerOf(asked, { type: "allow", input: shown }, shown)).toEqual({ decision: "accept" })
  expect(answerOf(asked, { type: "allow", input: { changes: [] } }, shown)).toEqual({ decision: "decline" })
})

it("the older questions are told why not", () => {
  for (const question of legacyQuestions)
    expect(answerOf(question, { type: "deny", reason: "No." })).toEqual({ decision: { denied: { rejection: "No." } } })
})

const question = (method: QuestionMethod, params: object): WireQuestion =>
  questionOf(method, { threadId: "t", turnId: "u", itemId: "i", startedAtMs: 1, ...params })

it("permissions are given as they were asked for, for the turn or the session, or not at all", () => {
  const permissions = { network: { enabled: true }, fileSystem: null }
  const asked = question("item/permissions/requestApproval", { cwd: "/work", reason: null, permissions })
  expect(answerOf(asked, { type: "allow" })).toEqual({ permissions, scope: "turn" })
  expect(answerOf(asked, { type: "allow", remember: ["session"] })).toEqual({ permissions, scope: "session" })
  expect(answerOf(asked, { type: "deny", reason: "No." })).toEqual({ permissions: {}, scope: "turn" })
})

it("what was chosen goes by the ids of the questions", () => {
  const asked = question("item/tool/requestUserInput", {
    isBlocking: true,
    questions: [
      { id: "one", header: "Color", question: "Which?", options: [{ label: "Red", description: "r" }] },
      { id: "two", header: "Size", question: "How big?", options: null }
    ]
  })
  expect(answerOf(asked, { type: "chosen", answers: { "Which?": "Red", "Who?": "Me" } })).toEqual({
    answers: { one: { answers: ["Red"] } }
  })
  expect(answerOf(asked, { type: "dismissed" })).toEqual({ answers: {} })
})

describe("an MCP server", () => {
  const form = question("mcpServer/elicitation/request", {
    serverName: "files",
    mode: "form",
    message: "Your name?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } } }
  })
  const leave = question("mcpServer/elicitation/request", {
    serverName: "files",
    mode: "form",
    message: "Allow?",
    requestedSchema: { type: "object", properties: {} },
    _meta: { codex_approval_kind: "mcp_tool_call", persist: ["session", "always"] }
  })

  it("has its form filled in, declined or cancelled", () => {
    expect(answerOf(form, { type: "filled", content: { name: "Ann" } })).toMatchObject({
      action: "accept",
      content: { name: "Ann" }
    })
    expect(answerOf(form, { type: "declined" })).toMatchObject({ action: "decline" })
    expect(answerOf(form, { type: "deny", reason: "Nobody is there." })).toMatchObject({ action: "cancel" })
    expect(answerOf(pageQuestion, { type: "filled", content: {} })).toMatchObject({ action: "accept", content: null })
  })

  it("may use its tool once, in the session, or always", () => {
    expect(answerOf(leave, { type: "allow" })).toEqual({ action: "accept", content: {}, _meta: null })
    expect(answerOf(leave, { type: "allow", remember: ["session"] })).toMatchObject({ _meta: { persist: "session" } })
    expect(answerOf(leave, { type: "allow", remember: ["/always"] })).toMatchObject({ _meta: { persist: "always" } })
    expect(answerOf(leave, { type: "deny", reason: "No." })).toMatchObject({ action: "decline" })
    expect(answerOf(leave, { type: "filled", content: {} })).toMatchObject({ action: "decline" })
  })
})
