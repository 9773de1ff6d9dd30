import { describe, expect, it } from "vitest"
import type { Event } from "../../src/model/Event.ts"
import { boundTranscript, emptyTranscript, TranscriptBuilder, transcriptOf } from "../../src/model/Transcript.ts"

const on = { lane: null }
const said: ReadonlyArray<Event> = [
  { type: "item_started", ...on, id: "p", item: { kind: "prompt", content: "Hi" } },
  { type: "item_started", ...on, id: "t", item: { kind: "thought" } },
  { type: "item_grew", ...on, id: "t", delta: "Hm" },
  { type: "item_ended", ...on, id: "t", signature: "seal" },
  { type: "item_started", ...on, id: "c", item: { kind: "call", tool: "Bash", action: "command", parent: "m" } },
  { type: "item_grew", ...on, id: "c", delta: '{"command":' },
  { type: "item_grew", ...on, id: "c", delta: '"ls"}' },
  { type: "item_ended", ...on, id: "c" },
  { type: "item_started", ...on, id: "x", item: { kind: "text" } },
  { type: "item_grew", ...on, id: "x", delta: "Wait" },
  { type: "call_answered", ...on, id: "c", content: "a.txt", failed: false, exitCode: 0 },
  { type: "item_ended", ...on, id: "x" }
]

describe("a transcript", () => {
  it("has what was said in the order it began, with results where they came", () => {
    expect(transcriptOf(said).entries).toEqual([
      { ...on, id: "p", kind: "prompt", content: "Hi" },
      { ...on, id: "t", kind: "thought", text: "Hm", signature: "seal" },
      {
        ...on,
        id: "c",
        kind: "call",
        tool: "Bash",
        action: "command",
        parent: "m",
        arguments: '{"command":"ls"}'
      },
      { ...on, id: "x", kind: "text", text: "Wait" },
      { ...on, id: "c", kind: "result", content: "a.txt", failed: false, exitCode: 0 }
    ])
  })

  it("is the same in one go and cut anywhere", () => {
    for (let at = 0; at <= said.length; at++)
      expect(transcriptOf(said.slice(at), transcriptOf(said.slice(0, at)))).toEqual(transcriptOf(said))
  })

  it("marks what was cut off, until it goes on", () => {
    const cut: ReadonlyArray<Event> = [
      { type: "item_started", ...on, id: "m", item: { kind: "text" } },
      { type: "item_grew", ...on, id: "m", delta: "He" },
      { type: "item_ended", ...on, id: "m", abandoned: true }
    ]
    expect(transcriptOf(cut).entries).toMatchObject([{ text: "He", abandoned: true }])
    const on_ = transcriptOf([
      ...cut,
      { type: "item_grew", ...on, id: "m", delta: "llo" },
      { type: "item_ended", ...on, id: "m" }
    ])
    expect(on_.entries).toEqual([{ ...on, id: "m", kind: "text", text: "Hello" }])
  })

  it("shows a task as it is now", () => {
    const { entries } = transcriptOf([
      { type: "item_started", ...on, id: "k", item: { kind: "task", content: { status: "running" } } },
      { type: "item_changed", ...on, id: "k", content: { status: "completed", summary: "Done" } }
    ])
    expect(entries).toMatchObject([{ kind: "task", content: { status: "completed", summary: "Done" } }])
  })
})

describe("a bound", () => {
  it("leaves out the oldest, counts them, and takes a result along with its call", () => {
    const whole = transcriptOf(said)
    const size = JSON.stringify(whole.entries.slice(3)).length
    const bounded = boundTranscript(whole, size)
    expect(bounded.entries.map(({ id, kind }) => [id, kind])).toEqual([["x", "text"]])
    expect(bounded.omitted).toBe(4)
    expect(boundTranscript(bounded, 1).omitted).toBe(5)
  })

  it("changes nothing that fits", () => {
    expect(boundTranscript(transcriptOf(said), 1_000_000)).toEqual(transcriptOf(said))
    expect(boundTranscript(emptyTranscript, 0)).toEqual(emptyTranscript)
  })
})

it("a snapshot is a value", () => {
  const builder = new TranscriptBuilder()
  for (const event of said.slice(0, 3)) builder.apply(event)
  const before = builder.snapshot()
  builder.apply({ type: "item_grew", ...on, id: "t", delta: " …" })
  expect(before.entries).toMatchObject([{}, { text: "Hm" }])
})
