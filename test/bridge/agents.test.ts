/** The agents of the bridge with the real CLI: a prompt is answered, and nothing is left behind. */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { ModelScript } from "@agentwire/fixtures"
import { Claude } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { WebSocket } from "ws"
import { AgentLauncher } from "../../packages/bridge/src/runtime/claude/Agent.ts"
import { cliArguments } from "../../packages/bridge/src/runtime/claude/CliArguments.ts"
import { findCli } from "../../packages/bridge/src/runtime/claude/CliFinder.ts"
import { agentEnvironment } from "../../packages/bridge/src/runtime/claude/Environment.ts"
import { makeSocketServer, type SocketServer } from "../../packages/bridge/src/runtime/claude/SocketServer.ts"
import { startWebSocketAgent } from "../../packages/bridge/src/runtime/claude/WebSocketAgent.ts"
import { eventually, isAlive, livingIn } from "../../packages/bridge/test/FakeCli.ts"
import { firstOf } from "../../packages/fixtures/test/Sweep.ts"
import { setUp } from "./AgentSetup.ts"
import { prompt, readUntil, requestIn, textOf } from "./AgentTalk.ts"

const hello: ModelScript = { replies: [{ kind: "message", blocks: [{ kind: "text", deltas: ["Hel", "lo."] }] }] }

/** A command that tells its process, and stays. The newest CLIs refuse long sleeps. */
const stays: ModelScript = {
  replies: [
    {
      kind: "message",
      blocks: [
        {
          kind: "tool",
          type: "tool_use",
          names: ["Bash"],
          input: { command: "echo $$ > pid.tmp && mv pid.tmp pid && tail -f /dev/null", description: "Stay" }
        }
      ]
    }
  ]
}

const wires = [
  ["2.1.325", "stdio"],
  ["2.1.37", "ws"],
  ["2.1.37", "hybrid"],
  ["2.1.197", "stdio"],
  ["2.1.37", "stdio"],
  ["2.1.120", "ws"],
  ["2.1.120", "hybrid"]
] as const

/** Those whose SIGTERM leaves the Bash behind, and the first transport of each kind. */
const midTurn = [
  ["2.1.197", "stdio"],
  ["2.1.37", "stdio"],
  ["2.1.120", "ws"]
] as const

const killed = [
  ["2.1.325", "stdio"],
  ["2.1.37", "ws"]
] as const

