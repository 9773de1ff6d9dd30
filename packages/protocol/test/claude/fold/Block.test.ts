import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  abandonBlock,
  beginBlock,
  completeBlock,
  endBlock,
  growBlock,
  isHighSurrogate,
  makeBlock,
  type Out
} from "../../../src/claude/fold/Block.ts"
import type { Block } from "../../../src/claude/fold/State.ts"
import { told } from "./Told.ts"

const kinds = ["text", "thought", "call"] as const
const kind = fc.constantFrom(...kinds)
// Any UTF-16, pairs and lone halves: JSON can carry all of it, and the API cuts it anywhere (§5.45).
const units = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }).map((unit) => String.fromCharCode(unit)),
  fc.constantFrom("\ud83d\ude00", "\ud800\udc00", "\udbff\udfff", "\ud83d", "\udbff", "\ude00", "é", "\u2028")
)
const words = fc.array(units, { maxLength: 12 }).map((parts) => parts.join(""))
const cutting = fc.tuple(words, fc.array(fc.nat(12), { maxLength: 6 })).map(([whole, places]) => {
  const cuts = [0, ...places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b), whole.length]
  return { whole, pieces: cuts.slice(1).map((to, at) => whole.slice(cuts[at], to)) }
})

const deltas = (out: Out): ReadonlyArray<string> =>
  out.flatMap((event) => ("delta" in event && typeof event.delta === "string" ? [event.delta] : []))
const spell = (block: Block, pieces: ReadonlyArray<string>, out: Out): Block =>
  pieces.reduce((next, piece) => growBlock(next, piece, null, out), block)
const starts = (out: Out): number => out.filter(({ type }) => type === "item_started").length
const ends = (out: Out): number => out.filter(({ type }) => type === "item_ended").length

describe("laws", () => {
  test("text in is text out, however it is cut, and no pair is torn", () => {
    fc.assert(
      fc.property(kind, cutting, (kind, { pieces, whole }) => {
        const out: Out = []
        endBlock(spell(makeBlock(kind, "m"), pieces, out), null, out)
        const said = deltas(out)
        expect(said.join("")).toBe(whole)
        expect(said).not.toContain("")
        for (const [at, piece] of said.entries()) {
          const torn =
            isHighSurrogate(piece.charCodeAt(piece.length - 1)) && /^[\udc00-\udfff]/.test(said[at + 1] ?? "")
          expect(torn).toBe(false)
        }
        expect([starts(out), ends(out)]).toEqual(whole === "" ? [0, 0] : [1, 1])
      })
    )
  })

  test("the whole line brings what the stream did not, and ends the block once", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("text" as const, "thought" as const),
        cutting,
        fc.nat(6),
        (kind, { pieces, whole }, kept) => {
          const out: Out = []
          const streamed = spell(makeBlock(kind, "m"), pieces.slice(0, kept), out)
          const done = completeBlock(streamed, whole, "", null, out)
          expect(deltas(out).join("")).toBe(whole)
          expect([starts(out), ends(out)]).toEqual(whole === "" ? [0, 0] : [1, 1])
          expect([done.whole, done.open, done.sent]).toEqual([true, false, ""])
        }
      )
    )
  })

  test("an answer that is sent again goes on in the block that was cut, however both were cut (§5.12)", () => {
    fc.assert(
      fc.property(cutting, fc.nat(12), (again, kept) => {
        const before = again.whole.slice(0, kept)
        fc.pre(before !== "")
        const out: Out = []
        const cut = growBlock(makeBlock("text", "old"), before, null, out)
        const block = spell({ ...makeBlock("text", "new"), again: cut }, again.pieces, out)
        completeBlock(block, again.whole, "", null, out)
        expect(deltas(out).join("")).toBe(again.whole)
        expect(out.every((event) => "id" in event && event.id === "old")).toBe(true)
        expect([starts(out), ends(out)]).toEqual([1, 1])
      })
    )
  })

  test("what turns out to be another answer stands for itself, and the cut one is marked", () => {
    fc.assert(
      fc.property(cutting, words, ({ pieces, whole }, before) => {
        fc.pre(before !== "" && !whole.startsWith(before))
        const out: Out = []
        const cut = growBlock(makeBlock("text", "old"), before, null, out)
        const block = spell({ ...makeBlock("text", "new"), again: cut }, pieces, out)
        completeBlock(block, whole, "", null, out)
        const of = (id: string): string => deltas(out.filter((event) => "id" in event && event.id === id)).join("")
        expect([of("old"), of("new")]).toEqual([before, whole])
        expect(out).toContainEqual({ type: "item_ended", lane: null, id: "old", abandoned: true })
      })
    )
  })
})

test("the first halves of pairs are U+D800 to U+DBFF", () => {
  expect([0xd7ff, 0xd800, 0xdbff, 0xdc00].map(isHighSurrogate)).toEqual([false, true, true, false])
})

