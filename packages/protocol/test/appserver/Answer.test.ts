/** What clients answer and send, read. */

import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AppServer, Model } from "../../src/index.ts"

const permission = (more: Partial<Model.PermissionRequest> = {}): Model.PermissionRequest => ({
  id: "r",
  kind: "permission",
  message: "May it?",
  call: "c",
  tool: "Bash",
  input: { command: "ls" },
  remember: [
    { id: "one", label: "Bash(ls:*)" },
    { id: "two", label: "Bash(ls)" }
  ],
  details: {},
  ...more
})

const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["ls"] } }

const requests: ReadonlyArray<Model.Request> = [
  permission({ suggestions: [{ id: "/execpolicy", value: amendment }] }),
  permission({ kind: "plan", remember: [] }),
  {
    id: "r",
    kind: "choice",
    message: "",
    call: "c",
    tool: "AskUserQuestion",
    input: {},
    details: {},
    choices: [
      { question: "Which?", multiple: false, options: [{ label: "Red" }] },
      { question: "How many?", multiple: true, options: [] }
    ]
  },
  { id: "r", kind: "form", message: "", server: "s", details: {} },
  { id: "r", kind: "page_tool", message: "", call: "c", tool: "show", input: {} }
]
const [command, plan, choice, form, pageTool] = requests as readonly [
  Model.PermissionRequest,
  Model.PermissionRequest,
  Model.Request,
  Model.Request,
  Model.Request
]

const answer = (request: Model.Request, result: unknown): Model.Answer => AppServer.readAnswer(request, { result })

describe("readAnswer", () => {
  it.each([
    ["accept", { type: "allow" }],
    ["acceptForSession", { type: "allow", remember: ["one", "two"] }],
    ["decline", { type: "deny", reason: "The user declined this." }],
    ["cancel", { type: "deny", reason: "The user declined this.", interrupt: true }],
    [amendment, { type: "allow", remember: ["/execpolicy"] }],
    ["approve", { type: "deny", reason: "The client gave no answer that can be read." }],
    ["__proto__", { type: "deny", reason: "The client gave no answer that can be read." }],
    [
      { applyNetworkPolicyAmendment: { network_policy_amendment: { host: "h", action: "deny" } } },
      { type: "deny", reason: "The client gave no answer that can be read." }
    ]
  ])("takes the decision %j", (decision, expected) => {
    expect(answer(command, { decision })).toEqual(expected)
  })

  it("takes leave for any other tool from the form that asks for it", () => {
    expect(answer(plan, { action: "accept", content: {}, _meta: null })).toEqual({ type: "allow" })
    expect(answer(command, { action: "accept", _meta: { persist: "session" } })).toEqual({
      type: "allow",
      remember: ["one", "two"]
    })
    expect(answer(plan, { action: "decline" })).toEqual({ type: "deny", reason: "The user declined this." })
    // Codex goes on with the turn (docs/wire/codex.md, §3.33).
    expect(answer(plan, { action: "cancel" })).toEqual({ type: "deny", reason: "The user declined this." })
  })

  it("takes choices by the ids that they were asked with", () => {
    const answers = { "0": { answers: ["Red"] }, "1": { answers: ["two", "three"] }, other: { answers: ["x"] } }
    expect(answer(choice, { answers })).toEqual({
      type: "chosen",
      answers: { "Which?": "Red", "How many?": "two, three" }
    })
    expect(answer(choice, { answers: {} })).toEqual({ type: "dismissed" })
  })

  it("takes forms and what tools of the client gave back", () => {
    expect(answer(form, { action: "accept", content: { name: "Ada" } })).toEqual({
      type: "filled",
      content: { name: "Ada" }
    })
    expect(answer(form, { action: "decline" })).toEqual({ type: "declined" })
    expect(answer(form, { action: "cancel" })).toEqual({ type: "dismissed" })
    expect(answer(pageTool, { contentItems: [{ type: "inputText", text: "shown" }], success: true })).toEqual({
      type: "result",
      content: "shown",
      failed: false
    })
    expect(AppServer.readAnswer(pageTool, { error: { code: -32000, message: "no" } })).toEqual({
      type: "result",
      content: "no",
      failed: true
    })
  })

  it("takes anything, allows nothing that it cannot read, and gives an answer of the model", () => {
    const isAnswer = Schema.is(Model.Answer)
    const value = fc.jsonValue()
    const keys = { decision: value, action: value, answers: value, content: value, contentItems: value, _meta: value }
    const anything = fc.oneof(value, fc.record(keys, { requiredKeys: [] }))
    fc.assert(
      fc.property(fc.constantFrom(...requests), anything, fc.boolean(), (request, value, isError) => {
        const given = AppServer.readAnswer(request, isError ? { error: value } : { result: value })
        expect(isAnswer(given)).toBe(true)
        const allows = given.type === "allow" || given.type === "filled" || given.type === "chosen"
        const text = JSON.stringify(value)
        if (allows) expect(/"accept|"answers"/.test(text)).toBe(true)
      }),
      { numRuns: 1000, seed: 7 }
    )
  })
})

describe("readUserInput", () => {
  it("takes text, images, mentions and skills", () => {
    expect(
      AppServer.readUserInput([
        { type: "text", text: "Look at", text_elements: [] },
        { type: "image", url: "data:image/png;base64,AA==" },
        { type: "localImage", path: "/tmp/a.png" },
        { type: "mention", name: "a.ts", path: "/work/a.ts" },
        { type: "skill", name: "review", path: "/skills/review/SKILL.md" }
      ])
    ).toEqual({
      _tag: "Input",
      parts: [
        { type: "text", text: "Look at" },
        { type: "image", source: { type: "data", value: "AA==", mimeType: "image/png" } },
        { type: "localImage", path: "/tmp/a.png" },
        { type: "text", text: "@/work/a.ts" },
        { type: "text", text: "Use the skill review (/skills/review/SKILL.md)." }
      ]
    })
  })

  it.each([
    [[{ type: "audio", url: "data:audio/wav;base64,AA==" }], "Recordings"],
    [[{ type: "image", fileId: "file_1" }], "fileId"],
    [[{ type: "file", path: "a" }], "no input of the type file"],
    [[{ type: "text" }], "needs text"],
    [[], "empty"],
    ["Hello", "no list"]
  ])("refuses %j in words", (input, words) => {
    const read = AppServer.readUserInput(input)
    expect(read._tag === "Refused" ? read.reason : "").toContain(words)
  })

  it("takes anything", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(["Input", "Refused"]).toContain(AppServer.readUserInput(value)._tag)
        expect(["Input", "Refused"]).toContain(AppServer.readUserInput([value])._tag)
      }),
      { numRuns: 500, seed: 7 }
    )
  })
})

