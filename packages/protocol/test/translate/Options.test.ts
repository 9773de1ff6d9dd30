import { isObject, loadTape, tapes, wireLines } from "@agentwire/fixtures"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { frontendNames, mcpToolName, settingsOf } from "../../src/translate/Options.ts"

test("what is not chosen has its documented default", () => {
  const { runId, ...settings } = settingsOf({ threadId: "t" })
  expect(settings).toEqual({
    threadId: "t",
    dialect: "1.0",
    subagents: "show",
    approvals: "event",
    unknown: "raw",
    keyedState: true,
    frontendServer: "frontend",
    replayWindow: 2000,
    maxHeld: 1000
  })
  expect([runId(1), runId(2)]).toEqual(["t:1", "t:2"])
})

describe("what is chosen", () => {
  test("a replay window is never smaller than the buffer that is replayed", () => {
    expect(settingsOf({ threadId: "t", replayWindow: 10 }).replayWindow).toBe(2000)
    expect(settingsOf({ threadId: "t", replayWindow: 9000 }).replayWindow).toBe(9000)
  })

  // A table of that size is made at once, and one of no size would never take an entry.
  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e12, -1, 2500.5])("a replay window of %d is made one", (wanted) => {
    const { replayWindow } = settingsOf({ threadId: "t", replayWindow: wanted })
    expect(Number.isInteger(replayWindow)).toBe(true)
    expect(replayWindow).toBeGreaterThanOrEqual(2000)
    expect(replayWindow).toBeLessThanOrEqual(10_000_000)
  })

  test.each([
    [undefined, true],
    [{}, true],
    [{ mine: 1 }, true],
    [null, false],
    [[], false],
    ["text", false],
    [7, false]
  ])("a state %j takes a key: %j", (state, keyedState) => {
    expect(settingsOf({ threadId: "t", state }).keyedState).toBe(keyedState)
  })

  test("at least one message may wait", () => {
    expect(settingsOf({ threadId: "t", maxHeld: 0 }).maxHeld).toBe(1)
  })
})

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
          for (const tool of found) if (isObject(tool)) offered.add(String(tool["name"]))
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
        const names = frontendNames(server, tools)
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
