import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { codexTapes, findTape, loadCodexTape, loadTape, type TapeName } from "@agentwire/fixtures"
import { Agui, Tape, Translate } from "@agentwire/protocol"
import { decodeLine } from "@agentwire/protocol/claude"
import { afterAll, describe, expect, it } from "vitest"
import { agentwireArgs } from "../AgentwireCommand.ts"
import { run } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-translate-"))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const tapeFile = (name: TapeName): string => {
  const entry = findTape(name)
  if (entry === undefined) throw new Error(`there is no tape of ${name.scenario}`)
  return entry.file
}

/** The agent's lines of a tape. */
const linesOf = (name: TapeName): ReadonlyArray<string> =>
  Tape.tapeLines(loadTape(name).frames).flatMap(({ from, line }) =>
    from === "agent" && line._tag === "Text" && line.text.trim() !== "" ? [line.text] : []
  )

const ndjson = (lines: ReadonlyArray<string>): string => lines.map((line) => `${line}\n`).join("")

const parsed = (out: string): ReadonlyArray<Agui.AguiEvent> =>
  out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

const approved: TapeName = { scenario: "tool_approved", version: "2.1.325" }

const expected = (name: TapeName, threadId: string, reason?: Translate.FinishReason) => [
  ...Translate.translateMessages(
    linesOf(name).map((line) => decodeLine(line)),
    { threadId },
    reason
  )
]

