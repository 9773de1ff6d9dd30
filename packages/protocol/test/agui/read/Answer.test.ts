import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { readAnswer } from "../../../src/agui/read/Answer.ts"
import { Answer, type Question } from "../../../src/model/Request.ts"
import { payloads, saysYes } from "./Payload.ts"
import { form, oneChoice, page, permission, questions, suggestions, twoChoices } from "./Requests.ts"

const resolved = (request: Question, payload?: unknown) => readAnswer(request, { status: "resolved", payload })
const answerTo = (request: Question, payload?: unknown) => resolved(request, payload).answer

/** The answers that leave everything as it was. */
const harmless = ["deny", "declined", "dismissed"]

describe("laws", () => {
  const payload = payloads()

  test("every answer is one of the model's, and fits its question", () => {
    fc.assert(
      fc.property(fc.constantFrom(...questions), payload, (request, payload) => {
        const { answer } = resolved(request, payload)
        expect(Schema.is(Answer)(answer)).toBe(true)
        const fitting = { permission: ["allow"], plan: ["allow"], choice: ["chosen"], form: ["filled"] }[request.kind]
        expect([...fitting, ...harmless]).toContain(answer.type)
      }),
      { numRuns: 2000 }
    )
  })

  test("a tool is allowed only by an answer that says yes and nothing else", () => {
    const approvals = questions.filter(({ kind }) => kind === "permission" || kind === "plan")
    fc.assert(
      fc.property(fc.constantFrom(...approvals), payload, (request, payload) => {
        if (answerTo(request, payload).type === "allow") expect(saysYes(payload)).toBe(true)
      }),
      { numRuns: 5000 }
    )
  })

  test("what is not understood allows nothing, and says what was expected", () => {
    fc.assert(
      fc.property(fc.constantFrom(...questions), payload, (request, payload) => {
        const { answer, misunderstood } = resolved(request, payload)
        if (misunderstood === undefined) return
        expect(misunderstood).not.toBe("")
        if (request.kind === "form") expect(answer).toEqual({ type: "dismissed" })
        else expect(answer).toEqual({ type: "deny", reason: expect.stringContaining(misunderstood) })
      }),
      { numRuns: 2000 }
    )
  })

  test("nothing is remembered that was not offered", () => {
    fc.assert(
      fc.property(fc.constantFrom(...questions), payload, (request, payload) => {
        const answer = answerTo(request, payload)
        if (answer.type !== "allow" || !("remember" in request)) return
        const offered = [...request.remember, ...(request.suggestions ?? [])].map(({ id }) => id)
        expect(offered).toEqual(expect.arrayContaining([...(answer.remember ?? [])]))
      }),
      { numRuns: 2000 }
    )
  })

  test("dismissing allows nothing, whatever the payload", () => {
    fc.assert(
      fc.property(fc.constantFrom(...questions), payload, (request, payload) => {
        expect(readAnswer(request, { status: "cancelled", payload })).toEqual({ answer: { type: "dismissed" } })
      })
    )
  })
})

describe("a permission", () => {
  test.each<[unknown, object]>([
    [true, { type: "allow" }],
    [{ approved: true }, { type: "allow" }],
    [{ ok: true }, { type: "allow" }],
    [{ decision: "allow" }, { type: "allow" }],
    [{ approved: true, reason: null, editedArgs: null }, { type: "allow" }],
    ['{"approved":true}', { type: "allow" }],
    ["yes", { type: "allow" }],
    [
      { behavior: "allow", updatedInput: { command: "pwd" } },
      { type: "allow", input: { command: "pwd" } }
    ],
    [
      { approved: true, editedArgs: {} },
      { type: "allow", input: {} }
    ],
    [false, { type: "deny", reason: "The user refused this." }],
    [
      { approved: false, reason: "not now" },
      { type: "deny", reason: "not now" }
    ],
    [
      { decision: "deny", message: "no", interrupt: true },
      { type: "deny", reason: "no", interrupt: true }
    ]
  ])("%j", (payload, answer) => {
    expect(resolved(permission(), payload)).toEqual({ answer })
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
    [{ approved: true, remember: ["Bash"] }],
    [{ approved: true, remember: ["more 1"] }],
    [{ approved: true, updatedPermissions: [{ type: "setMode", mode: "bypassPermissions", destination: "session" }] }],
    [{ selected: "allow" }]
  ])("%j is not understood", (payload) => {
    expect(resolved(permission(), payload)).toEqual({
      answer: { type: "deny", reason: expect.any(String) },
      misunderstood: expect.stringContaining("expected")
    })
  })
})

