import { describe, expect, it } from "vitest"
import { execProblem, sandboxOf } from "../../../src/runtime/codexexec/ExecOptions.ts"

const codeOf = (options: Parameters<typeof execProblem>[0], hasPolicy = false) =>
  execProblem(options, "0.166.0", hasPolicy)?.code

describe("the options of codex exec", () => {
  it("have a sandbox that is read-only unless another one is chosen", () => {
    expect(
      [undefined, "default", "read-only"].map((mode) => sandboxOf(mode === undefined ? {} : { permissionMode: mode }))
    ).toEqual(["read-only", "read-only", "read-only"])
    expect(sandboxOf({ permissionMode: "workspace-write" })).toBe("workspace-write")
    expect(sandboxOf({ permissionMode: "full-access" })).toBe("danger-full-access")
    expect(sandboxOf({ permissionMode: "toString" })).toBe("read-only")
  })

  it("are refused where it has nothing for them, or would have to ask", () => {
    expect(codeOf({ model: "m", effort: "low", maxTurns: 1 })).toBe("OPTION_UNSUPPORTED")
    expect(codeOf({ mcpServers: { s: { command: "s" } } })).toBe("OPTION_UNSUPPORTED")
    expect(codeOf({ permissionMode: "on-request" })).toBe("OPTION_UNSUPPORTED")
    expect(codeOf({ permissionMode: "toString" })).toBe("OPTION_UNSUPPORTED")
    expect(codeOf({ allowedTools: [], checkpointing: false })).toBeUndefined()
  })

  it("let nothing be written past a policy, which nobody asks", () => {
    expect(codeOf({}, true)).toBeUndefined()
    expect(codeOf({ permissionMode: "read-only", extraArgs: [] }, true)).toBeUndefined()
    expect(codeOf({ permissionMode: "workspace-write" }, true)).toBe("OPTION_CONFLICT")
    expect(codeOf({ permissionMode: "full-access" }, true)).toBe("OPTION_CONFLICT")
    expect(codeOf({ extraArgs: ["--add-dir", "/"] }, true)).toBe("OPTION_CONFLICT")
  })
})
