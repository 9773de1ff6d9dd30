import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { decodeLine, decodeResponse } from "../../src/claude/Codec.ts"
import type { PermissionUpdate } from "../../src/claude/Permission.ts"
import { type AnswerOptions, answerTo } from "../../src/translate/Answer.ts"
import { type PermissionQuestion, type Question, questionKind } from "../../src/translate/Question.ts"
import { encodeLine } from "../../src/wire/Codec.ts"

const suggestions: ReadonlyArray<PermissionUpdate> = [
  { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "ls:*" }], behavior: "allow", destination: "session" },
  { type: "setMode", mode: "acceptEdits", destination: "session" }
]

const tool = (request: Partial<PermissionQuestion["request"]> = {}): PermissionQuestion => ({
  type: "control_request",
  request_id: "q",
  request: {
    subtype: "can_use_tool",
    tool_name: "Bash",
    tool_use_id: "toolu_1",
    input: { command: "ls" },
    permission_suggestions: suggestions,
    ...request
  }
})
const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue" }],
  multiSelect: false
}
const shapes = { question: "Which shapes?", header: "Shapes", options: [{ label: "Round" }], multiSelect: true }
const ask = (...questions: ReadonlyArray<object>) => tool({ tool_name: "AskUserQuestion", input: { questions } })
const form = (request: object = {}): Question => ({
  type: "control_request",
  request_id: "q",
  request: {
    subtype: "elicitation",
    mcp_server_name: "demo",
    message: "What is your name?",
    mode: "form",
    requested_schema: { type: "object", properties: { name: { type: "string" }, approved: {} }, required: ["name"] },
    ...request
  }
})
const questions: ReadonlyArray<Question> = [
  tool(),
  tool({ tool_name: "ExitPlanMode", input: {} }),
  tool({ suppress_always_allow_rule: true }),
  ask(colour),
  ask(colour, shapes),
  tool({ tool_name: "AskUserQuestion", input: { questions: "none" } }),
  form(),
  form({ mode: "url", url: "https://example.com", requested_schema: undefined })
]

const resolved = (question: Question, payload?: unknown, options?: AnswerOptions) =>
  answerTo(question, payload === undefined ? { status: "resolved" } : { status: "resolved", payload }, options)
const responseTo = (question: Question, payload?: unknown) => resolved(question, payload).line.response.response

// Things people send, and things nobody should, near enough to be mistaken for them.
const word = fc.constantFrom(
  "allow",
  "deny",
  "ALLOW",
  "yes",
  "maybe",
  "",
  "true",
  "approved ",
  "__proto__",
  "constructor"
)
const loose = fc.oneof(fc.jsonValue(), fc.boolean(), word)
const payload = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: word },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        approved: loose,
        ok: loose,
        decision: loose,
        behavior: loose,
        reason: loose,
        editedArgs: fc.oneof(loose, fc.constant({ command: "pwd" })),
        updatedInput: fc.oneof(loose, fc.constant({ answers: { Colour: "Red" } })),
        always: loose,
        updatedPermissions: fc.oneof(
          loose,
          fc.subarray([...suggestions]),
          fc.constant([{ type: "setMode", mode: "bypassPermissions", destination: "session" }])
        ),
        answers: fc.oneof(loose, fc.constant({ "Which colour?": "Red" }), fc.constant(["Red", ["Round"]])),
        answer: loose,
        action: fc.oneof(loose, fc.constantFrom("accept", "decline")),
        content: fc.oneof(loose, fc.constant({ name: "Ada" }))
      },
      { requiredKeys: [] }
    )
  }
)

/** Yes, said in so many words: what any payload that allows a tool has to contain. */
const saysYes = (value: unknown): boolean => {
  if (typeof value === "string") {
    try {
      const inner: unknown = JSON.parse(value)
      if (typeof inner === "object") return saysYes(inner)
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError)
    }
    return /^\s*(allow|approved?|accept|yes)\s*$/i.test(value)
  }
  if (typeof value !== "object" || value === null) return value === true
  const { approved, behavior, decision, ok } = value as Record<string, unknown>
  const yes = (each: unknown) =>
    each === true || (typeof each === "string" && /^(allow|approved?|accept|yes)$/.test(each))
  const votes = [approved, ok, decision, behavior].filter((each) => each !== undefined)
  return votes.length > 0 && votes.every(yes)
}