describe("what is remembered", () => {
  const remembered = (payload: object, request = permission()) => {
    const answer = answerTo(request, { approved: true, ...payload })
    return answer.type === "allow" ? (answer.remember ?? []) : answer.type
  }

  test("nothing, unless somebody says so", () => {
    for (const payload of [{}, { always: false }, { always: null }, { remember: [] }, { updatedPermissions: [] }])
      expect(remembered(payload)).toEqual([])
  })

  test("with always, all the rules of the question and none of the suggestions", () => {
    expect(remembered({ always: true })).toEqual(["Bash(ls:*)", "Bash(pwd)"])
    expect(remembered({ always: true }, permission({ remember: [] }))).toEqual([])
  })

  test("the rules that were chosen", () => {
    expect(remembered({ remember: ["Bash(pwd)"] })).toEqual(["Bash(pwd)"])
    expect(remembered({ always: true, remember: ["Bash(pwd)"] })).toEqual(["Bash(pwd)"])
  })

  test("more, when the person chose it: a suggestion in the agent's own words", () => {
    expect(remembered({ updatedPermissions: [suggestions[1]] })).toEqual(["more 1"])
    expect(remembered({ remember: ["Bash(pwd)"], updatedPermissions: suggestions })).toEqual([
      "Bash(pwd)",
      "more 0",
      "more 1"
    ])
  })

  test("nothing of what is not offered, whatever the runtime says under its own names", () => {
    const details = { permission_suggestions: suggestions }
    const request = permission({ remember: [], suggestions: [], details })
    expect(remembered({ always: true }, request)).toEqual([])
    expect(remembered({ updatedPermissions: [suggestions[0]] }, request)).toBe("deny")
  })

  test("nothing with a refusal", () => {
    expect(answerTo(permission(), { approved: false, always: true })).toEqual({
      type: "deny",
      reason: "The user refused this."
    })
  })
})

describe("questions with options", () => {
  test.each<[string, Question, unknown, object]>([
    ["text", oneChoice, "Red", { "Which colour?": "Red" }],
    ["text that looks like a refusal", oneChoice, "no", { "Which colour?": "no" }],
    ["text that looks like JSON", oneChoice, "[1]", { "Which colour?": "[1]" }],
    ["one answer", oneChoice, { answer: "Red" }, { "Which colour?": "Red" }],
    [
      "by question",
      twoChoices,
      { answers: { "Which colour?": "Red", "Which shapes?": ["Round", "Oval"] } },
      { "Which colour?": "Red", "Which shapes?": "Round, Oval" }
    ],
    ["by header", twoChoices, { answers: { Colour: "Red" } }, { "Which colour?": "Red" }],
    ["in order", twoChoices, ["Red", "Round"], { "Which colour?": "Red", "Which shapes?": "Round" }],
    ["bare", twoChoices, { Colour: "Red", Shapes: "Round" }, { "Which colour?": "Red", "Which shapes?": "Round" }],
    [
      "as Claude's SDK does",
      oneChoice,
      { behavior: "allow", updatedInput: { questions: [], answers: { "Which colour?": "Blue" } } },
      { "Which colour?": "Blue" }
    ]
  ])("%s", (_, request, payload, answers) => {
    expect(resolved(request, payload)).toEqual({ answer: { type: "chosen", answers } })
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
    expect(resolved(twoChoices, payload)).toMatchObject({
      answer: { type: "deny" },
      misunderstood: expect.stringContaining("Which colour?")
    })
  })

  test("can be refused", () => {
    expect(answerTo(twoChoices, { approved: false, reason: "later" })).toEqual({ type: "deny", reason: "later" })
    expect(answerTo(twoChoices, false).type).toBe("deny")
  })
})

describe("a form", () => {
  test.each<[unknown, object]>([
    [
      { action: "accept", content: { name: "Ada" } },
      { type: "filled", content: { name: "Ada" } }
    ],
    [{ name: "Ada" }, { type: "filled", content: { name: "Ada" } }],
    [
      { name: "Ada", approved: true },
      { type: "filled", content: { name: "Ada", approved: true } }
    ],
    [{ action: "decline" }, { type: "declined" }],
    [{ action: "cancel", content: null }, { type: "dismissed" }],
    [false, { type: "declined" }]
  ])("%j", (payload, answer) => {
    expect(resolved(form, payload)).toEqual({ answer })
  })

  test.each<[unknown]>([
    [true],
    [{ action: "accept" }],
    [{ approved: true }],
    [{ name: { first: "Ada" } }],
    [{ action: "later" }],
    [undefined]
  ])("%j fills in nothing", (payload) => {
    expect(resolved(form, payload)).toEqual({ answer: { type: "dismissed" }, misunderstood: expect.any(String) })
  })

  test("a page is visited or not", () => {
    expect(answerTo(page, true)).toEqual({ type: "filled", content: {} })
    expect(answerTo(page, { action: "accept" })).toEqual({ type: "filled", content: {} })
    expect(answerTo(page, { approved: false })).toEqual({ type: "declined" })
  })
})
