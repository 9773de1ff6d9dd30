import { Claude } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cli, login, transport, version } from "../../../src/doctor/checks/Cli.ts"
import { cliOf, noCli, options, surroundings } from "../FakeSurroundings.ts"

const withVersion = (version: string) => ({ findCli: Effect.succeed(cliOf(version)) })

describe("the check of the CLI", () => {
  it.effect.each([
    [{}, {}, "the PATH"],
    [{ cli: "/usr/bin/claude" }, { CLAUDE_PATH: "/other" }, "--cli"],
    [{}, { CLAUDE_PATH: "/usr/bin/claude" }, "CLAUDE_PATH"]
  ] as const)("says where it is and who said so: %j %j", ([given, env, by]) =>
    Effect.gen(function* () {
      const found = yield* cli.inspect(surroundings({ options: { ...options, ...given }, env }))
      expect(found).toMatchObject({ status: "ok", facts: { version: "2.1.325", path: "/usr/bin/claude" } })
      expect(found.found).toContain(`at /usr/bin/claude, named by ${by}.`)
    })
  )

  it.effect("names the script, not the node that runs it", () =>
    Effect.gen(function* () {
      const findCli = Effect.succeed({ program: "/usr/bin/node", args: ["/lib/cli.js"], version: "2.1.37" })
      expect(yield* cli.inspect(surroundings({ findCli }))).toMatchObject({ facts: { path: "/lib/cli.js" } })
    })
  )

  it.effect.each([
    [{}, {}, "There is no claude in the PATH."],
    [{ cli: "./x" }, {}, "There is no ./x, which --cli names."],
    [{}, { CLAUDE_PATH: "/y" }, "There is no /y, which CLAUDE_PATH names."]
  ] as const)("a missing one is a problem that npm solves: %j %j", ([given, env, words]) =>
    Effect.gen(function* () {
      const found = yield* cli.inspect(
        surroundings({ findCli: noCli("CLI_NOT_FOUND"), options: { ...options, ...given }, env })
      )
      expect(found).toMatchObject({ status: "problem", found: words, facts: { code: "CLI_NOT_FOUND" } })
      expect(found.advice).toContain("npm install -g @anthropic-ai/claude-code")
    })
  )

  it.effect.each([
    ["CLI_NOT_EXECUTABLE", "chmod +x"],
    ["CLI_VERSION_UNKNOWN", "--version yourself"]
  ] as const)("%s is a problem in the finder's words", ([code, advice]) =>
    Effect.gen(function* () {
      const found = yield* cli.inspect(
        surroundings({ findCli: noCli(code, "/x (from the path that was given) is bad.") })
      )
      expect(found).toMatchObject({ status: "problem", found: "/x (from --cli) is bad.", facts: { code } })
      expect(found.advice).toContain(advice)
    })
  )
})

describe("the check of the version", () => {
  const newest = Claude.measuredVersions.at(-1) ?? ""

  it.effect.each(Claude.measuredVersions.map((each) => [each] as const))("%s was measured", ([each]) =>
    Effect.gen(function* () {
      const found = yield* version.inspect(surroundings(withVersion(each)))
      expect(found).toMatchObject({ status: "ok", facts: { standing: "measured", like: each } })
    })
  )

  it.effect.each([
    ["2.1.150", "ok", { standing: "between", like: "2.1.120" }],
    ["2.1.36", "warning", { standing: "older" }],
    ["1.0.128", "warning", { standing: "older" }],
    ["3.0.0", "warning", { standing: "newer", like: newest }]
  ] as const)("%s is %s", ([each, status, facts]) =>
    Effect.gen(function* () {
      const found = yield* version.inspect(surroundings(withVersion(each)))
      expect(found).toMatchObject({ status, facts })
      expect(found.advice === undefined).toBe(status === "ok")
    })
  )

  it.effect("the advice can be typed, whatever the path", () =>
    Effect.gen(function* () {
      const findCli = Effect.succeed(cliOf("9.0.0", "/Ada's tools/claude"))
      const { advice } = yield* version.inspect(surroundings({ findCli }))
      expect(advice).toContain(`agentwire drift --cli '/Ada'\\''s tools/claude'`)
    })
  )
})

describe("the check of the transport", () => {
  it.effect.each([
    ["auto", "2.1.325", "ok", "stdio"],
    ["auto", "2.1.37", "ok", "stdio"],
    ["stdio", "2.1.37", "ok", "stdio"],
    ["ws", "2.1.37", "ok", "ws"],
    ["ws", "2.1.120", "ok", "ws"],
    ["ws", "2.1.121", "problem", "ws"],
    ["ws", "2.1.325", "problem", "ws"],
    ["ws", "2.1.400", "warning", "ws"]
  ] as const)("%s with %s is %s", ([asked, each, status, transports]) =>
    Effect.gen(function* () {
      const found = yield* transport.inspect(
        surroundings({ ...withVersion(each), options: { ...options, transport: asked } })
      )
      expect(found).toMatchObject({ status, facts: { transport: transports } })
      expect(found.advice === undefined).toBe(status === "ok")
    })
  )

  it.effect("says where ws would be possible", () =>
    Effect.gen(function* () {
      expect((yield* transport.inspect(surroundings(withVersion("2.1.37")))).found).toContain("--transport ws")
      expect((yield* transport.inspect(surroundings(withVersion("2.1.325")))).found).not.toContain("ws")
    })
  )
})

describe.each([version, transport])("without a CLI, $name", ({ inspect }) => {
  it.effect("is skipped", () =>
    Effect.gen(function* () {
      expect(yield* inspect(surroundings({ findCli: noCli("CLI_NOT_FOUND") }))).toMatchObject({ status: "skipped" })
    })
  )
})

describe("the check of the login", () => {
  it.effect.each([
    [{ ANTHROPIC_API_KEY: "secret" }, false, "linux", "ok", "ANTHROPIC_API_KEY is set."],
    [{ CLAUDE_CODE_USE_BEDROCK: "1" }, true, "linux", "ok", "CLAUDE_CODE_USE_BEDROCK is set, Claude Code has a login."],
    [{}, true, "linux", "ok", "Claude Code has a login."],
    [{}, false, "darwin", "ok", "keychain"],
    [{ ANTHROPIC_API_KEY: "" }, false, "linux", "warning", "No login"]
  ] as const)("%j, a login in a file: %s, on %s: %s", ([env, hasFile, platform, status, words]) =>
    Effect.gen(function* () {
      const found = yield* login.inspect(surroundings({ env, platform, hasLogin: Effect.succeed(hasFile) }))
      expect(found.status).toBe(status)
      expect(found.found).toContain(words)
      expect(JSON.stringify(found)).not.toContain("secret")
    })
  )
})
