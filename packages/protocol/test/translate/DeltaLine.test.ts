import { codexTapes, recordings } from "@agentwire/fixtures"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { casesOf } from "../../../fixtures/test/Sweep.ts"
import * as Claude from "../../src/claude/Codec.ts"
import * as Codex from "../../src/codex/Codec.ts"
import { type DeltaLayout, DeltaReader, type DeltaText, layoutOf } from "../../src/translate/DeltaLine.ts"
import { liveRuntimes } from "../../src/translate/LiveRuntimes.ts"
import { readUuid, uuidWords } from "../../src/wire/Uuid.ts"
import { sessionOf } from "../codex/Threads.ts"
import { recordedLines } from "./Lines.ts"

/** The lines of a runtime's deltas: how they are made, and what its codec reads in them. */
interface Kind {
  readonly keys: typeof liveRuntimes.claude.keys
  readonly reads: (line: string) => DeltaText | undefined
  readonly lineOf: (delta: Made, more?: object) => string
}

interface Made {
  readonly text: string
  readonly uuid: string
  readonly time: number
}

const claude: Kind = {
  keys: liveRuntimes.claude.keys,
  reads: (line) => {
    const decoded = Claude.decodeLine(line)
    if (decoded._tag !== "Known" || decoded.name !== "stream_event/content_block_delta") return undefined
    const { event, uuid } = decoded.message
    return event.delta.type === "text_delta" ? { text: event.delta.text, uuid } : undefined
  },
  lineOf: ({ text, uuid }, more = {}) =>
    JSON.stringify({
      type: "stream_event",
      event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      session_id: "s",
      parent_tool_use_id: null,
      uuid,
      ...more
    })
}

const codex: Kind = {
  keys: liveRuntimes.codex.keys,
  reads: (line) => {
    const decoded = Codex.decodeLine(line)
    return decoded._tag === "Known" && decoded.name === "item/agentMessage/delta"
      ? { text: decoded.message.params.delta, uuid: undefined }
      : undefined
  },
  lineOf: ({ text, time }, more = {}) =>
    JSON.stringify({
      method: "item/agentMessage/delta",
      params: { threadId: "t", turnId: "u", itemId: "m", delta: text },
      emittedAtMs: time,
      ...more
    })
}

const kinds = { claude, codex }

/** What the bytes of a line give. */
const readBytes = (layout: DeltaLayout, line: string | Uint8Array, before = "", most?: number) => {
  const given = typeof line === "string" ? new TextEncoder().encode(`${line}\n`) : line
  const bytes = new Uint8Array([...new TextEncoder().encode(before), ...given, 88])
  const reader = new DeltaReader(layout, most)
  const at = bytes.length - given.length - 1
  if (!reader.read(bytes, new DataView(bytes.buffer), at)) return undefined
  const raw = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(reader.from, reader.to))
  expect(reader.end).toBe(bytes.length - 1)
  expect(reader.isEscaped).toBe(raw.includes("\\"))
  return { text: JSON.parse(`"${raw}"`) as string, uuid: [...reader.uuid] }
}

const bitsOf = (uuid: string | undefined): ReadonlyArray<number> => {
  const words = new Int32Array(uuidWords)
  if (uuid !== undefined) expect(readUuid(uuid, words)).toBe(true)
  return [...words]
}

const learn = ({ keys, reads }: Kind, line: string) => layoutOf(line, keys, reads)

// Everything that could look like the end of the text, or the beginning of another.
const words = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 3 }),
      fc.constantFrom(
        '"',
        "\\",
        '"}}',
        '\\"}}',
        '","uuid":"',
        '"},"emittedAtMs":1',
        '"delta":{"type":"text_delta","text":"',
        '"delta":"',
        "\n",
        "\u2028",
        "\u00e9\u4e2d",
        "\ud83d\ude00",
        "\ud83d",
        "{}"
      )
    ),
    { maxLength: 5 }
  )
  .map((parts) => parts.join(""))
const made: fc.Arbitrary<Made> = fc.record({
  text: words,
  uuid: fc.uuid(),
  time: fc.oneof(fc.nat(), fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }), fc.double({ noNaN: true }))
})

