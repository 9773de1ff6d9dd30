import { once } from "node:events"
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findTape, listTapes, loadTape, writeTapeFile } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { afterAll, describe, expect, it } from "vitest"
import { sweeping } from "../../../fixtures/test/Sweep.ts"
import { pairIds } from "../../src/replay/AsCli.ts"
import { run } from "../run.ts"
import { agentwire, start } from "./agentwire.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-replay-"))
afterAll(() => rmSync(folder, { recursive: true }))

const host = (data: string): Tape.Frame => ({
  _tag: "Data",
  wait: 0,
  from: "host",
  channel: "stdin",
  data: `${data}\n`
})
const agent = (data: string, wait = 0): Tape.Frame => ({
  _tag: "Data",
  wait,
  from: "agent",
  channel: "stdout",
  data: `${data}\n`
})
const stderr = (data: string): Tape.Frame => ({ _tag: "Data", wait: 0, from: "agent", channel: "stderr", data })
const endOfInput: Tape.Frame = { _tag: "Close", wait: 0, from: "host", channel: "stdin" }
const exit = (code: number | null, signal: string | null = null): Tape.Frame => ({
  _tag: "Exit",
  wait: 0,
  code,
  signal
})
const user = (content: string) => JSON.stringify({ type: "user", message: { role: "user", content } })

let tapes = 0
const tapeOf = (...frames: ReadonlyArray<Tape.Frame>): string => {
  const file = join(folder, `${tapes++}.tape`)
  const header: Tape.TapeHeader = {
    tape: 1,
    agentwire: "0.0.0",
    runtime: { name: "claude-code", version: "2.1.325" },
    transport: "stdio",
    argv: [],
    startedAt: "2026-01-01T00:00:00.000Z",
    redacted: []
  }
  writeTapeFile(file, { header, frames })
  return file
}

const replay = (...args: ReadonlyArray<string>) => start([...agentwire, "replay", ...args])

// The library's host numbers its requests.
const fresh = (text: string) => text.replaceAll(/"host-(\d+)"/g, '"today-$1"')
const textOf = (frame: Tape.DataFrame) => Buffer.from(Tape.bytesOf(frame.data)).toString("utf8")
const spoken = (tape: Tape.Tape, channel: Tape.Channel): string =>
  tape.frames.map((frame) => (frame._tag === "Data" && frame.channel === channel ? textOf(frame) : "")).join("")

const names = ["plain_text", "tool_denied", "subagent_foreground", "unicode_split", "broken_config"]
const sample = [
  ...listTapes().filter(({ scenario, transport }) => transport === "stdio" && names.includes(scenario)),
  ...listTapes().filter(
    ({ transport, scenario }) => transport === "stdio" && /^(long_line|resume_missing)/.test(scenario)
  )
].filter((_, index) => index % (sweeping ? 1 : 4) === 0)

