import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import { Interrupt } from "../../../src/agui/Interrupt.ts"
import { approvalEvent, interruptOf } from "../../../src/agui/write/Interrupt.ts"
import type { Question } from "../../../src/model/Request.ts"

/** What a runtime says under its own names: none of them is known here. */
const details = { beschreibung: "List files", description: 1, suggestions: "all", agent: {}, mode: 2, title: null }
const suggestion = { wechsel: "mehr" }
const about = { id: "q", call: "toolu_1", tool: "Bash", input: { command: "ls" } }
const permission = {
  ...about,
  kind: "permission",
  message: "Run ls?",
  remember: [{ id: "Bash(ls:*)", label: "Bash(ls:*)" }],
  description: "List files",
  blockedPath: "/etc",
  reason: "outside",
  agent: "a1",
  suggestions: [{ id: "more", value: suggestion }],
  details
} satisfies Question
const plan = { ...about, kind: "plan", message: "Run ls?", remember: [], details: {} } satisfies Question
const choice = {
  ...about,
  kind: "choice",
  message: "Which colour?\nWhich shapes?",
  choices: [
    { question: "Which colour?", header: "Colour", multiple: false, options: [{ label: "Red" }] },
    { question: "Which shapes?", multiple: true, options: [{ label: "Round" }] }
  ],
  agent: "a1",
  details
} satisfies Question
const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
const form = {
  id: "q",
  kind: "form",
  message: "What is your name?",
  server: "demo",
  schema,
  mode: "form",
  elicitation: "e",
  title: "You",
  details: { message: "What is your name?", formular: "e" }
} satisfies Question
const page = {
  id: "q",
  kind: "form",
  message: "Sign in.\nhttps://example.com",
  server: "demo",
  url: "https://example.com",
  mode: "url",
  details: { message: "Sign in.", url: "https://example.com" }
} satisfies Question

describe("the interrupt of a request", () => {
  test.each<[string, Question, object]>([
    [
      "a permission",
      permission,
      {
        reason: "tool_call",
        message: "Run ls?",
        toolCallId: "toolu_1",
        metadata: {
          kind: "permission",
          toolName: "Bash",
          input: { command: "ls" },
          description: "List files",
          suggestions: [suggestion],
          blockedPath: "/etc",
          decisionReason: "outside",
          agentId: "a1",
          remember: permission.remember
        }
      }
    ],
    [
      "a plan",
      plan,
      {
        reason: "tool_call",
        message: "Run ls?",
        toolCallId: "toolu_1",
        metadata: { kind: "plan", toolName: "Bash", input: { command: "ls" }, remember: [] }
      }
    ],
    [
      "a choice",
      choice,
      {
        reason: "input_required",
        message: choice.message,
        toolCallId: "toolu_1",
        metadata: { kind: "choice", toolName: "Bash", input: { command: "ls" }, agentId: "a1" }
      }
    ],
    [
      "a form",
      form,
      {
        reason: "input_required",
        message: "What is your name?",
        metadata: { kind: "form", server: "demo", mode: "form", elicitationId: "e", title: "You" }
      }
    ],
    [
      "a page",
      page,
      {
        reason: "confirmation",
        message: page.message,
        metadata: { kind: "form", server: "demo", mode: "url", url: "https://example.com" }
      }
    ]
  ])("%s", (_, request, expected) => {
    const { responseSchema, ...interrupt } = interruptOf(request)
    expect(interrupt).toEqual({ id: "q", ...expected })
    expect(Schema.is(Interrupt)({ ...interrupt, responseSchema })).toBe(true)
  })

  test("offers to remember only what the agent would remember, and says what", () => {
    expect(propertiesOf(permission)["always"]).toMatchObject({
      type: "boolean",
      description: expect.stringContaining("Bash(ls:*)")
    })
    expect(propertiesOf(plan)).not.toHaveProperty("always")
  })

  test("asks for an answer to each question, for several where there may be several", () => {
    expect(propertiesOf(choice)["answers"]).toMatchObject({
      properties: {
        "Which colour?": { type: "string", examples: ["Red"], title: "Colour" },
        "Which shapes?": { type: "array", items: { type: "string", examples: ["Round"] } }
      },
      required: ["Which colour?", "Which shapes?"],
      additionalProperties: false
    })
  })

  test("asks for what the server asked for, and for nothing where there is only a page to visit", () => {
    expect(propertiesOf(form)["content"]).toBe(schema)
    expect(propertiesOf(page)).toEqual({ action: { enum: ["accept", "decline", "cancel"] } })
  })

  test("reads nothing of the details, which are in the words of a runtime", () => {
    for (const request of [permission, plan, choice, form, page])
      expect(interruptOf({ ...request, details })).toEqual(interruptOf({ ...request, details: {} }))
  })
})

const propertiesOf = (request: Question) =>
  interruptOf(request).responseSchema?.["properties"] as Record<string, Record<string, unknown>>

describe("the event that tells of a request", () => {
  test("has all that is known of a call", () => {
    expect(approvalEvent(permission, "toolu_0")).toEqual({
      type: "CUSTOM",
      name: "tool_approval_request",
      subagentRunId: "toolu_0",
      value: {
        requestId: "q",
        toolName: "Bash",
        toolInput: { command: "ls" },
        toolCallId: "toolu_1",
        ...details,
        remember: permission.remember
      }
    })
  })

  test("has all that is known of a form, in the server's words", () => {
    expect(approvalEvent(form, undefined)).toEqual({
      type: "CUSTOM",
      name: "elicitation_request",
      value: {
        requestId: "q",
        mcp_server_name: "demo",
        message: "What is your name?",
        requested_schema: schema,
        formular: "e"
      }
    })
    expect(approvalEvent(page, undefined).value).toMatchObject({ message: "Sign in.", url: "https://example.com" })
  })
})
