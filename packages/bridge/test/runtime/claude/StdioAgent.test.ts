/** An agent over stdio, with programs in the CLI's place that each have one fault. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import type { AgentTap } from "../../../src/process/AgentTap.ts"
import { startStdioAgent } from "../../../src/runtime/claude/StdioAgent.ts"
import { countTurns } from "../../eventloop/Watched.ts"
import { eventually, groupOf, isAlive, nodeCommand, scratch } from "../../FakeCli.ts"

/** Tells every line it gets back. */
const echo = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => process.stdout.write(line + "\\n"))
`

const start = (script: string, options: Parameters<typeof startStdioAgent>[2] = {}) =>
  Effect.gen(function* () {
    const folder = yield* scratch
    const agent = yield* startStdioAgent(nodeCommand(folder, script), "2.1.325", options)
    return { agent, folder }
  })

describe("StdioAgent", () => {
  it.live("sends lines and hears them, in order", () =>
    Effect.gen(function* () {
      const { agent } = yield* start(echo)
      for (let n = 0; n < 100; n++) yield* agent.send({ type: "keep_alive", n, text: "line\nline" })
      const heard = yield* Queue.takeN(agent.messages, 100)
      expect(heard.map((each) => each._tag === "Known" && each.message)).toEqual(
        Array.from({ length: 100 }, (_, n) => ({ type: "keep_alive", n, text: "line\nline" }))
      )
    })
  )

  it.live("sends a line of megabytes whole, a little in each turn, and what is sent meanwhile after it", () =>
    Effect.gen(function* () {
      const turns = yield* countTurns
      const tap: AgentTap = {
        data: (from, _, bytes) => from === "host" && turns.add(bytes.length),
        exit: () => undefined
      }
      const { agent } = yield* start(echo, { tap })
      const long = (n: number) => ({ type: "keep_alive", n, text: "é\n".repeat(1_000_000) })
      const messages = [long(0), { type: "keep_alive", n: 1 }, { type: "keep_alive", n: 2 }, long(3)]
      yield* Effect.all(messages.map(agent.send), { concurrency: "unbounded" })
      const heard = yield* Queue.takeN(agent.messages, 4)
      expect(heard.map((each) => each._tag === "Known" && each.message)).toEqual(messages)
      expect(turns.most().most).toBeLessThan(1_000_000)
    })
  )

  it.live("sends all of a line, also when whoever sent it does not wait for it", () =>
    Effect.gen(function* () {
      const { agent } = yield* start(echo)
      const long = { type: "keep_alive", text: "x".repeat(3_000_000) }
      const sending = yield* Effect.forkChild(agent.send(long), { startImmediately: true })
      yield* Fiber.interrupt(sending)
      yield* agent.send({ type: "keep_alive", n: 1 })
      const heard = yield* Queue.takeN(agent.messages, 2)
      expect(heard.map((each) => each._tag === "Known" && each.message)).toEqual([long, { type: "keep_alive", n: 1 }])
    })
  )

  it.live("fails when the program cannot be started", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const command = nodeCommand(folder, echo)
      const failed = yield* Effect.flip(startStdioAgent({ ...command, cwd: join(folder, "none") }, "2.1.325"))
      expect(failed).toMatchObject({ _tag: "LaunchFailed", code: "SPAWN_FAILED" })
      const nul = yield* Effect.flip(startStdioAgent({ ...command, args: ["a\0b"] }, "2.1.325"))
      expect(nul).toMatchObject({ _tag: "LaunchFailed", code: "SPAWN_FAILED" })
    })
  )

  it.live("tells how one ended that ends at once, and takes nothing more", () =>
    Effect.gen(function* () {
      const { agent } = yield* start(`console.error("no key"); process.exitCode = 3`)
      expect(yield* agent.exit).toEqual({ code: 3, signal: null, stderr: "no key" })
      expect(yield* Queue.collect(agent.messages)).toEqual([])
      expect(yield* Effect.flip(agent.send({}))).toMatchObject({
        _tag: "AgentGone",
        message: "The agent ended with code 3: no key"
      })
    })
  )

  it.live("goes on over a flood on stderr, and keeps its end", () =>
    Effect.gen(function* () {
      const flood = `
        const line = "x".repeat(1000) + "\\n"
        for (let i = 0; i < 20000; i++) require("node:fs").writeSync(2, line)
        console.error("the end")
        process.stdout.write('{"type":"keep_alive"}\\n')`
      const { agent } = yield* start(flood, { stderrLines: 3 })
      const { stderr } = yield* agent.exit
      expect(stderr.split("\n").length).toBe(3)
      expect(stderr.endsWith("the end")).toBe(true)
      expect(yield* Queue.collect(agent.messages)).toHaveLength(1)
    })
  )

  it.live("passes on garbage as such, and what comes after it", () =>
    Effect.gen(function* () {
      const garbage = `
        process.stdout.write(Buffer.concat([
          Buffer.from('not json\\n{"type":"keep_alive"}\\n\\n  \\n'), Buffer.from([0xff, 0xfe, 10]),
          Buffer.from('{"type":"assistant","message":{"id":7}}\\n{"type":"result","subtype":"success"}\\n{"type":"new_thing"}\\n' + "y".repeat(5000) + '\\n{"type":"keep_alive"}')
        ]))`
      const { agent } = yield* start(garbage, { limits: { maxLineBytes: 1000 } })
      const heard = yield* Queue.collect(agent.messages)
      expect(heard.map((each) => (each._tag === "Invalid" ? each.error.code : each._tag))).toEqual([
        "NOT_JSON",
        "Known",
        "NOT_UTF8",
        "BAD_FIELD",
        // Little is said in it, but it ends a turn.
        "Known",
        "Unknown",
        "LINE_TOO_LONG",
        "Known"
      ])
    })
  )

  it.live("slows an agent nobody listens to, and loses nothing", () =>
    Effect.gen(function* () {
      const talker = `
        const { writeFileSync } = require("node:fs")
        let n = 0
        const more = () => {
          while (n < 50000) if (!process.stdout.write(JSON.stringify({ type: "keep_alive", n: n++, pad: "x".repeat(200) }) + "\\n")) {
            writeFileSync("waits", String(n))
            return process.stdout.once("drain", more)
          }
          writeFileSync("done", "")
        }
        more()`
      const { agent, folder } = yield* start(talker, { limits: { maxMessages: 16 } })
      yield* eventually(() => existsSync(join(folder, "waits")))
      const first = yield* Queue.takeN(agent.messages, 16)
      expect(existsSync(join(folder, "done"))).toBe(false)
      const rest = yield* Queue.collect(agent.messages)
      const numbers = [...first, ...rest].map((each) => each._tag === "Known" && "n" in each.message && each.message.n)
      expect(numbers).toEqual(Array.from({ length: 50_000 }, (_, n) => n))
    })
  )

  it.live("makes a sender wait when too much is unread, and lets it go when the agent dies", () =>
    Effect.gen(function* () {
      const script = `
        require("node:fs").writeSync(1, JSON.stringify({ type: "keep_alive", pid: process.pid }) + "\\n")
        setInterval(() => {}, 1000)`
      // Three lines are more, also where the pipe has taken what it can hold.
      const { agent } = yield* start(script, { limits: { maxUnconfirmedCharacters: 2_500_000 } })
      const told = yield* Queue.take(agent.messages)
      const pid = told._tag === "Known" && "pid" in told.message ? Number(told.message.pid) : 0
      const big = { type: "user", text: "x".repeat(1_000_000) }
      let sent = 0
      const sending = yield* Effect.forkChild(
        Effect.flip(
          Effect.forever(
            Effect.andThen(
              agent.send(big),
              Effect.sync(() => sent++)
            )
          )
        )
      )
      yield* eventually(() => sent >= 2)
      // Time enough for a third.
      yield* Effect.sleep("300 millis")
      expect(sent).toBe(2)
      process.kill(pid, "SIGKILL")
      expect(yield* Fiber.join(sending)).toMatchObject({ _tag: "AgentGone" })
      expect(yield* agent.exit).toMatchObject({ code: null, signal: "SIGKILL" })
    })
  )

  const deaf = [
    ["output", `require("node:fs").closeSync(1)`],
    ["input", `process.stdin.destroy(); require("node:fs").closeSync(0)`]
  ] as const

  it.live.each(deaf)("gives up one that closes its standard %s and stays", ([stream, close]) =>
    Effect.gen(function* () {
      const closed = `${close}; require("node:fs").writeFileSync("closed", "")`
      const { agent, folder } = yield* start(
        `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); ${closed}`,
        {
          graceMs: 100
        }
      )
      yield* eventually(() => existsSync(join(folder, "closed")))
      yield* Effect.ignore(agent.send({ type: "keep_alive" }))
      const { signal, stderr } = yield* agent.exit
      expect(signal).toBe("SIGKILL")
      expect(stderr).toContain(`closed its standard ${stream}`)
    })
  )

  const endings = [
    ["ends when its input ends", "process.stdin.resume()", { code: 0, signal: null }],
    ["ends by SIGTERM", "setInterval(() => {}, 1000)", { code: null, signal: "SIGTERM" }],
    [
      "ignores SIGTERM",
      `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)`,
      { code: null, signal: "SIGKILL" }
    ]
  ] as const

  it.live.each(endings)("is gone with its scope when it %s", ([, script, expected]) =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const scope = yield* Scope.make()
      const ready = `${script}; require("node:fs").writeFileSync("pid", String(process.pid))`
      const starting = startStdioAgent(nodeCommand(folder, ready), "2.1.325", { graceMs: 200 })
      const agent = yield* Scope.provide(starting, scope)
      yield* eventually(() => existsSync(join(folder, "pid")) && readFileSync(join(folder, "pid"), "utf8") !== "")
      const pid = Number(readFileSync(join(folder, "pid"), "utf8"))
      yield* Scope.close(scope, Exit.void)
      expect(yield* agent.exit).toMatchObject(expected)
      // A process closes its pipes a moment before it is gone.
      yield* eventually(() => groupOf(pid).length === 0, 5)
      expect(yield* Queue.collect(agent.messages)).toEqual([])
    })
  )

  it.live("takes grandchildren with it, and does not wait for the pipes they hold", () =>
    Effect.gen(function* () {
      const { agent, folder } = yield* start(`
        const { spawn } = require("node:child_process")
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit", detached: true })
        require("node:fs").writeFileSync("pid", String(child.pid))
        process.stdout.write('{"type":"keep_alive"}\\n', () => process.exit(0))`)
      expect(yield* agent.exit).toMatchObject({ code: 0 })
      expect(yield* Queue.collect(agent.messages)).toHaveLength(1)
      expect(isAlive(Number(readFileSync(join(folder, "pid"), "utf8")))).toBe(false)
    })
  )
})
