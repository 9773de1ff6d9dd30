import { recordings } from "@agentwire/fixtures"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { decodeLine } from "../../src/claude/Codec.ts"
import { layoutOf, readDelta } from "../../src/translate/DeltaLine.ts"
import { recordedLines } from "./Lines.ts"

interface Read {
  readonly text: string
  readonly uuid: string
}

const codecReads = (line: string): Read | undefined => {
  const decoded = decodeLine(line)
  if (decoded._tag !== "Known" || decoded.name !== "stream_event/content_block_delta") return undefined
  const { event, uuid } = decoded.message
  return event.delta.type === "text_delta" ? { text: event.delta.text, uuid } : undefined
}

const lineOf = ({ text, uuid }: Read, more: object = {}): string =>
  JSON.stringify({
    type: "stream_event",
    event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    session_id: "s",
    parent_tool_use_id: null,
    uuid,
    ...more
  })

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
        '"delta":{"type":"text_delta","text":"',
        "\n",
        "\u2028",
        "\ud83d",
        "{}"
      )
    ),
    { maxLength: 5 }
  )
  .map((parts) => parts.join(""))
const read = fc.record({ text: words, uuid: fc.uuid() })

describe("law: what is read here, the codec reads in the same way", () => {
  test("of any line, after any line has taught the layout", () => {
    let fast = 0
    fc.assert(
      fc.property(read, read, fc.constantFrom({}, { api_message_id: "m" }, { later: '"}}' }), (first, second, more) => {
        const layout = layoutOf(lineOf(first, more), first)
        if (layout === undefined) return
        const line = lineOf(second, more)
        const given = readDelta(layout, line)
        if (given === undefined) return
        fast++
        expect({ text: given.text, uuid: given.uuid }).toEqual(codecReads(line))
        expect(JSON.parse(`"${given.raw}"`)).toBe(given.text)
      }),
      { numRuns: 2000 }
    )
    expect(fast).toBeGreaterThan(500)
  })

  test("of lines that are spoilt anywhere", () => {
    const spoil = fc.record({
      at: fc.nat(),
      length: fc.nat(3),
      put: fc.constantFrom("", '"', "\\", "}", "x", "\n", "\t")
    })
    fc.assert(
      fc.property(read, read, spoil, (first, second, { at, length, put }) => {
        const layout = layoutOf(lineOf(first), first)
        const whole = lineOf(second)
        const from = at % whole.length
        const line = whole.slice(0, from) + put + whole.slice(from + length)
        const given = layout === undefined ? undefined : readDelta(layout, line)
        if (given !== undefined) expect({ text: given.text, uuid: given.uuid }).toEqual(codecReads(line))
      }),
      { numRuns: 3000 }
    )
  })
})

describe("what is left to the codec", () => {
  const first = { text: "a", uuid: "00000000-0000-4000-8000-000000000001" }
  const layout = layoutOf(lineOf(first), first)

  test("lines of another block, another kind, another length of uuid", () => {
    expect(layout).toBeDefined()
    if (layout === undefined) return
    const reads = (line: string) => readDelta(layout, line)
    expect(reads(lineOf({ ...first, text: "b" }))).toMatchObject({ text: "b" })
    expect(reads(lineOf(first).replace('"index":0', '"index":1'))).toBeUndefined()
    expect(reads(lineOf(first).replace("text_delta", "thinking_delta"))).toBeUndefined()
    expect(reads(lineOf({ ...first, uuid: "short" }))).toBeUndefined()
    expect(reads(lineOf(first, { more: 1 }))).toBeUndefined()
    expect(reads("")).toBeUndefined()
  })

  test("a line whose text holds what looks like its end teaches nothing that is wrong", () => {
    const odd = { ...first, text: 'a"}} ok' }
    const taught = layoutOf(lineOf(odd), odd)
    const broken = lineOf({ ...first, text: "b" }).replace('"b"}}', '"b"}} ok"}}')
    expect(decodeLine(broken)._tag).toBe("Invalid")
    if (taught !== undefined) expect(readDelta(taught, broken)).toBeUndefined()
  })

  test("a line that holds another delta before its own", () => {
    const value = {
      type: "stream_event",
      later: { delta: { type: "text_delta", text: "not this" } },
      event: { type: "content_block_delta", index: 0, delta: { text: "this", type: "text_delta" } },
      session_id: "s",
      parent_tool_use_id: null,
      uuid: first.uuid
    }
    const line = JSON.stringify(value)
    expect(codecReads(line)?.text).toBe("this")
    const taught = layoutOf(line, { text: "this", uuid: first.uuid })
    if (taught !== undefined) expect(readDelta(taught, line)?.text).toBe("this")
  })
})

test.each(recordings)("the recorded deltas of %s are read this way, all but the first of a layout", (version) => {
  const deltas = recordedLines({ scenario: "long_text_5000", version }).flatMap((line) => {
    const delta = codecReads(line)
    return delta === undefined ? [] : [{ line, delta }]
  })
  expect(deltas.length).toBeGreaterThan(1000)
  const [teacher] = deltas
  const layout = teacher === undefined ? undefined : layoutOf(teacher.line, teacher.delta)
  expect(layout).toBeDefined()
  if (layout === undefined) return
  for (const { delta, line } of deltas) expect(readDelta(layout, line)).toMatchObject(delta)
})
