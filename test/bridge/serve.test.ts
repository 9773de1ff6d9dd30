/**
 * `agentwire serve` as a process of its own: real clients get the answers of a real CLI, and however it ends, nothing
 * of the CLI lives on.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { HttpAgent } from "@ag-ui/client"
import type { ModelScript } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import { HttpAgent as HttpAgent00 } from "agui-client-059"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { eventually, isAlive, livingIn } from "../../packages/bridge/test/FakeCli.ts"
import { agentwireArgs } from "../../packages/cli/test/AgentwireCommand.ts"
import { firstOf } from "../../packages/fixtures/test/Sweep.ts"
import { type Setup, setUp } from "./AgentSetup.ts"
import { threadIn } from "./Kept.ts"

const version = "2.1.325"

const says = (...deltas: ReadonlyArray<string>) => ({
  kind: "message" as const,
  blocks: [{ kind: "text" as const, deltas }]
})

const bash = (command: string) => ({
  kind: "message" as const,
  blocks: [
    { kind: "tool" as const, type: "tool_use" as const, names: ["Bash"], input: { command, description: "Run" } }
  ]
})

/** A command that tells its process, and stays. */
const stays: ModelScript = { replies: [bash("echo $$ > pid.tmp && mv pid.tmp pid && tail -f /dev/null")] }

const recorded = [
  ["2.1.325", "stdio"],
  ["2.1.37", "ws"]
] as const

interface Serving {
  readonly child: ChildProcess
  readonly url: string
  readonly token: string
  readonly project: string
  readonly out: () => string
  readonly err: () => string
  /** How the process ended. */
  readonly exit: Promise<readonly [code: number | null, signal: string | null]>
}