describe("a block", () => {
  test("that never said anything leaves no trace", () => {
    for (const kind of [...kinds, "other"] as const) {
      const out: Out = []
      endBlock(growBlock(makeBlock(kind, "m"), "", null, out), null, out)
      abandonBlock(makeBlock(kind, "m"), null, out)
      expect(out).toEqual([])
    }
  })

  test("of a kind the model does not know says nothing", () => {
    const out: Out = []
    endBlock(growBlock(beginBlock(makeBlock("other", "m"), null, out), "words", null, out), null, out)
    expect(out).toEqual([])
  })

  test("is begun once and ended once; when it goes on after all, it is begun again", () => {
    const out: Out = []
    const open = beginBlock(beginBlock(makeBlock("call", "c"), null, out), null, out)
    const closed = endBlock(endBlock(open, null, out), null, out)
    endBlock(growBlock(closed, "{}", null, out), null, out)
    expect(told(out)).toEqual(["item_started c", "item_ended c", "item_started c", "item_grew c {}", "item_ended c"])
  })

  test("that was abandoned and goes on after all only grows", () => {
    const out: Out = []
    const cut = abandonBlock(growBlock(makeBlock("text", "m"), "a", null, out), null, out)
    endBlock(growBlock(cut, "b", null, out), null, out)
    expect(told(out)).toEqual(["item_started m", "item_grew m a", "item_ended m!", "item_grew m b", "item_ended m"])
  })

  test("is abandoned once, also when its end was told before", () => {
    const out: Out = []
    const ended = endBlock(growBlock(makeBlock("text", "m"), "a", null, out), null, out)
    abandonBlock(abandonBlock(ended, null, out), null, out)
    expect(told(out).slice(2)).toEqual(["item_ended m", "item_started m", "item_ended m!"])
  })

  test("that was taken for cut off, and comes to its end without another word, is not abandoned any more", () => {
    const out: Out = []
    const cut = abandonBlock(growBlock(makeBlock("call", "c"), "{}", null, out), null, out)
    completeBlock({ ...makeBlock("call", "c"), again: cut }, "{}", "", null, out)
    expect(told(out).slice(2)).toEqual(["item_ended c!", "item_ended c"])
  })

  test("of a sub-agent is on its lane in every event", () => {
    for (const kind of kinds) {
      const out: Out = []
      abandonBlock(growBlock({ ...makeBlock(kind, "m"), signature: "sig" }, "words", "agent", out), "agent", out)
      expect(out.length).toBe(3)
      for (const event of out) expect(event).toHaveProperty("lane", "agent")
    }
  })

  test("half a pair that stays alone goes out as it is: it is what the model said", () => {
    const out: Out = []
    endBlock(growBlock(makeBlock("text", "m"), "a\ud83d", null, out), null, out)
    expect(deltas(out)).toEqual(["a", "\ud83d"])
  })
})

describe("a thought", () => {
  test("has its signature at its end", () => {
    const out: Out = []
    completeBlock(growBlock(makeBlock("thought", "m"), "hm", null, out), "hm", "sig", null, out)
    expect(told(out)).toEqual(["item_started m", "item_grew m hm", "item_ended m sig"])
  })

  test("whose end was told before its signature came has it in an end of its own", () => {
    const out: Out = []
    completeBlock(endBlock(growBlock(makeBlock("thought", "m"), "hm", null, out), null, out), "hm", "sig", null, out)
    expect(told(out).slice(2)).toEqual(["item_ended m", "item_ended m sig"])
  })

  test("that is not shown has nothing but its signature", () => {
    const out: Out = []
    completeBlock(makeBlock("thought", "m"), "", "sig", null, out)
    expect(told(out)).toEqual(["item_started m", "item_ended m sig"])
  })
})

describe("arguments", () => {
  const args = (streamed: string, whole: string): string => {
    const out: Out = []
    completeBlock(growBlock(beginBlock(makeBlock("call", "c"), null, out), streamed, null, out), whole, "", null, out)
    return deltas(out).join("")
  }

  test.each([
    ['{"a":1}', '{"a":1,"replace_all":false}', '{"a":1}', "the CLI normalises inputs (§7.49)"],
    ['{"a":', "{}", '{"a":', "what cannot be parsed becomes {} in the whole line (§7.49)"],
    ['{"a":', '{"a":1}', '{"a":1}', "the stream broke off"],
    ["", '{"a":1}', '{"a":1}', "nothing was streamed"],
    ['{"a":1}', '{"a":1}', '{"a":1}', "all was streamed"]
  ])("streamed %s, whole %s: %s is shown (%s, %s)", (streamed, whole, shown) => {
    expect(args(streamed, whole)).toBe(shown)
  })
})
