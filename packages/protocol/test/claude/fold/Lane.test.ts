import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { growBlock, makeBlock, type Out } from "../../../src/claude/fold/Block.ts"
import {
  addStreamed,
  addWhole,
  blockId,
  closeLane,
  findRepeated,
  findReply,
  indexOfWhole,
  isIndex,
  makeReply,
  makeSpeech,
  parentOf,
  unfinished,
  withBlock,
  withBlockOf,
  withoutEmpty,
  withReply
} from "../../../src/claude/fold/Lane.ts"
import { type Block, emptyLane, type Lane, type Reply } from "../../../src/claude/fold/State.ts"
import { told } from "./Told.ts"

const spoken = (kind: Block["kind"], id: string, words: string): Block => {
  const block = { ...makeBlock(kind, id), parent: "parent", tool: "Bash" }
  return words === "" ? block : growBlock(block, words, null, [])
}
const reply = (id: string, ...blocks: ReadonlyArray<Block | undefined>): Reply => ({
  ...makeReply(id, undefined),
  blocks
})
const lane = (current: Reply | undefined, more: Partial<Lane> = {}): Lane => ({ ...emptyLane(null), current, ...more })

describe("an index", () => {
  test.each([0, 1, 9999])("may be %d", (index) => expect(isIndex(index)).toBe(true))
  test.each([-1, 0.5, 1e4, 1e9, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("may not be %d", (index) =>
    expect(isIndex(index)).toBe(false)
  )
})

describe("ids", () => {
  test("no two blocks of a reply share one, and speakers do not share them (law 6)", () => {
    const made = fc.record({
      tag: fc.option(fc.constantFrom("c1", "c2"), { nil: undefined }),
      id: fc.constantFrom("msg_1", "msg_2"),
      blocks: fc.array(fc.constantFrom("text" as const, "thought" as const), { maxLength: 5 })
    })
    fc.assert(
      fc.property(fc.uniqueArray(made, { selector: ({ id, tag }) => `${tag} ${id}`, maxLength: 4 }), (replies) => {
        const ids = replies.flatMap(({ blocks, id, tag }) => {
          let next = makeReply(id, tag)
          return blocks.map((kind, index) => {
            const made = blockId(next, kind)
            next = withBlock(next, index, makeBlock(kind, made))
            return made
          })
        })
        expect(new Set(ids).size).toBe(ids.length)
      })
    )
  })

  test("the main thread's are the API's id and the place", () => {
    const one = reply("msg_1", makeBlock("thought", "x"))
    expect([blockId(one, "text"), blockId(one, "thought"), blockId(one, "calls")]).toEqual([
      "msg_1:1",
      "msg_1:1:thinking",
      "msg_1:1:calls"
    ])
  })
})

describe("the message a tool call hangs on", () => {
  const tool = { ...makeBlock("call", "c1"), parent: "m:0", tool: "Bash" }
  test.each<[string, ReadonlyArray<Block | undefined>, string]>([
    ["the text before it", [spoken("text", "m:0", "hi")], "m:0"],
    ["its own, after a text without a word", [makeBlock("text", "m:0")], "m:1:calls"],
    ["its own, after thinking", [spoken("thought", "m:0:thinking", "hm")], "m:1:calls"],
    ["its own, where nothing is before it", [], "m:0:calls"],
    ["that of the call before it", [spoken("text", "m:0", "hi"), tool], "m:0"],
    ["its own, when another block is between", [spoken("text", "m:0", "hi"), makeBlock("other", "")], "m:2:calls"],
    ["the text before it, over a gap in the indices", [spoken("text", "m:0", "hi"), undefined], "m:0"]
  ])("is %s", (_, blocks, parent) => {
    expect(parentOf(reply("m", ...blocks), blocks.length)).toBe(parent)
  })
})

describe("replies", () => {
  test("the current one and those before it are found, and changed where they are", () => {
    const full = lane(reply("b"), { earlier: [reply("a")] })
    for (const id of ["a", "b"]) {
      const changed = withBlockOf(full, id, 0, spoken("text", `${id}:0`, id))
      expect(findReply(changed, id)?.blocks).toHaveLength(1)
      expect(findReply(changed, id === "a" ? "b" : "a")?.blocks).toHaveLength(0)
    }
    expect(findReply(full, "c")).toBeUndefined()
    expect(withBlockOf(full, "c", 0, makeBlock("text", "x"))).toBe(full)
    expect(withReply(full, { ...reply("a"), stopped: true }).earlier[0]?.stopped).toBe(true)
  })

  test("no more than a few are kept, the newest ones", () => {
    const ids = ["a", "b", "c", "d", "e", "f", "g"]
    const whole = ids.reduce((next, id) => addWhole(next, id, undefined), emptyLane(null))
    const streamed = ids.reduce((next, id) => addStreamed(next, id, undefined, []), emptyLane(null))
    for (const kept of [whole, streamed]) expect(kept.earlier.length).toBeLessThanOrEqual(4)
    expect(whole.earlier[0]?.id).toBe("g")
    expect([streamed.current?.id, streamed.earlier[0]?.id]).toEqual(["g", "f"])
  })

  test("a new one cuts what was open: text may come again, a call has another id then", () => {
    const out: Out = []
    const open = reply("a", spoken("text", "a:0", "hi"), spoken("call", "c1", "{"))
    const next = addStreamed(lane(open), "b", undefined, out)
    expect(next.cut.map(({ id }) => id)).toEqual(["a:0"])
    expect(told(out)).toEqual(["item_ended c1!"])
    expect(next.current).toMatchObject({ id: "b", blocks: [], stopped: false })
  })

  test("what was cut is abandoned by a reply that comes after one that said something else", () => {
    const out: Out = []
    const once = addStreamed(lane(reply("a", spoken("text", "a:0", "hi"))), "b", undefined, out)
    const other = withReply(once, reply("b", { ...spoken("text", "b:0", "other"), whole: true, open: false }))
    expect(told(out)).toEqual([])
    expect(addStreamed(other, "c", undefined, out).cut).toEqual([])
    expect(told(out)).toEqual(["item_ended a:0!"])
  })

  test("and waits on when the one in between was cut before it said anything", () => {
    const out: Out = []
    const once = addStreamed(lane(reply("a", spoken("text", "a:0", "hi"))), "b", undefined, out)
    expect(addStreamed(once, "c", undefined, out).cut.map(({ id }) => id)).toEqual(["a:0"])
    expect(out).toEqual([])
  })

  test("what a second cut reply was repeating is still open, and may be repeated a third time", () => {
    const first = addStreamed(lane(reply("a", spoken("text", "a:0", "hello"))), "b", undefined, [])
    const [rest, block] = makeSpeech(first, reply("b"), "text")
    const second = withReply(rest, withBlock(reply("b"), 0, growBlock(block, "he", null, [])))
    const third = addStreamed(second, "c", undefined, [])
    expect(third.cut.map(({ id, sent }) => [id, sent])).toEqual([["a:0", "hello"]])
  })
})

describe("the block of a whole line", () => {
  const whole = (block: Block): Block => ({ ...block, whole: true })
  test("is the streamed one of its kind that is not complete", () => {
    const blocks = [whole(makeBlock("text", "a")), makeBlock("thought", "b"), makeBlock("text", "c")]
    expect(indexOfWhole(reply("m", ...blocks), "text")).toBe(2)
    expect(indexOfWhole(reply("m", ...blocks), "thought")).toBe(1)
  })

  test("is a new one when all are complete", () => {
    expect(indexOfWhole(reply("m", whole(makeBlock("text", "a"))), "text")).toBe(1)
    expect(indexOfWhole(reply("m"), "text")).toBe(0)
  })

  test("of a call is found by the call's id", () => {
    const calls = [makeBlock("call", "c1"), makeBlock("call", "c2")]
    expect(indexOfWhole(reply("m", ...calls), "call", "c2")).toBe(1)
    expect(indexOfWhole(reply("m", ...calls), "call", "c3")).toBe(2)
  })
})

describe("a whole reply that was never streamed (up to 2.1.197 after a cut, §5.12)", () => {
  const cut = lane(reply("a", spoken("thought", "a:0:thinking", "hm"), spoken("text", "a:1", "Hello")))

  test("goes on in the open block it repeats, which is then its own", () => {
    const [rest, block] = findRepeated(cut, "text", "Hello world")
    expect(block?.id).toBe("a:1")
    expect(unfinished(rest.current ?? reply(""))).toHaveLength(1)
  })

  test.each([
    ["text", "Goodbye"],
    ["text", "Hell"],
    ["thought", "Hello world"]
  ] as const)("is not a repetition when it is %s %j", (kind, words) => {
    expect(findRepeated(cut, kind, words)).toEqual([cut, undefined])
  })
})

describe("the end of a turn", () => {
  const open = lane(
    reply("a", { ...spoken("text", "a:0", "x"), whole: true, open: false }, spoken("text", "a:1", "hi")),
    {
      cut: [spoken("text", "z:0", "old")]
    }
  )

  test("closes what is open, and abandons what was cut", () => {
    const out: Out = []
    closeLane(open, out)
    expect(told(out)).toEqual(["item_ended z:0!", "item_ended a:1"])
  })

  test("abandons what another reply has taken the place of", () => {
    const out: Out = []
    closeLane(lane({ ...reply("a", spoken("text", "a:0", "hi")), superseded: true }), out)
    expect(told(out)).toEqual(["item_ended a:0!"])
  })
})

test("a text that ends without a word leaves its place to the next block: it has no `assistant` line", () => {
  const empty = reply("m", spoken("text", "m:0", "hi"), makeBlock("text", "m:1"))
  const before = lane(empty)
  expect(withoutEmpty(before, empty, 1).current?.blocks).toHaveLength(1)
  expect(withoutEmpty(before, empty, 0)).toBe(before)
})

test("what such a text might have repeated, the next may", () => {
  const cut = spoken("text", "a:0", "hello")
  const repeating = reply("b", { ...makeBlock("text", "b:0"), again: cut })
  expect(withoutEmpty(lane(repeating), repeating, 0).cut).toEqual([cut])
})
