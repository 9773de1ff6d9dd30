import { describe, expect, it } from "vitest"
import type { Event } from "../../src/model/Event.ts"
import { applyToSituation, emptySituation, isInBackground, type Situation } from "../../src/model/Situation.ts"

const after = (events: ReadonlyArray<Event>, from: Situation = emptySituation): Situation =>
  events.reduce(applyToSituation, from)

const text = (id: string, lane: string | null = null): Event => ({
  type: "item_started",
  lane,
  id,
  item: { kind: "text" }
})
const started: Event = { type: "turn_started", cause: "prompt", ticket: "run-1" }
const ended: Event = { type: "turn_ended", outcome: { type: "completed" } }

describe("a turn", () => {
  it("is open from its start to its end, and knows who asked for it", () => {
    expect(after([started])).toMatchObject({ turns: 1, turn: { ticket: "run-1" } })
    expect(after([started, ended])).toMatchObject({ turns: 1, turn: undefined })
  })

  it("takes what is open along, but for tasks and agents in the background", () => {
    const open = after([
      started,
      text("m"),
      { type: "lane_opened", lane: "bg", parent: null, name: "helper" },
      text("b", "bg"),
      { type: "item_started", lane: null, id: "k", item: { kind: "task", content: {} } },
      ended
    ])
    expect([...open.items.keys()]).toEqual(["b", "k"])
    expect([...open.lanes.keys()]).toEqual(["bg"])
  })
})

describe("an item", () => {
  it("is open until it ends; a call until it is answered", () => {
    const call: Event = {
      type: "item_started",
      lane: null,
      id: "c",
      item: { kind: "call", tool: "Bash", action: "command", parent: "m" }
    }
    const open = after([
      text("m"),
      { type: "item_ended", lane: null, id: "m" },
      call,
      { type: "item_ended", lane: null, id: "c" }
    ])
    expect([...open.items]).toMatchObject([["c", { phase: "ended" }]])
    expect(after([{ type: "call_answered", lane: null, id: "c", content: "", failed: false }], open).items.size).toBe(0)
  })

  it("that was abandoned may go on", () => {
    const cut = after([text("m"), { type: "item_ended", lane: null, id: "m", abandoned: true }])
    expect(cut.items.get("m")?.phase).toBe("abandoned")
    expect(after([{ type: "item_grew", lane: null, id: "m", delta: "x" }], cut).items.get("m")?.phase).toBe("growing")
  })

  it("grows without a trace: nothing is copied", () => {
    const open = after([text("m")])
    expect(after([{ type: "item_grew", lane: null, id: "m", delta: "x" }], open)).toBe(open)
  })
})

it("a reply of the main thread is under way until it ends; those of others are theirs", () => {
  const open = after([
    { type: "reply_started", lane: null, id: "r1" },
    { type: "reply_started", lane: "a", id: "r2" },
    { type: "reply_ended", lane: "a", id: "r2" }
  ])
  expect(open.reply).toBe("r1")
  expect(after([{ type: "reply_ended", lane: null, id: "r1" }], open).reply).toBeUndefined()
})

it("a request is open until it is closed, also over the end of its turn", () => {
  const request = { id: "q", kind: "page_tool" as const, message: "", call: "c", tool: "paint", input: {} }
  const open = after([started, { type: "request_opened", lane: null, request }, ended])
  expect([...open.requests.keys()]).toEqual(["q"])
  expect(after([{ type: "request_closed", lane: null, id: "q", by: "answered" }], open).requests.size).toBe(0)
})

it("counts how often the agent has forgotten", () => {
  expect(
    after([
      { type: "context_reset", how: "cleared" },
      { type: "context_reset", how: "compacted" }
    ]).resets
  ).toBe(2)
})

describe("a sub-agent", () => {
  const called = (id: string, lane: string | null): Event => ({
    type: "item_started",
    lane,
    id,
    item: { kind: "call", tool: "Agent", action: "agent", parent: "m" }
  })
  const opened = (lane: string, parent: string | null): Event => ({ type: "lane_opened", lane, parent, name: "helper" })
  const answered = (id: string): Event => ({ type: "call_answered", lane: null, id, content: "", failed: false })

  it("takes its calls along when it is over, but for its tasks and what others have", () => {
    const open = after([
      ...[called("mine", null), opened("a", null), called("inner", "a"), text("t", "a")],
      { type: "item_started", lane: "a", id: "k", item: { kind: "task", content: {} } },
      { type: "lane_closed", lane: "a", outcome: { type: "completed" } }
    ])
    expect([...open.items.keys()]).toEqual(["mine", "k"])
  })

  it("is waited for until its call has a result, and so are those that it started", () => {
    const waiting = after([started, called("a", null), opened("a", null), called("b", "a"), opened("b", "a")])
    expect([null, "a", "b"].map((lane) => isInBackground(waiting, lane))).toEqual([false, false, false])
    const launched = after([answered("a")], waiting)
    expect([null, "a", "b"].map((lane) => isInBackground(launched, lane))).toEqual([false, true, true])
  })
})
