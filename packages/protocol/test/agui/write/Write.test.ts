import { describe, expect, test } from "vitest"
import type { AguiEvent } from "../../../src/agui/Event.ts"
import {
  beginRun,
  closeRun,
  endIdleRun,
  isRunOpen,
  isSuspended,
  openRunId,
  releaseRun,
  suspendRun,
  type Written,
  write
} from "../../../src/agui/write/Write.ts"
import { initialWriter, type WriteOptions, type Writer, withHad } from "../../../src/agui/write/Writer.ts"
import type { Event } from "../../../src/model/Event.ts"
import type { PageToolRequest, PermissionRequest } from "../../../src/model/Request.ts"
import { brief, only } from "../../translate/Lines.ts"

const started: Event = { type: "turn_started", cause: "agent" }
const ended: Event = { type: "turn_ended", outcome: { type: "completed" } }
const reply: Event = { type: "reply_started", lane: null, id: "m" }
const replied: Event = { type: "reply_ended", lane: null, id: "m" }
const text = (id = "m:0", lane: string | null = null): Event => ({
  type: "item_started",
  lane,
  id,
  item: { kind: "text" }
})
const grew = (delta: string, id = "m:0", lane: string | null = null): Event => ({ type: "item_grew", lane, id, delta })
const done = (id = "m:0", lane: string | null = null): Event => ({ type: "item_ended", lane, id })
const call = (id: string, action: "command" | "page_tool" = "command", lane: string | null = null): Event => ({
  type: "item_started",
  lane,
  id,
  item: { kind: "call", tool: "pick", action, parent: "m:0" }
})
const result = (id: string): Event => ({ type: "call_answered", lane: null, id, content: "r", failed: false })
const permission = (id: string, call = "c1"): PermissionRequest => ({
  id,
  kind: "permission",
  message: "May it?",
  call,
  tool: "pick",
  input: {},
  remember: [],
  details: {}
})
const pageTool = (id: string, call: string): PageToolRequest => ({
  id,
  kind: "page_tool",
  message: "",
  call,
  tool: "pick",
  input: {}
})
const asked = (request: PermissionRequest | PageToolRequest): Event => ({ type: "request_opened", lane: null, request })
const closed = (id: string, by: "answered" | "withdrawn" | "ended" = "answered"): Event => ({
  type: "request_closed",
  lane: null,
  id,
  by
})

const writing = (writer: Writer, events: ReadonlyArray<Event>): Written => {
  const out: Array<AguiEvent> = []
  let next = writer
  for (const event of events) {
    const [after, given] = write(next, event)
    next = after
    out.push(...given)
  }
  return [next, out]
}
const written = (events: ReadonlyArray<Event>, options: Partial<WriteOptions> = {}): Written =>
  writing(initialWriter({ threadId: "t", ...options }), events)
const outcomes = (events: ReadonlyArray<AguiEvent>) => only(events, "RUN_FINISHED").map(({ outcome }) => outcome)

describe("runs", () => {
  test("a turn is one, named by its number and the turn's", () => {
    const [writer, events] = written([started, text(), grew("Hi"), done(), ended, started, ended], {
      runId: (ordinal, turn) => `run-${ordinal}-of-${turn}`
    })
    expect(brief(events)).toEqual([
      "RUN_STARTED",
      "TEXT_MESSAGE_START m:0",
      "TEXT_MESSAGE_CONTENT m:0 Hi",
      "TEXT_MESSAGE_END m:0",
      "RUN_FINISHED",
      "RUN_STARTED",
      "RUN_FINISHED"
    ])
    expect(only(events, "RUN_STARTED").map(({ runId }) => runId)).toEqual(["run-1-of-1", "run-2-of-2"])
    expect([isRunOpen(writer), openRunId(writer)]).toEqual([false, undefined])
  })

  test("a client that joins in the middle of a turn has what goes on begun in its own run", () => {
    const { situation } = written([started, text(), grew("Hel")])[0]
    const [writer, events] = writing(initialWriter({ threadId: "t" }, situation), [grew("lo"), done()])
    expect(brief(events)).toEqual([
      "RUN_STARTED",
      "TEXT_MESSAGE_START m:0",
      "TEXT_MESSAGE_CONTENT m:0 lo",
      "TEXT_MESSAGE_END m:0"
    ])
    expect(isRunOpen(writer)).toBe(true)
  })

  test("are closed whatever is open, and nothing is waited for any more", () => {
    const [open] = written([started, reply, text(), grew("Hi")])
    const [waiting] = suspendRun(open, { calls: ["c1"] })
    const [writer, events] = closeRun(waiting, { type: "error", code: "gone", message: "It is gone." })
    expect(brief(events)).toEqual(["TEXT_MESSAGE_END m:0", "RUN_ERROR"])
    expect([isRunOpen(writer), isSuspended(writer), writer.waiting.size]).toEqual([false, false, 0])
    expect(closeRun(writer, { type: "error", code: "gone", message: "" })[1]).toEqual([])
  })

  test("that were asked for end when no turn goes on", () => {
    const [asked] = beginRun(initialWriter({ threadId: "t" }), { runId: "r" })
    expect(brief(endIdleRun(asked)[1])).toEqual(["RUN_FINISHED"])
    const missed = { code: "BRIDGE_ENDED", message: "It ended." }
    expect(endIdleRun(asked, missed)[1].at(-1)).toMatchObject({ type: "RUN_ERROR", ...missed })
    const [going] = write(asked, started)
    expect(endIdleRun(going)).toEqual([going, []])
  })
})

