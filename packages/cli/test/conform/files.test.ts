/** `agentwire conform` on recorded events. */
import { readFileSync } from "node:fs"
import { gunzipSync, gzipSync } from "node:zlib"
import { findTape, loadTape, tapes, wireLines } from "@agentwire/fixtures"
import { describe, expect, it } from "vitest"
import { run } from "../run.ts"
import {
  broken,
  doubtful,
  type Event,
  folder,
  good,
  ndjson,
  recordings,
  report,
  runOf,
  sse,
  textOf
} from "./streams.ts"

const { file, path } = folder()

const summary = (verdict: string, errors: number, warnings: number) => ({ verdict, errors, warnings, infos: 0 })

describe("recorded events", () => {
  it.each(recordings)("are read as %s, from a file and from standard input", async (name, record, lineOf) => {
    const recorded = file(`${name}.rec`, record(broken))
    for (const { code, err, findings } of [await report([recorded]), await report(["-"], record(broken))]) {
      expect({ code, err }).toEqual({ code: 1, err: "" })
      expect(findings.map(({ index, line }) => ({ index, line }))).toContainEqual({ index: 1, line: lineOf(1) })
    }
  })

  it("are judged the same however they were recorded", async () => {
    for (const events of [good, broken, doubtful]) {
      const judged = await Promise.all(
        recordings.map(async ([name, record]) => {
          const { findings, last } = await report([file(`${name}.rec`, record(events))])
          const facts = findings.map(({ index, level, message, rule }) => ({ index, level, message, rule }))
          return { facts, summary: last["summary"] }
        })
      )
      for (const one of judged) expect(one).toEqual(judged[0])
    }
  })

  it.each([
    ["pass", good, [], 0],
    ["warn", doubtful, [], 0],
    ["fail", broken, [], 1],
    ["pass", good, ["--strict"], 0],
    ["fail", doubtful, ["--strict"], 1]
  ] as const)("get the verdict %s", async (verdict, events, options, code) => {
    const json = await report(["-", ...options], ndjson(events))
    expect({ code: json.code, summary: json.last["summary"] }).toMatchObject({ code, summary: { verdict } })
    const text = await run(["conform", "-", ...options], ndjson(events))
    expect({ code: text.code, err: text.err }).toEqual({ code, err: "" })
    expect(text.out.trim().split("\n").at(-1)).toMatch(new RegExp(`^${verdict.toUpperCase()}: `))
  })

  it("are judged in the dialect asked for", async () => {
    const cancelled = [...good.slice(0, -1), { ...good.at(-1), outcome: { type: "cancelled" } }]
    expect((await report(["-", "--dialect", "1.0"], ndjson(cancelled))).code).toBe(0)
    expect((await report(["-", "--dialect", "0.0"], ndjson(cancelled))).code).toBe(1)
  })

  it("are framed as the dialect asked for allows", async () => {
    // Client 1.0.0 takes no frame of more than 10 MiB; 0.0.59 has no limit.
    const long = sse(runOf(...textOf("m", "x".repeat(11 * 1024 * 1024))))
    expect((await report(["-", "--only", "AGUI-WIRE-*"], long)).findings).toHaveLength(1)
    expect((await report(["-", "--only", "AGUI-WIRE-*", "--dialect", "0.0"], long)).findings).toEqual([])
  })

  it("are held against the request when it is given", async () => {
    const request = { threadId: "other", runId: "r", messages: [], protocolVersion: "1.0" }
    const input = file("input.json", JSON.stringify(request))
    expect((await report(["-"], ndjson(good))).code).toBe(0)
    expect((await report(["-", "--input", input], ndjson(good))).findings).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("other") })
    )
  })

  it("are reported by file, with a summary of all", async () => {
    const [one, two] = [file("one.ndjson", ndjson(good)), file("two.sse", sse(broken))]
    const { code, findings, last } = await report([one, two])
    expect(code).toBe(1)
    expect(new Set(findings.map((finding) => finding["file"]))).toEqual(new Set([two]))
    const errors = findings.filter(({ level }) => level === "error").length
    expect(last).toMatchObject({
      summary: { verdict: "fail", errors },
      files: [
        { file: one, verdict: "pass", events: good.length },
        { file: two, verdict: "fail", events: broken.length, errors }
      ]
    })
  })

  it("have what the documentation promises in every line of JSON", async () => {
    const { findings, last, rows } = await report(["-"], ndjson([...broken, ...doubtful]))
    expect(findings.length).toBeGreaterThan(0)
    for (const finding of findings) {
      expect(finding).toEqual({
        file: "-",
        rule: expect.stringMatching(/^AGUI-[A-Z-]+-\d{3}$/),
        level: expect.stringMatching(/^(error|warning|info)$/),
        index: expect.any(Number),
        message: expect.any(String),
        excerpt: expect.any(String),
        prefix: expect.any(Number),
        ...("line" in finding && { line: expect.any(Number) })
      })
    }
    const count = (level: string) => findings.filter((finding) => finding["level"] === level).length
    expect(last["summary"]).toEqual({
      verdict: "fail",
      errors: count("error"),
      warnings: count("warning"),
      infos: count("info")
    })
    expect(rows).toEqual([...findings, last])
  })

  it("that pass are one line of JSON", async () => {
    const { last, rows } = await report(["-"], ndjson(good))
    expect(rows).toHaveLength(1)
    expect(last["summary"]).toEqual(summary("pass", 0, 0))
  })

  it("that are not JSON on a line are a finding there, and the rest is judged", async () => {
    const [first = {}, ...rest] = good
    const { code, findings, last } = await report(["-"], `${ndjson([first])}{"type":\n${ndjson(rest)}`)
    expect(code).toBe(1)
    expect(findings).toContainEqual(expect.objectContaining({ level: "error", line: 2 }))
    expect(last).toMatchObject({ files: [{ events: good.length }] })
  })

  it.each([
    ["bytes that are no text", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 10, 58]), "neither NDJSON nor SSE"],
    ["a page", "<!doctype html>\n<p>502</p>", "neither NDJSON nor SSE"],
    ["an empty file", "", "has no events|AGUI-"],
    ["a session of the CLI", '{"type":"keep_alive"}\n', "--source"],
    ["a report", '{"summary":{"verdict":"pass","errors":0,"warnings":0,"infos":0}}\n', "--merge"],
    ["a document that is cut", '[{"type":"RUN_STARTED"', "JSON document"],
    ["a response that is cut", "HTTP/1.1 200 OK\r\ncontent-type: text/html", "head does not end"]
  ])("are not %s, which is said", async (_, content, words) => {
    const { code, err, out } = await run(["conform", "-"], content)
    expect(code).toBeGreaterThan(0)
    expect(err + out).toMatch(new RegExp(words))
    expect(err).not.toContain("    at ")
  })

  it("are not a tape", async () => {
    const { code, err } = await run(["conform", String(tapes[0]?.file)])
    expect(code).toBe(2)
    expect(err).toContain(
      "is a tape of a CLI session, not AG-UI events. To compare events with it, give it as --source."
    )
  })

  it("that cannot be read are named, and the others are judged", async () => {
    const one = file("fine.ndjson", ndjson(good))
    const { code, err, last } = await report([path("nope"), path(""), one])
    expect(code).toBe(2)
    expect(err).toContain("nope: there is no such file.")
    expect(err).toContain("it is a folder, not a file.")
    expect(last).toMatchObject({
      summary: { verdict: "fail", errors: 2 },
      files: [{ verdict: "fail" }, { verdict: "fail" }, { file: one, verdict: "pass" }]
    })
  })

  it("that turn out to be damaged keep what was found before", async () => {
    const filler = Array.from({ length: 20_000 }, (_, at) => ({ type: "CUSTOM", name: "n", value: at * 7919 }))
    const zipped = gzipSync(ndjson([...broken.slice(0, 2), ...filler]))
    zipped.subarray(-8, -4).fill(255)
    const { code, err, findings, last } = await report([file("damaged.gz", zipped)])
    expect(code).toBe(2)
    expect(err).toMatch(
      /^Cannot read .*damaged\.gz: its gzip data are damaged near byte \d+ \(incorrect data check\)\.\n$/
    )
    expect(findings).toContainEqual(expect.objectContaining({ index: 1, level: "error" }))
    expect(last).toMatchObject({ files: [{ verdict: "fail", reason: err.trim() }] })
  })
})

