import { expect, test } from "vitest"
import { encodeSse } from "../../src/agui/Sse.ts"
import { emptyRecent, type Recent } from "../../src/claude/fold/Recent.ts"
import { Aside } from "../../src/translate/Aside.ts"
import { FrameBytes } from "../../src/translate/FrameBytes.ts"
import type { Piece } from "../../src/translate/LiveRuntimes.ts"

const aside = (recent?: Recent) =>
  new Aside({ thread: "t", turn: "u", item: 0, id: 'm"1', recent, grown: (text, seen) => ({ text, seen }) }, undefined)

const piece = (text: string, more: Partial<Piece> = {}): Piece => ({
  thread: "t",
  turn: "u",
  item: 0,
  text,
  uuid: undefined,
  ...more
})

const frame = (delta: string): string => encodeSse({ type: "TEXT_MESSAGE_CONTENT", messageId: 'm"1', delta })

test("its pieces go out as frames, and are put together in the end", () => {
  const [out, one] = [new FrameBytes(), aside()]
  expect(["Hel", 'lo "you"\n', "é"].map((text) => one.take(piece(text), out))).toEqual([true, true, true])
  expect(out.takeText()).toBe(frame("Hel") + frame('lo "you"\n') + frame("é"))
  expect(one.settled()).toEqual({ text: 'Hello "you"\né', seen: undefined })
})

test("a piece of something else, an empty one and half a pair are not taken", () => {
  const [out, one] = [new FrameBytes(), aside()]
  const others = [
    piece("a", { item: 1 }),
    piece("a", { thread: "s" }),
    piece("a", { turn: "v" }),
    piece(""),
    piece("a\ud83d")
  ]
  expect(others.some((each) => one.take(each, out))).toBe(false)
  expect(one.take(piece("a", { turn: undefined }), out)).toBe(true)
  expect(out.takeText()).toBe(frame("a"))
})

test("a line that comes again is taken and says nothing", () => {
  const [out, one] = [new FrameBytes(), aside(emptyRecent(10))]
  for (const uuid of ["x", "y", "x"]) expect(one.take(piece("a", { uuid }), out)).toBe(true)
  expect(out.takeText()).toBe(frame("a") + frame("a"))
  expect(one.settled().text).toBe("aa")
})
