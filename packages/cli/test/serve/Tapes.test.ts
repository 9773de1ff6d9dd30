import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { AgentLauncher, cliLauncher } from "@agentwire/bridge/claude"
import { Tape } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { afterAll, describe, expect, it } from "vitest"
import { WebSocketServer } from "ws"
import { replayOverSdkUrl } from "../../src/replay/AsSdkUrl.ts"
import { paceOf } from "../../src/replay/Pace.ts"
import { bridgeTapes } from "../../src/serve/Tapes.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-tapes-")))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const redaction = { off: false, patterns: [], values: ["my-own-token"], variables: [] }
const argv = ["/bin/claude", "--print"]

const prompt = (n: number) => ({ type: "user", message: { role: "user", content: "Hi" }, n })

const tapesIn = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => Tape.parseTape(readFileSync(join(folder, name))))

describe("the tapes of a bridge", () => {
  it("are one for each process, in the order of their starts, with all its bytes and its end", async () => {
    const folder = join(root, "several")
    const tapes = bridgeTapes({ folder, redaction, onStop: expect.unreachable })
    const stdio = tapes.tapOf("claude")({ version: "2.1.325", transport: "stdio", argv })
    const ws = tapes.tapOf("claude")({ version: "2.1.37", transport: "ws", argv })
    const line = Buffer.from('{"type":"keep_alive"}\n')
    stdio.data("host", "stdin", line.subarray(0, 5))
    stdio.data("host", "stdin", line.subarray(5))
    stdio.data("agent", "stderr", Buffer.from("my-own-token is wrong\n"))
    ws.data("agent", "ws", line)
    stdio.exit({ code: 1, signal: null, stderr: "" })
    // The other one still runs when the bridge ends.
    expect(await tapes.end()).toEqual({ stuck: false })
    const [first, second, ...others] = tapesIn(folder)
    expect(others).toEqual([])
    expect([first?.wrong, second?.wrong]).toEqual([[], []])
    expect(first?.tape?.header).toMatchObject({
      transport: "stdio",
      argv: ["--print"],
      runtime: { name: "claude-code", version: "2.1.325" }
    })
    expect(first?.tape?.frames).toMatchObject([
      { from: "host", channel: "stdin", data: '{"type":"keep_alive"}\n' },
      { from: "agent", channel: "stderr", data: expect.stringMatching(/^REDACTED_\S+ is wrong\n$/) },
      { _tag: "Exit", code: 1 }
    ])
    expect(second?.tape?.header).toMatchObject({ transport: "ws" })
    expect(second?.tape?.frames).toMatchObject([{ from: "agent", channel: "ws", data: line.toString() }])
  })

  it("of an agent over a WebSocket have its connections, without the token, and can be played over one", async () => {
    const folder = join(root, "ws")
    const project = join(root, "project")
    mkdirSync(project)
    // Says what it hears back, and connects again after the first line, which it tells: what is said to a connection
    // that is being closed is lost.
    const cli = join(root, "claude")
    writeFileSync(
      cli,
      `#!${process.execPath}
const { WebSocket } = require(${JSON.stringify(createRequire(import.meta.url).resolve("ws"))})
if (process.argv.includes("--version")) { console.log("2.1.37 (Claude Code)"); process.exit() }
const url = process.argv[process.argv.indexOf("--sdk-url") + 1]
const authorization = "Bearer " + process.env.CLAUDE_CODE_SESSION_ACCESS_TOKEN
let times = 0
const connect = () => {
  const socket = new WebSocket(url, { headers: { authorization, "x-runner": "7" } })
  socket.on("open", () => {
    if (++times === 2) socket.send(JSON.stringify({ type: "said", times, heard: 0 }) + "\\n")
  })
  socket.on("message", (data) => {
    socket.send(JSON.stringify({ type: "said", times, heard: JSON.parse(data).n }) + "\\n")
    if (times === 1) socket.close(1001)
  })
  socket.on("close", connect)
}
connect()
`,
      { mode: 0o755 }
    )
    const tapes = bridgeTapes({ folder, redaction, onStop: expect.unreachable })
    const launcher = cliLauncher({ cliPath: cli, transport: "ws", tap: tapes.tapOf("claude") })
    await Effect.gen(function* () {
      const { launch } = yield* AgentLauncher
      const agent = yield* launch({ sessionKey: "k", cwd: project, options: {}, frontendServer: "frontend" })
      yield* agent.send(prompt(1))
      expect(yield* Queue.take(agent.messages)).toMatchObject({ raw: { times: 1, heard: 1 } })
      expect(yield* Queue.take(agent.messages)).toMatchObject({ raw: { times: 2, heard: 0 } })
      yield* agent.send(prompt(2))
      expect(yield* Queue.take(agent.messages)).toMatchObject({ raw: { times: 2, heard: 2 } })
    }).pipe(Effect.scoped, Effect.provide(launcher), Effect.runPromise)
    await tapes.end()
    const [read] = tapesIn(folder)
    const { tape } = read ?? expect.unreachable()
    expect(read?.wrong).toEqual([])
    const opens = tape?.frames.filter((frame) => frame._tag === "Open") ?? []
    expect(opens).toHaveLength(2)
    expect(tape?.frames[0]).toBe(opens[0])
    for (const { headers, url } of opens) {
      expect(headers).toMatchObject({ "x-runner": "7" })
      expect(headers).not.toHaveProperty("authorization")
      expect(url).toMatch(/^ws:\/\/\S+\/ws\/cli\/k$/)
    }

    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" })
    await once(server, "listening")
    const address = server.address()
    if (tape === undefined || address === null || typeof address === "string") return expect.unreachable()
    const heard: Array<unknown> = []
    let times = 0
    let stop: (signal: "SIGTERM") => void = expect.unreachable
    server.on("connection", (socket) => {
      const mine = ++times
      socket.send(`${JSON.stringify(prompt(mine))}\n`)
      socket.on("message", (data) => {
        heard.push(JSON.parse(String(data)))
        // The tape ends as the bridge ended its agent: with a signal.
        if (mine === 1) socket.close(1001)
        else if (heard.length === 3) stop("SIGTERM")
      })
    })
    await replayOverSdkUrl(
      tape,
      { match: "shape", pace: paceOf("instant"), url: `ws://127.0.0.1:${address.port}/`, env: {} },
      {
        stdin: new PassThrough(),
        stdout: new PassThrough(),
        stderr: new PassThrough().resume(),
        shut: () => {},
        onSignal: (listener) => {
          stop = listener
        }
      }
    )
    server.close()
    expect(heard).toEqual([
      { type: "said", times: 1, heard: 1 },
      { type: "said", times: 2, heard: 0 },
      { type: "said", times: 2, heard: 2 }
    ])
  })

  it("that cannot be written are told of, and stop nothing", async () => {
    const folder = join(root, "gone")
    const told: Array<string> = []
    const tapes = bridgeTapes({ folder, redaction, onStop: (message) => told.push(message) })
    rmSync(folder, { recursive: true })
    writeFileSync(folder, "")
    const tap = tapes.tapOf("claude")({ version: "2.1.325", transport: "stdio", argv })
    tap.data("host", "stdin", Buffer.from("x\n"))
    tap.exit({ code: 0, signal: null, stderr: "" })
    expect(await tapes.end()).toEqual({ stuck: false })
    expect(told).toEqual([expect.stringContaining("is cut here")])
  })

  it("need a folder, which is said at once", () => {
    const file = join(root, "file")
    writeFileSync(file, "")
    expect(() => bridgeTapes({ folder: join(file, "no"), redaction, onStop: expect.unreachable })).toThrow(
      /^Tapes cannot be kept in /
    )
  })
})
