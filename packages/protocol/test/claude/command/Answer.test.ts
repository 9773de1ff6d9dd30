import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { decodeLine, decodeResponse } from "../../../src/claude/Codec.ts"
import { answerResponse, verdictOf } from "../../../src/claude/command/Answer.ts"
import { controlError, controlSuccess } from "../../../src/claude/command/ControlResponse.ts"
import type { WireQuestion } from "../../../src/claude/command/Question.ts"
import type { Answer } from "../../../src/model/Request.ts"
import { encodeLine } from "../../../src/wire/Codec.ts"
import { ask, colour, form, page, plan, suggestions, tool } from "./Lines.ts"

const original = { command: "ls" }
const answers: ReadonlyArray<Answer> = [
  { type: "allow" },
  { type: "allow", input: { command: "pwd" }, remember: ["Bash(ls:*)", "/permission_suggestions/1", "made up"] },
  { type: "deny", reason: "no", interrupt: true },
  { type: "chosen", answers: { "Which colour?": "Red" } },
  { type: "filled", content: { name: "Ada" } },
  { type: "declined" },
  { type: "dismissed" },
  { type: "result", content: "done", failed: false }
]
const lines: ReadonlyArray<WireQuestion> = [
  tool({ permission_suggestions: suggestions }),
  plan,
  ask(colour),
  form(),
  page
]

describe("laws", () => {
  test("every answer to every question is a response of the asked kind, in a line the CLI knows", () => {
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.constantFrom(...answers), (message, answer) => {
        const line = controlSuccess(message.request_id, answerResponse(message, answer))
        expect(decodeLine(encodeLine(line))).toMatchObject({ _tag: "Known", name: "control_response/success" })
        expect(line.response.request_id).toBe("q")
        expect(decodeResponse(message.request.subtype, line.response.response)._tag).toBe("Known")
      })
    )
  })

  test("only an answer that fits allows anything", () => {
    for (const message of lines)
      for (const answer of answers) {
        const response = answerResponse(message, answer)
        const allows = "behavior" in response ? response.behavior === "allow" : response.action === "accept"
        const isAsked = message.request.subtype === "can_use_tool" && message.request.tool_name === "AskUserQuestion"
        const fits =
          message.request.subtype === "elicitation"
            ? answer.type === "filled"
            : answer.type === "allow" || (isAsked && answer.type === "chosen")
        expect(allows).toBe(fits)
      }
  })
})

describe("a permission", () => {
  test.each<[Answer, object]>([
    [{ type: "allow" }, { behavior: "allow", updatedInput: original }],
    [
      { type: "allow", input: { command: "pwd" } },
      { behavior: "allow", updatedInput: { command: "pwd" } }
    ],
    [
      { type: "deny", reason: "not now" },
      { behavior: "deny", message: "not now" }
    ],
    [
      { type: "deny", reason: "no", interrupt: true },
      { behavior: "deny", message: "no", interrupt: true }
    ],
    [{ type: "dismissed" }, { behavior: "deny", message: "The user dismissed the question without an answer." }],
    [{ type: "declined" }, { behavior: "deny", message: "The user refused this." }]
  ])("%j", (answer, response) => {
    expect(answerResponse(tool({ permission_suggestions: suggestions }), answer)).toEqual(response)
  })

  test("always has an input, whatever the question had: before 2.1.325 there is no tool without one (§5.32)", () => {
    for (const input of [{}, undefined, null, "ls"])
      expect(answerResponse(tool({ input }), { type: "allow" })).toEqual({ behavior: "allow", updatedInput: {} })
  })

  test("a plan is approved with its own input, which 2.1.325 leaves empty (§5.33)", () => {
    const empty = tool({ tool_name: "ExitPlanMode", input: {} })
    expect(answerResponse(empty, { type: "allow" })).toEqual({ behavior: "allow", updatedInput: {} })
  })

  test("what was chosen goes back in the input, beside the questions (§5.34)", () => {
    expect(answerResponse(ask(colour), { type: "chosen", answers: { "Which colour?": "Red" } })).toEqual({
      behavior: "allow",
      updatedInput: { questions: [colour], answers: { "Which colour?": "Red" } }
    })
  })
})

describe("a form", () => {
  test.each<[Answer, object]>([
    [
      { type: "filled", content: { name: "Ada" } },
      { action: "accept", content: { name: "Ada" } }
    ],
    [{ type: "declined" }, { action: "decline" }],
    [{ type: "dismissed" }, { action: "cancel" }],
    [{ type: "deny", reason: "nobody was there" }, { action: "cancel" }]
  ])("%j", (answer, response) => {
    expect(answerResponse(form(), answer)).toEqual(response)
  })

  test("a page that was visited has no content", () => {
    expect(answerResponse(page, { type: "filled", content: {} })).toEqual({ action: "accept" })
  })
})

test("a verdict is a word; the result of a tool decides nothing", () => {
  expect(answers.map(verdictOf)).toEqual(["allow", "allow", "deny", "allow", "accept", "decline", "cancel", undefined])
})

test("a request that fails says why", () => {
  expect(decodeLine(encodeLine(controlError("q", "no such server")))).toMatchObject({
    _tag: "Known",
    name: "control_response/error",
    message: { response: { request_id: "q", error: "no such server" } }
  })
})
