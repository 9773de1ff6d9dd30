import { loadTape, tapes, wireLines } from "@agentwire/fixtures"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { mcpToolName, pageToolNames } from "../../../src/claude/fold/PageTools.ts"
import { isRecord } from "../../../src/wire/Json.ts"

describe("the CLI's names of MCP tools", () => {
  const recordings = tapes.filter(({ scenario }) => scenario === "mcp_sdk")

  test("there are recordings of every version", () => {
    expect(new Set(recordings.map(({ version }) => version)).size).toBeGreaterThanOrEqual(4)
  })

  test.each(recordings)("$version over $transport: the names in `init` are those we make", (entry) => {
    const lines = wireLines(entry.scenario, loadTape(entry))
    const servers = new Set<string>()
    const offered = new Set<string>()
    const listed = new Set<string>()
    for (const { from, line } of lines) {
      const value: unknown = JSON.parse(line)
      for (const { key, found } of walk(value)) {
        if (key === "server_name" && typeof found === "string") servers.add(found)
        if (from === "host" && key === "tools" && Array.isArray(found))
          for (const tool of found) if (isRecord(tool)) offered.add(String(tool["name"]))
        if (from === "cli" && key === "tools" && Array.isArray(found))
          for (const tool of found) if (typeof tool === "string" && tool.startsWith("mcp__")) listed.add(tool)
      }
    }
    expect(offered.size).toBeGreaterThan(0)
    const ours = [...servers].flatMap((server) => [...offered].map((tool) => mcpToolName(server, tool)))
    expect([...listed].sort()).toEqual(ours.sort())
  })

  test("a name is one the API takes, whatever the server and the tool are called", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (server, tool) => {
        expect(mcpToolName(server, tool)).toMatch(/^mcp__[A-Za-z0-9_-]*$/)
      })
    )
    expect(mcpToolName("my app", "größe.v2")).toBe("mcp__my_app__gr__e_v2")
  })

  test("the application's name is found again by the CLI's", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "B", "1", "_", "-"), minLength: 1 })
    fc.assert(
      fc.property(fc.uniqueArray(name), name, (tools, server) => {
        const names = pageToolNames(server, tools)
        for (const tool of tools) expect(names.get(mcpToolName(server, tool))).toBe(tool)
        expect(names.size).toBe(tools.length)
      })
    )
  })
})

function* walk(value: unknown): Generator<{ readonly key: string; readonly found: unknown }> {
  if (typeof value !== "object" || value === null) return
  for (const [key, found] of Object.entries(value)) {
    yield { key, found }
    yield* walk(found)
  }
}
