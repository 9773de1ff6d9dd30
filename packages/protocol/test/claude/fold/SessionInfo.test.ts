import { recordings } from "@agentwire/fixtures"
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { expect, test } from "vitest"
import { sessionInfo } from "../../../src/claude/fold/SessionInfo.ts"
import type { MessageOf } from "../../../src/claude/Message.ts"
import { SessionInfo } from "../../../src/model/Event.ts"
import { init, recorded } from "../../translate/Lines.ts"

test("all that a client may show is there, under one set of names; what a version does not send is empty", () => {
  expect(sessionInfo(init().message as MessageOf<"system/init">)).toEqual({
    sessionId: "s",
    version: "2.1.325",
    model: "claude-test",
    cwd: "/w",
    mode: "default",
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
    expect(info.agents?.length).toBeGreaterThan(0)
    expect(info.mcpServers?.map(({ name }) => name)).toContain("frontend")
    expect(JSON.stringify(info)).not.toContain("messaging_socket_path")
  }
})

test("whatever a release leaves out or makes another type of, it is well-formed", () => {
  const whole = init().message as MessageOf<"system/init">
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(whole)), fc.jsonValue(), (key, value) => {
      const odd = { ...whole, [key]: value } as MessageOf<"system/init">
      expect(Schema.is(SessionInfo)(sessionInfo(odd))).toBe(true)
    })
  )
  expect(Schema.is(SessionInfo)(sessionInfo({} as MessageOf<"system/init">))).toBe(true)
})
