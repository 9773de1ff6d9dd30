/** What kinds of agents can do: each row is what their runtime does, and what the guide says. */
import { readFileSync } from "node:fs"
import { Claude, Codex } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { capabilityTable } from "../../../../scripts/CapabilityTable.ts"
import { claudeCapabilities } from "../../src/runtime/claude/Capabilities.ts"
import { optionProblem as claudeProblem } from "../../src/runtime/claude/OptionSupport.ts"
import { codexCapabilities } from "../../src/runtime/codex/Capabilities.ts"
import { isNative } from "../../src/runtime/codex/Natives.ts"
import { optionProblem as codexProblem } from "../../src/runtime/codex/Options.ts"
import { execCapabilities } from "../../src/runtime/codexexec/Capabilities.ts"
import { execProblem } from "../../src/runtime/codexexec/ExecOptions.ts"
import type { AgentOptions } from "../../src/session/AgentOptions.ts"
import type { askedKinds } from "../../src/session/Capabilities.ts"
import { everything } from "../Options.ts"

const claude = claudeCapabilities(true)
const codex = codexCapabilities(true)

/** The options that are refused when a session has each of them alone. */
const refused = (problem: (options: AgentOptions) => unknown): ReadonlyArray<string> =>
  Object.entries(everything)
    .filter(
      ([name, value]) =>
        name !== "permissionMode" && name !== "runtime" && problem({ [name]: value } as AgentOptions) !== undefined
    )
    .map(([name]) => name)
    .sort()

describe("the options that an agent has nothing for", () => {
  it("are those that Codex is not started with", () => {
    const problem = (options: AgentOptions) => codexProblem(options, "0.166.0")
    expect([...codex.unsupportedOptions].sort()).toEqual(refused(problem))
  })

  it("are those that codex exec is not started with", () => {
    const problem = (options: AgentOptions) => execProblem(options, "0.166.0", false)
    expect([...execCapabilities.unsupportedOptions].sort()).toEqual(refused(problem))
  })

  it("are those that the newest Claude Code is not started with", () => {
    const problem = (options: AgentOptions) => claudeProblem({ frontendServer: "page", options }, "2.1.325")
    expect(claude.unsupportedOptions).toEqual(refused(problem))
  })

  it("take with them what they are for", () => {
    for (const { hooks, rewindFiles, unsupportedOptions } of [claude, codex, execCapabilities]) {
      expect(hooks).toBe(!unsupportedOptions.includes("hooks"))
      expect(rewindFiles).toBe(!unsupportedOptions.includes("checkpointing"))
    }
  })
})

describe("what an agent asks", () => {
  it("is what its questions are about", () => {
    const kinds: Readonly<Record<string, ReadonlyArray<(typeof askedKinds)[number]>>> = {
      "item/commandExecution/requestApproval": ["command", "network"],
      "item/fileChange/requestApproval": ["patch"],
      "item/permissions/requestApproval": ["permissions"],
      "item/tool/requestUserInput": ["choice"],
      "mcpServer/elicitation/request": ["mcp_tool", "form"],
      // What tools of the application are asked with, and what older versions said.
      "item/tool/call": [],
      execCommandApproval: ["command"],
      applyPatchApproval: ["patch"]
    }
    expect(Object.keys(kinds).sort()).toEqual([...Codex.questionMethods].sort())
    expect([...codex.approvals].sort()).toEqual([...new Set(Object.values(kinds).flat())].sort())
  })
})

describe("requests of an agent's own", () => {
  it("are there where it can do what they ask", () => {
    expect(isNative("thread/compact/start")).toBe(codex.compact)
    expect(isNative("review/start")).toBe(codex.review)
    expect(isNative("thread/settings/update")).toBe(codex.settingsLater.length > 0)
    expect(Claude.isControlSubtype("mcp_set_servers")).toBe(claude.mcpServersLater)
    expect(Claude.isControlSubtype("set_model")).toBe(claude.settingsLater.includes("model"))
    expect(Claude.isControlSubtype("rewind_files")).toBe(claude.rewindFiles)
    expect(Claude.fact("userMessageUuids", "2.1.325")).toBe(claude.steer)
  })
})

describe("the guide", () => {
  it("has the table", () => {
    expect(readFileSync(new URL("../../../../docs/capabilities.md", import.meta.url), "utf8")).toContain(
      capabilityTable()
    )
  })
})
