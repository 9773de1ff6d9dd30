import { recordings } from "@agentwire/fixtures"
import { describe, expect, test } from "vitest"
import { foldEvents } from "../../src/agui/History.ts"
import type { MessageOf } from "../../src/claude/Message.ts"
import { sessionStateKey } from "../../src/translate/Options.ts"
import { sessionInfo } from "../../src/translate/Session.ts"
import { customs, init, only, recorded, success, translated } from "./Lines.ts"

describe("the session in the shared state", () => {
  test("is one key, so that the application's own state stays", () => {
    const events = translated([init()], { state: { mine: 1 } })
    expect(only(events, "STATE_SNAPSHOT")).toEqual([])
    const { state } = foldEvents(events, { messages: [], state: { mine: 1 } })
    expect(state).toEqual({ mine: 1, [sessionStateKey]: expect.objectContaining({ sessionId: "s", cwd: "/w" }) })
  })

  test("is an event of its own where the state has no keys", () => {
    const events = translated([init()], { state: [1, 2] })
    expect(only(events, "STATE_DELTA")).toEqual([])
    expect(customs(events, "system_init")).toEqual([expect.objectContaining({ sessionId: "s" })])
  })

  test("is told anew with every turn: `init` comes once per turn, and may have changed (§5.20)", () => {
    const events = translated([init(), success(), init({ model: "other" }), success()])
    expect(only(events, "STATE_DELTA")).toHaveLength(2)
    expect(foldEvents(events).state).toMatchObject({ [sessionStateKey]: { model: "other" } })
  })
})

test("all that a client may show is there, under one set of names; what a version does not send is empty", () => {
  expect(sessionInfo(init().message as MessageOf<"system/init">)).toEqual({
    sessionId: "s",
    version: "2.1.325",
    model: "claude-test",
    cwd: "/w",
    permissionMode: "default",
    tools: ["Bash"],
    mcpServers: [],
    slashCommands: [],
    agents: [],
    skills: [],
    outputStyle: "default"
  })
})

test.each(recordings)("what %s says about itself is told, without what is the CLI's own business", (version) => {
  for (const each of recorded({ scenario: "mcp_sdk", version })) {
    if (each._tag !== "Known" || each.name !== "system/init") continue
    const info = sessionInfo(each.message)
    const { agents, model, skills, slash_commands, tools } = each.message
    expect(info).toMatchObject({ version, model, tools, skills, slashCommands: slash_commands, agents: agents ?? [] })
    expect(info.agents.length).toBeGreaterThan(0)
    expect(info.mcpServers.map(({ name }) => name)).toContain("frontend")
    expect(JSON.stringify(info)).not.toContain("messaging_socket_path")
  }
})
