/** Files of agents: no name leads out of the folder, and no two share a file. */
import { agentPath } from "@agentwire/protocol/agents"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { arbitraryDefinition } from "./arbitrary.ts"

describe("agentPath", () => {
  it("is where the programs look", () => {
    expect(agentPath("claude", "code-reviewer")).toBe(".claude/agents/code-reviewer.md")
    expect(agentPath("codex", "code-reviewer")).toBe(".codex/agents/code-reviewer.toml")
    expect(agentPath("claude", "../..")).toBe(".claude/agents/%2E%2E%2F%2E%2E.md")
  })

  it("is a file of the folder, and another one for another name", () => {
    fc.assert(
      fc.property(arbitraryDefinition, arbitraryDefinition, ({ name }, { name: other }) => {
        expect(agentPath("codex", name)).toMatch(/^\.codex\/agents\/[\w%-]+\.toml$/)
        expect(agentPath("codex", name) === agentPath("codex", other)).toBe(name === other)
      })
    )
  })
})
