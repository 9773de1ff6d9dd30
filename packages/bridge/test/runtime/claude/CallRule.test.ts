/** The rule of one call of Claude Code: what is the same thing, and what is another. */
import type { Model } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { callRule } from "../../../src/runtime/claude/CallRule.ts"

const call = (
  tool: string,
  input: Record<string, unknown>,
  more: Partial<Model.PermissionRequest> = {}
): Model.PermissionRequest => ({
  id: "q",
  kind: "permission",
  message: "",
  call: "c",
  tool,
  input,
  remember: [],
  details: {},
  ...more
})

const idOf = (request: Model.PermissionRequest, cwd = "/project") => callRule(request, cwd)?.id

describe("a change of a file", () => {
  it("is the same whichever tool changes it, and however", () => {
    const write = call("Write", { file_path: "/project/note.txt", content: "one" })
    expect(callRule(write, "/project")).toMatchObject({ label: "Edit(/project/note.txt)" })
    expect(idOf(call("Edit", { file_path: "note.txt", old_string: "one", new_string: "two" }))).toBe(idOf(write))
    expect(idOf(call("Write", { file_path: "/project/a/../note.txt", content: "" }), "/elsewhere")).toBe(idOf(write))
  })

  it("is another for another file, and where the CLI asks for another reason", () => {
    const write = idOf(call("Write", { file_path: "/project/note.txt", content: "one" }))
    const others = [
      call("Write", { file_path: "/project/other.txt", content: "one" }),
      call("Write", { file_path: "/project/note.txt" }, { blockedPath: "/etc/note.txt" }),
      call("Write", { file_path: "/project/note.txt" }, { details: { decision_reason_type: "workingDir" } }),
      call("Read", { file_path: "/project/note.txt" })
    ]
    expect(new Set([write, ...others.map((other) => idOf(other))]).size).toBe(5)
  })
})

describe("a command", () => {
  it("is the same with another description and another limit", () => {
    const echo = call("Bash", { command: "echo a > b", description: "Say a", timeout: 1000 })
    expect(callRule(echo, "/project")).toMatchObject({ label: "Bash(echo a > b)" })
    expect(idOf(call("Bash", { description: "A", command: "echo a > b" }))).toBe(idOf(echo))
  })

  it("is another by a letter, in another folder, and with anything else that it is told", () => {
    const others = [
      idOf(call("Bash", { command: "echo a > b" })),
      idOf(call("Bash", { command: "echo a > c" })),
      idOf(call("Bash", { command: "echo a > b" }), "/elsewhere"),
      idOf(call("Bash", { command: "echo a > b", run_in_background: true })),
      idOf(call("Bash", { command: "echo a > b", dangerouslyDisableSandbox: true }))
    ]
    expect(new Set(others).size).toBe(others.length)
  })

  it("is shown as long as people read", () => {
    const rule = callRule(call("Bash", { command: "a".repeat(1000) }), "/project")
    expect(rule?.label.length).toBeLessThan(250)
  })
})

it("there is none for a plan, and where the CLI says so", () => {
  expect(callRule(call("ExitPlanMode", {}, { kind: "plan" }), "/project")).toBeUndefined()
  const details = { suppress_always_allow_rule: true }
  expect(callRule(call("Bash", { command: "ls" }, { details }), "/project")).toBeUndefined()
})
