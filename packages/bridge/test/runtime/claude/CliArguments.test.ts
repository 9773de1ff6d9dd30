/** The command line of a launch, on each version and over each wire. */
import { describe, expect, it } from "@effect/vitest"
import type { LaunchRequest } from "../../../src/runtime/claude/Agent.ts"
import { cliArguments, type Wire } from "../../../src/runtime/claude/CliArguments.ts"

const stdio: Wire = { _tag: "Stdio" }
const ws: Wire = { _tag: "WebSocket", url: "ws://127.0.0.1:1/ws/cli/a" }
const versions = ["2.1.37", "2.1.113", "2.1.120", "2.1.197", "2.1.325"]
const request = (more: Partial<LaunchRequest> = {}): LaunchRequest => ({
  sessionKey: "a",
  cwd: "/",
  options: {},
  frontendServer: "frontend",
  ...more
})

/** The values that follow a flag, each time it is there. */
const valuesOf = (args: ReadonlyArray<string>, flag: string): ReadonlyArray<string | undefined> =>
  args.flatMap((arg, index) => (arg === flag ? [args[index + 1]] : []))

describe("CliArguments", () => {
  it.each(versions)("speaks NDJSON both ways, streamed, on %s", (version) => {
    for (const wire of [stdio, ws]) {
      const args = cliArguments(request(), version, wire)
      expect(args).toEqual(expect.arrayContaining(["--print", "--verbose", "--include-partial-messages"]))
      expect(valuesOf(args, "--output-format")).toEqual(["stream-json"])
      expect(valuesOf(args, "--input-format")).toEqual(["stream-json"])
    }
  })

  it("asks for permissions on stdio, and has an address on WebSocket", () => {
    const overStdio = cliArguments(request(), "2.1.37", stdio)
    const overWs = cliArguments(request(), "2.1.37", ws)
    expect(valuesOf(overStdio, "--permission-prompt-tool")).toEqual(["stdio"])
    expect(overStdio).not.toContain("--sdk-url")
    expect(valuesOf(overWs, "--sdk-url")).toEqual([ws._tag === "WebSocket" && ws.url])
    expect(overWs).not.toContain("--permission-prompt-tool")
  })

  it("names the frontend's server where the version needs it, beside the person's servers", () => {
    const own = '{"mcpServers":{"mine":{"command":"x"}}}'
    for (const version of versions) {
      const configs = valuesOf(cliArguments(request({ options: { mcpConfig: own } }), version, stdio), "--mcp-config")
      expect(configs).toContain(own)
      const servers = configs.map((config) => JSON.parse(config ?? "").mcpServers)
      const frontend = servers.filter((each) => "frontend" in each)
      expect(frontend).toEqual(version === "2.1.37" ? [{ frontend: { type: "sdk", name: "frontend" } }] : [])
    }
  })

  it("forks only what it resumes, and no id can be taken for a flag", () => {
    expect(cliArguments(request({ fork: true }), "2.1.325", stdio)).not.toContain("--fork-session")
    const args = cliArguments(request({ resume: "--dangerously-skip-permissions", fork: true }), "2.1.325", stdio)
    expect(args).toContain("--fork-session")
    expect(args).not.toContain("--dangerously-skip-permissions")
    expect(args).toContain("--resume=--dangerously-skip-permissions")
  })

  it("goes back only in what it resumes", () => {
    const uuid = "0b8e2c14-0000-4000-8000-000000000001"
    expect(cliArguments(request({ at: uuid }), "2.1.325", stdio).join(" ")).not.toContain(uuid)
    const args = cliArguments(request({ resume: "s", at: uuid, fork: true }), "2.1.325", stdio)
    expect(args).toEqual(expect.arrayContaining(["--resume=s", `--resume-session-at=${uuid}`, "--fork-session"]))
  })

  it("has a flag for every option, and none for what is not chosen", () => {
    const args = cliArguments(
      request({
        options: {
          model: "opus",
          permissionMode: "plan",
          allowedTools: ["Bash(git log:*)", "Edit"],
          disallowedTools: ["WebFetch"],
          addDirs: ["/a", "-b"],
          systemPrompt: "-s",
          appendSystemPrompt: "more",
          maxTurns: 3,
          extraArgs: ["--model", "haiku"]
        }
      }),
      "2.1.325",
      stdio
    )
    expect(valuesOf(args, "--permission-mode")).toEqual(["plan"])
    expect(valuesOf(args, "--allowedTools")).toEqual(["Bash(git log:*),Edit"])
    expect(valuesOf(args, "--disallowedTools")).toEqual(["WebFetch"])
    expect(valuesOf(args, "--add-dir")).toEqual(["/a", "-b"])
    expect(valuesOf(args, "--system-prompt")).toEqual(["-s"])
    expect(valuesOf(args, "--append-system-prompt")).toEqual(["more"])
    expect(valuesOf(args, "--max-turns")).toEqual(["3"])
    expect(args.slice(-2)).toEqual(["--model", "haiku"])
    const none = cliArguments(request({ options: { allowedTools: [], addDirs: [] } }), "2.1.325", stdio)
    expect(none).toEqual(cliArguments(request(), "2.1.325", stdio))
  })
})