describe("agentwire translate", () => {
  it("writes one event a line, the same for NDJSON, a tape, gzip and standard input", async () => {
    const text = ndjson(linesOf(approved))
    const tape = gunzipSync(readFileSync(tapeFile(approved)))
    const events = JSON.parse(JSON.stringify(expected(approved, "t")))
    for (const input of [text, gzipSync(text), tape, gzipSync(tape)]) {
      const { code, err, out } = await run(["translate", "-", "--thread-id", "t"], input)
      expect({ code, err, events: parsed(out) }).toEqual({ code: 0, err: "", events })
    }
    expect(events[0]).toMatchObject({ type: "RUN_STARTED", threadId: "t", protocolVersion: "1.0" })
  })

  it("makes a run of each turn, in the thread the file is named after", async () => {
    const path = file("three.ndjson", ndjson(linesOf({ scenario: "multi_turn_3", version: "2.1.325" })))
    const events = parsed((await run(["translate", path])).out)
    const started = events.filter((event) => event.type === "RUN_STARTED")
    expect(started.map(({ runId, threadId }) => [threadId, runId])).toEqual([
      ["three", "three:1"],
      ["three", "three:2"],
      ["three", "three:3"]
    ])
  })

  it("speaks the older dialect when asked", async () => {
    const { out } = await run(["translate", tapeFile(approved), "--dialect", "0.0"])
    const events = parsed(out)
    expect(events[0]).not.toHaveProperty("protocolVersion")
    for (const event of events) expect(Agui.codecs["0.0"].decodeValue(event)._tag).toBe("Known")
  })

  it("writes frames of server-sent events that hold the same events", async () => {
    const { out } = await run(["translate", tapeFile(approved), "--format", "sse", "--thread-id", "t"])
    expect(out).toMatch(/^data: .*\n\n$/s)
    const frames = out.slice(0, -2).split("\n\n")
    expect(frames.map((frame) => JSON.parse(frame.replace(/^data: /, "")))).toEqual(
      JSON.parse(JSON.stringify(expected(approved, "t")))
    )
  })

  it("ends as the process on the tape ended, and NDJSON as cut", async () => {
    const tape = loadTape(approved)
    const cut = tape.frames.findIndex(
      (frame) => frame._tag === "Data" && String(frame.data).includes('"type":"assistant"')
    )
    const frames = tape.frames.slice(0, cut + 1)
    const exit: Tape.Frame = { _tag: "Exit", wait: 0, code: null, signal: "SIGKILL" }
    const killed = await run(["translate", "-"], Tape.encodeTape({ header: tape.header, frames: [...frames, exit] }))
    expect(parsed(killed.out).at(-1)).toMatchObject({
      type: "RUN_ERROR",
      code: "process_exited",
      message: expect.stringContaining("SIGKILL")
    })
    const ended = await run(["translate", "-"], Tape.encodeTape({ header: tape.header, frames }))
    expect(parsed(ended.out).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "stream_ended" })
  })

  it("writes the messages a client has, with the prompts of a tape in their places", async () => {
    const queued: TapeName = { scenario: "queue_prompt_during_tool", version: "2.1.325" }
    const { code, out } = await run(["translate", tapeFile(queued), "--messages"])
    const messages = parsed(out) as unknown as ReadonlyArray<Agui.Message>
    expect({ code, roles: messages.map(({ role }) => role) }).toEqual({
      code: 0,
      roles: ["user", "assistant", "tool", "user", "assistant"]
    })
    const alone = await run(["translate", "-", "--messages"], ndjson(linesOf(queued)))
    const { messages: folded } = Agui.foldEvents(expected(queued, "stdin"))
    expect(parsed(alone.out)).toEqual(JSON.parse(JSON.stringify(folded)))
  })

  it("shows the prompt that was an argument of the recorded command", async () => {
    const tape = loadTape({ scenario: "plain_text", version: "2.1.325" })
    const header = { ...tape.header, argv: ["-p", "hello", "--output-format", "stream-json", "--verbose"] }
    const frames = tape.frames.filter((frame) => frame._tag !== "Data" || frame.from === "agent")
    const { out } = await run(["translate", "-", "--messages"], Tape.encodeTape({ header, frames }))
    expect(parsed(out)[0]).toEqual({ id: "stdin:prompt:1", role: "user", content: "hello" })
  })

  it("leaves sub-agents out when asked", async () => {
    const tape = tapeFile({ scenario: "subagent_foreground", version: "2.1.325" })
    expect((await run(["translate", tape])).out).toContain("SUBAGENT_STARTED")
    expect((await run(["translate", tape, "--subagents", "hide"])).out).not.toMatch(/SUBAGENT_|subagentRunId/)
  })

  it("passes on what is no message, counts it and ends with 1", async () => {
    const lines = [...linesOf(approved)]
    lines.splice(5, 0, "oops", '{"type":"user","message":3}', '{"type":"invented"}')
    const { code, err, out } = await run(["translate", "-"], ndjson(lines))
    expect(code).toBe(1)
    expect(parsed(out).filter(({ type }) => type === "RAW")).toHaveLength(3)
    expect(err).toMatch(
      new RegExp(`^-: 2 of ${lines.length} lines are no message; line 6: .*\n-: 1 of .* no schema knows`)
    )
    const quiet = await run(["translate", "-", "--no-raw"], ndjson(lines))
    expect({ code: quiet.code, raw: quiet.out.includes('"RAW"') }).toEqual({ code: 1, raw: false })
  })

  it("takes an unknown type for no fault", async () => {
    const { code, err } = await run(["translate", "-"], ndjson(['{"type":"invented"}', ...linesOf(approved)]))
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("1 of") })
  })

  it("writes a file for each input into a folder that it makes", async () => {
    const text = ndjson(linesOf(approved))
    const inputs = [
      file("a.ndjson", text),
      file("b.tape", gunzipSync(readFileSync(tapeFile(approved)))),
      file("c.tape.gz", readFileSync(tapeFile(approved)))
    ]
    const out = join(folder, "new", "deep")
    const { code, out: printed } = await run(["translate", ...inputs, "--out-dir", out, "--thread-id", "t"])
    expect({ code, printed }).toEqual({ code: 0, printed: "" })
    expect(readdirSync(out).sort()).toEqual(["a.agui.ndjson", "b.agui.ndjson", "c.agui.ndjson"])
    const [a, b, c] = readdirSync(out).map((name) => readFileSync(join(out, name), "utf8"))
    expect([b, c]).toEqual([a, a])
    await run(["translate", ...inputs, "--out-dir", out, "--format", "sse"])
    await run(["translate", ...inputs, "--out-dir", out, "--messages"])
    expect(readdirSync(out)).toEqual(expect.arrayContaining(["b.agui.sse", "c.messages.ndjson"]))
  })

  it("goes on with the other files when one cannot be read, and leaves no empty file for it", async () => {
    const good = file("good.ndjson", ndjson(linesOf(approved)))
    const out = join(folder, "some")
    const { code, err } = await run(["translate", join(folder, "nope.ndjson"), good, "--out-dir", out])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/^Cannot read .*nope.ndjson: there is no such file\.\n$/)
    })
    expect(readdirSync(out)).toEqual(["good.agui.ndjson"])
  })

  it.each([
    [[], "at least one FILE"],
    [["a", "b"], "--out-dir"],
    [["x.ndjson", "y/x.tape.gz", "--out-dir", join(folder, "clash")], "would both be written to"],
    [["x.ndjson", "x.ndjson", "--out-dir", join(folder, "clash")], "given twice"],
    [["a", "--dialect", "2.0"], '--dialect takes 1.0 or 0.0, not "2.0"'],
    [["a", "--format", "xml"], "--format takes ndjson or sse"],
    [["a", "--subagents", "no"], "--subagents takes show or hide"],
    [["a", "--messages", "--format", "sse"], "--messages writes one message per line"],
    [["a", "--thread-id", ""], "--thread-id needs a value"]
  ])("refuses %j before anything is written", async (args, why) => {
    const { code, err, out } = await run(["translate", ...args])
    expect({ code, out, err }).toEqual({ code: 2, out: "", err: expect.stringContaining(why) })
    expect(err).toContain("agentwire translate --help")
    expect(existsSync(join(folder, "clash"))).toBe(false)
  })

  it("says in a sentence what it cannot write", async () => {
    const taken = file("taken", "")
    const { code, err } = await run(["translate", tapeFile(approved), "--out-dir", join(taken, "x")])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/^Cannot write .*: part of the path is not a folder\.\n$/)
    })
  })

  it.each(["--no-raw", "--messages"])("does not follow a file that opens more and more calls (%s)", async (flag) => {
    const call = (at: number): string =>
      JSON.stringify({
        type: "assistant",
        message: {
          id: `m${at}`,
          type: "message",
          role: "assistant",
          model: "m",
          content: [{ type: "tool_use", id: `t${at}`, name: "Bash", input: {} }],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 }
        },
        parent_tool_use_id: null,
        session_id: "s",
        uuid: `u${at}`
      })
    const path = file("calls.ndjson", ndjson(Array.from({ length: 4001 }, (_, at) => call(at))))
    const { code, err } = await run(["translate", path, flag])
    expect(code).toBe(2)
    expect(err).toMatch(/calls\.ndjson: line \d+: more than 4000 calls, tasks and sub-agents are open\./)
  })
})