describe("agents with the real CLI", () => {
  it.live.each(firstOf(3, wires))("%s over %s answers prompts, and is gone with its scope", ([version, transport]) =>
    Effect.gen(function* () {
      const { launcher, project } = yield* setUp(version, hello, { transport })
      yield* Effect.gen(function* () {
        const { launch } = yield* AgentLauncher
        const scope = yield* Scope.make()
        const agent = yield* Scope.provide(launch(requestIn(project)), scope)
        expect([agent.version, agent.transport]).toEqual([version, transport])
        for (const text of ["one", "two"]) {
          yield* agent.send(prompt(text))
          expect(textOf(yield* readUntil(agent, "result/success"))).toBe("Hello.")
        }
        const left = livingIn(project)
        expect(left.length).toBeGreaterThan(0)
        yield* Scope.close(scope, Exit.void)
        yield* agent.exit
        expect(left.filter(isAlive)).toEqual([])
        expect(yield* Effect.flip(agent.send(prompt("three")))).toMatchObject({ _tag: "AgentGone" })
      }).pipe(Effect.provide(launcher))
    })
  )

  it.live.each(firstOf(1, [["2.1.325"], ["2.1.37"]] as const))("%s goes on with a conversation", ([version]) =>
    Effect.gen(function* () {
      const { launcher, project } = yield* setUp(version, hello)
      const talk = (resume?: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            const { launch } = yield* AgentLauncher
            const agent = yield* launch(requestIn(project, resume === undefined ? {} : { resume }))
            yield* agent.send(prompt("go"))
            const last = (yield* readUntil(agent, "result/success")).at(-1)
            return last?._tag === "Known" && last.name === "result/success" ? last.message.session_id : undefined
          })
        ).pipe(Effect.provide(launcher))
      const first = yield* talk()
      expect(first).toBeTruthy()
      expect(yield* talk(first)).toBe(first)
    })
  )

  it.live.each(firstOf(1, ["2.1.37", "2.1.120"]))(
    "%s comes back when its WebSocket breaks, and gets what was sent meanwhile",
    (version) =>
      Effect.gen(function* () {
        const { options, project } = yield* setUp(version, hello)
        const server = yield* makeSocketServer()
        const sockets: Array<WebSocket> = []
        const tapped: SocketServer = {
          invite: (key, welcome) =>
            server.invite(key, (socket, request) => {
              sockets.push(socket)
              welcome(socket, request)
            })
        }
        const env = agentEnvironment(options.env, options.inherit)
        const cli = yield* findCli({ ...options, env })
        const command = (url: string) => ({
          program: cli.program,
          args: [...cli.args, ...cliArguments(requestIn(project), version, { _tag: "WebSocket", url })],
          cwd: project,
          env
        })
        // With one message on its way at a time, the second is only sent if the CLI answers our ping after the first.
        const agent = yield* startWebSocketAgent(tapped, "session", command, version, { limits: { maxUnconfirmed: 1 } })
        yield* agent.send(prompt("one"))
        yield* readUntil(agent, "result/success")
        sockets[0]?.terminate()
        yield* agent.send(prompt("two", { uuid: "11111111-2222-4333-8444-555555555555" }))
        const again = yield* readUntil(agent, "result/success")
        // 2.1.120 first sends everything again, which ends with the first result.
        const resends = Claude.fact("sdkUrlReplay", version) === "all"
        if (resends) again.push(...(yield* readUntil(agent, "result/success")))
        expect(textOf(again)).toBe(resends ? "Hello.Hello." : "Hello.")
        expect(sockets.length).toBe(2)
      })
  )

  it.live.each(firstOf(2, midTurn))(
    "%s over %s takes its Bash with it when its scope is closed in mid-turn",
    ([version, transport]) =>
      Effect.gen(function* () {
        const { launcher, project } = yield* setUp(version, stays, { transport, graceMs: 500 })
        yield* Effect.gen(function* () {
          const { launch } = yield* AgentLauncher
          const scope = yield* Scope.make()
          const agent = yield* Scope.provide(launch(requestIn(project)), scope)
          yield* agent.send(prompt("go"))
          yield* Effect.forkIn(readUntil(agent, "result/success"), scope)
          yield* eventually(() => existsSync(join(project, "pid")), 60)
          const bash = Number(readFileSync(join(project, "pid"), "utf8"))
          const all = livingIn(project)
          expect(all).toContain(bash)
          yield* Scope.close(scope, Exit.void)
          yield* eventually(() => !all.some(isAlive))
          expect(livingIn(project)).toEqual([])
        }).pipe(Effect.provide(launcher))
      })
  )

  it.live.each(killed)(
    "%s over %s leaves nothing behind when the bridge is killed with -9 in mid-turn",
    ([version, transport]) =>
      Effect.gen(function* () {
        const { options, project } = yield* setUp(version, stays, { transport })
        const script = fileURLToPath(new URL("OrphanBridge.mts", import.meta.url))
        const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
        const bridge = spawn(
          process.execPath,
          ["--import", tsx, "--conditions=agentwire-source", script, JSON.stringify([options, project])],
          { stdio: ["ignore", "ignore", "inherit"] }
        )
        yield* Effect.addFinalizer(() => Effect.sync(() => bridge.kill("SIGKILL")))
        yield* eventually(() => existsSync(join(project, "pid")), 60)
        const bash = Number(readFileSync(join(project, "pid"), "utf8"))
        // The agent, its Bash, and what that starts next.
        yield* eventually(() => livingIn(project).length > 2)
        const all = livingIn(project)
        expect(all).toContain(bash)
        bridge.kill("SIGKILL")
        yield* eventually(() => !all.some(isAlive))
        expect(livingIn(project)).toEqual([])
      })
  )
})
