/** What a reader of the gateway is told, where no tape says it. */
import { describe, expect, it } from "vitest"
import { Gateway, Model } from "../../src/index.ts"

const told = (...events: ReadonlyArray<Model.Event>) => {
  let cursor = Gateway.initialGateway({ sessionId: "s" })
  const all = events.flatMap((event, seq) => {
    const [next, given] = Gateway.writeGateway(cursor, { seq, at: 0, event })
    cursor = next
    return given
  })
  return { cursor, all, names: all.map(({ event }) => event.slice("session.".length)) }
}

const lane = null
const begun: ReadonlyArray<Model.Event> = [
  { type: "turn_started", cause: "prompt", ticket: "p" },
  { type: "reply_started", lane, id: "m" },
  { type: "item_started", lane, id: "t", item: { kind: "text" } },
  { type: "item_grew", lane, id: "t", delta: "Hel" }
]
const stopping: Model.Event = { type: "noticed", lane, name: Model.turnStopping, value: {} }

describe("a turn that is stopped", () => {
  const late: ReadonlyArray<Model.Event> = [
    { type: "item_grew", lane, id: "t", delta: "lo" },
    { type: "item_ended", lane, id: "t" },
    { type: "item_started", lane, id: "c", item: { kind: "call", tool: "Bash", action: "command", parent: "t" } },
    { type: "item_ended", lane, id: "c" },
    { type: "call_answered", lane, id: "c", content: "late", failed: false },
    { type: "reply_ended", lane, id: "m" },
    { type: "turn_ended", outcome: { type: "cancelled" } }
  ]

  it("is over at once, and nothing of it follows", () => {
    const { names } = told(...begun, stopping, ...late)
    expect(names.slice(-4)).toEqual(["content_block_stop", "message_delta", "message_stop", "turn_stop"])
    expect(names.filter((name) => name === "turn_stop")).toHaveLength(1)
  })

  it("says that it was cut off", () => {
    const { all } = told(...begun, stopping)
    expect(all.map(({ payload }) => payload)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ delta: { stop_reason: "abort", stop_sequence: null } }),
        expect.objectContaining({ type: "turn_stop", outcome: { type: "cancelled" } })
      ])
    )
  })

  it("has its questions closed, also after its end", () => {
    const request: Model.Request = {
      id: "q",
      message: "Why?",
      kind: "page_tool",
      call: "c",
      tool: "look",
      input: {}
    }
    const { names } = told(
      ...begun,
      { type: "request_opened", lane, request },
      stopping,
      { type: "request_closed", lane, id: "q", by: "abandoned" },
      ...late
    )
    expect(names.at(-1)).toBe("request_closed")
  })

  it("tells the next turn as any other", () => {
    const { names } = told(
      ...begun,
      stopping,
      ...late,
      ...begun.map((event) => ("id" in event && event.id === "t" ? { ...event, id: "u" } : event))
    )
    expect(names.slice(-4)).toEqual(["turn_start", "message_start", "content_block_start", "content_block_delta"])
  })

  it("may not have begun", () => {
    expect(told(stopping).names).toEqual([])
    expect(told(...begun, stopping, stopping).names.filter((name) => name === "turn_stop")).toHaveLength(1)
  })
})

describe("a block that goes on after its end", () => {
  it("begins again with what it has", () => {
    const { all } = told(
      ...begun,
      { type: "item_ended", lane, id: "t", abandoned: true },
      { type: "item_grew", lane, id: "t", delta: "lo" }
    )
    expect(all.slice(-2).map(({ payload }) => payload)).toMatchObject([
      { type: "content_block_start", index: 1, content_block: { type: "text", id: "t", text: "Hel" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "lo" } }
    ])
  })

  it("is sealed after its end, too", () => {
    const { all } = told(
      ...begun.slice(0, 2),
      { type: "item_started", lane, id: "th", item: { kind: "thought" } },
      { type: "item_grew", lane, id: "th", delta: "Hm" },
      { type: "item_ended", lane, id: "th" },
      { type: "item_ended", lane, id: "th", signature: "seal" }
    )
    expect(all.slice(-3).map(({ payload }) => payload)).toMatchObject([
      { type: "content_block_start", content_block: { type: "thinking", thinking: "Hm" } },
      { type: "content_block_delta", delta: { type: "signature_delta", signature: "seal" } },
      { type: "content_block_stop" }
    ])
  })
})

describe("the end of a turn", () => {
  it("says what it spent, and what it cost where the agent says so", () => {
    const usage = { input: 100, output: 5, cachedInput: 60, cacheWriteInput: 10 }
    const { all } = told(
      ...begun,
      { type: "noticed", lane, name: "result_stats", value: { total_cost_usd: 0.25 } },
      { type: "turn_ended", outcome: { type: "completed" }, usage }
    )
    expect(all.at(-1)?.payload).toEqual({
      type: "turn_stop",
      sessionId: "s",
      seq: 5,
      outcome: { type: "completed" },
      usage: { input_tokens: 30, output_tokens: 5, cache_read_input_tokens: 60, cache_creation_input_tokens: 10 },
      total_cost_usd: 0.25
    })
  })
})

describe("whoever joins", () => {
  it("is told what is open, with what it has", () => {
    const { cursor } = told(...begun)
    expect(Gateway.joinGateway(cursor).map(({ payload }) => payload)).toMatchObject([
      { type: "turn_start", promptId: "p", seq: 3, part: -3 },
      { type: "message_start", message: { id: "m" }, part: -2 },
      { type: "content_block_start", index: 0, content_block: { text: "Hel" } }
    ])
  })

  it("is told nothing of a turn that was stopped", () => {
    expect(Gateway.joinGateway(told(...begun, stopping).cursor)).toEqual([])
  })
})

it("going back is told, with what stays", () => {
  const { names } = told(...begun, { type: "branched", branch: 1, from: null, after: null, anchor: null })
  expect(names.slice(-4)).toEqual(["content_block_stop", "message_delta", "message_stop", "branched"])
})