describe("agentwire translate as a process", () => {
  /** One turn with many deltas, some 20 MB. */
  const long = () => {
    const lines = linesOf({ scenario: "plain_text", version: "2.1.325" })
    const at = lines.findIndex((line) => line.includes('"content_block_delta"'))
    const delta = lines[at] ?? ""
    const more = Array.from({ length: 50_000 }, (_, i) => delta.replace(/"uuid":"[^"]*"/, `"uuid":"u-${i}"`))
    return ndjson([...lines.slice(0, at), ...more])
  }

  it("ends quietly when the reader of its output went away", async () => {
    const path = file("long.ndjson", long())
    const child = spawn(process.execPath, [...agentwireArgs, "translate", path], { stdio: ["ignore", "pipe", "pipe"] })
    let err = ""
    child.stderr.on("data", (chunk) => {
      err += chunk
    })
    child.stdout.once("data", () => child.stdout.destroy())
    const code = await new Promise((resolve) => child.on("close", resolve))
    expect({ code, err }).toEqual({ code: 0, err: "" })
  })

  it("explains itself", () => {
    const { status, stdout } = spawnSync(process.execPath, [...agentwireArgs, "translate", "--help"], {
      encoding: "utf8"
    })
    expect(status).toBe(0)
    for (const word of ["--dialect", "--out-dir", "--messages", "--format", "Exit code 0"])
      expect(stdout).toContain(word)
  })
})

describe("agentwire translate with codex exec --json", () => {
  const entryOf = (run: number) =>
    codexTapes.find((each) => each.version === "0.166.0" && each.scenario === "exec_resume" && each.run === run)

  it("knows its lines, and reads a tape of it", async () => {
    const [first, second] = [entryOf(1), entryOf(2)]
    if (first === undefined || second === undefined) throw new Error("there are no tapes")
    const lines = Tape.tapeLines(loadCodexTape(first).frames).flatMap(({ from, line }) =>
      from === "agent" && line._tag === "Text" ? [line.text] : []
    )
    for (const args of [[], ["--runtime", "codex"]]) {
      const { code, out } = await run(["translate", "-", "--thread-id", "t", ...args], ndjson(lines))
      const events = parsed(out)
      expect({ code, said: Agui.foldEvents(events).messages.map(({ content }) => content) }).toEqual({
        code: 0,
        said: ["One."]
      })
      expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", usage: [{ inputTokens: 100 }] })
    }
    const resumed = await run(["translate", second.file, "--thread-id", "t"])
    expect(parsed(resumed.out).at(-1)).not.toHaveProperty("usage")
    const messages = await run(["translate", second.file, "--messages"])
    expect(JSON.parse(messages.out)).toMatchObject({ role: "assistant", content: "Two." })
  })
})

describe("agentwire translate, of Codex", () => {
  it.each(["hello", "command_accept", "subagent", "fails_cut_once", "bad_requests"])(
    "takes the agent's side alone as it takes the tape, recognised or named: %s",
    async (scenario) => {
      const entry = codexTapes.find((each) => each.scenario === scenario && each.version === "0.166.0")
      if (entry === undefined) throw new Error(`there is no tape of ${scenario}`)
      const lines = Tape.tapeLines(loadCodexTape(entry).frames).flatMap(({ from, line }) =>
        from === "agent" ? [line.text] : []
      )
      const alone = file(`${scenario}.ndjson`, ndjson(lines))
      const [ofTape, ofLines, named] = await Promise.all(
        [[entry.file], [alone], [alone, "--runtime", "codex"]].map(async (args) => {
          const { code, err, out } = await run(["translate", ...args, "--thread-id", "t"])
          expect({ code, err }).toEqual({ code: 0, err: "" })
          return parsed(out)
        })
      )
      const isSaid = ({ type }: Agui.AguiEvent): boolean => /^(?:RUN|TEXT|REASONING|TOOL|SUBAGENT)_/.test(type)
      expect(ofLines?.filter(isSaid)).toEqual(ofTape?.filter(isSaid))
      expect(named).toEqual(ofLines)
    }
  )
})