/** Starts `agentwire serve`. It is killed with the scope. */
const startServe = (
  { options, project }: Setup,
  ...args: ReadonlyArray<string>
): Effect.Effect<Serving, never, Scope.Scope> =>
  Effect.gen(function* () {
    const child = spawn(process.execPath, [...agentwireArgs, "serve", "--port", "0", "--cwd", project, ...args], {
      env: { ...options.inherit, ...options.env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
    let out = ""
    let err = ""
    child.stderr.on("data", (chunk) => {
      err += chunk
    })
    const exit = once(child, "close").then(([code, signal]) => [code, signal] as const)
    yield* Effect.promise(
      () =>
        new Promise<void>((resolve, reject) => {
          child.stdout.on("data", (chunk) => {
            out += chunk
            if (out.includes("Ctrl-C ends it.")) resolve()
          })
          child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${err}`)))
        })
    )
    return {
      child,
      url: /Listens at +(\S+)/.exec(out)?.[1] ?? "",
      token: /Token +(\S+)/.exec(out)?.[1] ?? "",
      project,
      out: () => out,
      err: () => err,
      exit
    }
  })

/** The same in front of a real CLI with a scripted model. */
const serveCli = (script: ModelScript, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(setUp(version, script), (setup) => startServe(setup, ...cliOf(setup), ...args))

const cliOf = ({ options: { cliPath = "" } }: Setup): ReadonlyArray<string> => ["--cli", cliPath]

const agentOf = ({ token, url }: Serving, threadId = "thread-1"): HttpAgent =>
  new HttpAgent({ url, headers: { Authorization: `Bearer ${token}` }, threadId })

const say = (agent: HttpAgent, content: string): HttpAgent => {
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content })
  return agent
}

/** Begins a turn that is cut off. Not with a client: 1.0.0 lets the error of a lost connection go unhandled. */
const beginTurn = ({ token, url }: Serving): void => {
  const input = { threadId: "t", runId: "r", messages: [{ id: "u", role: "user", content: "Go" }], tools: [] }
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ ...input, protocolVersion: "1.0", context: [], state: {} })
  })
    .then((response) => response.text())
    .catch(() => undefined) // that is the point
}

const events = ({ err }: Serving): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  err()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []))

describe.concurrent("agentwire serve with the real CLI", () => {
  it.live("answers both clients, logs what happened, and ends in order with SIGTERM", () =>
    Effect.gen(function* () {
      const serving = yield* serveCli({ replies: [says("Hel", "lo.")] })
      expect(serving.out()).toContain(`agentwire serves Claude Code ${version} in ${serving.project}.`)
      yield* Effect.promise(async () => {
        const agent = agentOf(serving)
        await say(agent, "the first secret prompt").runAgent()
        expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Hello." })
        const old = new HttpAgent00({ url: serving.url, headers: { Authorization: `Bearer ${serving.token}` } })
        old.addMessage({ id: "u", role: "user", content: "Hi" })
        await old.runAgent()
        expect(old.messages.at(-1)).toMatchObject({ role: "assistant", content: "Hello." })
      })
      const left = livingIn(serving.project)
      expect(left.length).toBeGreaterThan(0)
      serving.child.kill("SIGTERM")
      expect(yield* Effect.promise(() => serving.exit)).toEqual([0, null])
      expect(left.filter(isAlive)).toEqual([])
      expect(events(serving)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ event: "run ended", thread: "thread-1", outcome: "success" }),
          expect.objectContaining({ event: "agent ended" }),
          expect.objectContaining({ event: "stopped" })
        ])
      )
      expect(serving.err()).not.toContain(serving.token)
      expect(serving.err()).not.toContain("secret prompt")
    })
  )

  it.live("goes on with a thread after a restart", () =>
    Effect.gen(function* () {
      const setup = yield* setUp(version, { replies: [says("One."), says("Two.")] })
      const first = yield* startServe(setup, ...cliOf(setup))
      yield* Effect.promise(() => say(agentOf(first), "Hi").runAgent())
      first.child.kill("SIGINT")
      expect(yield* Effect.promise(() => first.exit)).toEqual([0, null])
      const stored = threadIn(join(setup.options.env?.["HOME"] ?? "", ".local", "share", "agentwire"), "thread-1")
      const before = yield* stored
      expect(before).toMatchObject({ cwd: setup.project, title: "Hi" })
      const second = yield* startServe(setup, ...cliOf(setup))
      const agent = agentOf(second)
      yield* Effect.promise(() => say(agent, "And?").runAgent())
      expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Two." })
      second.child.kill("SIGINT")
      expect(yield* Effect.promise(() => second.exit)).toEqual([0, null])
      // A CLI that begins anew has an id of its own.
      expect((yield* stored)?.providerSessionId).toBe(before?.providerSessionId)
      expect(before?.providerSessionId).toBeDefined()
    })
  )

  it.live.each(firstOf(1, recorded))(
    "keeps %s over %s on a tape, without secrets, that serve plays again",
    ([version, transport]) =>
      Effect.gen(function* () {
        const setup = yield* setUp(version, { replies: [says("Hel", "lo.")] })
        const folder = join(setup.project, "..", "tapes")
        const serving = yield* startServe(
          setup,
          ...cliOf(setup),
          "--transport",
          transport,
          "--no-data",
          "--record",
          folder
        )
        const agent = agentOf(serving)
        yield* Effect.promise(() => say(agent, "Hi").runAgent())
        serving.child.kill("SIGINT")
        expect(yield* Effect.promise(() => serving.exit)).toEqual([0, null])
        const [name = "", ...others] = readdirSync(folder)
        expect(others).toEqual([])
        const text = readFileSync(join(folder, name))
        const { tape, wrong } = Tape.parseTape(text)
        expect(wrong).toEqual([])
        expect(tape?.header).toMatchObject({ transport, runtime: { name: "claude-code", version } })
        expect(tape?.header.argv).toContain("--include-partial-messages")
        expect(tape?.frames.at(-1)).toMatchObject({ _tag: "Exit" })
        if (transport === "ws") expect(tape?.frames[0]).toMatchObject({ _tag: "Open", headers: expect.anything() })
        expect(text.toString()).not.toContain("sk-dummy")
        expect(text.toString()).not.toContain(setup.options.env?.["HOME"])

        const replaying = yield* startServe(setup, "--replay", folder)
        const again = agentOf(replaying)
        yield* Effect.promise(() => say(again, "Hi").runAgent())
        const said = ({ messages }: HttpAgent) => messages.map(({ content, role }) => [role, content])
        expect(said(again)).toEqual(said(agent))
      })
  )

  it.live("a second Ctrl-C does not wait, and leaves nothing behind either", () =>
    Effect.gen(function* () {
      const serving = yield* serveCli(stays, "--no-data", "--allowed-tools", "Bash")
      beginTurn(serving)
      yield* eventually(() => existsSync(join(serving.project, "pid")), 60)
      const all = livingIn(serving.project)
      serving.child.kill("SIGINT")
      yield* eventually(() => events(serving).some(({ event }) => event === "stopping"))
      serving.child.kill("SIGINT")
      expect(yield* Effect.promise(() => serving.exit)).toEqual([130, null])
      yield* eventually(() => !all.some(isAlive))
    })
  )

  describe.each(firstOf(2, ["SIGKILL", "SIGINT", "SIGTERM"] as const))("ended by %s", (signal) => {
    const expected = signal === "SIGKILL" ? [null, "SIGKILL"] : [0, null]

    it.live("in mid-turn, leaves nothing behind", () =>
      Effect.gen(function* () {
        const serving = yield* serveCli(stays, "--no-data", "--allowed-tools", "Bash")
        beginTurn(serving)
        yield* eventually(() => existsSync(join(serving.project, "pid")), 60)
        const bash = Number(readFileSync(join(serving.project, "pid"), "utf8"))
        const all = livingIn(serving.project)
        expect(all).toContain(bash)
        serving.child.kill(signal)
        expect(yield* Effect.promise(() => serving.exit)).toEqual(expected)
        yield* eventually(() => !all.some(isAlive))
        expect(livingIn(serving.project)).toEqual([])
      })
    )

    it.live("while somebody is asked, leaves nothing behind", () =>
      Effect.gen(function* () {
        const serving = yield* serveCli({ replies: [bash("touch no")] }, "--no-data", "--approvals", "interrupt")
        const agent = agentOf(serving)
        yield* Effect.promise(() => say(agent, "Go").runAgent())
        expect(agent.pendingInterrupts).toHaveLength(1)
        const all = livingIn(serving.project)
        expect(all.length).toBeGreaterThan(0)
        serving.child.kill(signal)
        expect(yield* Effect.promise(() => serving.exit)).toEqual(expected)
        yield* eventually(() => !all.some(isAlive))
        expect(existsSync(join(serving.project, "no"))).toBe(false)
      })
    )
  })
})
