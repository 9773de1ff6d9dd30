import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  abandon,
  begin,
  complete,
  end,
  isHighSurrogate,
  makeBlock,
  type Out,
  say,
  tagged
} from "../../src/translate/Block.ts"
import type { Block } from "../../src/translate/State.ts"
import { brief } from "./Lines.ts"

const kinds = ["text", "thinking", "tool"] as const
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
  pieces.reduce((next, piece) => say(next, piece, undefined, out), block)
const starts = (out: Out): number =>
  out.filter(({ type }) => type.endsWith("_START") && type !== "REASONING_START").length
const ends = (out: Out): number => out.filter(({ type }) => type.endsWith("_END") && type !== "REASONING_END").length

describe("laws", () => {
  test("text in is text out, however it is cut, and no pair is torn", () => {
    fc.assert(
      fc.property(kind, cutting, (kind, { pieces, whole }) => {
        const out: Out = []
        end(spell(makeBlock(kind, "m"), pieces, out), undefined, out)
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
        fc.constantFrom("text" as const, "thinking" as const),
        cutting,
        fc.nat(6),
        (kind, { pieces, whole }, kept) => {
          const out: Out = []
          const streamed = spell(makeBlock(kind, "m"), pieces.slice(0, kept), out)
          const done = complete(streamed, whole, "", undefined, out)
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
        const cut = say(makeBlock("text", "old"), before, undefined, out)
        const block = spell({ ...makeBlock("text", "new"), again: cut }, again.pieces, out)
        complete(block, again.whole, "", undefined, out)
        expect(deltas(out).join("")).toBe(again.whole)
        expect(out.every((event) => "messageId" in event && event.messageId === "old")).toBe(true)
        expect([starts(out), ends(out)]).toEqual([1, 1])
      })
    )
  })

  test("what turns out to be another answer stands for itself, and the cut one is marked", () => {
    fc.assert(
      fc.property(cutting, words, ({ pieces, whole }, before) => {
        fc.pre(before !== "" && !whole.startsWith(before))
        const out: Out = []
        const cut = say(makeBlock("text", "old"), before, undefined, out)
        const block = spell({ ...makeBlock("text", "new"), again: cut }, pieces, out)
        complete(block, whole, "", undefined, out)
        const of = (id: string): string =>
          deltas(out.filter((event) => "messageId" in event && event.messageId === id)).join("")
        expect([of("old"), of("new")]).toEqual([before, whole])
        expect(out).toContainEqual({ type: "TEXT_MESSAGE_END", messageId: "old", metadata: { abandoned: true } })
        expect(out).toContainEqual({
          type: "CUSTOM",
          name: "message_abandoned",
          value: { id: "old", kind: "text" }
        })
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
      end(say(makeBlock(kind, "m"), "", undefined, out), undefined, out)
      abandon(makeBlock(kind, "m"), undefined, out)
      expect(out).toEqual([])
    }
  })

  test("of a kind AG-UI does not know says nothing", () => {
    const out: Out = []
    end(say(begin(makeBlock("other", "m"), undefined, out), "words", undefined, out), undefined, out)
    expect(out).toEqual([])
  })

  test("is begun once, ended once, and may go on under its id in another run", () => {
    const out: Out = []
    const open = begin(begin(makeBlock("tool", "c", "m", "Bash"), undefined, out), undefined, out)
    const closed = end(end(open, undefined, out), undefined, out)
    end(say(closed, "{}", undefined, out), undefined, out)
    expect(brief(out)).toEqual([
      "TOOL_CALL_START c",
      "TOOL_CALL_END c",
      "TOOL_CALL_START c",
      "TOOL_CALL_ARGS c {}",
      "TOOL_CALL_END c"
    ])
  })

  test("of a sub-agent carries its mark on every event", () => {
    for (const kind of kinds) {
      const out: Out = []
      abandon(say({ ...makeBlock(kind, "m", "p", "Bash"), signature: "sig" }, "words", "agent", out), "agent", out)
      expect(out.length).toBeGreaterThan(3)
      for (const event of out) expect(event).toHaveProperty("subagentRunId", "agent")
    }
    expect(tagged({ type: "TEXT_MESSAGE_END", messageId: "m" }, undefined)).not.toHaveProperty("subagentRunId")
  })

  test("half a pair that stays alone goes out as it is: it is what the model said", () => {
    const out: Out = []
    end(say(makeBlock("text", "m"), "a\ud83d", undefined, out), undefined, out)
    expect(deltas(out)).toEqual(["a", "\ud83d"])
  })
})

describe("thinking", () => {
  test("is a span with a message in it, and its signature comes before the span's end", () => {
    const out: Out = []
    complete(say(makeBlock("thinking", "m"), "hm", undefined, out), "hm", "sig", undefined, out)
    expect(brief(out)).toEqual([
      "REASONING_START m",
      "REASONING_MESSAGE_START m",
      "REASONING_MESSAGE_CONTENT m hm",
      "REASONING_MESSAGE_END m",
      "REASONING_ENCRYPTED_VALUE m",
      "REASONING_END m"
    ])
  })

  test("that is not shown has nothing but its signature", () => {
    const out: Out = []
    complete(makeBlock("thinking", "m"), "", "sig", undefined, out)
    expect(out).toContainEqual({
      type: "REASONING_ENCRYPTED_VALUE",
      subtype: "message",
      entityId: "m",
      encryptedValue: "sig"
    })
    expect(deltas(out)).toEqual([])
  })
})

describe("arguments", () => {
  const args = (streamed: string, whole: string): string => {
    const out: Out = []
    complete(say(begin(makeBlock("tool", "c"), undefined, out), streamed, undefined, out), whole, "", undefined, out)
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