describe("laws", () => {
  test("every answer is a line the CLI knows, with a response of the asked kind, for the asked id", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...questions),
        payload,
        fc.constantFrom("resolved", "cancelled"),
        (question, payload, status) => {
          const { interruptId, line } = answerTo(question, { status, payload })
          expect(interruptId).toBe("q")
          expect(decodeLine(encodeLine(line))).toMatchObject({ _tag: "Known", name: "control_response/success" })
          expect(line.response.request_id).toBe("q")
          expect(decodeResponse(question.request.subtype, line.response.response)._tag).toBe("Known")
        }
      ),
      { numRuns: 2000 }
    )
  })

  test("a tool is allowed only by an answer that says yes and nothing else", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...questions.filter((each) => ["permission", "plan"].includes(questionKind(each)))),
        payload,
        (question, payload) => {
          if (resolved(question, payload).verdict === "allow") expect(saysYes(payload)).toBe(true)
        }
      ),
      { numRuns: 5000 }
    )
  })

  test("what is not understood is refused, and says what was expected", () => {
    fc.assert(
      fc.property(fc.constantFrom(...questions), payload, (question, payload) => {
        const { line, misunderstood, verdict } = resolved(question, payload)
        if (misunderstood === undefined) return
        expect(["deny", "cancel"]).toContain(verdict)
        expect(misunderstood).not.toBe("")
        if (verdict === "deny")
          expect(line.response.response).toMatchObject({ message: expect.stringContaining(misunderstood) })
      }),
      { numRuns: 2000 }
    )
  })

  test("an allowed tool always has an input, and never a rule that was not suggested", () => {
    fc.assert(
      fc.property(fc.constantFrom(...questions), payload, (question, payload) => {
        const { line, verdict } = resolved(question, payload)
        if (verdict !== "allow") return
        const { updatedInput, updatedPermissions = [] } = line.response.response as Record<string, object[] | undefined>
        expect(updatedInput).toBeTypeOf("object")
        for (const rule of updatedPermissions) expect(suggestions).toContainEqual(rule)
      }),
      { numRuns: 2000 }
    )
  })

  test("dismissing allows nothing, whatever the payload", () => {
    fc.assert(
      fc.property(fc.constantFrom(...questions), payload, (question, payload) => {
        expect(["deny", "cancel"]).toContain(answerTo(question, { status: "cancelled", payload }).verdict)
      })
    )
  })
})

describe("a permission", () => {
  const original = { command: "ls" }
  test.each<[unknown, object]>([
    [true, { behavior: "allow", updatedInput: original }],
    [{ approved: true }, { behavior: "allow", updatedInput: original }],
    [{ ok: true }, { behavior: "allow", updatedInput: original }],
    [{ decision: "allow" }, { behavior: "allow", updatedInput: original }],
    [
      { approved: true, reason: null, editedArgs: null },
      { behavior: "allow", updatedInput: original }
    ],
    ['{"approved":true}', { behavior: "allow", updatedInput: original }],
    ["yes", { behavior: "allow", updatedInput: original }],
    [
      { behavior: "allow", updatedInput: { command: "pwd" } },
      { behavior: "allow", updatedInput: { command: "pwd" } }
    ],
    [
      { approved: true, editedArgs: {} },
      { behavior: "allow", updatedInput: {} }
    ],
    [
      { approved: true, always: true },
      { behavior: "allow", updatedInput: original, updatedPermissions: suggestions }
    ],
    [
      { approved: true, updatedPermissions: [suggestions[1]] },
      { behavior: "allow", updatedInput: original, updatedPermissions: [suggestions[1]] }
    ],
    [false, { behavior: "deny", message: "The user refused this." }],
    [
      { approved: false, reason: "not now" },
      { behavior: "deny", message: "not now" }
    ],
    [
      { decision: "deny", message: "no", interrupt: true },
      { behavior: "deny", message: "no", interrupt: true }
    ]
  ])("%j", (payload, response) => {
    expect(responseTo(tool(), payload)).toEqual(response)
  })

  test.each<[unknown]>([
    [undefined],
    [null],
    [1],
    ["maybe"],
    [[]],
    [{}],
    [{ approved: "true" }],
    [{ approved: true, ok: false }],
    [{ approved: true, editedArgs: "rm -rf" }],
    [{ approved: true, editedArgs: { command: "a" }, updatedInput: { command: "b" } }],
    [{ approved: true, updatedPermissions: [{ type: "setMode", mode: "bypassPermissions", destination: "session" }] }],
    [{ selected: "allow" }]
  ])("%j is not understood", (payload) => {
    expect(resolved(tool(), payload)).toMatchObject({
      verdict: "deny",
      misunderstood: expect.stringContaining("expected")
    })
  })

  test("rules that must not be kept are not", () => {
    const answer = responseTo(tool({ suppress_always_allow_rule: true }), { approved: true, always: true })
    expect(answer).toEqual({ behavior: "allow", updatedInput: original })
  })

  test("a dismissed one ends the turn only if the host wants it", () => {
    expect(answerTo(tool(), { status: "cancelled" }).line.response.response).toEqual({
      behavior: "deny",
      message: expect.stringContaining("dismissed")
    })
    expect(answerTo(tool(), { status: "cancelled" }, { interruptOnCancel: true }).line.response.response).toMatchObject(
      {
        interrupt: true
      }
    )
  })

  test("a plan is approved with its own input, which 2.1.325 leaves empty (§5.33)", () => {
    const plan = tool({ tool_name: "ExitPlanMode", input: {} })
    expect(responseTo(plan, { approved: true })).toEqual({ behavior: "allow", updatedInput: {} })
  })
})

