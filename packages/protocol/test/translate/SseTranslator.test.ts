import { codexTapes, recordings } from "@agentwire/fixtures"
import { mutatedSessions } from "@agentwire/fixtures/arbitrary"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { casesOf, sweeping } from "../../../fixtures/test/Sweep.ts"
import { encodeSse } from "../../src/agui/Sse.ts"
import { codec, decodeLine } from "../../src/claude/Codec.ts"
import * as Codex from "../../src/codex/Codec.ts"
import { Dialogue } from "../../src/codex/Dialogue.ts"
import { SseTranslator, type SseTranslatorOptions } from "../../src/translate/SseTranslator.ts"
import { stepAll } from "../../src/translate/TranslateStream.ts"
import { finish, initialState } from "../../src/translate/Translator.ts"
import { encodeLine } from "../../src/wire/Codec.ts"
import { began, completed, delta, note, over, started } from "../codex/fold/Lines.ts"
import { type Line, sessionOf, threadsIn } from "../codex/Threads.ts"
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

/** As `toEqual`, which takes longer for a long list than all that is tested here. */
const expectSame = (given: unknown, expected: unknown, what?: string): void => {
  if (JSON.stringify(given) !== JSON.stringify(expected)) expect(given, what).toEqual(expected)
}

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
        expectSame(eventsOf(frames), folded(lines, way))
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
          expectSame(eventsOf(pushed(bytesOf(lines), cuts, way)), folded(lines, way))
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

describe("law: of Codex, too, it gives what folding `step` over the lines gives", () => {
  const ways = [true, false].flatMap((validate) => (["1.0", "0.0"] as const).map((dialect) => ({ validate, dialect })))
  type Way = (typeof ways)[number] & { readonly codexThread?: string }

  /** The lines of both sides in their order; those of one side that follow each other as bytes that are cut anywhere. */
  const heardLive = (lines: ReadonlyArray<Line>, cuts: ReadonlyArray<number>, way: Way): ReadonlyArray<unknown> => {
    const translator = new SseTranslator({ threadId: "t", runtime: "codex", ...way })
    const out: Array<Uint8Array> = []
    for (let at = 0; at < lines.length; ) {
      const from = lines[at]?.from
      const next = lines.findIndex((line, index) => index > at && line.from !== from)
      const end = next === -1 ? lines.length : next
      const bytes = bytesOf(lines.slice(at, end).map(({ text }) => text))
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
      for (const [index, to] of places.slice(1).entries())
        out.push(translator.pushBytes(bytes.subarray(places[index], to), from === "client" ? "host" : "agent"))
      at = end
    }
    return eventsOf(Buffer.concat([...out, translator.endBytes()]).toString())
  }

  const stepped = (lines: ReadonlyArray<Line>, { codexThread, dialect }: Way): ReadonlyArray<unknown> => {
    const dialogue = new Dialogue()
    const options = {
      threadId: "t",
      runtime: "codex",
      dialect,
      ...(codexThread !== undefined && { codexThread })
    } as const
    const heard = lines.flatMap(({ from, text }) =>
      // Through bytes, as above: a mutation may have put several lines or none into one, and halves of pairs.
      Codex.decoder()
        .push(bytesOf([text]))
        .map((decoded) => dialogue.heed(from, decoded))
    )
    const [state, events] = stepAll(initialState(options), heard)
    return JSON.parse(JSON.stringify([...events, ...finish(state)]))
  }

  /** What is hard about texts: half pairs, plans, cuts, steering, other threads, what stands between the pieces. */
  const scenarios = new Set([
    ...["many_deltas", "unicode", "plan_mode", "interrupt_text", "steer_text", "fails_cut_once", "reasoning_deltas"],
    ...[
      "subagent",
      "two_threads",
      "background_command",
      "dynamic_tool_result",
      "two_turns",
      "kill_midturn",
      "bad_lines"
    ]
  ])
  const recorded = codexTapes.filter(
    ({ scenario, version, wire }) =>
      wire === "app-server" && (sweeping || (scenarios.has(scenario) && version === "0.166.0"))
  )
  const sessions = recorded.map(sessionOf)

  test("for recorded sessions, in any chunking, with the host's side and without, on each of their threads", () => {
    expect(sessions.length).toBeGreaterThan(sweeping ? 200 : 12)
    for (const [index, { lines, name }] of sessions.entries()) {
      const sides = [lines, lines.filter(({ from }) => from === "server")]
      for (const [side, given] of sides.entries())
        for (const codexThread of [undefined, ...threadsIn(lines)]) {
          const way = ways[(index + side) % ways.length] ?? ways[0]
          for (const each of sweeping ? ways : [way, { dialect: "1.0", validate: false } as const]) {
            if (each === undefined) continue
            const chosen = { ...each, ...(codexThread !== undefined && { codexThread }) }
            const expected = stepped(given, chosen)
            expectSame(heardLive(given, [1, 1000, 1001, 65_536], chosen), expected, name)
            expectSame(heardLive(given, [], chosen), expected, name)
          }
        }
    }
  })

  type Change = (line: string) => ReadonlyArray<string>

  const keyChanged =
    (place: number, to: unknown): Change =>
    (line) => {
      let count = 0
      try {
        const changed: unknown = JSON.parse(line, (key, value: unknown) =>
          key !== "" && count++ === place % 9 ? to : value
        )
        return [JSON.stringify(changed) ?? line]
      } catch {
        return [line]
      }
    }

  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.constant<Change>(() => []),
    fc.constant<Change>((line) => [line, line]),
    fc
      .tuple(fc.nat(), fc.constantFrom(undefined, null, 7, "x", true, [], {}))
      .map(([place, to]) => keyChanged(place, to)),
    fc
      .tuple(
        fc.nat(),
        fc.nat(3),
        fc.constantFrom("", '"', "\\", "}", "\n", "\t", "é", "\\ud83d", "\\u0041", "\\n", "0")
      )
      .map(
        ([at, length, put]): Change =>
          (line) => {
            const from = at % (line.length + 1)
            return [line.slice(0, from) + put + line.slice(from + length)]
          }
      ),
    fc.constantFrom("\\ud83d", "\\ude00", "\\n", "\\/", "中", "").map(
      (piece): Change =>
        (line) => [line.replace(/"delta":"[^"]*"/, `"delta":"${piece}"`)]
    ),
    fc.constant<Change>((line) => ["", line, " "])
  )

  test("for sessions that something went wrong with", () => {
    const short = sessions.filter(({ lines }) => lines.length < 400)
    fc.assert(
      fc.property(
        fc.nat(short.length - 1),
        fc.array(fc.tuple(fc.nat(), change), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 5 }),
        fc.constantFrom(...ways),
        (index, changes, cuts, way) => {
          const { lines } = short[index] ?? { lines: [] }
          const at = new Map(changes.map(([place, made]) => [place % Math.max(1, lines.length), made]))
          const changed = lines.flatMap(({ from, text }, place) =>
            (at.get(place)?.(text) ?? [text]).flatMap((each) => each.split("\n")).map((each) => ({ from, text: each }))
          )
          expectSame(heardLive(changed, cuts, way), stepped(changed, way))
        }
      ),
      { numRuns: casesOf(1000) }
    )
  })

  test("for deltas among which anything may stand", () => {
    const message = (id: string, words = "") => ({ type: "agentMessage", id, text: words })
    const part = fc.oneof(
      {
        weight: 8,
        arbitrary: fc
          .constantFrom("a", "b ", "", "\ud83d", "\ude00", "\ud83d\ude00", "é", 'q"uote', "back\\slash", "\n")
          .map((piece) => delta("m", piece, { emittedAtMs: 1 }))
      },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          delta("n", "other"),
          delta("m", "strange", { threadId: "s" }),
          delta("m", "of another turn", { turnId: "v" }),
          delta("m", "of none", { turnId: null }),
          note("item/plan/delta", { itemId: "m", delta: "a plan" }),
          note("item/reasoning/summaryTextDelta", { itemId: "r", delta: "hm", summaryIndex: 0 }),
          note("item/reasoning/summaryPartAdded", { itemId: "m", summaryIndex: 1 }),
          started(message("n")),
          completed(message("m", "ab ")),
          completed(message("n", "other")),
          note("error", { error: { message: "Reconnecting" }, willRetry: true }),
          completed({ type: "userMessage", id: "s", content: [{ type: "text", text: "No" }] }),
          began("v"),
          over(),
          {
            method: "item/tool/requestUserInput",
            id: 3,
            params: { threadId: "t", turnId: "u", itemId: "q", questions: [] }
          }
        )
      }
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 25 }), fc.constantFrom(...ways), fc.nat(), (middle, way, cut) => {
        const lines = [began(), started(message("m")), ...middle].map((line, index) => {
          // Every line has its time, where the wire has it.
          const text = JSON.stringify({ ...line, emittedAtMs: 1_795_002_410_508 + index })
          return { from: "server" as const, text }
        })
        expect(heardLive(lines, [cut], { ...way, codexThread: "t" })).toEqual(
          stepped(lines, { ...way, codexThread: "t" })
        )
      }),
      { numRuns: casesOf(2000) }
    )
  })
})

