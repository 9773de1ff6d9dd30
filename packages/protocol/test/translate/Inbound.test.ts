/** Both halves of the way back together: what a client of AG-UI sends, as lines of Claude Code. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { readAnswer } from "../../src/agui/read/Answer.ts"
import { readInput } from "../../src/agui/read/Input.ts"
import { emptyThread } from "../../src/agui/read/Thread.ts"
import { interruptOf } from "../../src/agui/write/Interrupt.ts"
import { decodeLine, decodeResponse } from "../../src/claude/Codec.ts"
import { answerResponse } from "../../src/claude/command/Answer.ts"
import { controlSuccess } from "../../src/claude/command/ControlResponse.ts"
import { promptLine } from "../../src/claude/command/Prompt.ts"
import { requestOf, type WireQuestion } from "../../src/claude/command/Question.ts"
import type { PermissionAllow } from "../../src/claude/Permission.ts"
import { encodeLine } from "../../src/wire/Codec.ts"
import { payloads } from "../agui/read/Payload.ts"
import { ask, colour, form, page, plan, shapes, suggestions, tool } from "../claude/command/Lines.ts"

const questions: ReadonlyArray<WireQuestion> = [
  tool({ permission_suggestions: suggestions }),
  tool({ permission_suggestions: suggestions, suppress_always_allow_rule: true }),
  tool({ tool_name: "ExitPlanMode", input: {} }),
  tool({ tool_name: "AskUserQuestion", input: { questions: "none" } }),
  ask(colour),
  ask(colour, shapes),
  form(),
  page
]
const responseTo = (message: WireQuestion, payload: unknown, status: "resolved" | "cancelled" = "resolved") =>
  answerResponse(message, readAnswer(requestOf(message), { status, payload }).answer)

/** What "always" may bring, and nothing else that nobody named. */
const rule = { ...suggestions[0], destination: "session" }

describe("an answer", () => {
  const payload = payloads(suggestions)

  test("is a line the CLI knows, with a response of the asked kind", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...questions),
        payload,
        fc.constantFrom("resolved" as const, "cancelled" as const),
        (message, payload, status) => {
          const line = controlSuccess(message.request_id, responseTo(message, payload, status))
          expect(decodeLine(encodeLine(line))).toMatchObject({ _tag: "Known", name: "control_response/success" })
          expect(decodeResponse(message.request.subtype, line.response.response)._tag).toBe("Known")
        }
      ),
      { numRuns: 2000 }
    )
  })

  test("that allows has an input, and no rule but the session's or one that it names word for word", () => {
    fc.assert(
      fc.property(fc.constantFrom(...questions), payload, (message, payload) => {
        const response = responseTo(message, payload)
        if (!("behavior" in response) || response.behavior !== "allow") return
        const { updatedInput, updatedPermissions = [] } = response as PermissionAllow
        expect(updatedInput).toBeTypeOf("object")
        const named = (payload as { updatedPermissions?: ReadonlyArray<object> | null }).updatedPermissions ?? []
        for (const update of updatedPermissions) expect([rule, ...named]).toContainEqual(update)
        for (const update of updatedPermissions) expect([rule, ...suggestions]).toContainEqual(update)
      }),
      { numRuns: 2000 }
    )
  })

  test("always: this rule, for this session; more only when the person names it", () => {
    const message = tool({ permission_suggestions: suggestions })
    const updates = (payload: object) =>
      (responseTo(message, { approved: true, ...payload }) as PermissionAllow).updatedPermissions
    expect(updates({})).toBeUndefined()
    expect(updates({ always: true })).toEqual([rule])
    expect(updates({ updatedPermissions: [suggestions[1]] })).toEqual([suggestions[1]])
    expect(updates({ updatedPermissions: [suggestions[0]] })).toEqual([suggestions[0]])
  })
})

describe("an answer by the schema of the interrupt is understood", () => {
  const propertiesOf = (message: WireQuestion) =>
    interruptOf(requestOf(message)).responseSchema?.["properties"] as Record<string, Record<string, unknown>>

  test.each<[string, WireQuestion, object]>([
    ["a permission", tool(), { approved: true, reason: "", editedArgs: {} }],
    ["one to remember", tool({ permission_suggestions: suggestions }), { approved: true, always: true }],
    ["a plan", plan, { approved: false, reason: "more tests" }],
    ["a form", form(), { action: "accept", content: { name: "Ada" } }],
    ["a page", page, { action: "accept" }]
  ])("%s", (_, message, payload) => {
    expect(Object.keys(propertiesOf(message))).toEqual(expect.arrayContaining(Object.keys(payload)))
    expect(readAnswer(requestOf(message), { status: "resolved", payload }).misunderstood).toBeUndefined()
  })

  test("a choice, with the answers the schema requires, of the types it says", () => {
    const message = ask(colour, shapes)
    const { properties, required } = propertiesOf(message)["answers"] as {
      properties: Record<string, { type: string }>
      required: string[]
    }
    const answers = Object.fromEntries(
      required.map((name) => [name, properties[name]?.type === "array" ? ["Round"] : "Red"])
    )
    expect(responseTo(message, { answers })).toMatchObject({
      behavior: "allow",
      updatedInput: { answers: { "Which colour?": "Red", "Which shapes?": "Round" } }
    })
  })
})

test("a prompt is a line the CLI knows, with what the application tells before the words", () => {
  const { prompt } = readInput(emptyThread, {
    threadId: "t",
    runId: "r",
    messages: [{ id: "1", role: "user", content: "hi" }],
    context: [{ description: "page", value: "cart" }]
  })
  const line = prompt && promptLine(prompt)
  expect(line?.message.content).toEqual([
    { type: "text", text: expect.stringContaining("cart") },
    { type: "text", text: "hi" }
  ])
  expect(decodeLine(encodeLine(line ?? {}))).toMatchObject({ _tag: "Known", name: "user" })
})
