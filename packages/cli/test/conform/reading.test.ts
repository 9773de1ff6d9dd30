/** How the events of a file are found: in any chunking, and with their lines. */
import { findTape, loadTape, wireLines } from "@agentwire/fixtures"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { EventItem } from "../../src/conform/EventReader.ts"
import { EventSource } from "../../src/conform/EventSource.ts"
import { LineIndex } from "../../src/conform/LineIndex.ts"
import { patternOf } from "../../src/conform/Pattern.ts"
import { loadSource } from "../../src/conform/Source.ts"
import { defaultLimits } from "../../src/Limits.ts"
import { broken, ndjson, response, sse } from "./streams.ts"

const itemsOf = (chunks: ReadonlyArray<Uint8Array>): ReadonlyArray<EventItem> => {
  const source = new EventSource("events", defaultLimits)
  return [...chunks.flatMap((chunk) => source.push(chunk)), ...source.end()]
}

/** Bytes, cut at random places. */
const cut = (bytes: Uint8Array): fc.Arbitrary<ReadonlyArray<Uint8Array>> =>
  fc.array(fc.nat({ max: bytes.length }), { maxLength: 20 }).map((places) => {
    const ends = [0, ...places.sort((a, b) => a - b), bytes.length]
    return ends.slice(1).map((end, index) => bytes.slice(ends[index], end))
  })

describe("EventSource", () => {
  const events = [...broken, { type: "CUSTOM", name: "ünï", value: "😀 \u2028" }]

  it.each([
    ["NDJSON", ndjson(events)],
    ["NDJSON with a line that is none", `${ndjson(events)}oops\n${ndjson(events)}`],
    ["SSE", sse(events)],
    ["SSE with comments and no end", `: hi\n\n${sse(events)}data: {"type":"RAW"}`],
    ["a response", response(events)],
    ["responses one after another", `HTTP/1.1 100 Continue\r\n\r\n${response(events)}`],
    ["a document", JSON.stringify(events, undefined, 1)],
    ["SSE that begins with something else", `what: is this\n${sse(events)}`],
    ["a byte order mark", `\uFEFF${ndjson(events)}`]
  ])("gives the same in any chunking: %s", (_, text) => {
    const bytes = Buffer.from(text)
    const whole = itemsOf([bytes])
    expect(whole.filter(({ _tag }) => _tag === "Event").length).toBeGreaterThanOrEqual(events.length)
    expect(itemsOf(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(whole)
    for (let at = 0; at <= bytes.length; at++)
      expect(itemsOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole)
    fc.assert(
      fc.property(cut(bytes), (chunks) => {
        expect(itemsOf(chunks)).toEqual(whole)
      })
    )
  })
})

describe("the session of --source", () => {
  it("is what the agent said, of a tape", async () => {
    const entry = { scenario: "tool_approved", version: "2.1.325" } as const
    const said = wireLines(entry.scenario, loadTape(entry)).filter(({ from }) => from === "cli")
    const loaded = await loadSource(String(findTape(entry)?.file), defaultLimits)
    expect(loaded.map(({ _tag }) => _tag)).toEqual(said.map(() => "Known"))
  })
})

describe("LineIndex", () => {
  it("knows the line of every event", () => {
    const steps = fc.array(fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 5 })))
    fc.assert(
      fc.property(steps, (gaps) => {
        const index = new LineIndex()
        let line = 0
        const lines = gaps.map((gap) => {
          line += gap
          return line
        })
        for (const one of lines) index.add(one)
        expect(lines.map((_, at) => index.lineOf(at))).toEqual(lines)
        expect([index.lineOf(-1), index.lineOf(lines.length)]).toEqual([undefined, undefined])
      })
    )
  })

  it("forgets the beginning of a file that is not regular, and never gives a wrong line", () => {
    const index = new LineIndex()
    const lines = Array.from({ length: 100_000 }, (_, at) => at * 3 + ((at * at) % 3))
    for (const one of lines) index.add(one)
    expect(index.lineOf(99_999)).toBe(lines[99_999])
    const told = lines.map((line, at) => ({ line, found: index.lineOf(at) })).filter(({ found }) => found !== undefined)
    expect(told.every(({ found, line }) => found === line)).toBe(true)
    expect(told.length).toBeLessThan(lines.length)
  })
})

describe("a pattern", () => {
  it("means itself, in either case, whatever characters it has", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/[*?]/.test(text)),
        (text) => {
          expect(patternOf(text)(text)).toBe(true)
          expect(patternOf(text)(`${text}x`)).toBe(false)
          expect(patternOf(`*${text}`)(`before${text}`)).toBe(true)
        }
      )
    )
    expect(patternOf("agui-run-*")("AGUI-RUN-003")).toBe(true)
    expect(patternOf("AGUI-RUN-00?")("AGUI-RUN-003")).toBe(true)
    expect(patternOf("AGUI-RUN-*")("AGUI-TEXT-003")).toBe(false)
  })
})