describe("agentwire replay, a process", () => {
  it.concurrent.each(sample.map((entry) => [entry.version, entry.scenario, entry] as const))(
    "is %s in %s to the byte, stderr and exit code included",
    async (_, __, entry) => {
      const tape = loadTape(entry)
      const { child, ended } = replay(entry.file, "--match", "strict")
      child.stdin.end(fresh(spoken(tape, "stdin")))
      const { code, err, out } = await ended
      expect(out).toBe(fresh(spoken(tape, "stdout")))
      expect(err).toBe(spoken(tape, "stderr"))
      expect(code).toBe(tape.frames.find((frame) => frame._tag === "Exit")?.code)
    }
  )

  it("plays a tape of a WebSocket, drops left out", async () => {
    const entry = findTape({ scenario: "ws_drop_idle", version: "2.1.37", transport: "ws" })
    if (entry === undefined) throw new Error("no such tape")
    const tape = loadTape(entry)
    const { child, ended } = replay(entry.file, "--match", "strict")
    const said = (from: Tape.Speaker) =>
      tape.frames
        .map((frame) => (frame._tag === "Data" && frame.channel === "ws" && frame.from === from ? textOf(frame) : ""))
        .join("")
    child.stdin.end(said("host"))
    expect(await ended).toMatchObject({ out: said("agent"), code: 143 })
  })

  it("waits for the host, keeps the recorded order, and ends while the input is still open", async () => {
    const file = tapeOf(agent("one"), host(user("hi")), stderr("warning\n"), agent("two"), exit(7))
    const { child, ended } = replay(file)
    const [first] = await once(child.stdout, "data")
    expect(first).toBe("one\n")
    child.stdin.write(`${user("hi")}\n`)
    expect(await ended).toEqual({ out: "one\ntwo\n", err: "warning\n", code: 7, signal: null })
  })

  it("ends with 2 and the difference when a line does not match", async () => {
    const { child, ended } = replay(tapeOf(host(user("hi")), agent("hello"), endOfInput, exit(0)), "--match", "strict")
    child.stdin.write(`${user("good morning")}\n`)
    const { code, err, out } = await ended
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain("frame 1 of the tape")
    expect(err).toContain('$.message.content: the tape has "hi", the host has "good morning"')
  })

  it("ends with 1 and says what was never asked for", async () => {
    const file = tapeOf(
      host(user("hi")),
      agent("hello"),
      host(user("again")),
      agent("hello again"),
      endOfInput,
      exit(0)
    )
    const { child, ended } = replay(file)
    child.stdin.end(`${user("hi")}\n`)
    const { code, err, out } = await ended
    expect({ code, out }).toEqual({ code: 1, out: "hello\n" })
    expect(err).toContain("1 line of the host never came, and 1 frame of the agent waited for that.")
    expect(err).toContain("frame 3 of the tape")
  })

  it("plays a tape that was cut to the cut", async () => {
    const { child, ended } = replay(tapeOf(host(user("hi")), agent("hello")))
    child.stdin.end(`${user("hi")}\n`)
    expect(await ended).toEqual({ out: "hello\n", err: "", code: 0, signal: null })
  })

  it("ends as the tape does when a signal asks it to", async () => {
    const signal: Tape.Frame = { _tag: "Marker", wait: 0, text: "signal SIGTERM" }
    const { child, ended } = replay(tapeOf(agent("one"), endOfInput, signal, agent("two"), exit(143)))
    await once(child.stdout, "data")
    child.stdin.end()
    child.kill("SIGTERM")
    expect(await ended).toEqual({ out: "one\ntwo\n", err: "", code: 143, signal: null })
  })

  it("dies of a signal where the recorded one did", async () => {
    const { child, ended } = replay(tapeOf(agent("one"), endOfInput, exit(null, "SIGKILL")))
    child.stdin.end()
    expect(await ended).toMatchObject({ out: "one\n", signal: "SIGKILL" })
  })

  it("takes its time when asked to, and not more than allowed", async () => {
    const file = tapeOf(agent("one"), agent("two", 400), agent("three", 60_000), endOfInput, exit(0))
    const { child, ended } = replay(file, "--speed", "2", "--idle-limit", "300")
    await once(child.stdout, "data")
    const started = performance.now()
    child.stdin.end()
    expect((await ended).out).toBe("one\ntwo\nthree\n")
    expect(performance.now() - started).toBeGreaterThan(450)
    expect(performance.now() - started).toBeLessThan(30_000)
  })
})

describe("agentwire replay --shim", () => {
  it("writes a claude that takes any flag, from anywhere, in an empty environment", async () => {
    const file = tapeOf(host(user("hi")), agent("hello"), endOfInput, exit(0))
    const written = await replay("--shim", join(folder, "it's a shim"), file).ended
    const shim = written.out.trim()
    expect(written).toMatchObject({ code: 0, err: "", out: `${join(folder, "it's a shim", "claude")}\n` })
    expect(await start([shim, "--version"], {}).ended).toMatchObject({ out: "2.1.325 (Claude Code)\n", code: 0 })
    const { child, ended } = start(
      [shim, "-p", "--output-format", "stream-json", "--frobnicate", "--match=x", "-h"],
      {}
    )
    child.stdin.end(`${user("hi")}\n`)
    expect(await ended).toEqual({ out: "hello\n", err: "", code: 0, signal: null })
  })
})

describe("agentwire replay, asked wrongly", () => {
  const file = tapeOf(agent("one"))
  const noTape = join(folder, "no.tape")
  writeFileSync(noTape, "{}\n")
  const damaged = tapeOf(agent("one"))
  appendFileSync(damaged, "oops\n")
  it.each([
    [[], "replay needs a FILE"],
    [[join(folder, "none")], "there is no such file"],
    [[noTape], "is not a tape"],
    [[damaged], "is damaged: line 4"],
    [[file, "--match", "loose"], '--match takes strict, shape or none, not "loose".'],
    [[file, "--speed", "slow"], '--speed takes real, instant or a number above 0, not "slow".'],
    [[file, "--idle-limit", "-1"], "--idle-limit"],
    [[file, "--as", "god"], '--as takes cli or host, not "god".'],
    [[file, "--as", "host"], "--as host needs the CLI to start"],
    [[file, "--connect", "http://127.0.0.1"], "--connect takes a ws:// URL"]
  ])("says why it cannot do %j", async (args, words) => {
    const { code, err, out } = await run(["replay", ...args])
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(words)
  })
})

describe("pairIds", () => {
  it("finds the session's id on both command lines", () => {
    expect(pairIds(["--session-id", "a", "-p"], ["-p", "--session-id=b"])).toEqual([["a", "b"]])
    expect(pairIds(["--resume", "a"], ["--resume", "--verbose"])).toEqual([])
  })
})
