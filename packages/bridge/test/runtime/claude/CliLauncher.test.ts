/** What a launch checks first, and what it starts. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import { AgentLauncher, type LaunchRequest } from "../../../src/runtime/claude/Agent.ts"
import { type CliLauncherOptions, cliLauncher } from "../../../src/runtime/claude/CliLauncher.ts"
import { livingIn, scratch, writeScript } from "../../FakeCli.ts"

/** Tells its version, or its arguments and environment. */
const fake = (version: string) => `
if (process.argv[2] === "--version") console.log("${version} (Claude Code)")
else {
  console.log(JSON.stringify({ type: "keep_alive", args: process.argv.slice(2), env: process.env, cwd: process.cwd() }))
  setInterval(() => {}, 1000)
}
`

/** Connects to its WebSocket, leaves at the first line, and does not come back. */
const leaving = `
if (process.argv[2] === "--version") console.log("2.1.37 (Claude Code)")
else {
  const { WebSocket } = require(${JSON.stringify(createRequire(import.meta.url).resolve("ws"))})
  const socket = new WebSocket(process.argv[process.argv.indexOf("--sdk-url") + 1], {
    headers: { authorization: "Bearer " + process.env.CLAUDE_CODE_SESSION_ACCESS_TOKEN }
  })
  socket.on("message", () => socket.terminate())
  setInterval(() => {}, 1000)
}
`

const requestIn = (cwd: string): LaunchRequest => ({
  sessionKey: "a",
  cwd,
  options: { model: "opus" },
  frontendServer: "frontend"
})

const launch = (request: LaunchRequest, options: CliLauncherOptions) =>
  Effect.gen(function* () {
    const launcher = yield* AgentLauncher
    return yield* launcher.launch(request)
  }).pipe(Effect.provide(cliLauncher(options)))

describe("CliLauncher", () => {
  it.live("starts the CLI over stdio in its folder, with a clean environment", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const cliPath = writeScript(folder, "cli.js", fake("2.1.37"))
      const agent = yield* launch(requestIn(folder), {
        cliPath,
        env: { ADDED: "1" },
        inherit: { PATH: process.env["PATH"], CLAUDECODE: "1", KEPT: "1" }
      })
      expect([agent.version, agent.transport]).toEqual(["2.1.37", "stdio"])
      const told = yield* Queue.take(agent.messages)
      if (told._tag !== "Known") throw new Error("it said something else")
      expect(told.message).toMatchObject({ cwd: folder, env: { ADDED: "1", KEPT: "1" } })
      expect(told.message).not.toHaveProperty("env.CLAUDECODE")
      expect(told.message).toHaveProperty("args", expect.arrayContaining(["--model", "opus", "--mcp-config"]))
    })
  )

  const refused = [
    ["a folder that does not exist", "CWD_MISSING", "2.1.37", (folder: string) => join(folder, "none"), {}],
    ["a file for a folder", "CWD_MISSING", "2.1.37", (folder: string) => join(folder, "cli.js"), {}],
    ["WebSocket on 2.1.121", "TRANSPORT_UNSUPPORTED", "2.1.121", (folder: string) => folder, { transport: "ws" }],
    ["WebSocket on 2.1.325", "TRANSPORT_UNSUPPORTED", "2.1.325", (folder: string) => folder, { transport: "ws" }],
    ["hybrid on 2.1.121", "TRANSPORT_UNSUPPORTED", "2.1.121", (folder: string) => folder, { transport: "hybrid" }],
    ["hybrid on 2.1.14", "TRANSPORT_UNSUPPORTED", "2.1.14", (folder: string) => folder, { transport: "hybrid" }]
  ] as const

  it.live.each(refused)("refuses %s with %s", ([, code, version, cwdOf, more]) =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const cliPath = writeScript(folder, "cli.js", fake(version))
      expect(yield* Effect.flip(launch(requestIn(cwdOf(folder)), { cliPath, ...more }))).toMatchObject({ code })
    })
  )

  it.live("waits as long as it was told for a CLI that left its WebSocket", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const cliPath = writeScript(folder, "cli.js", leaving)
      const agent = yield* launch(requestIn(folder), { cliPath, transport: "ws", limits: { awayLimitMs: 300 } })
      yield* agent.send({ type: "user" })
      expect(yield* agent.exit).toMatchObject({ stderr: expect.stringContaining("it did not come back") })
    })
  )

  it.live("leaves nothing of a launch that failed, though the scope lives on", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const cliPath = writeScript(folder, "cli.js", fake("2.1.37"))
      const scope = yield* Scope.make()
      const failing = launch(requestIn(folder), { cliPath, transport: "ws", connectLimitMs: 300 })
      expect(yield* Effect.flip(Scope.provide(failing, scope))).toMatchObject({ code: "SPAWN_FAILED" })
      expect(livingIn(folder)).toEqual([])
      yield* Scope.close(scope, Exit.void)
    })
  )
})
