import { describe, expect, test } from "vitest"
import { answerResponse } from "../../../src/claude/command/Answer.ts"
import { requestOf, type ToolQuestion } from "../../../src/claude/command/Question.ts"
import { suggestions, tool } from "./Lines.ts"

const offered = (message: ToolQuestion) => {
  const request = requestOf(message)
  return "remember" in request ? request.remember.map(({ id }) => id) : []
}
const updates = (message: ToolQuestion, remember: ReadonlyArray<string>) => {
  const response = answerResponse(message, { type: "allow", remember })
  return "updatedPermissions" in response ? response.updatedPermissions : undefined
}
const allowing = (...rules: ReadonlyArray<object>) => ({
  type: "addRules",
  rules,
  behavior: "allow",
  destination: "localSettings"
})

describe("what is offered to be remembered", () => {
  test("only rules that allow something: no mode, no folder", () => {
    expect(offered(tool({ permission_suggestions: suggestions }))).toEqual(["Bash(ls:*)"])
    expect(offered(tool({ permission_suggestions: [suggestions[1], suggestions[2]] }))).toEqual([])
  })

  test("no rule that asks, refuses, replaces or takes away", () => {
    const rules = [{ toolName: "Bash" }]
    const others = [
      { type: "addRules", rules, behavior: "deny", destination: "session" },
      { type: "addRules", rules, behavior: "ask", destination: "session" },
      { type: "replaceRules", rules, behavior: "allow", destination: "session" },
      { type: "removeRules", rules, behavior: "allow", destination: "session" },
      { type: "later", rules, behavior: "allow" }
    ]
    expect(offered(tool({ permission_suggestions: others }))).toEqual([])
  })

  test("each rule by itself, and once", () => {
    const touch = { toolName: "Bash", ruleContent: "touch:*" }
    const message = tool({
      permission_suggestions: [allowing(touch, { toolName: "Read", ruleContent: "//tmp/**" }), allowing(touch)]
    })
    expect(offered(message)).toEqual(["Bash(touch:*)", "Read(//tmp/**)"])
  })

  test("nothing when the CLI says so", () => {
    expect(offered(tool({ permission_suggestions: suggestions, suppress_always_allow_rule: true }))).toEqual([])
  })
})

describe("what is sent", () => {
  const message = tool({ permission_suggestions: suggestions })

  test("the rules that were named, for this session, though the CLI suggested a settings file", () => {
    expect(updates(message, ["Bash(ls:*)"])).toEqual([
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "ls:*" }],
        behavior: "allow",
        destination: "session"
      }
    ])
  })

  test("what the person chose by its place, word for word", () => {
    expect(updates(message, ["/permission_suggestions/1"])).toEqual([suggestions[1]])
    expect(updates(message, ["/permission_suggestions/0", "/permission_suggestions/2"])).toEqual([
      suggestions[0],
      suggestions[2]
    ])
  })

  test("nothing by another name", () => {
    for (const id of ["Bash", "setMode", "/permission_suggestions/3", "/permission_suggestions/-1", "1", "__proto__"])
      expect(updates(message, [id])).toBeUndefined()
  })

  test("nothing that must not be kept", () => {
    const suppressed = tool({ permission_suggestions: suggestions, suppress_always_allow_rule: true })
    expect(updates(suppressed, ["Bash(ls:*)", "/permission_suggestions/1"])).toBeUndefined()
  })
})
