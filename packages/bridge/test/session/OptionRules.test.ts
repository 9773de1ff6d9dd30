/**
 * Whose options hold, which of them callers may choose, and what is shown of them.
 */
import { describe, expect, it } from "vitest"
import { mergeAgentOptions, refusedOption, sessionOptionNames, shownOptions } from "../../src/session/OptionRules.ts"
import { everything } from "../Options.ts"

describe("a session with options of its own", () => {
  it("has those of its bridge where it has none", () => {
    expect(mergeAgentOptions(everything, {})).toEqual(everything)
    expect(mergeAgentOptions({}, everything)).toEqual(everything)
    expect(mergeAgentOptions(undefined, undefined)).toEqual({})
  })

  it("chooses for itself", () => {
    const own = { model: "haiku", systemPrompt: "Other.", allowedTools: ["Read"], checkpointing: false }
    expect(mergeAgentOptions(everything, own)).toMatchObject(own)
  })

  it("may be stricter, and not laxer", () => {
    const merged = mergeAgentOptions(
      { disallowedTools: ["Bash"], maxTurns: 5, maxBudgetUsd: 1 },
      { disallowedTools: ["Edit", "Bash"], maxTurns: 50, maxBudgetUsd: 0.1 }
    )
    expect(merged).toEqual({ disallowedTools: ["Bash", "Edit"], maxTurns: 5, maxBudgetUsd: 0.1 })
  })

  it("adds to what goes by name, and replaces the MCP servers", () => {
    const hook = (command: string) => ({ hooks: [{ type: "command" as const, command }] })
    const merged = mergeAgentOptions(
      { env: { A: "1", B: "1" }, mcpServers: { a: { command: "a" } }, hooks: { Stop: [hook("1")] }, extraArgs: ["-a"] },
      {
        env: { B: "2" },
        mcpServers: { b: { command: "b" } },
        hooks: { Stop: [hook("2")], Setup: [hook("3")] },
        extraArgs: ["-b"]
      }
    )
    expect(merged).toEqual({
      env: { A: "1", B: "2" },
      mcpServers: { b: { command: "b" } },
      hooks: { Stop: [hook("1"), hook("2")], Setup: [hook("3")] },
      extraArgs: ["-a", "-b"]
    })
  })
})

describe("a caller", () => {
  const dangerous = ["env", "mcpConfig", "hooks", "extraArgs"]
  const each = Object.entries(everything).map(([name, value]) => [name, { [name]: value }] as const)

  it.each(each)("of the management API may choose %s only if it is harmless, or allowed", (name, chosen) => {
    const refused = name === "mcpServers" ? "mcpCommands" : dangerous.includes(name) ? name : undefined
    expect(refusedOption(chosen, [], "harmless")?.option).toBe(refused)
    expect(refusedOption(chosen, [refused ?? "model"] as never, "harmless")).toBeUndefined()
  })

  it.each(each)("of a run may choose %s only if it is allowed", (name, chosen) => {
    expect(refusedOption(chosen, [], "none")?.option).toBe(name)
    const names = name === "mcpServers" ? ["mcpServers", "mcpCommands"] : [name]
    expect(refusedOption(chosen, names as never, "none")).toBeUndefined()
    if (name === "mcpServers") expect(refusedOption(chosen, ["mcpServers"], "none")?.option).toBe("mcpCommands")
  })

  it("may have MCP servers that are addresses, and nothing that could be more", () => {
    const address = { type: "http", url: "http://127.0.0.1:1/", headers: { A: "b" } }
    expect(refusedOption({ mcpServers: { a: address } }, [], "harmless")).toBeUndefined()
    for (const server of [
      { ...address, headersHelper: "id" },
      { type: "stdio", command: "id" },
      { command: "id" },
      7,
      {}
    ])
      expect(refusedOption({ mcpServers: { a: address, b: server } }, [], "harmless")?.option).toBe("mcpCommands")
  })

  it("is told how it would be allowed", () => {
    const message = refusedOption({ env: { A: "b" } }, [], "harmless")?.message
    expect(message).toContain("the option env")
    expect(message).toContain("--session-options env")
  })

  it("that is the program itself may choose what it likes", () => {
    expect(refusedOption({ ...everything, cwd: "/", mode: "m" }, "all", "none")).toBeUndefined()
  })

  it("can be allowed every option by name", () => {
    expect(sessionOptionNames).toEqual(
      expect.arrayContaining([...Object.keys(everything), "cwd", "mode", "mcpCommands"])
    )
    expect(refusedOption({ ...everything, cwd: "/", mode: "m" }, sessionOptionNames, "none")).toBeUndefined()
  })
})

it("what is shown has no secrets, and says what there is", () => {
  const shown = shownOptions(everything)
  const text = JSON.stringify(shown)
  for (const secret of ["hunter2", "key=1", "--verbose", "mcp.json", '"-y"']) expect(text).not.toContain(secret)
  expect(shown).toMatchObject({
    model: "sonnet",
    env: { FRUIT: "…", EMPTY: "…" },
    mcpServers: {
      web: { type: "http", url: "https://example.com/mcp?…", headers: { Authorization: "…" } },
      files: { command: "npx", args: ["…", "…"], env: { KEY: "…" } }
    }
  })
  expect(shownOptions({})).toEqual({})
})
