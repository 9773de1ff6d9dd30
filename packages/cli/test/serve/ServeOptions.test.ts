import { resolve } from "node:path"
import { defaultHttpLimits } from "@agentwire/bridge/http"
import { describe, expect, it } from "vitest"
import { parse } from "../../src/Command.ts"
import { serve } from "../../src/commands/serve.ts"
import { httpLimitOptions } from "../../src/serve/HttpLimitOptions.ts"
import { tokenVariable } from "../../src/serve/OptionWords.ts"
import { defaultData, oldIndex, serveOptions } from "../../src/serve/ServeOptions.ts"

const read = (args: ReadonlyArray<string>, env: Record<string, string> = { HOME: "/home/x" }) =>
  serveOptions(parse(serve, args), env)

describe("the options of serve", () => {
  it("are safe when nothing is said", () => {
    expect(read([])).toMatchObject({
      host: "127.0.0.1",
      port: 3210,
      cwd: resolve("."),
      roots: [resolve(".")],
      approvals: "deny",
      busy: "reject",
      origins: [],
      isNew: true,
      data: {
        folder: "/home/x/.local/share/agentwire",
        durability: "normal",
        imports: ["/home/x/.local/state/agentwire/index.json"]
      },
      source: { _tag: "Cli", path: undefined, transport: "auto", record: undefined },
      agent: {}
    })
  })

  it("choose the demo agent, whose questions are for a person and whose threads are not kept", () => {
    expect(read(["--demo"])).toMatchObject({
      source: { _tag: "Demo", speed: 1 },
      approvals: "interrupt",
      data: undefined
    })
    expect(read(["--demo", "--speed", "instant"]).source).toEqual({ _tag: "Demo", runtime: "claude", speed: "instant" })
    expect(read(["--demo", "--approvals", "deny", "--data", "/d"])).toMatchObject({
      approvals: "deny",
      data: { folder: "/d", imports: [] }
    })
    for (const more of [
      ["--replay", "t"],
      ["--cli", "c"],
      ["--record", "d"]
    ])
      expect(() => read(["--demo", ...more])).toThrow(/--demo/)
  })

  it("let nobody think that codex exec asks", () => {
    const exec = ["--runtime", "codex-exec"]
    expect(read(exec)).toMatchObject({ source: { runtime: "codex-exec" }, approvals: "deny" })
    expect(() => read([...exec, "--approvals", "interrupt"])).toThrow(/asks nobody/)
    expect(() => read([...exec, "--max-turns", "3"])).toThrow(/is for Claude Code/)
    const policy = [...exec, "--policy", "p.json"]
    expect(read([...policy, "--permission-mode", "read-only"]).policy).toBe(resolve("p.json"))
    expect(read(policy).policy).toBe(resolve("p.json"))
    for (const more of [
      ["--permission-mode", "workspace-write"],
      ["--", "--dangerously-bypass-approvals-and-sandbox"]
    ])
      expect(() => read([...policy, ...more])).toThrow(/No --policy is asked/)
  })

  it("set every limit of a request, and leave the others as they are", () => {
    expect(read([]).limits).toEqual({})
    expect(read(["--max-body", "80MB", "--request-timeout", "1m", "--max-connections", "5"]).limits).toEqual({
      maxBodyBytes: 80_000_000,
      requestTimeout: 60_000,
      maxConnections: 5
    })
    const all = Object.keys(httpLimitOptions).flatMap((name) => [`--${name}`, "7"])
    expect(Object.keys(read(all).limits).sort()).toEqual(Object.keys(defaultHttpLimits).sort())
    expect(() => read(["--max-values", "many"])).toThrow("--max-values takes a whole number from 1")
    expect(() => read(["--max-body", "0"])).toThrow("--max-body takes a size in bytes")
  })

  it("know whether somebody chose the port", () => {
    expect(read([]).portIsChosen).toBe(false)
    expect(read(["--port", "3210"])).toMatchObject({ port: 3210, portIsChosen: true })
  })

  it("give the CLI what is for it", () => {
    const args = ["--model", "m", "--permission-mode", "plan", "--max-turns", "3", "--mcp-config", "f"]
    const tools = ["--allowed-tools", "Read", "--allowed-tools", "Bash(git *)", "--disallowed-tools", "Write"]
    const prompts = ["--system-prompt", "s", "--append-system-prompt", "a", "--add-dir", "/d"]
    expect(read([...args, ...tools, ...prompts, "--", "--effort", "high"]).agent).toEqual({
      model: "m",
      permissionMode: "plan",
      maxTurns: 3,
      mcpConfig: "f",
      allowedTools: ["Read", "Bash(git *)"],
      disallowedTools: ["Write"],
      systemPrompt: "s",
      appendSystemPrompt: "a",
      addDirs: ["/d"],
      extraArgs: ["--effort", "high"]
    })
  })

  it("give the CLI a budget, an effort and checkpoints, and refuse what is none", () => {
    expect(read(["--max-budget", "0.5", "--effort", "max", "--checkpointing"]).agent).toEqual({
      maxBudgetUsd: 0.5,
      effort: "max",
      checkpointing: true
    })
    for (const budget of ["0", "much", "1e9"]) expect(() => read(["--max-budget", budget])).toThrow(/dollars/)
    expect(() => read(["--effort", "some"])).toThrow(/--effort takes low, medium/)
  })

  it("let callers choose nothing about their sessions but what is named", () => {
    expect(read([]).sessionOptions).toEqual([])
    expect(read(["--session-options", "model, effort", "--session-options", "env"]).sessionOptions).toEqual([
      "model",
      "effort",
      "env"
    ])
    for (const names of ["modle", "", "model,,effort"])
      expect(() => read(["--session-options", names])).toThrow(/names of options/)
  })

  it("let the address it listens on be its name, but not one that stands for all", () => {
    expect(read(["--host", "192.0.2.1", "--allow-host", "box.local"]).hosts).toEqual(["box.local", "192.0.2.1"])
    for (const host of ["0.0.0.0", "::"]) expect(read(["--host", host]).hosts).toEqual([])
  })

  it("prefer the token of the command line to that of the environment", () => {
    expect(read([], { [tokenVariable]: "env" })).toMatchObject({ token: "env", isNew: false })
    expect(read(["--token", "t"], { [tokenVariable]: "env" })).toMatchObject({ token: "t", isNew: false })
    expect(read(["--no-auth"], { [tokenVariable]: "env" })).toMatchObject({ token: undefined, isNew: false })
  })

  it.each(["kit", "/kit", "/kit/", "//kit//"])("take %s for the same path", (path) => {
    expect(read(["--base-path", path]).basePath).toBe("/kit")
  })

  it("keep nothing of tapes, unless a folder is named", () => {
    expect(read(["--replay", "x"]).data).toBeUndefined()
    expect(read(["--replay", "x", "--data", "/d"]).data).toEqual({ folder: "/d", durability: "normal", imports: [] })
    expect(read(["--no-data"]).data).toBeUndefined()
    expect(() => read(["--no-data", "--data", "/d"])).toThrow(/not both/)
  })

  it("say how safe what is kept is, and what is taken over", () => {
    expect(read(["--data", "/d", "--durability", "full", "--import", "/old.json"]).data).toEqual({
      folder: "/d",
      durability: "full",
      imports: ["/old.json"]
    })
    for (const option of [
      ["--durability", "full"],
      ["--import", "/old.json"]
    ])
      expect(() => read(["--no-data", ...option])).toThrow(/nothing is kept/)
    expect(() => read(["--durability", "some"])).toThrow(/normal or full/)
  })

  it("say what became of an index", () => {
    expect(() => read(["--index", "/old.json"])).toThrow(/--data DIR.*--import \/old\.json/)
    expect(() => read(["--no-index"])).toThrow(/--no-data/)
  })

  it("keep threads where the XDG rules say, and find those of earlier versions where they were", () => {
    const env = { XDG_DATA_HOME: "/d", XDG_STATE_HOME: "/s", HOME: "/h" }
    expect([defaultData(env), oldIndex(env)]).toEqual(["/d/agentwire", "/s/agentwire/index.json"])
    const relative = { XDG_DATA_HOME: "relative", XDG_STATE_HOME: "relative", HOME: "/h" }
    expect([defaultData(relative), oldIndex(relative)]).toEqual([
      "/h/.local/share/agentwire",
      "/h/.local/state/agentwire/index.json"
    ])
  })
})
