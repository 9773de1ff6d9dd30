import { describe, expect, test } from "vitest"
import { Dialogue } from "../../src/codex/Dialogue.ts"
import type { LiveRuntime, OpenText } from "../../src/translate/LiveRuntimes.ts"
import { liveRuntimes } from "../../src/translate/LiveRuntimes.ts"
import type { FoldStates, RuntimeMessages, RuntimeName } from "../../src/translate/Runtimes.ts"
import { runtimes } from "../../src/translate/Runtimes.ts"
import { began, delta, note, over, started, thread } from "../codex/fold/Lines.ts"
import { blockStart, init, messageStart, said, text, textDelta, thinkingDelta } from "./Lines.ts"

const heard = (lines: ReadonlyArray<object>) => {
  const dialogue = new Dialogue()
  return lines.map((line) => dialogue.hear("server", JSON.stringify(line)))
}

/** The text that is open after some messages, by the last of them. */
const openAfter = <R extends RuntimeName>(
  runtime: R,
  messages: ReadonlyArray<RuntimeMessages[R]>
): OpenText<FoldStates[R]> | undefined => {
  const { initial, message: fold } = runtimes[runtime]
  const { openText, pieceOf }: LiveRuntime<FoldStates[R], RuntimeMessages[R]> = liveRuntimes[runtime]
  let state = initial(runtime === "codex" ? { codexThread: thread } : {})
  for (const each of messages) [state] = fold(state, each)
  const last = messages.at(-1)
  const piece = last && pieceOf(last)
  return piece && openText(state, piece)
}

describe("Claude Code", () => {
  const opening = [init(), messageStart("m"), blockStart(0, text(""))]
  const open = (...more: ReadonlyArray<ReturnType<typeof init>>) => openAfter("claude", [...opening, ...more])

  test("a text of the main thread is open after its first piece", () => {
    expect(open(textDelta(0, "Hel"))).toMatchObject({ id: "m:0", item: 0, turn: "m" })
  })

  test("nothing is that waits for more than its next piece, or is somebody else's", () => {
    expect(open(textDelta(0, "a\ud83d"))).toBeUndefined()
    expect(open(textDelta(0, "a"), said("m", text("a")), textDelta(0, "b"))).toBeUndefined()
    expect(open(textDelta(0, "a", "call"))).toBeUndefined()
    expect(open(textDelta(1, "a"))).toBeUndefined()
    expect(open(thinkingDelta(0, "a"))).toBeUndefined()
  })
})

describe("Codex", () => {
  const message = { type: "agentMessage", id: "m", text: "" }
  const open = (...more: ReadonlyArray<object>) => openAfter("codex", heard([began(), started(message), ...more]))

  test("a text of the thread is open after its first piece", () => {
    expect(open(delta("m", "Hel"))).toMatchObject({ id: "m", item: "m", thread })
    expect(open(note("item/plan/delta", { itemId: "p", delta: "# Plan" }))).toMatchObject({ id: "p" })
  })

  test("nothing is that waits for more than its next piece, or is somebody else's, or comes after the turn", () => {
    expect(open(delta("m", "a\ud83d"))).toBeUndefined()
    expect(open(delta("m", ""))).toBeUndefined()
    expect(open(delta("m", "a", { threadId: "another" }))).toBeUndefined()
    expect(open(delta("m", "a"), over(), delta("m", "b"))).toBeUndefined()
    expect(open(note("item/reasoning/summaryTextDelta", { itemId: "r", delta: "hm", summaryIndex: 0 }))).toBeUndefined()
  })

  test("what has grown is what the fold makes of the pieces", () => {
    const before = heard([began(), started(message), delta("m", "Hel")])
    const pieces = heard([delta("m", "lo "), delta("m", "you")])
    const { initial, message: fold } = runtimes.codex
    const all = [...before, ...pieces].reduce((state, each) => fold(state, each)[0], initial({ codexThread: thread }))
    expect(openAfter("codex", before)?.grown("lo you", undefined)).toEqual(all)
  })
})

test("codex exec says its texts whole", () => {
  const line = { type: "item.completed", item: { id: "i", type: "agent_message", text: "Hello" } }
  const said = liveRuntimes["codex-exec"].listener()({ _tag: "Text", number: 1, text: JSON.stringify(line) }, "agent")
  expect(said).toMatchObject({ _tag: "Known" })
  expect(said && openAfter("codex-exec", [said])).toBeUndefined()
})