describe("sessionSettings", () => {
  const autonomy = (params: object) => AppServer.sessionSettings(params).choices.autonomy

  it.each([
    [
      { approvalPolicy: "never", sandbox: "danger-full-access" },
      { may: "everything", asks: false }
    ],
    [
      { approvalPolicy: "never", sandbox: "read-only" },
      { may: "read", asks: false }
    ],
    [
      { approvalPolicy: "on-request", sandbox: "workspace-write" },
      { may: "edit", asks: true }
    ],
    [
      { approvalPolicy: "untrusted", sandbox: "workspace-write" },
      { may: "read", asks: true }
    ],
    [{ approvalPolicy: "on-request" }, { may: "read", asks: true }],
    [{ sandboxPolicy: { type: "workspaceWrite" } }, { may: "edit", asks: true }],
    [{ permissions: ":workspace" }, { may: "edit", asks: true }],
    [
      { permissions: ":danger-full-access", approvalPolicy: "never" },
      { may: "everything", asks: false }
    ],
    [{}, undefined]
  ])("reads how much %j lets be done", (params, expected) => {
    expect(autonomy(params)).toEqual(expected)
  })

  it("says what cannot be kept", () => {
    const { choices, notKept } = AppServer.sessionSettings({
      sandbox: "read-only",
      personality: "friendly",
      model: "opus",
      effort: "high",
      cwd: "/work",
      developerInstructions: "Be brief."
    })
    expect(notKept.length).toBe(2)
    expect(notKept[0]).toContain("no sandbox")
    expect(choices).toEqual({
      autonomy: { may: "read", asks: true },
      model: "opus",
      effort: "high",
      cwd: "/work",
      instructions: "Be brief.",
      sandbox: { type: "readOnly", networkAccess: false }
    })
    expect(AppServer.sessionSettings({ sandbox: "danger-full-access" }).notKept).toEqual([])
    expect(AppServer.sessionSettings({ sandbox: "read-only" }, { sandboxed: true }).notKept).toEqual([])
    const usual = { serviceTier: "default", approvalsReviewer: "user", modelProvider: "claude" }
    expect(AppServer.sessionSettings(usual, { provider: "claude" }).notKept).toEqual([])
    expect(
      AppServer.sessionSettings({ ...usual, modelProvider: "openai" }, { provider: "claude" }).notKept.length
    ).toBe(1)
  })

  it.each([
    { approvalPolicy: "on-failure" },
    { sandbox: "workspaceWrite" },
    { sandboxPolicy: { type: "none" } },
    { permissions: "mine" },
    { permissions: ":workspace", sandbox: "read-only" }
  ])("refuses %j, as Codex does", (params) => {
    expect(AppServer.sessionSettings(params).refused).toBeDefined()
  })

  it("takes anything", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        AppServer.sessionSettings(value)
        AppServer.sessionSettings({ approvalPolicy: value, sandbox: value, sandboxPolicy: value, permissions: value })
      }),
      { numRuns: 500, seed: 7 }
    )
  })
})
