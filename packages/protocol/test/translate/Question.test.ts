import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import { Interrupt } from "../../src/agui/Interrupt.ts"
import { answerTo } from "../../src/translate/Answer.ts"
import { interruptOf, type PermissionQuestion, type Question } from "../../src/translate/Question.ts"

const tool = (request: Partial<PermissionQuestion["request"]> = {}): PermissionQuestion => ({
  type: "control_request",
  request_id: "q",
  request: { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "toolu_1", input: { command: "ls" }, ...request }
})
const colour = { question: "Which colour?", header: "Colour", options: [{ label: "Red" }], multiSelect: false }
const shapes = { question: "Which shapes?", options: [{ label: "Round" }], multiSelect: true }
const ask = tool({ tool_name: "AskUserQuestion", input: { questions: [colour, shapes] } })
const plan = tool({ tool_name: "ExitPlanMode", input: { plan: "# Plan" } })
const elicitation = (request: object): Question => ({
  type: "control_request",
  request_id: "q",
  request: { subtype: "elicitation", mcp_server_name: "demo", message: "What is your name?", ...request }
})
const requested_schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
const form = elicitation({ mode: "form", requested_schema })
const page = elicitation({ mode: "url", url: "https://example.com/sign-in" })

describe("the interrupt of a request", () => {
  test.each<[string, Question, object]>([
    [
      "a permission",
      tool(),
      {
        reason: "tool_call",
        toolCallId: "toolu_1",
        metadata: { kind: "permission", toolName: "Bash", input: { command: "ls" } }
      }
    ],
    [
      "a plan",
      plan,
      { reason: "tool_call", toolCallId: "toolu_1", metadata: { kind: "plan", input: { plan: "# Plan" } } }
    ],
    [
      "a choice",
      ask,
      {
        reason: "input_required",
        toolCallId: "toolu_1",
        message: "Which colour?\nWhich shapes?",
        metadata: { kind: "choice" }
      }
    ],
    [
      "a form",
      form,
      { reason: "input_required", message: "What is your name?", metadata: { kind: "form", server: "demo" } }
    ],
    [
      "a page",
      page,
      {
        reason: "confirmation",
        message: expect.stringContaining("https://example.com/sign-in"),
        metadata: { url: "https://example.com/sign-in" }
      }
    ]
  ])("%s", (_, question, expected) => {
    const interrupt = interruptOf(question)
    expect(interrupt).toMatchObject({ id: "q", ...expected })
    expect(Schema.is(Interrupt)(interrupt)).toBe(true)
    expect(interrupt.message).not.toBe("")
    expect(JSON.parse(JSON.stringify(interrupt))).toEqual(interrupt)
  })

  test("says in the CLI's words what is asked, where the CLI has some", () => {
    expect(interruptOf(tool({ title: "Run ls?" })).message).toBe("Run ls?")
    const shell = { display_name: "Shell", description: "List files" }
    expect(interruptOf(tool({ ...shell, input: {} })).message).toBe("May Claude use Shell?\nList files")
  })

  test("shows what the tool would do rather than how the model describes it", () => {
    const { message } = interruptOf(tool({ input: { command: "rm -rf /" }, description: "List files" }))
    expect(message).toBe("May Claude use Bash?\nrm -rf /")
  })

  test("offers to remember only what the CLI suggested", () => {
    const suggestion = { type: "setMode", mode: "acceptEdits", destination: "session" } as const
    const always = (request: Partial<PermissionQuestion["request"]>) => "always" in propertiesOf(tool(request))
    expect(always({})).toBe(false)
    expect(always({ permission_suggestions: [suggestion] })).toBe(true)
    expect(always({ permission_suggestions: [suggestion], suppress_always_allow_rule: true })).toBe(false)
  })
})

const propertiesOf = (question: Question) =>
  interruptOf(question).responseSchema?.["properties"] as Record<string, Record<string, unknown>>

describe("an answer by the schema is understood", () => {
  test.each<[string, Question, object]>([
    ["a permission", tool(), { approved: true, reason: "", editedArgs: {} }],
    ["a plan", plan, { approved: false, reason: "more tests" }],
    ["a form", form, { action: "accept", content: { name: "Ada" } }],
    ["a page", page, { action: "accept" }]
  ])("%s", (_, question, payload) => {
    expect(Object.keys(propertiesOf(question))).toEqual(expect.arrayContaining(Object.keys(payload)))
    expect(answerTo(question, { status: "resolved", payload }).misunderstood).toBeUndefined()
  })

  test("a choice, with the answers the schema requires, of the types it says", () => {
    const { properties, required } = propertiesOf(ask)["answers"] as {
      properties: Record<string, { type: string }>
      required: string[]
    }
    const answers = Object.fromEntries(
      required.map((name) => [name, properties[name]?.type === "array" ? ["Round"] : "Red"])
    )
    expect(answerTo(ask, { status: "resolved", payload: { answers } })).toMatchObject({
      verdict: "allow",
      line: {
        response: { response: { updatedInput: { answers: { "Which colour?": "Red", "Which shapes?": "Round" } } } }
      }
    })
  })

  test("a form's schema asks for what the server asked for", () => {
    expect(propertiesOf(form)["content"]).toBe(requested_schema)
  })
})
