import { describe, expect, it } from "vitest"
import { execArguments } from "../../../src/runtime/codexexec/ExecArguments.ts"

const none = { images: [], schema: undefined, systemPrompt: undefined }

describe("the command line of codex exec", () => {
  it("is safe when nothing is said", () => {
    expect(execArguments({}, "/work", none, undefined)).toEqual([
      ...["exec", "--json", "--skip-git-repo-check", "--ignore-rules", "--sandbox", "read-only", "--cd", "/work"],
      ...["--config", 'approval_policy="never"', "-"]
    ])
  })

  it("continues a thread, whose id no image takes for itself", () => {
    const files = { images: ["/tmp/a.png", "/tmp/b.png"], schema: "/tmp/s.json", systemPrompt: "/tmp/i.md" }
    expect(execArguments({ permissionMode: "workspace-write", model: "m" }, "/work", files, "t")).toEqual([
      ...["exec", "--json", "--skip-git-repo-check", "--sandbox", "workspace-write", "--cd", "/work", "--model", "m"],
      ...["--config", 'approval_policy="never"', "--config", 'model_instructions_file="/tmp/i.md"'],
      ...["--output-schema", "/tmp/s.json", "resume", "--image=/tmp/a.png", "--image=/tmp/b.png", "t", "-"]
    ])
  })

  it("writes texts as TOML", () => {
    const args = execArguments(
      { appendSystemPrompt: 'A "b"\n\u007f', addDirs: ["/a", "/b c"] },
      "/work",
      none,
      undefined
    )
    expect(args).toContain(String.raw`developer_instructions="A \"b\"\n\u007f"`)
    expect(args).toContain('sandbox_workspace_write.writable_roots=["/a","/b c"]')
  })
})
