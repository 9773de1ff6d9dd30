/** What `diffTapes` must see, and what it must not. */
import { loadTape, tapes } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"

const header: Tape.TapeHeader = {
  tape: 1,
  agentwire: "0.0.0",
  runtime: { name: "claude-code" },
  transport: "stdio",
  argv: [],
  startedAt: "2026-01-01T00:00:00Z",
  redacted: []
}
const out = (message: unknown, wait = 1): Tape.Frame => ({
  _tag: "Data",
  wait,
  from: "agent",
  channel: "stdout",
  data: `${JSON.stringify(message)}\n`
})
const tape = (...messages: ReadonlyArray<unknown>): Tape.Tape => ({ header, frames: messages.map((one) => out(one)) })
const text = (words: string) => ({ type: "assistant", message: { content: [{ type: "text", text: words }] } })

/** The same session on another day: other ids, other times. */
const another = ({ frames, ...rest }: Tape.Tape): Tape.Tape => ({
  ...rest,
  frames: frames.map((frame) =>
    frame._tag === "Data" && typeof frame.data === "string"
      ? {
          ...frame,
          wait: frame.wait + 7,
          data: frame.data
            .replace(
              /([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g,
              (_, head: string, tail: string) => [...head].reverse().join("") + tail
            )
            .replace(/"duration_ms":\d+/g, '"duration_ms":424242')
        }
      : frame
  )
})

describe("diffTapes", () => {
  it("finds nothing between a recording and itself with other ids and times", () => {
    const some = tapes.filter((_, index) => index % 40 === 0)
    expect(some.length).toBeGreaterThan(5)
    for (const entry of some) {
      const recorded = loadTape(entry)
      expect(Tape.diffTapes(recorded, another(recorded)), entry.file).toEqual([])
    }
  })

  it("finds a changed word, and says where", () => {
    expect(Tape.diffTapes(tape(text("a"), text("b")), tape(text("a"), text("c")))).toEqual([
      {
        _tag: "Changed",
        left: 2,
        right: 2,
        name: "agent stdout assistant",
        differences: [{ path: "$.message.content[0].text", expected: "b", actual: "c" }]
      }
    ])
  })

  it("is not confused by a line more or less", () => {
    const words = ["one", "two", "three", "four", "five"].map(text)
    const more = [...words.slice(0, 2), text("new"), ...words.slice(2)]
    expect(Tape.diffTapes(tape(...words), tape(...more))).toEqual([
      { _tag: "OnlyRight", right: 3, name: "agent stdout assistant", value: text("new") }
    ])
    expect(Tape.diffTapes(tape(...more), tape(...words))).toMatchObject([{ _tag: "OnlyLeft", left: 3 }])
  })

  it("is not confused by several", () => {
    const words = ["one", "two", "three", "four", "five"].map(text)
    const [one, two, three, four, five] = words
    const found = Tape.diffTapes(tape(...words), tape(one, text("new"), two, four, text("more"), five))
    expect(found).toEqual([
      { _tag: "OnlyRight", right: 2, name: "agent stdout assistant", value: text("new") },
      { _tag: "OnlyLeft", left: 3, name: "agent stdout assistant", value: three },
      { _tag: "OnlyRight", right: 5, name: "agent stdout assistant", value: text("more") }
    ])
  })

  it("finds ids that were swapped", () => {
    const [a, b] = ["7d114bbe-1677-4614-b80c-93fce2c27c67", "0b2d1c55-8f0e-4f3a-9a51-1f77c2a6b0aa"]
    const line = (uuid: string) => ({ type: "x", uuid })
    expect(Tape.diffTapes(tape(line(a), line(b), line(a)), tape(line(a), line(b), line(b)))).toHaveLength(1)
  })

  it("does not miss the pieces of an output of Codex, which come by chance, and does miss the output", () => {
    const codex = (...messages: ReadonlyArray<unknown>): Tape.Tape => ({
      ...tape(...messages),
      header: { ...header, runtime: { name: "codex" } }
    })
    const piece = { method: "item/commandExecution/outputDelta", params: { itemId: "i", delta: "hi" } }
    const whole = (aggregatedOutput: string) => ({
      method: "item/completed",
      params: { item: { type: "commandExecution", id: "i", aggregatedOutput } }
    })
    expect(Tape.diffTapes(codex(piece, whole("hi")), codex(whole("hi")))).toEqual([])
    expect(Tape.diffTapes(codex(piece, whole("hi")), codex(whole("ho")))).toHaveLength(1)
  })

  it("joins deltas when asked", () => {
    const delta = (piece: string) => ({
      type: "stream_event",
      event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } },
      session_id: "s",
      parent_tool_use_id: null
    })
    const [one, two] = [tape(delta("Hel"), delta("lo")), tape(delta("H"), delta("el"), delta("lo"))]
    expect(Tape.diffTapes(one, two)).not.toEqual([])
    expect(Tape.diffTapes(one, two, { joinDeltas: true })).toEqual([])
    expect(Tape.diffTapes(one, tape(delta("Help")), { joinDeltas: true })).toHaveLength(1)
  })

  it("compares messages that nest as deep as may be read", () => {
    const deep = (value: number) => out(JSON.parse(`{"v":${"[".repeat(1990)}${value}${"]".repeat(1990)}}`))
    const found = Tape.diffTapes({ header, frames: [deep(1)] }, { header, frames: [deep(2)] })
    expect(found).toMatchObject([{ _tag: "Changed", differences: [{ expected: 1, actual: 2 }] }])
  })

  it("compares how it ended", () => {
    const exit = (code: number): Tape.Tape => ({ header, frames: [{ _tag: "Exit", wait: 0, code, signal: null }] })
    expect(Tape.diffTapes(exit(0), exit(0))).toEqual([])
    expect(Tape.diffTapes(exit(0), exit(1))).toMatchObject([{ name: "agent exit", differences: [{ path: "$.code" }] }])
  })
})
