import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { requestOf, type WireQuestion } from "../../../src/claude/command/Question.ts"
import { Request } from "../../../src/model/Request.ts"
import { ask, colour, form, page, plan, requested_schema, shapes, suggestions, tool } from "./Lines.ts"

describe("a line that asks", () => {
  test.each<[string, WireQuestion, object]>([
    [
      "a permission",
      tool({ description: "List files", permission_suggestions: suggestions, some_new_key: 1 }),
      {
        id: "q",
        kind: "permission",
        message: "May Claude use Bash?\nls",
        call: "toolu_1",
        tool: "Bash",
        input: { command: "ls" },
        remember: [{ id: "Bash(ls:*)", label: "Bash(ls:*)" }],
        description: "List files",
        suggestions: suggestions.map((value, index) => ({ id: `/permission_suggestions/${index}`, value })),
        details: { description: "List files", permission_suggestions: suggestions, some_new_key: 1 }
      }
    ],
    [
      "a plan",
      plan,
      {
        id: "q",
        kind: "plan",
        message: "Claude has made a plan. May it begin?",
        call: "toolu_1",
        tool: "ExitPlanMode",
        input: { plan: "# Plan" },
        remember: [],
        details: {}
      }
    ],
    [
      "a choice",
      ask(colour, shapes),
      {
        id: "q",
        kind: "choice",
        message: "Which colour?\nWhich shapes?",
        call: "toolu_1",
        tool: "AskUserQuestion",
        input: { questions: [colour, shapes] },
        choices: [
          {
            question: "Which colour?",
            header: "Colour",
            multiple: false,
            options: [{ label: "Red" }, { label: "Blue", description: "like the sky" }]
          },
          { question: "Which shapes?", header: "Shapes", multiple: true, options: [{ label: "Round" }] }
        ],
        details: {}
      }
    ],
    [
      "a form",
      form(),
      {
        id: "q",
        kind: "form",
        message: "What is your name?",
        server: "demo",
        schema: requested_schema,
        mode: "form",
        details: { message: "What is your name?", mode: "form" }
      }
    ],
    [
      "a page",
      page,
      {
        id: "q",
        kind: "form",
        message: "Sign in.\nhttps://example.com/sign-in",
        server: "demo",
        url: "https://example.com/sign-in",
        mode: "url",
        elicitation: "e",
        details: { message: "Sign in.", mode: "url", url: "https://example.com/sign-in", elicitation_id: "e" }
      }
    ]
  ])("%s", (_, message, expected) => {
    expect(requestOf(message)).toEqual(expected)
  })

  test("what a person may want to know has the model's names", () => {
    const told = { blocked_path: "/etc", decision_reason: "outside", agent_id: "a1" }
    const named = { blockedPath: "/etc", reason: "outside", agent: "a1" }
    for (const { request, ...line } of [tool(), ask(colour)])
      expect(requestOf({ ...line, request: { ...request, ...told } })).toMatchObject(named)
    expect(requestOf(form({ title: "You" }))).toMatchObject({ title: "You" })
  })

  test("what is no longer of its type stays in the details alone", () => {
    const odd = { description: 1, permission_suggestions: "all", blocked_path: null, decision_reason: [], agent_id: {} }
    const names = ["description", "suggestions", "blockedPath", "reason", "agent"]
    const { request, ...line } = tool()
    const asked = requestOf({ ...line, request: { ...request, ...odd } } as unknown as WireQuestion)
    expect(Object.keys(asked).filter((key) => names.includes(key))).toEqual([])
    expect(asked).toMatchObject({ details: odd })
  })

  test("nothing is suggested where nothing may be remembered", () => {
    const asked = requestOf(tool({ permission_suggestions: suggestions, suppress_always_allow_rule: true }))
    expect(asked).toMatchObject({ remember: [] })
    expect(asked).not.toHaveProperty("suggestions")
  })

  test("says in the CLI's words what is asked, where the CLI has some", () => {
    expect(requestOf(tool({ title: "Run ls?" })).message).toBe("Run ls?")
    const shell = { display_name: "Shell", description: "List files" }
    expect(requestOf(tool({ ...shell, input: {} })).message).toBe("May Claude use Shell?\nList files")
  })

  test("shows what the tool would do rather than how the model describes it", () => {
    const { message } = requestOf(tool({ input: { command: "rm -rf /" }, description: "List files" }))
    expect(message).toBe("May Claude use Bash?\nrm -rf /")
  })

  test("names tools as people know them, in what would be remembered, too", () => {
    const rules = [{ toolName: "mcp__frontend__pick" }]
    const message = tool({
      tool_name: "mcp__frontend__pick",
      permission_suggestions: [{ type: "addRules", rules, behavior: "allow", destination: "localSettings" }]
    })
    expect(requestOf(message, (name) => name.replace("mcp__frontend__", ""))).toMatchObject({
      tool: "pick",
      message: expect.stringContaining("May Claude use pick?"),
      remember: [{ id: "mcp__frontend__pick", label: "pick" }]
    })
  })

  test("AskUserQuestion without a question is a tool like others", () => {
    for (const questions of ["none", [], [{ header: "?" }], [colour, {}]])
      expect(requestOf(tool({ tool_name: "AskUserQuestion", input: { questions } })).kind).toBe("permission")
  })
})

test("whatever a release does to the other keys, the question stays what it was", () => {
  const others = [
    "permission_suggestions",
    "suppress_always_allow_rule",
    "blocked_path",
    "decision_reason",
    "title",
    "display_name",
    "description",
    "agent_id",
    "mode",
    "url",
    "elicitation_id",
    "requested_schema"
  ]
  const odd = fc.oneof(
    fc.constant(null),
    fc.constant(7),
    fc.constant({}),
    fc.constant([]),
    fc.constant([{ type: "addRules", behavior: "allow", rules: [{ toolName: 1 }, null] }, null, 3]),
    fc.constant("text")
  )
  const changes = fc.dictionary(fc.constantFrom(...others), odd)
  fc.assert(
    fc.property(fc.constantFrom<WireQuestion>(tool(), plan, ask(colour), form(), page), changes, (message, changed) => {
      const request = requestOf({ ...message, request: { ...message.request, ...changed } } as WireQuestion)
      expect(Schema.is(Request)(request)).toBe(true)
      const { id, kind } = requestOf(message)
      expect({ id: request.id, kind: request.kind }).toEqual({ id, kind })
      expect(request.message).not.toBe("")
      if ("remember" in request) expect(request.remember).toEqual([])
    })
  )
})