describe("with --source", () => {
  // The CLI says "Hello there." on this tape.
  const tape = { scenario: "plain_text", version: "2.1.325" } as const
  const text = (delta: string): ReadonlyArray<Event> => runOf(...textOf("m", delta))
  const session = wireLines(tape.scenario, loadTape(tape))
    .filter(({ from }) => from === "cli")
    .map(({ line }) => `${line}\n`)
    .join("")
  const zipped = readFileSync(String(findTape(tape)?.file))
  const sources = [
    ["NDJSON", session],
    ["gzipped NDJSON", gzipSync(session)],
    ["a tape", gunzipSync(zipped)],
    ["a gzipped tape", zipped]
  ] as const

  it.each(sources)("events are held against the session they were made from: %s", async (name, content) => {
    const source = file(`${name}.session`, content)
    const ids = async (delta: string) =>
      (await report(["-", "--source", source], ndjson(text(delta)))).findings.map(({ rule }) => rule)
    expect(await ids("Hello there.")).not.toContainEqual(expect.stringContaining("FIDELITY"))
    expect(await ids("Hello")).toContainEqual(expect.stringContaining("FIDELITY"))
  })

  it("what is no session is refused", async () => {
    const source = file("no.session", ndjson(good).replaceAll('"type"', '"kind"'))
    const { code, err } = await run(["conform", "-", "--source", source], ndjson(good))
    expect(code).toBe(2)
    expect(err).toContain("is not a session of the CLI: --source takes a tape, or NDJSON as the CLI writes it.")
    expect((await run(["conform", "-", "--source", path("nope")], ndjson(good))).err).toContain("no such file")
  })
})
