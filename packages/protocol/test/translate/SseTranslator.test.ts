import { recordings } from "@agentwire/fixtures"
import { mutatedSessions } from "@agentwire/fixtures/arbitrary"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { casesOf } from "../../../fixtures/test/Sweep.ts"
import { encodeSse } from "../../src/agui/Sse.ts"
import { codec, decodeLine } from "../../src/claude/Codec.ts"
import { SseTranslator, type SseTranslatorOptions } from "../../src/translate/SseTranslator.ts"
import { encodeLine } from "../../src/wire/Codec.ts"
import {
  blockStart,
  init,
  messageStart,
  messageStop,
  options,
  recordedLines,
  said,
  streamedText,
  success,
  synthetic,
  text,
  textDelta,
  textsOf,
  translated
} from "./Lines.ts"

const bytesOf = (lines: ReadonlyArray<string>): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""))

const pushed = (bytes: Uint8Array, cuts: ReadonlyArray<number>, more: Partial<SseTranslatorOptions>): string => {
  const translator = new SseTranslator({ ...options, ...more })
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return (
    places.slice(1).reduce((all, to, at) => all + translator.push(bytes.subarray(places[at], to)), "") +
    translator.end()
  )
}
const eventsOf = (frames: string): ReadonlyArray<unknown> =>
  frames
    .split("\n\n")
    .slice(0, -1)
    .map((frame) => JSON.parse(frame.slice("data: ".length)))
const folded = (lines: ReadonlyArray<string>, more: Partial<SseTranslatorOptions> = {}): ReadonlyArray<unknown> => {
  // Through bytes, which cannot hold half a surrogate pair.
  const messages = codec.decoder().push(bytesOf(lines))
  return JSON.parse(JSON.stringify(translated(messages, more)))
}
const written = (...messages: ReadonlyArray<{ readonly message: object }>): ReadonlyArray<string> =>
  messages.map(({ message }) => encodeLine(message).trimEnd())

describe("law: it gives what folding `step` over the lines gives", () => {
  const ways = [{ validate: true }, { validate: false }, { validate: false, dialect: "0.0" as const }]

  test.each(recordings)("for recorded sessions of %s, in any chunking", (version) => {
    for (const scenario of [
      "long_text_5000",
      "unicode_split",
      "interrupt_midstream",
      "three_tool_turns",
      "multi_text_blocks"
    ]) {
      const lines = recordedLines({ scenario, version })
      const bytes = bytesOf(lines)
      for (const way of ways) {
        const frames = pushed(bytes, [1, 1000, 1001, 65_536, bytes.length - 1], way)
        expect(eventsOf(frames)).toEqual(folded(lines, way))
      }
    }
  })

  test("for sessions that something went wrong with", () => {
    fc.assert(
      fc.property(
        mutatedSessions({ partial: true }),
        fc.array(fc.nat(), { maxLength: 5 }),
        fc.constantFrom(...ways),
        (session, cuts, way) => {
          const lines = session.lines.filter(({ from }) => from === "agent").flatMap(({ line }) => line.split("\n"))
          expect(eventsOf(pushed(bytesOf(lines), cuts, way))).toEqual(folded(lines, way))
        }
      ),
      { numRuns: casesOf(500) }
    )
  })

  test("for deltas among which anything may stand", () => {
    const parts = fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .constantFrom("a", "b ", "", "\ud83d", "\ude00", 'q"uote', "back\\slash", "\n")
          .map((piece) => () => textDelta(0, piece))
      },
      { weight: 1, arbitrary: fc.constant(() => textDelta(1, "other")) },
      { weight: 1, arbitrary: fc.constant(() => textDelta(0, "inside", "c1")) },
      { weight: 1, arbitrary: fc.constant(() => textDelta(0, "named", null, { api_message_id: "m" })) },
      { weight: 1, arbitrary: fc.constant(() => textDelta(0, "stray", null, { api_message_id: "z" })) },
      { weight: 1, arbitrary: fc.constant(() => blockStart(1, text(""))) },
      { weight: 1, arbitrary: fc.constant(() => synthetic("s", "a word")) },
      { weight: 1, arbitrary: fc.constant(() => said("n", text("inside"), "c1")) },
      { weight: 1, arbitrary: fc.constant(() => messageStart("n")) },
      { weight: 1, arbitrary: fc.constant(() => messageStop()) },
      { weight: 1, arbitrary: fc.constant(() => success()) },
      { weight: 1, arbitrary: fc.constant(() => init()) }
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 25 }), fc.boolean(), fc.boolean(), (middle, validate, twice) => {
        const opening = [init(), messageStart("m"), blockStart(0, text(""))]
        const lines = written(...opening, ...middle.map((make) => make()))
        // A replay: every line comes again.
        const sent = twice ? lines.flatMap((line) => [line, line]) : lines
        expect(eventsOf(pushed(bytesOf(sent), [], { validate }))).toEqual(folded(sent))
      }),
      { numRuns: casesOf(1000) }
    )
  })
})

describe("frames", () => {
  const lines = written(init(), ...streamedText("m", ["Hel", "lo\n"]), success())

  test("are one event each, framed with line feeds: no CR, nothing at the end (docs/wire/ag-ui.md §3.3)", () => {
    const frames = pushed(bytesOf(lines), [], { validate: false })
    expect(frames).toMatch(/^(data: \{[^\n]*\}\n\n)+$/)
    expect(frames).not.toContain("\r")
    expect(frames).toBe(
      translated(lines.map((line) => decodeLine(line)))
        .map(encodeSse)
        .join("")
    )
  })

  test("come as soon as their line is complete", () => {
    const translator = new SseTranslator({ ...options, validate: false })
    const given = lines.map((line) => translator.push(bytesOf([line])))
    expect(given[3]).toContain('"delta":"Hel"')
    expect(given[4]).toContain('"delta":"lo\\n"')
    expect(translator.push(bytesOf(written(init())).subarray(0, 10))).toBe("")
  })
})

describe("the end", () => {
  test("takes a last line without its line feed, and closes what is open", () => {
    const open = written(init(), messageStart("m"), blockStart(0, text("")), textDelta(0, "Hel"), textDelta(0, "lo"))
    const translator = new SseTranslator({ ...options, validate: false })
    const frames = translator.push(bytesOf(open).subarray(0, -1)) + translator.end({ type: "cancelled" })
    const events = eventsOf(frames) as ReturnType<typeof translated>
    expect(textsOf(events)).toEqual({ "m:0": "Hello" })
    expect(events.at(-1)).toMatchObject({ outcome: { type: "cancelled" } })
  })
})

describe("lines that are none", () => {
  test("a line that is too long, or not UTF-8, is passed on as what it is, and the text goes on", () => {
    const opening = written(init(), messageStart("m"), blockStart(0, text("")), textDelta(0, "a"))
    const bad = new Uint8Array([
      ...bytesOf(opening),
      0xff,
      0x0a,
      ...bytesOf(["x".repeat(5000)]),
      ...bytesOf(written(textDelta(0, "b")))
    ])
    const events = eventsOf(pushed(bad, [], { validate: false, maxLineBytes: 4000 })) as ReturnType<typeof translated>
    expect(textsOf(events)).toEqual({ "m:0": "ab" })
    expect(events.filter(({ type }) => type === "RAW")).toHaveLength(2)
  })

  test("empty lines are nothing", () => {
    expect(eventsOf(pushed(bytesOf(["", " ", ...written(init()), ""]), [], {}))).toHaveLength(3)
    expect(codec.decodeFramed({ _tag: "Text", number: 1, text: " " })).toBeUndefined()
  })
})