test("a key that carries nothing may be anything on the fast paths, too: the text is said all the same", () => {
  const odd = fc.constantFrom<unknown>(undefined, null, 7, "x", true, [], { a: 1 })
  const pieces = fc.array(fc.constantFrom("a", "b ", "\n", "é"), { minLength: 2, maxLength: 8 })
  const textIn = (frames: string): string =>
    (eventsOf(frames) as ReturnType<typeof translated>)
      .map((event) => (event.type === "TEXT_MESSAGE_CONTENT" ? event.delta : ""))
      .join("")
  fc.assert(
    fc.property(pieces, odd, fc.boolean(), fc.nat(), (words, value, isAll, place) => {
      const isOdd = (index: number): boolean => isAll || index === place % words.length
      const codexLines = [
        began(),
        ...words.map((piece, index) => ({
          ...delta("m", piece, isOdd(index) ? { turnId: value, later: value } : {}),
          emittedAtMs: isOdd(index) ? value : 1_795_002_410_508
        }))
      ].map((line) => JSON.stringify(line))
      const claudeLines = [
        ...written(init(), messageStart("m"), blockStart(0, text(""))),
        ...words.map((piece, index) => {
          const { message } = textDelta(0, piece)
          return JSON.stringify(isOdd(index) ? { ...message, session_id: value, later: value } : message)
        })
      ]
      for (const validate of [true, false]) {
        const codex = new SseTranslator({ threadId: "t", runtime: "codex", codexThread: "t", validate })
        expect(textIn(codex.push(bytesOf(codexLines)))).toBe(words.join(""))
        expect(textIn(pushed(bytesOf(claudeLines), [], { validate }))).toBe(words.join(""))
      }
    }),
    { numRuns: casesOf(500) }
  )
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