describe("what the person said", () => {
  const prompt: Event = { type: "item_started", lane: null, id: "u1", item: { kind: "prompt", content: "Hello" } }
  const prompted: Event = { type: "turn_started", cause: "prompt" }

  test("is told to those who did not say it", () => {
    expect(brief(written([prompted, prompt])[1])).toEqual([
      "RUN_STARTED",
      "TEXT_MESSAGE_START u1",
      "TEXT_MESSAGE_CONTENT u1 Hello",
      "TEXT_MESSAGE_END u1"
    ])
  })

  test("is not told to the one who asked for the run with it", () => {
    const input = {
      threadId: "t",
      runId: "r",
      messages: [{ id: "u1", role: "user" as const, content: "Hello" }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {}
    }
    const [asked] = beginRun(initialWriter({ threadId: "t" }), { runId: "r", input })
    expect(writing(asked, [prompted, prompt])[1]).toEqual([])
  })

  test("is not sent to who came with it, in a run that nobody asked for either, nor in any later one", () => {
    const [writer] = writing(withHad(initialWriter({ threadId: "t" }), ["u1"]), [prompted, ended])
    expect(brief(writing(writer, [prompted, prompt])[1])).toEqual(["RUN_STARTED"])
    expect(brief(writing(withHad(writer, []), [prompted, prompt])[1])).toContain("TEXT_MESSAGE_START u1")
  })
})

describe("a call of one of the application's tools", () => {
  const calls = [started, reply, call("c1", "page_tool"), done("c1"), call("c2", "page_tool"), done("c2")]

  test("ends the run when the reply is complete, with all that wait", () => {
    const [open, none] = written([...calls, asked(pageTool("p1", "c1"))])
    expect(outcomes(none)).toEqual([])
    const [writer, events] = writing(open, [asked(pageTool("p2", "c2")), replied])
    expect(outcomes(events)).toEqual([{ type: "success", pendingToolCallIds: ["c1", "c2"] }])
    expect(isSuspended(writer)).toBe(true)
  })

  test("has no result for the client, who has it already", () => {
    const [writer] = written([...calls, replied, asked(pageTool("p1", "c1"))])
    const [next] = beginRun(writer, { runId: "r2" })
    expect(only(writing(next, [closed("p1"), result("c1")])[1], "TOOL_CALL_RESULT")).toEqual([])
  })

  test("that is answered elsewhere before the run has ended does not end it", () => {
    const [writer, events] = written([...calls, asked(pageTool("p1", "c1")), closed("p1"), result("c1"), replied])
    expect(outcomes(events)).toEqual([])
    expect(isRunOpen(writer)).toBe(true)
  })
})

describe("a question", () => {
  const question = [started, call("c1"), done("c1"), asked(permission("q1"))]

  test("is an event where somebody answers while the run goes on", () => {
    const [writer, events] = written(question)
    expect(brief(events).at(-1)).toBe("CUSTOM tool_approval_request")
    expect(isRunOpen(writer)).toBe(true)
  })

  test("ends the run where it is an interrupt", () => {
    const [writer, events] = written(question, { approvals: "interrupt" })
    expect(outcomes(events)).toMatchObject([{ type: "interrupt", interrupts: [{ id: "q1", toolCallId: "c1" }] }])
    expect(isSuspended(writer)).toBe(true)
  })

  test("that is hidden is for somebody else: neither it nor its end begins, ends or is in a run", () => {
    const hidden = { approvals: "hide" } as const
    const [, events] = written([started, asked(permission("q")), closed("q", "withdrawn"), ended], hidden)
    expect(brief(events)).toEqual(["RUN_STARTED", "RUN_FINISHED"])
    expect(written([asked(permission("q")), closed("q", "withdrawn")], hidden)[1]).toEqual([])
    const [writer] = written([started, asked(pageTool("p", "c1"))], hidden)
    expect(isSuspended(writer)).toBe(true)
  })

  test("what comes then waits; when all questions are closed it comes in a run of the agent's own", () => {
    const two = [started, reply, call("c1"), done("c1"), asked(permission("q1")), asked(permission("q2")), replied]
    const [suspended] = written(two, { approvals: "interrupt" })
    const [half, none] = writing(suspended, [closed("q1"), result("c1")])
    expect([none, isSuspended(half)]).toEqual([[], true])
    const [free, still] = write(half, closed("q2", "withdrawn"))
    expect([still, isSuspended(free)]).toEqual([[], false])
    const [, events] = write(free, text("n:0"))
    expect(brief(events)).toEqual([
      "RUN_STARTED",
      "TOOL_CALL_RESULT c1:result r",
      "CUSTOM control_request_cancelled",
      "TEXT_MESSAGE_START n:0"
    ])
  })

  test("that was opened and closed while nobody read is not asked any more", () => {
    const [suspended] = written(question, { approvals: "interrupt" })
    const [held] = writing(suspended, [call("c2"), done("c2"), asked(permission("q2", "c2")), closed("q2")])
    const [writer, events] = beginRun(held, { runId: "r2" })
    expect(outcomes(events)).toEqual([])
    expect(isRunOpen(writer)).toBe(true)
  })

  test("of a turn that is over is not waited for", () => {
    const [open] = written([started, reply, asked(permission("q1"))], { approvals: "interrupt" })
    const [writer, events] = writing(open, [closed("q1", "ended"), ended])
    expect(outcomes(events)).toEqual([{ type: "success" }])
    expect(isSuspended(writer)).toBe(false)
  })

  test("released by hand, what was held comes at once", () => {
    const [suspended] = written(question, { approvals: "interrupt" })
    const [held] = write(suspended, text("n:0"))
    expect(brief(releaseRun(held)[1])).toEqual(["RUN_STARTED", "TEXT_MESSAGE_START n:0"])
    expect(releaseRun(initialWriter({ threadId: "t" }))[1]).toEqual([])
  })
})

describe("the end of a turn", () => {
  test("lets go of a run that was suspended for it", () => {
    const [suspended] = written([started, call("c1", "page_tool"), done("c1"), asked(pageTool("p1", "c1"))])
    const [writer, events] = writing(suspended, [
      closed("p1", "ended"),
      { type: "turn_ended", outcome: { type: "failed", code: "process_exited", message: "It is gone." } }
    ])
    expect(brief(events)).toEqual(["RUN_STARTED", "RUN_ERROR"])
    expect(isSuspended(writer)).toBe(false)
  })

  test.each(["limited", "failed"] as const)("%s: it is an error with the code and the words of the runtime", (type) => {
    const told = { code: "too_much", message: "That was the last call." }
    const [, events] = written([started, { type: "turn_ended", outcome: { type, ...told } }])
    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", ...told })
  })
})

describe("sub-agents", () => {
  const opened: Event = { type: "lane_opened", lane: "c1", parent: null, name: "scout" }

  test("have a part in each run they speak in, and their items go on under their ids", () => {
    const [first] = written([started, call("c1"), opened, text("x", "c1"), grew("in", "x", "c1")])
    const [second, between] = beginRun(first, { runId: "r2" })
    expect(brief(between)).toEqual([
      "TOOL_CALL_END c1",
      "TEXT_MESSAGE_END x @c1",
      "SUBAGENT_FINISHED @c1",
      "RUN_FINISHED",
      "RUN_STARTED"
    ])
    expect(brief(write(second, grew("side", "x", "c1"))[1])).toEqual([
      "SUBAGENT_STARTED scout @c1",
      "TEXT_MESSAGE_START x @c1",
      "TEXT_MESSAGE_CONTENT x side @c1"
    ])
  })

  test("that go on after their turn have a run of their own, which ends with the last of them", () => {
    const gone = (lane: string): Event => ({ type: "lane_closed", lane, outcome: { type: "completed" } })
    const other: Event = { type: "lane_opened", lane: "c2", parent: null, name: "scout" }
    const [first] = written([started, call("c1"), opened, call("c2"), other, result("c1"), result("c2"), ended])
    const [second, events] = writing(first, [grew("a", "x", "c1"), text("x", "c1"), grew("b", "x", "c1")])
    expect(brief(events).slice(0, 3)).toEqual(["RUN_STARTED", "SUBAGENT_STARTED scout @c1", "TEXT_MESSAGE_START x @c1"])
    const [third] = writing(second, [done("x", "c1"), gone("c1")])
    expect(isRunOpen(third)).toBe(true)
    const [fourth, end] = writing(third, [gone("c2")])
    expect(brief(end)).toEqual(["SUBAGENT_STARTED scout @c2", "SUBAGENT_FINISHED @c2", "RUN_FINISHED"])
    expect(isRunOpen(fourth)).toBe(false)
    // Whoever asked for a run has it until its turn is over.
    const [asked] = beginRun(second, { runId: "r" })
    expect(isRunOpen(writing(asked, [gone("c1"), gone("c2")])[0])).toBe(true)
    // A turn that begins meanwhile has it as well.
    expect(isRunOpen(writing(second, [started, gone("c1"), gone("c2")])[0])).toBe(true)
  })

  test("that are hidden begin no run, but what they ask does", () => {
    const [writer, none] = written([opened, text("x", "c1"), grew("in", "x", "c1")], { subagents: "hide" })
    expect([none, isRunOpen(writer)]).toEqual([[], false])
    const [, events] = write(writer, { type: "request_opened", lane: "c1", request: permission("q1", "c2") })
    expect(brief(events)).toEqual(["RUN_STARTED", "CUSTOM tool_approval_request"])
  })
})
