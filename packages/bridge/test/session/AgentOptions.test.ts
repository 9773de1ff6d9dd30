/**
 * Options of a session are checked: what does not fit is refused with its place, and never with its value. What is kept
 * of them is read again as it was.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { AgentOptions, decodeAgentOptions, encodeAgentOptions, type McpServer } from "../../src/session/AgentOptions.ts"
import { everything, secret } from "../Options.ts"

describe("options", () => {
  it("of every kind fit, and are read again from what is kept of them", () => {
    expect(decodeAgentOptions({})).toEqual(Result.succeed({}))
    expect(decodeAgentOptions(everything)).toEqual(Result.succeed(everything))
    expect(decodeAgentOptions(encodeAgentOptions(everything))).toEqual(Result.succeed(everything))
    expect(JSON.parse(JSON.stringify(encodeAgentOptions(everything)))).toEqual(everything)
  })

  it("that anybody could make up are read again, too", () => {
    const made = Effect.runSync(Arbitrary.sampleEffect(Arbitrary.schema(AgentOptions), { count: 100, seed: 15 }))
    for (const options of made)
      expect(decodeAgentOptions(JSON.parse(JSON.stringify(encodeAgentOptions(options))))).toEqual(
        Result.succeed(JSON.parse(JSON.stringify(options)))
      )
  })

  const wrong: ReadonlyArray<readonly [options: unknown, path: string, words: RegExp]> = [
    [7, "", /options/],
    [{ modle: "x" }, "modle", /nothing of this name/],
    [{ model: 3 }, "model", /string/],
    [{ model: "" }, "model", /at least 1/],
    [{ effort: secret }, "effort", /"low" \| "medium"/],
    [{ maxTurns: 0 }, "maxTurns", /between 1/],
    [{ maxTurns: 1.5 }, "maxTurns", /integer/],
    [{ maxBudgetUsd: -1 }, "maxBudgetUsd", /between/],
    [{ addDirs: secret }, "addDirs", /array/],
    [{ systemPrompt: "é".repeat(70_000) }, "systemPrompt", /120000 bytes/],
    [{ jsonSchema: { a: "x".repeat(130_000) } }, "jsonSchema", /120000 bytes/],
    [{ jsonSchema: [] }, "jsonSchema", /object/],
    [{ env: { A: 5 } }, "env.A", /string/],
    [{ env: { A: `${secret}\0` } }, "env.A", /NUL/],
    [{ env: { "A B": secret } }, "env.A B", /nothing of this name/],
    [{ mcpServers: { a: {} } }, "mcpServers.a.type", /missing/],
    [{ mcpServers: { a: { type: "ftp", url: secret } } }, "mcpServers.a.type", /"http" \| "sse"/],
    [{ mcpServers: { a: { type: "http" } } }, "mcpServers.a.url", /missing/],
    [{ mcpServers: { a: { type: "http", url: `file:///${secret}` } } }, "mcpServers.a.url", /https\?/],
    [{ mcpServers: { a: { type: "http", url: "http://x", headers: { A: 4 } } } }, "mcpServers.a.headers.A", /string/],
    [
      { mcpServers: { a: { type: "http", url: "http://x", headersHelper: secret } } },
      "mcpServers.a.headersHelper",
      /name/
    ],
    [{ mcpServers: { a: { command: 4 } } }, "mcpServers.a.command", /string/],
    [{ mcpServers: { a: { command: "x", arg: [] } } }, "mcpServers.a.arg", /name/],
    [{ mcpServers: { a: { type: "sdk", name: "a" } } }, "mcpServers.a.type", /"http"/],
    [{ agents: { a: { description: "x" } } }, "agents.a.prompt", /missing/],
    [{ agents: { a: { description: "x", prompt: "y", mcpServers: [secret] } } }, "agents.a.mcpServers", /name/],
    [{ hooks: { PreToolUse: [{ hooks: [] }] } }, "hooks.PreToolUse.0.hooks", /at least 1/],
    [
      { hooks: { PreToolUse: [{ hooks: [{ type: "http", url: "x" }] }] } },
      "hooks.PreToolUse.0.hooks.0.type",
      /"command"/
    ]
  ]

  it.each(wrong)("%j are refused with the place", (options, path, words) => {
    const decoded = decodeAgentOptions(options)
    if (Result.isSuccess(decoded)) throw new Error("they were taken")
    expect(decoded.failure).toMatchObject({ code: "BAD_OPTION", path })
    expect(decoded.failure.message).toMatch(words)
    expect(decoded.failure.message).toContain(path)
    expect(decoded.failure.message).not.toContain(secret)
  })
})

it("an MCP server is an address or a command", () => {
  const servers: ReadonlyArray<McpServer> = [
    { type: "sse", url: "http://127.0.0.1:1/" },
    { type: "stdio", command: "x" }
  ]
  for (const server of servers) expect(Result.isSuccess(decodeAgentOptions({ mcpServers: { server } }))).toBe(true)
})
