import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { codexTapes, loadCodexTape, readRecording, recordings } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { afterAll, describe, expect, it } from "vitest"
import { chosenTapes, someLines } from "../../../fixtures/test/Sweep.ts"
import { run } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-decode-"))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const good = '{"type":"keep_alive"}'
const unknown = '{"type":"invented"}\n{"type":"system","subtype":"invented"}'
const drifting = '{"type":"keep_alive","fresh":1}\n{"type":"keep_alive","fresh":2}'
const invalid = '{"type":"user","message":3}'

describe("agentwire decode", () => {
  it("finds everything known in what the real CLIs wrote", async () => {
    for (const version of recordings) {
      const lines = someLines(readRecording(version)).filter(({ from }) => from === "cli")
      const path = file(`${version}.ndjson`, lines.map(({ line }) => `${line}\n`).join(""))
      const { code, out } = await run(["decode", path, "--json"])
      const report = { file: path, lines: lines.length, known: lines.length, unknown: [], invalid: [], drift: [] }
      expect({ code, report: JSON.parse(out) }).toEqual({ code: 0, report })
    }
  })

  it("reports as JSON, one object a file, in the documented form", async () => {
    const path = file("mixed.ndjson", [good, unknown, "", drifting, invalid].join("\n"))
    const { code, err, out } = await run(["decode", "--json", path, "-"], good)
    expect({ code, err }).toEqual({ code: 2, err: "" })
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    ).toEqual([
      {
        file: path,
        lines: 6,
        known: 3,
        unknown: [
          { line: 2, type: "invented" },
          { line: 3, type: "system", subtype: "invented" }
        ],
        invalid: [{ line: 7, error: "user: $.message: expected an object, found the number 3" }],
        drift: [{ path: "$.fresh", message: "keep_alive", example: 1, count: 2 }]
      },
      { file: "-", lines: 1, known: 1, unknown: [], invalid: [], drift: [] }
    ])
  })

  it("reports odd keys as drift, and the line as known", async () => {
    const path = file("odd.ndjson", '{"type":"prompt_suggestion","suggestion":"s","uuid":null,"session_id":"s"}')
    const { code, out } = await run(["decode", "--json", path])
    expect({ code, report: JSON.parse(out) }).toMatchObject({
      code: 1,
      report: {
        known: 1,
        invalid: [],
        drift: [
          {
            path: "$.uuid",
            message: "prompt_suggestion",
            example: null,
            count: 1,
            code: "odd-key",
            problem: "expected a string, found null"
          }
        ]
      }
    })
    expect((await run(["decode", path])).out).toContain("prompt_suggestion $.uuid  expected a string, found null (1×)")
  })

  it("reads the answer to a control request as what it answers, where both sides are in the file", async () => {
    const exchange = (id: string, request: object, response: object) =>
      [
        { type: "control_request", request_id: id, request },
        { type: "control_response", response: { subtype: "success", request_id: id, response } }
      ].map((line) => `${JSON.stringify(line)}\n`)
    const lines = [
      ...exchange("1", { subtype: "get_binary_version" }, { version: "2.1.325", mood: "good" }),
      ...exchange(
        "2",
        { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" },
        { behavior: "deny" }
      )
    ]
    const { code, out } = await run(["decode", "-", "--json"], lines.join(""))
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({
      lines: 4,
      known: 3,
      invalid: [{ line: 4, error: "response to can_use_tool: $.message: expected message, but it is missing" }],
      drift: [{ path: "$.mood", message: "response to get_binary_version", example: "good", count: 1 }]
    })
  })

  it.each([
    ["all is known", good, 0],
    ["nothing is there", "", 0],
    ["a type is unknown", unknown, 1],
    ["a key drifts", drifting, 1],
    ["a line is invalid", `${unknown}\n${invalid}`, 2]
  ])("ends with its code when %s", async (_, content, code) => {
    expect((await run(["decode", "-"], content)).code).toBe(code)
    expect((await run(["decode", "-", "--json"], content)).code).toBe(code)
  })

  it("names, for a person, what it found and where", async () => {
    const { out } = await run(["decode", "-"], [good, unknown, drifting, invalid].join("\n"))
    expect(out).toContain("-: 6 lines: 3 known, 2 unknown, 1 invalid, 1 drift\n")
    expect(out).toMatch(/^ +3 {2}keep_alive$/m)
    expect(out).toMatch(/^ +line 3 {2}system\/invented$/m)
    expect(out).toMatch(/^ +keep_alive \$\.fresh {2}1 \(2×\)$/m)
    expect(out).toMatch(/^ +line 6 {2}user: \$\.message: expected an object, found the number 3$/m)
  })

  it("says which file cannot be read, and goes on with the others", async () => {
    const path = file("good.ndjson", good)
    const { code, err, out } = await run(["decode", join(folder, "nope"), folder, path])
    expect(code).toBe(2)
    expect(err).toContain("nope: there is no such file.")
    expect(err).toContain("it is a folder, not a file.")
    expect(out).toContain("1 known")
  })

  it("goes on after a line over the limit", async () => {
    const { code, out } = await run(["decode", "-", "--json", "--max-line", "30"], `${"x".repeat(31)}\n${good}`)
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({
      lines: 2,
      known: 1,
      invalid: [{ line: 1, error: "the line is too long: 31 bytes" }]
    })
  })

  it("lists no more findings than asked for, and counts all", async () => {
    const { out } = await run(["decode", "-", "--max-findings", "2"], "oops\n".repeat(50))
    expect(out).toContain("50 invalid")
    expect(out).toContain("… and 48 more")
  })

  it("reads gzip, from a file and from standard input", async () => {
    const zipped = gzipSync(`${good}\n${unknown}\n`)
    const expected = { lines: 3, known: 1, unknown: [{ line: 2 }, { line: 3 }] }
    expect(JSON.parse((await run(["decode", "--json", file("zipped.ndjson.gz", zipped)])).out)).toMatchObject(expected)
    expect(JSON.parse((await run(["decode", "--json", "-"], zipped)).out)).toMatchObject(expected)
  })

  it("reads tapes: both sides, with the tape's line numbers", async () => {
    const header = `{"tape":1,"agentwire":"0","runtime":{"name":"claude-code"},"transport":"stdio","argv":[],"startedAt":"","redacted":[]}`
    const lines = [
      header,
      JSON.stringify([1, "host", "stdin", `${good}\n`]),
      JSON.stringify([1, "agent", "stderr", "not of the wire\n"]),
      JSON.stringify([1, "agent", "stdout", good.slice(0, 5)]),
      JSON.stringify([1, "agent", "stdout", `${good.slice(5)}\n`]),
      JSON.stringify([1, "agent", "stdout", '{"type":"invented"}\n']),
      "nonsense",
      JSON.stringify([1, "agent", "stdout", `${invalid}\n`])
    ]
    for (const content of [lines.join("\n"), gzipSync(`${lines.join("\n")}\n[1,"agent","std`)]) {
      const { code, out } = await run(["decode", "--json", "--from", "both", file("some.tape", content)])
      expect({ code, ...JSON.parse(out) }).toMatchObject({
        code: 2,
        lines: 5,
        known: 2,
        unknown: [{ line: 6, type: "invented" }],
        invalid: [{ line: 7 }, { line: 8 }]
      })
    }
  })

  it("reports of a tape what the agent said, or whom it is asked about", async () => {
    const header = `{"tape":1,"agentwire":"0","runtime":{"name":"claude-code"},"transport":"stdio","argv":[],"startedAt":"","redacted":[]}`
    const frame = (from: string, channel: string, line: string) => JSON.stringify([0, from, channel, `${line}\n`])
    const path = file("sides.tape", [header, frame("host", "stdin", "oops"), frame("agent", "stdout", good)].join("\n"))
    expect(await run(["decode", path])).toMatchObject({ code: 0, out: expect.stringContaining("1 line: 1 known") })
    expect(await run(["decode", path, "--from", "host"])).toMatchObject({
      code: 2,
      out: expect.stringContaining("1 line: 0 known")
    })
    expect(await run(["decode", path, "--from", "both"])).toMatchObject({
      code: 2,
      out: expect.stringContaining("2 lines: 1 known")
    })
    expect(await run(["decode", path, "--from", "me"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--from takes")
    })
  })

  it("finds everything known on tapes of the real CLIs", async () => {
    const { code, out } = await run(["decode", "--json", ...chosenTapes.map((entry) => entry.file)])
    const reports = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(reports.filter(({ drift, invalid, unknown }) => [...drift, ...invalid, ...unknown].length > 0)).toEqual([])
    expect({ code, tapes: reports.length }).toEqual({ code: 0, tapes: chosenTapes.length })
  })
})

describe("agentwire decode, of Codex", () => {
  const linesOf = (entry: (typeof codexTapes)[number], from?: Tape.Speaker): string =>
    Tape.tapeLines(loadCodexTape(entry).frames)
      .filter((each) => from === undefined || each.from === from)
      .map(({ line }) => `${line.text}\n`)
      .join("")
  // What a client says there is bad on purpose.
  const tapes = codexTapes.filter(({ scenario }) => scenario !== "bad_lines")
  const reports = async (...args: ReadonlyArray<string>) => {
    const { code, out } = await run(["decode", "--json", ...args])
    return {
      code,
      reports: out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    }
  }

  it("finds everything known on its tapes, both wires", async () => {
    const { code, reports: found } = await reports(...tapes.map((entry) => entry.file))
    expect(found.filter((each) => each.known !== each.lines || each.drift.length > 0)).toEqual([])
    expect({ code, count: found.length }).toEqual({ code: 0, count: tapes.length })
  })

  it("recognises what it writes by itself: an answer whose request is not there is an answer", async () => {
    const files = tapes.map((entry) => file(`${entry.scenario}-${entry.run}.ndjson`, linesOf(entry, "agent")))
    const spoken = files.filter((_, index) => linesOf(tapes[index] as (typeof tapes)[number], "agent") !== "")
    const { reports: found } = await reports(...spoken)
    expect(found.filter((each) => each.known !== each.lines || each.drift.length > 0)).toEqual([])
  })

  it("reads an answer as what it answers where both sides are there, in one file without names", async () => {
    const ask = '{"method":"thread/start","id":0,"params":{}}'
    const answer = '{"id":0,"result":{"thread":3}}'
    const approval =
      '{"method":"item/fileChange/requestApproval","id":0,"params":{"threadId":"t","turnId":"u","itemId":"i","startedAtMs":1}}'
    const broken = file(
      "both.ndjson",
      `${[ask, approval, answer, '{"id":0,"result":{"decision":"accept"}}'].join("\n")}\n`
    )
    const { reports: found } = await reports(broken)
    expect(found).toMatchObject([
      { lines: 4, invalid: [{ line: 3, error: expect.stringMatching(/^response to thread\/start: /) }] }
    ])
    expect((await reports(file("alone.ndjson", answer))).reports).toMatchObject([
      { known: 1, unknown: [], invalid: [] }
    ])
  })

  it("takes --runtime where nothing tells, and says that a tape is another's", async () => {
    const noise = file("noise.ndjson", "starting\n")
    expect((await reports("--runtime", "codex", noise)).code).toBe(2)
    const [entry] = codexTapes
    const { code, err } = await run(["decode", "--runtime", "claude", entry?.file ?? ""])
    expect({ code, err }).toEqual({
      code: 2,
      err: `${entry?.file} is a tape of Codex, not of Claude Code. Leave --runtime out: a tape says whose it is.\n`
    })
  })

  it("skips what a shell said before, and still knows whose lines follow", async () => {
    const path = file("late.ndjson", 'WARNING: careful\n\n{"method":"initialized"}\n')
    expect((await reports(path)).reports).toMatchObject([{ known: 1, invalid: [{ line: 1 }] }])
  })
})
