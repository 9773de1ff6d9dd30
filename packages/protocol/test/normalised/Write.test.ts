/** What the model's events are to a reader of normalised events. */
import { tapes } from "@agentwire/fixtures"
import { describe, expect, it } from "vitest"
import { type Model, Normalised } from "../../src/index.ts"
import { options, timedEvents, written } from "./Tapes.ts"

const tell = (events: ReadonlyArray<Model.Event>): ReadonlyArray<Normalised.NormalisedEvent> =>
  written(events.map((event, at) => ({ at, event })))[1].flat()

const typesOf = (events: ReadonlyArray<Normalised.NormalisedEvent>) => events.map(({ type }) => type)

const turn: Model.Event = { type: "turn_started", cause: "prompt" }
const end: Model.Event = { type: "turn_ended", outcome: { type: "completed" } }
const call = (id: string, tool: string, input: unknown): ReadonlyArray<Model.Event> => [
  { type: "item_started", lane: null, id, item: { kind: "call", tool, action: "command", parent: "m" } },
  { type: "item_grew", lane: null, id, delta: JSON.stringify(input) },
  { type: "item_ended", lane: null, id }
]
const text = (id: string, delta: string): ReadonlyArray<Model.Event> => [
  { type: "item_started", lane: null, id, item: { kind: "text" } },
  { type: "item_grew", lane: null, id, delta },
  { type: "item_ended", lane: null, id }
]

describe("on a tape of Claude Code", () => {
  const entry = tapes.find(({ scenario, version }) => scenario === "search_tools" && version === "2.1.37")
  const told = entry === undefined ? [] : written(timedEvents(entry))[1].flat()

  it("says which session it is, then what is done, and ends with the last message", () => {
    expect(typesOf(told).slice(0, 2)).toEqual(["thinking", "session_ready"])
    expect(typesOf(told).slice(-2)).toEqual(["result", "done"])
    expect(told.at(-1)?.data).toMatchObject({ outcome: "completed" })
  })

  it("takes what a call is about out of its arguments", () => {
    const [glob, grep] = told.flatMap((event) => (event.type === "tool_start" ? [event.data] : []))
    expect(glob).toMatchObject({ tool: "Glob", pattern: "**/*.txt", is_file_read: true, summary: "**/*.txt" })
    expect(grep).toMatchObject({ tool: "Grep", pattern: "line", is_file_read: true, summary: '"line"' })
    const [files] = told.flatMap((event) => (event.type === "tool_result" ? [event.data] : []))
    expect(files).toMatchObject({ is_error: false, is_file_read: true, summary: "2 files **/*.txt" })
  })
})

describe("writeNormalised", () => {
  it("tells that a call was denied, and by whom it was decided", () => {
    const request: Model.Request = {
      id: "q",
      kind: "permission",
      message: "May it?",
      call: "c",
      tool: "Bash",
      input: { command: "rm a" },
      remember: [],
      details: {}
    }
    const events = tell([
      turn,
      ...call("c", "Bash", { command: "rm a" }),
      { type: "request_opened", lane: null, request },
      { type: "request_closed", lane: null, id: "q", by: "answered", verdict: "deny" },
      { type: "call_answered", lane: null, id: "c", content: "No.", failed: true },
      end
    ])
    expect(typesOf(events)).toEqual([
      "thinking",
      "tool_start",
      "permission_request",
      "permission_resolved",
      "tool_result",
      "done"
    ])
    expect(events[2]?.data).toMatchObject({ request_id: "q", tool_name: "Bash", tool_input: { command: "rm a" } })
    expect(events[3]?.data).toMatchObject({ allowed: false, by: "answered" })
    expect(events[4]?.data).toMatchObject({ denied: true, summary: "Denied: rm a" })
  })

  it("keeps what happens between two turns until the next begins", () => {
    const info = { sessionId: "p", model: "m", cwd: "/" }
    const told = tell([turn, ...text("a", "Hi."), end, { type: "session_changed", info }, turn, end])
    expect(typesOf(told)).toEqual(["thinking", "delta", "result", "done", "session_ready", "thinking", "done"])
  })

  it("says once that the conversation went back, and what stays", () => {
    const back = { type: "branched" as const, branch: 1, from: null, after: null, anchor: null }
    const told = tell([turn, ...text("a", "Hi."), end, back, turn, ...text("b", "Ho."), end])
    expect(told.filter(({ type }) => type === "branched").map(({ data }) => data)).toEqual([{ branch: 1, after: null }])
  })

  it("ends a turn that was stopped, and one that failed, each with one `done`", () => {
    const ended = (outcome: Model.TurnOutcome) => tell([turn, { type: "turn_ended", outcome }]).slice(1)
    expect(ended({ type: "cancelled" })).toMatchObject([{ type: "done", data: { stopped: true } }])
    expect(ended({ type: "failed", code: "x", message: "It broke." })).toMatchObject([
      { type: "error", data: { code: "x", message: "It broke." } },
      { type: "done", data: { outcome: "failed" } }
    ])
  })

  it("names the sub-agent whose event it is, and the call that started it", () => {
    const told = tell([
      turn,
      { type: "item_started", lane: null, id: "c", item: { kind: "call", tool: "Task", action: "agent", parent: "m" } },
      { type: "item_grew", lane: null, id: "c", delta: '{"subagent_type":"poet","description":"Rhyme"}' },
      { type: "item_ended", lane: null, id: "c" },
      { type: "lane_opened", lane: "c", parent: null, name: "poet" },
      { type: "item_started", lane: "c", id: "t", item: { kind: "text" } },
      { type: "item_grew", lane: "c", id: "t", delta: "Rose" },
      { type: "item_ended", lane: "c", id: "t" },
      { type: "lane_closed", lane: "c", outcome: { type: "completed" } },
      end
    ])
    expect(told.slice(1)).toMatchObject([
      { type: "tool_start", data: { tool_use_id: "c", subagent_spawn: true, subagent_name: "poet" } },
      { type: "delta", data: { text: "Rose", subagent_id: "c" } },
      { type: "done", data: { subagent_id: "c", outcome: "completed" } },
      { type: "done", data: { outcome: "completed" } }
    ])
  })
})

describe("greeting", () => {
  it("says that the session is there, and what its agent is", () => {
    expect(Normalised.greeting(Normalised.initialNormalised(options), 0)).toEqual({
      type: "session_ready",
      data: { session_id: "s", runtime: "Claude Code" },
      ts: "1970-01-01T00:00:00.000Z"
    })
  })
})