describe.each(Object.entries(kinds))("law: what is read here of %s, the codec reads in the same way", (_, kind) => {
  test("of any line, after any line has taught the layout", () => {
    let fast = 0
    const more = fc.constantFrom({}, { api_message_id: "m" }, { later: '"}}' }, { later: { delta: "x", uuid: "y" } })
    fc.assert(
      fc.property(made, made, more, fc.string({ maxLength: 9 }), (first, second, others, before) => {
        const layout = learn(kind, kind.lineOf(first, others))
        if (layout === undefined) return
        const line = kind.lineOf(second, others)
        const given = readBytes(layout, line, before)
        if (given === undefined) return
        fast++
        const said = kind.reads(line)
        expect(given).toEqual({ text: said?.text, uuid: bitsOf(said?.uuid) })
      }),
      { numRuns: casesOf(4000) }
    )
    expect(fast).toBeGreaterThan(casesOf(4000) / 4)
  })

  test("of lines that are spoilt anywhere, in their bytes", () => {
    const spoil = fc.record({
      at: fc.nat(),
      length: fc.nat(3),
      put: fc.oneof(
        fc
          .constantFrom("", '"', "\\", "}", "x", "\n", "\t", "0", "-", ".", "e", "\\u0041", "\\n", "\\x")
          .map((text) => new TextEncoder().encode(text)),
        fc.uint8Array({ min: 0x80, maxLength: 4 })
      )
    })
    fc.assert(
      fc.property(made, made, spoil, (first, second, { at, length, put }) => {
        const layout = learn(kind, kind.lineOf(first))
        const whole = new TextEncoder().encode(`${kind.lineOf(second)}\n`)
        const from = at % whole.length
        const bytes = new Uint8Array([...whole.slice(0, from), ...put, ...whole.slice(from + length)])
        const given = layout === undefined ? undefined : readBytes(layout, bytes)
        if (given === undefined) return
        const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
        expect(text.indexOf("\n")).toBe(text.length - 1)
        const said = kind.reads(text)
        expect(given).toEqual({ text: said?.text, uuid: bitsOf(said?.uuid) })
      }),
      { numRuns: casesOf(8000) }
    )
  })

  test("of bytes that are no UTF-8, nothing is read", () => {
    const layout = learn(kind, kind.lineOf({ text: "a", uuid: "00000000-0000-4000-8000-000000000001", time: 1 }))
    const line = kind.lineOf({ text: "@", uuid: "00000000-0000-4000-8000-000000000002", time: 2 })
    const [head = "", tail = ""] = line.split("@")
    const [before, behind] = [head, `${tail}\n`].map((part) => new TextEncoder().encode(part))
    fc.assert(
      fc.property(fc.uint8Array({ min: 0x7f, minLength: 1, maxLength: 5 }), (piece) => {
        const bytes = new Uint8Array([...(before ?? []), ...piece, ...(behind ?? [])])
        const isText = Buffer.from(Buffer.from(piece).toString()).equals(piece)
        expect(layout !== undefined && readBytes(layout, bytes) !== undefined).toBe(isText)
      }),
      { numRuns: casesOf(5000) }
    )
  })
})

