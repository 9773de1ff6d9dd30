import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type BodyBounds, BodyParts, type ReadBody } from "../../../src/face/http/BodyParts.ts"

const none: BodyBounds = {
  maxDepth: Number.POSITIVE_INFINITY,
  maxValues: Number.POSITIVE_INFINITY,
  maxPartLength: Number.POSITIVE_INFINITY,
  maxPartValues: Number.POSITIVE_INFINITY
}

/** Groups so small that a few messages are several. */
const small = { length: 20, values: 3 }

/** What a body is that comes in pieces of a length. */
const read = (bytes: Uint8Array, length: number, bounds: Partial<BodyBounds> = {}, group = small): ReadBody => {
  const parts = new BodyParts({ ...none, ...bounds }, group)
  for (let from = 0; from < bytes.length; from += length) {
    const fault = parts.push(bytes.subarray(from, from + length))
    if (fault !== undefined) return { isRead: false, fault }
  }
  return parts.end()
}

/** What a body is, parsed as a whole. */
const whole = (bytes: Uint8Array): ReadBody => {
  try {
    return { isRead: true, value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) }
  } catch {
    return { isRead: false, fault: "BAD_JSON" }
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const spaces = fc.string({ unit: fc.constantFrom(" ", "\n", "\t"), maxLength: 3 })
const texts = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: fc.constantFrom(...'a"\\,[]{}:é😀'.split("")), maxLength: 30 }).map((text) => JSON.stringify(text))
)

/** Lists, some of which end too early or too late. */
const lists = fc
  .tuple(
    fc.array(texts, { maxLength: 12 }),
    spaces,
    fc.constantFrom(...Array<string>(12).fill("[]"), "[}", "[,]", "{]", "[]]")
  )
  .map(
    ([items, space, [open = "", ...close]]) => open + space + items.join(`${space},${space}`) + space + close.join("")
  )

/** Keys that are the messages, however they are written, and others. */
const keys = fc.constantFrom(
  ...['"messages"', '"messages"', '"m\\u0065ssages"', '"\\u006dessage\\u0073"', '"body"', '"b\\u006fdy"', '"state"'],
  ...['"mess"', '"messagess"', '"a\\"messages"', `"${"x".repeat(200)}"`, '"__proto__"', '""', "messages"]
)

const objects = (values: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(
        fc.tuple(keys, spaces, values).map(([key, space, value]) => `${space}${key}${space}:${space}${value}`),
        { maxLength: 5 }
      ),
      fc.constantFrom(...Array<string>(12).fill("{}"), "{,}", "{", "[]", "{}}", "x{}")
    )
    .map(([entries, around]) => around.slice(0, -1) + entries.join(",") + around.slice(-1))

/** Bodies that look like runs and envelopes, of which some are not JSON, with bytes that are not UTF-8 in some. */
const bodies = fc
  .tuple(objects(fc.oneof(lists, objects(fc.oneof(lists, texts)), texts)), fc.option(fc.nat(), { freq: 10 }), fc.nat(8))
  .map(([text, at, byte]) => {
    const bytes = bytesOf(text)
    if (at !== null && bytes.length > 0)
      bytes[at % bytes.length] = [0xff, 0xc3, 0xe2, 0x80, 0x5d, 0x7d, 0x22, 0x2c, 0x5c][byte] ?? 0
    return bytes
  })

const lengths = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(50), fc.constant(100_000))

describe("a body that is read in parts", () => {
  it("is what it is when it is parsed as a whole, in any pieces, JSON or not", () => {
    fc.assert(
      fc.property(bodies, lengths, (bytes, length) => {
        expect(read(bytes, length)).toEqual(whole(bytes))
      }),
      { numRuns: 2000 }
    )
  })

  it("keeps the order of its keys, and of two with one name the last", () => {
    for (const text of [
      '{"a":1,"messages":[1],"b":2}',
      '{"messages":[1],"body":{"x":1,"messages":[2,3],"y":2},"messages":[4]}',
      '{"messages":[1],"messages":5}',
      '{"messages":5,"messages":[]}',
      '{"body":{"messages":[1]},"body":{"messages":[2]}}',
      '{"body":[{"messages":[0]}],"messages":[[0]]}',
      `{${" ".repeat(500)}"messages"${" ".repeat(500)}:${" ".repeat(500)}[0,{"messages":[1]}]}`,
      '[{"messages":[1]}]',
      `{"messagesX${" ".repeat(200)}":[[1],2],"messages${" ".repeat(200)}":[[3],4],"messages\\n${" ".repeat(200)}":[[5]]}`,
      '\ufeff{"messages":[1]}'
    ])
      for (const length of [1, 7, 1000])
        expect(JSON.stringify(read(bytesOf(text), length))).toBe(JSON.stringify(whole(bytesOf(text))))
  })

  it("is no other by one character more, less or instead, wherever that is", () => {
    const marks = ["", ",", ":", "[", "]", "{", "}", '"', "\\", " ", "1", "é"]
    for (const text of ['{"messages":[1,{"a":2},"b,",[3]],"x":[4]}', '{"body":{"messages":[{"a":2},"b"],"y":5},"z":6}'])
      for (let at = 0; at <= text.length; at++)
        for (const mark of marks)
          for (const changed of [
            text.slice(0, at) + mark + text.slice(at),
            text.slice(0, at) + mark + text.slice(at + 1)
          ])
            for (const group of [{ length: 0, values: 0 }, { length: 5, values: 2 }, small])
              expect(read(bytesOf(changed), 1000, {}, group), changed).toEqual(whole(bytesOf(changed)))
  })

  it("is cut between the bytes of its characters as well", () => {
    const texts = ["é", "漢", "😀", "\ufeff", "a\ufeffb", "é漢😀\ufeff", "\ufffd"].map((text) =>
      bytesOf(JSON.stringify(text))
    )
    const broken = [
      [0xc3],
      [0xe2, 0x82],
      [0xf0, 0x9f, 0x98],
      [0xed, 0xa0, 0x80],
      [0x80],
      [0xf8],
      [0xc0, 0x80],
      [0xe2, 0xe2, 0x82, 0xac]
    ]
    const around = broken.flatMap((bytes) => [
      Uint8Array.from([0x22, ...bytes, 0x22]),
      Uint8Array.from([0x22, ...bytes]),
      Uint8Array.from([...bytes, 0x31])
    ])
    for (const bytes of [...texts, ...around])
      for (const length of [1, 2, 3, 4, 100]) expect(read(bytes, length)).toEqual(whole(bytes))
  })

  it("has the same fault in any pieces", () => {
    const bounds = fc.record({
      maxDepth: fc.integer({ min: 1, max: 6 }),
      maxValues: fc.integer({ min: 1, max: 60 }),
      maxPartLength: fc.integer({ min: 1, max: 200 }),
      maxPartValues: fc.integer({ min: 1, max: 20 })
    })
    fc.assert(
      fc.property(bodies, bounds, lengths, (bytes, bound, length) => {
        const expected = read(bytes, 100_000, bound)
        expect(read(bytes, length, bound)).toEqual(expected)
        // Whatever is let through is what it would be without bounds.
        if (expected.isRead) expect(expected).toEqual(whole(bytes))
      }),
      { numRuns: 2000 }
    )
  })
})

