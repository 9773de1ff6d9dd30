/** `.codex/agents/*.toml`: what is written is read back, and what Codex would ignore is a failure with its place. */
import { type AgentDefinition, AgentFileInvalid, fromCodexAgent, toCodexAgent } from "@agentwire/protocol/agents"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { arbitraryDefinition, withModelOf } from "./arbitrary.ts"

const definition: AgentDefinition = {
  name: "implementer",
  description: "Writes production code.",
  instructions: "Write clean, tested code.\n\nRun the tests."
}

const written = (value: AgentDefinition): string => Result.getOrThrow(toCodexAgent(value, { withoutTools: true }))
const read = (text: string) => Result.getOrThrow(fromCodexAgent(text))
const failure = (text: string) => Result.getOrThrow(Result.flip(fromCodexAgent(text)))

describe("toCodexAgent", () => {
  it("writes what people write", () => {
    expect(written({ ...definition, model: { claude: "haiku", codex: "gpt-5.5" }, effort: "high" })).toBe(
      `name = "implementer"
description = "Writes production code."
model = "gpt-5.5"
model_reasoning_effort = "high"
developer_instructions = """
Write clean, tested code.

Run the tests.
"""
`
    )
  })

  it("is read back as it was, for any definition", () => {
    fc.assert(
      fc.property(arbitraryDefinition, (value) => {
        const { tools: _, ...said } = withModelOf("codex", value)
        expect(read(written(value))).toEqual({ definition: said, beside: {} })
      })
    )
  })

  it("withholds no tools silently", () => {
    const refused = Result.getOrThrow(Result.flip(toCodexAgent({ ...definition, tools: ["Read"] })))
    expect(refused).toMatchObject({ code: "AGENT_UNSAYABLE", member: "tools" })
  })
})

describe("fromCodexAgent", () => {
  const required = 'name = "a"\ndescription = "b"\ndeveloper_instructions = "c"\n'

  it("reads the strings that TOML has", () => {
    const text = `# ours
name = 'a'
description = """
one \\
  two"""
developer_instructions = '''
It's "so" \\n.
'''
`
    expect(read(text).definition).toEqual({ name: "a", description: "one two", instructions: `It's "so" \\n.` })
  })

  it("gives what no definition holds", () => {
    const text = `${required}sandbox_mode = "read-only"\nnickname_candidates = ["Ada"]\n[mcp_servers.x]\ncommand = "y"\n`
    expect(read(text).beside).toMatchObject({
      sandbox_mode: "read-only",
      nickname_candidates: ["Ada"],
      mcp_servers: { x: { command: "y" } }
    })
  })

  it.each([
    ["AGENT_SYNTAX", 1, 5, "not toml at all"],
    ["AGENT_SYNTAX", 2, 13, 'name = "a"\nmodel = "gpt\n'],
    ["AGENT_FIELD_MISSING", 1, 1, 'name = "a"\ndescription = "b"\n'],
    ["AGENT_FIELD_INVALID", 3, 26, 'name = "a"\ndescription = "b"\ndeveloper_instructions = "  "\n'],
    ["AGENT_FIELD_INVALID", 1, 8, 'name = 12\ndescription = "b"\ndeveloper_instructions = "c"\n'],
    ["AGENT_FIELD_INVALID", 4, 26, `${required}model_reasoning_effort = "silly"\n`]
  ])("fails with %s at line %i, column %i: %j", (code, line, column, text) => {
    expect(failure(text)).toMatchObject({ _tag: "AgentFileInvalid", code, line, column })
  })

  it("gives a definition or a failure with a place, whatever the text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const outcome = fromCodexAgent(text)
        if (Result.isFailure(outcome)) expect(outcome.failure).toBeInstanceOf(AgentFileInvalid)
      })
    )
  })
})