describe("what is left to the codec", () => {
  const first = { text: "a", uuid: "00000000-0000-4000-8000-000000000001", time: 1795002410508 }

  test("lines of another text, another kind, another stamp, with more keys, too long, without an end", () => {
    const layout = learn(claude, claude.lineOf(first))
    expect(layout).toBeDefined()
    if (layout === undefined) return
    const line = claude.lineOf({ ...first, text: "b" })
    expect(readBytes(layout, line)).toMatchObject({ text: "b" })
    expect(readBytes(layout, line.replace('"index":0', '"index":1'))).toBeUndefined()
    expect(readBytes(layout, line.replace("text_delta", "thinking_delta"))).toBeUndefined()
    expect(readBytes(layout, claude.lineOf({ ...first, uuid: "short" }))).toBeUndefined()
    expect(readBytes(layout, claude.lineOf({ ...first, uuid: first.uuid.replace("4", "A") }))).toBeUndefined()
    expect(readBytes(layout, claude.lineOf(first, { more: 1 }))).toBeUndefined()
    expect(readBytes(layout, claude.lineOf({ ...first, text: "" }))).toBeUndefined()
    expect(readBytes(layout, line, "", line.length - 1)).toBeUndefined()
    expect(readBytes(layout, line, "", line.length)).toBeDefined()
    expect(readBytes(layout, new TextEncoder().encode(line))).toBeUndefined()
    expect(readBytes(layout, "")).toBeUndefined()
  })

  test("times that JSON does not allow, or that no number holds", () => {
    const layout = learn(codex, codex.lineOf(first))
    expect(layout).toBeDefined()
    if (layout === undefined) return
    const withTime = (time: string) => codex.lineOf({ ...first, text: "b" }).replace(String(first.time), time)
    expect(readBytes(layout, withTime("7"))).toMatchObject({ text: "b" })
    for (const time of ["", "07", "-7", "7.5", "1e3", "1".repeat(16), '"7"', "null"])
      expect(readBytes(layout, withTime(time)), time).toBeUndefined()
  })

  test("a half of a pair, which may be the first of two lines'", () => {
    const layout = learn(codex, codex.lineOf(first))
    expect(layout && readBytes(layout, codex.lineOf({ ...first, text: "x\ud83d" }))).toBeUndefined()
    expect(layout && readBytes(layout, codex.lineOf({ ...first, text: "x\ud83d\ude00" }))).toMatchObject({
      text: "x\ud83d\ude00"
    })
  })

  test("a line whose text holds what looks like its end teaches nothing that is wrong", () => {
    const odd = { ...first, text: 'a"}} ok' }
    const taught = learn(claude, claude.lineOf(odd))
    const broken = claude.lineOf({ ...first, text: "b" }).replace('"b"}}', '"b"}} ok"}}')
    expect(Claude.decodeLine(broken)._tag).toBe("Invalid")
    if (taught !== undefined) expect(readBytes(taught, broken)).toBeUndefined()
  })

  test("a line that holds another delta before its own, even one that says the same", () => {
    for (const other of ["not this", "this"]) {
      const line = JSON.stringify({
        type: "stream_event",
        later: { delta: { type: "text_delta", text: other } },
        event: { type: "content_block_delta", index: 0, delta: { text: "this", type: "text_delta" } },
        session_id: "s",
        parent_tool_use_id: null,
        uuid: first.uuid
      })
      expect(claude.reads(line)?.text).toBe("this")
      expect(learn(claude, line)).toBeUndefined()
    }
  })

  test("a line without a stamp teaches a layout without one: versions may leave it out", () => {
    const bare = (text: string) => codex.lineOf({ ...first, text }).replace(/,"emittedAtMs":\d+/, "")
    const layout = learn(codex, bare("a"))
    expect(layout && readBytes(layout, bare("b"))).toMatchObject({ text: "b" })
    expect(layout && readBytes(layout, codex.lineOf({ ...first, text: "b" }))).toBeUndefined()
  })
})

const recordedDeltas = [
  ...recordings.map((version) => ({
    name: `Claude Code ${version}`,
    kind: claude,
    lines: () => recordedLines({ scenario: "long_text_5000", version })
  })),
  ...codexTapes
    .filter(({ run, scenario, wire }) => wire === "app-server" && scenario === "many_deltas" && run === 1)
    .map((entry) => ({
      name: `Codex ${entry.version}`,
      kind: codex,
      lines: () => sessionOf(entry).lines.flatMap(({ from, text }) => (from === "server" ? [text] : []))
    }))
]

test.each(recordedDeltas)("the recorded deltas of $name are read this way, all but the first of a layout", (each) => {
  const { kind, lines } = each
  const deltas = lines().flatMap((line) => {
    const delta = kind.reads(line)
    return delta === undefined ? [] : [{ line, delta }]
  })
  expect(deltas.length).toBeGreaterThan(20)
  const [teacher] = deltas
  const layout = teacher && learn(kind, teacher.line)
  expect(layout).toBeDefined()
  if (layout === undefined) return
  const wrong = deltas.filter(({ delta, line }) => {
    const given = readBytes(layout, line)
    return given?.text !== delta.text || given.uuid.join() !== bitsOf(delta.uuid).join()
  })
  expect(wrong).toEqual([])
})
