import { resolve } from "node:path"
import { defaultHttpLimits } from "@agentwire/bridge/http"
import { describe, expect, it } from "vitest"
import { parse } from "../../src/Command.ts"
import { serve } from "../../src/commands/serve.ts"
import { httpLimitOptions } from "../../src/serve/HttpLimitOptions.ts"
import { defaultIndex, serveOptions, tokenVariable } from "../../src/serve/ServeOptions.ts"

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
      index: "/home/x/.local/state/agentwire/index.json",
      source: { _tag: "Cli", path: undefined, transport: "auto", record: undefined },
      agent: {}
    })
  })

  it("choose the demo agent, whose questions are for a person and whose threads are not kept", () => {
    expect(read(["--demo"])).toMatchObject({
      source: { _tag: "Demo", speed: 1 },
      approvals: "interrupt",
      index: undefined
    })
    expect(read(["--demo", "--speed", "instant"]).source).toEqual({ _tag: "Demo", speed: "instant" })
    expect(read(["--demo", "--approvals", "deny", "--index", "/i"])).toMatchObject({ approvals: "deny", index: "/i" })
    for (const more of [
      ["--replay", "t"],
      ["--cli", "c"],
      ["--record", "d"]
    ])
      expect(() => read(["--demo", ...more])).toThrow(/--demo/)
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

  it("have no index for tapes, unless one is named", () => {
    expect(read(["--replay", "x"]).index).toBeUndefined()
    expect(read(["--replay", "x", "--index", "/i"]).index).toBe("/i")
    expect(read(["--no-index"]).index).toBeUndefined()
  })

  it("keep the index where the XDG rules say", () => {
    expect(defaultIndex({ XDG_STATE_HOME: "/s", HOME: "/h" })).toBe("/s/agentwire/index.json")
    expect(defaultIndex({ XDG_STATE_HOME: "relative", HOME: "/h" })).toBe("/h/.local/state/agentwire/index.json")
  })
})