describe("the bounds", () => {
  const inside = (value: unknown): ReadonlyArray<unknown> =>
    typeof value === "object" && value !== null ? Object.values(value) : []
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...inside(value).map(depthOf)) : 0
  /** Lists and objects with nothing in them count twice: it is not known yet that nothing comes. */
  const countOf = (value: unknown): number =>
    typeof value === "object" && value !== null && inside(value).length === 0
      ? 2
      : 1 + inside(value).reduce<number>((sum, one) => sum + countOf(one), 0)

  const runs = fc.record({
    messages: fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1 }),
    state: fc.jsonValue({ maxDepth: 3 })
  })
  const codeOf = (run: unknown, bounds: Partial<BodyBounds>) => {
    const said = read(bytesOf(JSON.stringify(run)), 13, bounds)
    return said.isRead ? "read" : said.fault
  }
  const restOf = (run: { readonly state: unknown }) => ({ messages: [], state: run.state })

  it("are on the depth and the number of all values", () => {
    fc.assert(
      fc.property(runs, fc.nat(8), fc.nat(60), (run, maxDepth, maxValues) => {
        expect(codeOf(run, { maxDepth })).toBe(depthOf(run) > maxDepth ? "TOO_DEEP" : "read")
        expect(codeOf(run, { maxValues })).toBe(countOf(run) > maxValues ? "TOO_MANY_VALUES" : "read")
      })
    )
  })

  it("are on the length and the values of each message, and of the rest", () => {
    const lengthOf = (value: unknown) => JSON.stringify(value).length
    fc.assert(
      fc.property(runs, fc.nat(20), fc.nat(60), (run, maxPartValues, maxPartLength) => {
        const { messages } = run
        const counts = [...messages.map(countOf), countOf(restOf(run))]
        const isOver = counts.some((count) => count > maxPartValues)
        expect(codeOf(run, { maxPartValues })).toBe(isOver ? "PART_TOO_LARGE" : "read")
        const isLong = [...messages.map(lengthOf), lengthOf(restOf(run)) - 1].some((length) => length > maxPartLength)
        expect(codeOf(run, { maxPartLength })).toBe(isLong ? "PART_TOO_LARGE" : "read")
      })
    )
  })

  it("hold a part that has not ended", () => {
    for (const begin of ['{"messages":[1,"', '{"state":"'])
      expect(read(bytesOf(begin + "a".repeat(200)), 50, { maxPartLength: 100 })).toEqual({
        isRead: false,
        fault: "PART_TOO_LARGE"
      })
  })
})

describe("the work", () => {
  it("is done a little at a time, however much there is", () => {
    const message = (at: number, length: number) => ({ id: `m${at}`, role: "user", content: "a".repeat(length) })
    const shapes: ReadonlyArray<readonly [count: number, length: number, longest: number]> = [
      [50_000, 0, 90_000],
      [5000, 2000, 70_000],
      // One that is larger than a group is parsed with what came before it in its group.
      [20, 500_000, 570_000]
    ]
    for (const [count, length, longest] of shapes) {
      const parts = new BodyParts(none)
      const bytes = bytesOf(JSON.stringify({ messages: Array.from({ length: count }, (_, at) => message(at, length)) }))
      for (let from = 0; from < bytes.length; from += 65_536) parts.push(bytes.subarray(from, from + 65_536))
      expect(parts.end()).toMatchObject({ isRead: true, value: { messages: { length: count } } })
      expect(parts.parsed.longest).toBeLessThan(longest)
      expect(parts.parsed.times).toBeGreaterThan(bytes.length / longest)
    }
  })

  it("is bound by values as well as by characters", () => {
    const parts = new BodyParts(none)
    const bytes = bytesOf(`{"messages":[${"{},".repeat(20_000)}{}]}`)
    parts.push(bytes)
    expect(parts.end().isRead).toBe(true)
    expect(parts.parsed.longest).toBeLessThan(10_000)
  })
})
