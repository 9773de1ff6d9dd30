import * as Result from "effect/Result"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { chunkOf, eventsOf } from "../../src/store/EventChunk.ts"
import type { Happened } from "../../src/store/Store.ts"
import { grew, noticed } from "./Samples.ts"

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("\ud800", "\udc00", "😀", "", "\u0000")
)
const happened: fc.Arbitrary<Happened> = fc.record({
  at: fc.oneof(
    fc.nat(100),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
  ),
  event: fc.oneof(
    fc.record({
      type: fc.constant("item_grew" as const),
      lane: fc.option(fc.constantFrom("lane", "")),
      id: fc.constantFrom("a", "b"),
      delta: text
    }),
    fc.record({ type: fc.constant("item_ended" as const), lane: fc.constant(null), id: text }),
    fc.record({ type: fc.constant("noticed" as const), lane: fc.constant(null), name: text, value: fc.jsonValue() })
  )
})

const read = (chunk: string, first = 0) => Result.getOrThrowWith(eventsOf(chunk, first), (words) => new Error(words))

describe("a chunk", () => {
  it("gives back exactly what was written, numbered from where it begins", () => {
    fc.assert(
      fc.property(fc.array(happened, { maxLength: 40 }), fc.nat(), (events, first) => {
        assert.deepStrictEqual(
          read(chunkOf(events), first),
          events.map((each, n) => JSON.parse(JSON.stringify({ seq: first + n, ...each })))
        )
      }),
      { numRuns: 500 }
    )
  })

  it("is the same when it is made of several", () => {
    fc.assert(
      fc.property(fc.array(fc.array(happened, { maxLength: 10 }), { maxLength: 5 }), (parts) => {
        const merged = parts.flatMap((part) => read(chunkOf(part)))
        assert.strictEqual(chunkOf(merged), chunkOf(JSON.parse(JSON.stringify(parts.flat()))))
      })
    )
  })

  it("has the pieces of an item as one text", () => {
    const chunk = chunkOf([...grew("m", "Hel", "lo"), noticed(1, 1001), ...grew("m", "!")])
    assert.deepStrictEqual(JSON.parse(chunk), [
      [1000],
      [null, "m", "Hello", [3, 2], [0, 1]],
      { type: "noticed", lane: null, name: "test", value: 1 },
      -1,
      [null, "m", "!", [1]]
    ])
  })

  it("takes a few bytes for a piece of an answer", () => {
    const words = Array.from({ length: 1000 }, (_, n) => ` word${n % 10}`)
    const events = grew("msg_01ABCDEFGHIJKLMNOPQRSTUV", ...words)
    const plain = events.map((each) => JSON.stringify(each)).join("\n").length
    assert.isBelow(chunkOf(events).length - words.join("").length, plain / 20)
  })

  it("keeps a piece that has more to say, and an event that came later", () => {
    const more = { at: 1, event: { type: "item_grew", lane: null, id: "m", delta: "x", extra: true } }
    const later = { at: 1, event: { type: "invented", value: 1 } }
    // Not what the types allow: what a later version may have written.
    const events = [more, later] as unknown as ReadonlyArray<Happened>
    assert.deepStrictEqual(
      read(chunkOf(events)).map(({ event }) => event),
      [more.event, { type: "unknown", raw: later.event, source: "store" }] as unknown as ReadonlyArray<
        Happened["event"]
      >
    )
  })

  it("that is damaged is told", () => {
    for (const chunk of [
      "",
      "{}",
      "[[1],",
      "[null]",
      '["text"]',
      '[{"type":"item_grew"}]',
      '[{"no":"type"}]',
      '[[null,"m","Hello",[3,3]]]',
      '[[null,"m","Hello",[3]]]',
      '[[null,"m"]]',
      '[[null,"m","x",["1"]]]'
    ])
      assert.isTrue(Result.isFailure(eventsOf(chunk, 0)), chunk)
  })
})
