/** The recorder against the real CLI: unnoticed by it, by the official Agent SDK, and over WebSocket. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import type { IncomingHttpHeaders } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CliCommand, installCli, playScenario, scenarios, startModel, Variables } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { decodeLine } from "@agentwire/protocol/claude"
import { query } from "@anthropic-ai/claude-agent-sdk"
import { afterAll, describe, expect, it } from "vitest"
import { WebSocketServer } from "ws"
import { agentwireArgs } from "../packages/cli/test/AgentwireCommand.ts"
import { firstOf } from "../packages/fixtures/test/Sweep.ts"

const require = createRequire(import.meta.url)
const claude = require.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`)
const folder = mkdtempSync(join(tmpdir(), "agentwire-record-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const scenarioOf = (name: string) => {
  const scenario = scenarios.find((candidate) => candidate.name === name)
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
  return scenario
}

const readTape = (file: string): Tape.Tape => {
  const { tape, wrong } = Tape.parseTape(readFileSync(file))
  if (tape === undefined || wrong.length > 0) throw new Error(`no tape: ${JSON.stringify(wrong)}`)
  return tape
}

const recording = (tape: string, ...options: ReadonlyArray<string>): CliCommand => ({
  program: process.execPath,
  args: [...agentwireArgs, "record", "-o", tape, ...options, "--", claude]
})

describe("a recorded run of the real CLI", () => {
  it.each(firstOf(2, ["tool_approved", "unicode_split", "plain_text", "tool_denied"]))(
    "is the same in %s as one that is not, but for ids and times",
    async (name) => {
      const scenario = scenarioOf(name)
      const file = join(folder, `${name}.tape`)
      const bare = await playScenario({ cli: { program: claude, args: [] }, scenario })
      const recorded = await playScenario({ cli: recording(file, "--no-redact"), scenario })
      expect([recorded.problems, recorded.exits, recorded.stderr]).toEqual([bare.problems, bare.exits, bare.stderr])
      // What the host saw is what is on the tape, byte for byte.
      const tape = readTape(file)
      for (const from of ["host", "agent"] as const) {
        const taped = Tape.tapeLines(tape.frames).flatMap(({ from: who, line }) => (who === from ? [line.text] : []))
        const seen = recorded.frames.flatMap((frame) =>
          (frame.from === "host") === (from === "host") ? [frame.line] : []
        )
        expect(taped).toEqual(seen)
      }
      expect(tape.header).toMatchObject({ runtime: { name: "claude-code", version: expect.stringMatching(/^2\.1\./) } })
      expect(tape.end).toBeDefined()
      // And the same as without a recorder. Tools start while the answer still streams: the order is not fixed.
      const renamer = Tape.makeRenamer()
      const left = [...bare.frames]
      const differing = recorded.frames.filter(({ from, line }) => {
        const found = left.findIndex((frame) => frame.from === from && renamer.compare(frame.line, line).length === 0)
        const [frame] = found === -1 ? [] : left.splice(found, 1)
        return frame === undefined || renamer.match(frame.line, line).length > 0
      })
      expect({ differing, left }).toEqual({ differing: [], left: [] })
    }
  )

  it("still decodes when it is redacted, without the key it was given", async () => {
    const file = join(folder, "redacted.tape")
    const { problems } = await playScenario({ cli: recording(file), scenario: scenarioOf("tool_approved") })
    expect(problems).toEqual([])
    const tape = readTape(file)
    const lines = Tape.tapeLines(tape.frames).map(({ line }) => decodeLine(line.text))
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.filter(({ _tag }) => _tag !== "Known")).toEqual([])
    expect(readFileSync(file, "utf8")).not.toContain("sk-dummy-000000000000000000000000")
  })
})

const write = async (...args: ReadonlyArray<string>): Promise<string> => {
  const child = spawn(process.execPath, [...agentwireArgs, "record", ...args], { stdio: ["ignore", "pipe", "inherit"] })
  let out = ""
  for await (const chunk of child.stdout) out += String(chunk)
  return out.trim()
}

describe("the official Agent SDK, given the shim", () => {
  it("says what it says without, and every run is on a tape", async () => {
    const tapes = join(folder, "tapes")
    const shim = await write("--shim", join(folder, "bin"), "-o", tapes, "--no-redact", "--", claude)
    const ask = async (executable: string) => {
      const home = join(folder, "home")
      rmSync(home, { recursive: true, force: true })
      mkdirSync(home)
      const model = await startModel({ script: scenarioOf("plain_text").model, variables: new Variables() })
      const messages: Array<unknown> = []
      try {
        const env = {
          PATH: process.env["PATH"],
          HOME: home,
          ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
          ANTHROPIC_BASE_URL: model.url,
          DISABLE_TELEMETRY: "1",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
        }
        const options = { pathToClaudeCodeExecutable: executable, cwd: home, env, settingSources: [] }
        for await (const message of query({ prompt: "hello", options })) messages.push(message)
      } finally {
        await model.close()
      }
      return messages
    }
    const bare = await ask(claude)
    const recorded = await ask(shim)
    expect(recorded.length).toBeGreaterThan(1)
    const renamer = Tape.makeRenamer()
    expect(renamer.matchValue(bare, recorded)).toEqual([])
    const [name = "", ...others] = readdirSync(tapes)
    expect(others).toEqual([])
    const tape = readTape(join(tapes, name))
    expect(tape.end).toBeDefined()
    const taped = Tape.tapeLines(tape.frames).flatMap(({ from, line }) =>
      from === "agent" ? [JSON.parse(line.text)] : []
    )
    for (const message of recorded) expect(taped).toContainEqual(message)
  })
})

describe("the WebSocket recorder", () => {
  it.each(firstOf(1, ["2.1.37", "2.1.120"]))(
    "stands between %s and its host, a reconnect included",
    async (version) => {
      const file = join(folder, `${version}.tape`)
      const home = mkdtempSync(join(folder, "home-"))
      const cli = await installCli(version)
      const model = await startModel({ script: scenarioOf("plain_text").model, variables: new Variables() })
      const host = new WebSocketServer({ port: 0, host: "127.0.0.1" })
      const started: Array<ChildProcess> = []
      const run = (program: string, args: ReadonlyArray<string>) => {
        const token = "token-that-nobody-may-see"
        const child = spawn(program, args, {
          cwd: home,
          stdio: ["ignore", "pipe", "inherit"],
          env: {
            PATH: process.env["PATH"],
            HOME: home,
            ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
            ANTHROPIC_BASE_URL: model.url,
            DISABLE_TELEMETRY: "1",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
            CLAUDE_CODE_SESSION_ACCESS_TOKEN: token
          }
        })
        started.push(child)
        return child
      }
      try {
        const heard: Array<string> = []
        const headers: Array<IncomingHttpHeaders> = []
        const prompt = {
          type: "user",
          message: { role: "user", content: "hello" },
          parent_tool_use_id: null,
          session_id: ""
        }
        const said = `${JSON.stringify(prompt)}\n`
        const back = new Promise<void>((resolve) => {
          host.on("connection", (socket, request) => {
            headers.push(request.headers)
            if (headers.length === 2) return resolve()
            socket.on("message", (data) => {
              heard.push(String(data))
              if (String(data).includes('"type":"result"')) socket.terminate()
            })
            return socket.send(said)
          })
        })
        await new Promise((resolve) => host.once("listening", resolve))
        const { port } = host.address() as AddressInfo
        const recorder = run(process.execPath, [
          ...agentwireArgs,
          ...["record", "--ws", "0", "--to", `ws://127.0.0.1:${port}`, "-o", file]
        ])
        const url = await new Promise<string>((resolve) =>
          recorder.stdout?.once("data", (chunk) => resolve(String(chunk).trim()))
        )
        const formats = ["--output-format", "stream-json", "--input-format", "stream-json", "--verbose"]
        const flags = ["--print", "--sdk-url", `${url}/ws/cli/1`, ...formats]
        run(cli.program, [...cli.args, ...flags]).stdout?.resume()
        await back
        const ended = new Promise((resolve) => recorder.once("exit", resolve))
        recorder.kill("SIGINT")
        expect(await ended).toBe(0)

        const tape = readTape(file)
        expect(tape.header.transport).toBe("ws")
        expect(tape.end).toBeDefined()
        const opens = tape.frames.flatMap((frame) => (frame._tag === "Open" ? [frame] : []))
        // The key of the recording is not on the tape.
        const place = `${new URL(url).origin}/ws/cli/1`
        expect(opens.map((frame) => frame.url)).toEqual([place, place])
        expect(headers[0]?.authorization).toBe("Bearer token-that-nobody-may-see")
        expect(opens[0]?.headers["authorization"]).toMatch(/REDACTED/)
        expect(readFileSync(file, "utf8")).not.toContain("token-that-nobody-may-see")
        expect(opens[1]?.headers["x-last-request-id"]).toBe(headers[1]?.["x-last-request-id"])
        expect(headers[1]?.["x-last-request-id"]).toMatch(/^[0-9a-f-]{36}$/)
        const drop = tape.frames.findIndex((frame) => frame._tag === "Close")
        expect(tape.frames[drop]).toMatchObject({ from: "host", channel: "ws", ws: { code: 1006 } })
        // The home folder is on the wire and not on the tape: compared with renaming.
        const taped = tape.frames.slice(0, drop).flatMap((frame) => (frame._tag === "Data" ? [frame] : []))
        expect(taped.filter(({ from }) => from === "host").map(({ data }) => data)).toEqual([said])
        const lines = taped.filter(({ from }) => from === "agent").map(({ data }) => String(data))
        expect(lines.map((line) => JSON.parse(line).type)).toEqual(heard.map((line) => JSON.parse(line).type))
        expect(lines.filter((line) => decodeLine(line)._tag !== "Known" || !line.endsWith("\n"))).toEqual([])
      } finally {
        for (const child of started) child.kill("SIGKILL")
        host.close()
        for (const socket of host.clients) socket.terminate()
        await model.close()
      }
    }
  )
})
