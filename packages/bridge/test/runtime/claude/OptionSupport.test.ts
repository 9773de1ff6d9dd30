/**
 * A version that does not know an option is not started with it; what nobody knows is tried.
 */
import { readFileSync } from "node:fs"
import * as Claude from "@agentwire/protocol/claude"
import { describe, expect, it } from "vitest"
import { withOptionTables } from "../../../../../scripts/OptionReference.ts"
import { optionProblem } from "../../../src/runtime/claude/OptionSupport.ts"
import type { AgentOptions } from "../../../src/session/AgentOptions.ts"
import { everything } from "../../Options.ts"

const problem = (options: AgentOptions, version: string, hookEvents: ReadonlyArray<string> = []) =>
  optionProblem({ options, hookEvents, frontendServer: "frontend" }, version)

describe("the table of options", () => {
  it("has every option of a session", () => {
    expect(Object.keys(Claude.launchOptions).sort()).toEqual(Object.keys(everything).sort())
  })

  it.each(["2.1.120", "2.1.197", "2.1.325"])("all of them are known to %s", (version) => {
    expect(problem(everything, version)).toBeUndefined()
  })
})

describe("a version that does not know", () => {
  it.each(["2.0.45", "2.1.14", "2.1.37"])("an effort (%s) is not started with one", (version) => {
    expect(problem({ effort: "low" }, version)).toMatchObject({ code: "OPTION_UNSUPPORTED" })
    expect(problem({ effort: "low" }, version)?.message).toBe(
      `Claude Code ${version} does not know the option effort (\`--effort\`). 2.1.62 does: use a newer version, or leave it out.`
    )
    expect(problem({ model: "m", checkpointing: false }, version)).toBeUndefined()
  })

  it.each(["2.1.40", "2.1.326"])("it for all that anybody knows (%s) is tried", (version) => {
    expect(problem({ effort: "low" }, version)).toBeUndefined()
  })

  it("an event is not started with hooks for it", () => {
    const hooks = { MessageDisplay: [{ hooks: [{ type: "command" as const, command: "true" }] }] }
    expect(problem({ hooks }, "2.1.120")?.message).toContain('hooks for "MessageDisplay". 2.1.197 does')
    expect(problem({}, "2.1.120", ["MessageDisplay"])).toMatchObject({ code: "OPTION_UNSUPPORTED" })
    expect(problem({ hooks }, "2.1.197", ["Stop"])).toBeUndefined()
    expect(problem({}, "2.1.325", ["PreToolUze"])?.message).toContain("No version that was tried does")
    expect(problem({}, "2.1.999", ["FromTheFuture"])).toBeUndefined()
  })
})

describe("options that exclude each other", () => {
  it("are hooks and settings of one's own", () => {
    const { hooks } = everything
    for (const extraArgs of [["--settings", "{}"], ["--settings={}"]])
      expect(problem({ hooks, extraArgs }, "2.1.325")).toMatchObject({ code: "OPTION_CONFLICT" })
    expect(problem({ extraArgs: ["--settings", "{}"] }, "2.1.325")).toBeUndefined()
  })

  it("are an MCP server and the one with the application's tools", () => {
    expect(problem({ mcpServers: { frontend: { command: "x" } } }, "2.1.325")).toMatchObject({
      code: "OPTION_CONFLICT"
    })
  })
})

it("the guide has the tables as they are", () => {
  const guide = readFileSync(new URL("../../../../../docs/session-options.md", import.meta.url), "utf8")
  expect(withOptionTables(guide), "run `npm run options`").toBe(guide)
})