describe("AskUserQuestion (§5.34)", () => {
  const one = ask(colour)
  const two = ask(colour, shapes)
  const answers = (question: Question, payload: unknown) =>
    (responseTo(question, payload) as { updatedInput?: { answers?: unknown } }).updatedInput?.answers

  test.each<[string, Question, unknown, object]>([
    ["text", one, "Red", { "Which colour?": "Red" }],
    ["text that looks like a refusal", one, "no", { "Which colour?": "no" }],
    ["text that looks like JSON", one, "[1]", { "Which colour?": "[1]" }],
    ["one answer", one, { answer: "Red" }, { "Which colour?": "Red" }],
    [
      "by question",
      two,
      { answers: { "Which colour?": "Red", "Which shapes?": ["Round", "Oval"] } },
      { "Which colour?": "Red", "Which shapes?": "Round, Oval" }
    ],
    ["by header", two, { answers: { Colour: "Red" } }, { "Which colour?": "Red" }],
    ["in order", two, ["Red", "Round"], { "Which colour?": "Red", "Which shapes?": "Round" }],
    ["bare", two, { Colour: "Red", Shapes: "Round" }, { "Which colour?": "Red", "Which shapes?": "Round" }],
    [
      "as the SDK does",
      one,
      { behavior: "allow", updatedInput: { questions: [], answers: { "Which colour?": "Blue" } } },
      { "Which colour?": "Blue" }
    ]
  ])("%s", (_, question, payload, expected) => {
    expect(answers(question, payload)).toEqual(expected)
  })

  test("the questions go back with the answers", () => {
    expect(responseTo(one, "Red")).toMatchObject({ updatedInput: { questions: [colour] } })
  })

  test.each<[unknown]>([
    [true],
    [{ approved: true }],
    [{ answers: { "Which size?": "L" } }],
    [{ answers: {} }],
    [["a", "b", "c"]],
    ["Red"],
    [{ answers: { Colour: 1 } }]
  ])("%j does not answer two questions", (payload) => {
    expect(resolved(two, payload)).toMatchObject({
      verdict: "deny",
      misunderstood: expect.stringContaining("Which colour?")
    })
  })

  test("it can be refused", () => {
    expect(responseTo(two, { approved: false, reason: "later" })).toEqual({ behavior: "deny", message: "later" })
    expect(resolved(two, false).verdict).toBe("deny")
  })
})

describe("a form", () => {
  test.each<[unknown, object]>([
    [
      { action: "accept", content: { name: "Ada" } },
      { action: "accept", content: { name: "Ada" } }
    ],
    [{ name: "Ada" }, { action: "accept", content: { name: "Ada" } }],
    [
      { name: "Ada", approved: true },
      { action: "accept", content: { name: "Ada", approved: true } }
    ],
    [{ action: "decline" }, { action: "decline" }],
    [{ action: "cancel", content: null }, { action: "cancel" }],
    [false, { action: "decline" }]
  ])("%j", (payload, response) => {
    expect(responseTo(form(), payload)).toEqual(response)
  })

  test.each<[unknown]>([
    [true],
    [{ action: "accept" }],
    [{ approved: true }],
    [{ name: { first: "Ada" } }],
    [{ action: "later" }],
    [undefined]
  ])("%j fills in nothing", (payload) => {
    expect(resolved(form(), payload)).toMatchObject({ verdict: "cancel", misunderstood: expect.any(String) })
  })

  test("a page is visited or not", () => {
    const page = form({ mode: "url", url: "https://example.com", requested_schema: undefined })
    expect(responseTo(page, true)).toEqual({ action: "accept" })
    expect(responseTo(page, { action: "accept" })).toEqual({ action: "accept" })
    expect(responseTo(page, { approved: false })).toEqual({ action: "decline" })
  })
})
