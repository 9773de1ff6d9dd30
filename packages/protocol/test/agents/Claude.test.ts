/** `.claude/agents/*.md`: what is written is read back, by us and by js-yaml; what the program does is done here, too. */
import { createRequire } from "node:module"
import { type AgentDefinition, AgentFileInvalid, fromClaudeAgent, toClaudeAgent } from "@agentwire/protocol/agents"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { arbitraryDefinition, withModelOf } from "./arbitrary.ts"

const yaml = createRequire(import.meta.url)("js-yaml") as { readonly load: (text: string) => unknown }

const definition: AgentDefinition = {
  name: "implementer",
  description: "Writes production code.",
  instructions: "Write clean, tested code.\n\nRun the tests."
}

const written = (value: AgentDefinition): string => Result.getOrThrow(toClaudeAgent(value))
const read = (text: string) => Result.getOrThrow(fromClaudeAgent(text))
const failure = (text: string) => Result.getOrThrow(Result.flip(fromClaudeAgent(text)))
const file = (...lines: ReadonlyArray<string>): string => `---\n${lines.join("\n")}\n---\nDo it.\n`

describe("toClaudeAgent", () => {
  it("writes what people write", () => {
    expect(written({ ...definition, model: { claude: "haiku" }, effort: "high", tools: ["Read", "Grep"] })).toBe(
      `---
name: implementer
description: "Writes production code."
model: haiku
effort: high
tools: ["Read", "Grep"]
---

Write clean, tested code.

Run the tests.
`
    )
  })

  it("is read back as it was, for any definition", () => {
    fc.assert(
      fc.property(arbitraryDefinition, (value) => {
        expect(read(written(value))).toEqual({ definition: withModelOf("claude", value), beside: {} })
      })
    )
  })

  it("is YAML to another reader, up to the first ---", () => {
    fc.assert(
      fc.property(arbitraryDefinition, (value) => {
        const [, frontMatter = "", ...body] = written(value).split("---")
        const { instructions, model, ...rest } = withModelOf("claude", value)
        expect(yaml.load(frontMatter)).toEqual({ ...rest, ...(model && { model: model.claude }) })
        expect(body.join("---").trim()).toBe(instructions)
      })
    )
  })

  it.each([
    ["effort", { effort: "ultra" }, "AGENT_UNSAYABLE"],
    ["description", { description: "a\\nb" }, "AGENT_UNSAYABLE"],
    ["name", { name: "-p" }, "AGENT_DEFINITION_INVALID"],
    ["name", { name: "plugin：agent" }, "AGENT_DEFINITION_INVALID"],
    ["name", { name: "a\nb" }, "AGENT_DEFINITION_INVALID"],
    ["name", { name: "x".repeat(257) }, "AGENT_DEFINITION_INVALID"],
    ["instructions", { instructions: " " }, "AGENT_DEFINITION_INVALID"],
    ["instructions", { instructions: "\ud800" }, "AGENT_DEFINITION_INVALID"],
    ["tools.0", { tools: ["Read, Grep"] }, "AGENT_DEFINITION_INVALID"]
  ] as const)("refuses a %s that the program would not load: %j", (member, change, code) => {
    const refused = Result.getOrThrow(Result.flip(toClaudeAgent({ ...definition, ...change })))
    expect(refused).toMatchObject({ _tag: "AgentUnwritable", code, member })
    expect(refused.message).toContain(member)
  })
})

describe("fromClaudeAgent", () => {
  it.each([
    ["tools: Read, Bash(git log, git diff) Grep", ["Read", "Bash(git log, git diff)", "Grep"]],
    ["tools:\n  - Read\n  - Grep, Glob", ["Read", "Grep", "Glob"]],
    ["tools:", []],
    ["tools: '*'", undefined]
  ])("reads a list as the program does: %j", (line, tools) => {
    expect(read(file("name: a", "description: b", line)).definition.tools).toEqual(tools)
  })

  it("reads colons that YAML does not allow, as the program does", () => {
    const text = file("name: a", "description: Use this: when tests fail. <example>user: hi</example>")
    expect(read(text).definition.description).toBe("Use this: when tests fail. <example>user: hi</example>")
  })

  it("reads \\n in a description as a line feed, as the program does", () => {
    expect(read(file("name: a", "description: one\\ntwo")).definition.description).toBe("one\ntwo")
  })

  it("reads what Windows wrote", () => {
    const text = `\ufeff${file("name: a", "description: b")}Twice.\n`.replaceAll("\n", "\r\n")
    expect(read(text).definition).toEqual({ name: "a", description: "b", instructions: "Do it.\nTwice." })
  })

  it("gives what no definition holds", () => {
    expect(read(file("name: a", "description: b", "color: red", "maxTurns: 3")).beside).toEqual({
      color: "red",
      maxTurns: 3
    })
  })

  it.each([
    ["AGENT_NO_FRONT_MATTER", 1, 1, "# Agent\n"],
    ["AGENT_NO_FRONT_MATTER", 1, 1, ""],
    ["AGENT_FRONT_MATTER_CUT", 3, 16, file("name: a", "description: b --- c")],
    ["AGENT_SYNTAX", 3, 14, file("name: a", "description: !!str b")],
    ["AGENT_SYNTAX", 3, 1, file("name: a", 'description: "b')],
    ["AGENT_SYNTAX", 4, 1, file("name: a", "description: b", "   model: c: d")],
    ["AGENT_SYNTAX", 2, 1, file("- name")],
    ["AGENT_FIELD_MISSING", 1, 1, file("name: a")],
    ["AGENT_FIELD_MISSING", 1, 1, "---\nname: a\ndescription: b\n---\n"],
    ["AGENT_FIELD_INVALID", 2, 7, file("name: 12", "description: b")],
    ["AGENT_FIELD_INVALID", 2, 7, file("name: a:b", "description: b")],
    ["AGENT_FIELD_INVALID", 4, 9, file("name: a", "description: b", "effort: silly")],
    ["AGENT_FIELD_INVALID", 4, 8, file("name: a", "description: b", "tools: [1]")]
  ])("fails with %s at line %i, column %i: %j", (code, line, column, text) => {
    expect(failure(text)).toMatchObject({ _tag: "AgentFileInvalid", code, line, column })
  })

  it("does not read a front matter that would take long", () => {
    const text = file("name: a", `tools: [${"\n  Read,".repeat(100_000)}]`)
    expect(failure(text)).toMatchObject({ code: "AGENT_SYNTAX", line: 2, column: 1 })
  })

  it("gives a definition or a failure with a place, whatever the text", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (head, body) => {
        const outcome = fromClaudeAgent(`---\n${head}\n---\n${body}`)
        if (Result.isFailure(outcome)) expect(outcome.failure).toBeInstanceOf(AgentFileInvalid)
      })
    )
  })
})
