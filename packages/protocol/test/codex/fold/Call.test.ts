import { describe, expect, it } from "vitest"
import { endFold, initialFold, withPageTools } from "../../../src/codex/index.ts"
import type { Event } from "../../../src/model/Event.ts"
import { transcriptOf } from "../../../src/model/Transcript.ts"
import { began, completed, delta, fold, note, over, started, thread } from "./Lines.ts"

const command = (more: object = {}) => ({
  type: "commandExecution",
  id: "c",
  command: "ls",
  cwd: "/work",
  commandActions: [],
  status: "inProgress",
  ...more
})
const output = (piece: string) => note("item/commandExecution/outputDelta", { itemId: "c", delta: piece })
const approval = (id = 0) => ({
  id,
  method: "item/commandExecution/requestApproval",
  params: { threadId: thread, turnId: "u", itemId: "c", startedAtMs: 1, command: "ls", cwd: "/work" }
})
const requests = (events: ReadonlyArray<Event>) =>
  events.flatMap((event) =>
    event.type === "request_opened"
      ? [`opened ${event.request.id}`]
      : event.type === "request_closed"
        ? [`closed ${event.id} ${event.by}`]
        : []
  )

describe("a command", () => {
  it("has its whole output, its exit code and whether it failed", () => {
    const done = command({ status: "failed", aggregatedOutput: "all of it", exitCode: 2 })
    const { entries } = transcriptOf(fold([began(), started(command()), output("of it"), completed(done)]).events)
    expect(entries).toMatchObject([
      { kind: "call", tool: "commandExecution", action: "command", arguments: '{"command":"ls","cwd":"/work"}' },
      { kind: "result", content: "all of it", failed: true, exitCode: 2 }
    ])
  })

  it("has what was streamed where nothing else is there", () => {
    const lines = [
      began(),
      started(command()),
      output("of "),
      output("it"),
      completed(command({ status: "completed" }))
    ]
    expect(transcriptOf(fold(lines).events).entries.at(-1)).toMatchObject({ content: "of it", failed: false })
  })

  it("hangs on the text before it", () => {
    const { events } = fold([began(), delta("m", "I look."), started(command())])
    expect(transcriptOf(events).entries.at(-1)).toMatchObject({ kind: "call", parent: "m" })
  })

  it("that outlives its turn is a task until it ends (§3.13)", () => {
    const { events, state } = fold([began(), started(command()), output("begin"), over()])
    expect(transcriptOf(events).entries).toMatchObject([
      { kind: "call" },
      { kind: "result", content: "begin" },
      { kind: "task", id: "task:c", content: { status: "running", toolCallId: "c" } }
    ])
    const late = fold([completed(command({ status: "completed", aggregatedOutput: "begin end", exitCode: 0 }))], state)
    expect(late.events).toEqual([
      {
        type: "item_changed",
        lane: null,
        id: "task:c",
        content: { status: "completed", output: "begin end", exitCode: 0 }
      },
      { type: "item_ended", lane: null, id: "task:c" }
    ])
    expect(endFold(state, { type: "end" })[1].map(({ type }) => type)).toEqual(["item_changed", "item_ended"])
  })
})

describe("a question about a call", () => {
  it("announces the call if no item has, and is closed by the client's answer, once", () => {
    const answer = { from: "client", id: 0, result: { decision: "accept" } }
    const resolved = note("serverRequest/resolved", { requestId: 0 })
    const { events } = fold([
      began(),
      approval(),
      answer,
      resolved,
      completed(command({ status: "completed" })),
      over()
    ])
    expect(requests(events)).toEqual(["opened u:0", "closed u:0 answered"])
    expect(transcriptOf(events).entries.map(({ kind }) => kind)).toEqual(["call", "result"])
  })

  it("is withdrawn where the server does without an answer", () => {
    const resolved = note("serverRequest/resolved", { requestId: 0 })
    expect(requests(fold([began(), approval(), resolved, over()]).events)).toEqual([
      "opened u:0",
      "closed u:0 withdrawn"
    ])
  })

  it.each([
    ["its call", [completed(command({ status: "declined" })), over()], "answered"],
    ["its turn", [over("u", { status: "interrupted" })], "ended"]
  ])("ends with %s", (_, lines, by) => {
    expect(requests(fold([began(), approval(), ...lines]).events)).toEqual(["opened u:0", `closed u:0 ${by}`])
  })

  it("ends with the process", () => {
    const { state } = fold([began(), approval()])
    expect(requests(endFold(state, { type: "end" })[1])).toEqual(["closed u:0 ended"])
  })

  it("leaves no task behind for a command that never began", () => {
    const { events } = fold([began(), started(command()), approval(), over("u", { status: "interrupted" })])
    expect(transcriptOf(events).entries).toMatchObject([
      { kind: "call" },
      { kind: "result", content: "The user declined this.", failed: true }
    ])
  })

  it("leaves no call waiting that its turn left without a result, unless nobody knows how it ended", () => {
    const begun = [began(), started(command()), approval()]
    const { state } = fold(begun)
    expect(endFold(state, { type: "end" })[1].filter(({ type }) => type === "call_answered")).toEqual([])
    // What is said of it later is nothing new.
    const late = [over("u", { status: "interrupted" }), completed(command({ status: "declined" }))]
    const { events } = fold([...begun, ...late])
    expect(events.filter(({ type }) => type === "call_answered")).toHaveLength(1)
    expect(events.at(-1)?.type).toBe("turn_ended")
  })
})

it("a tool of the application is asked for, and its client has the result", () => {
  const item = { type: "dynamicToolCall", id: "d", tool: "weather", arguments: { city: "Rome" }, status: "inProgress" }
  const call = {
    id: 4,
    method: "item/tool/call",
    params: { threadId: thread, turnId: "u", callId: "d", tool: "weather", arguments: { city: "Rome" } }
  }
  const done = { ...item, status: "completed", success: true, contentItems: [{ type: "inputText", text: "sunny" }] }
  const state = withPageTools(initialFold({ threadId: thread }), ["weather"])
  const { events } = fold([began(), started(item), call, completed(done), over()], state)
  expect(events.find(({ type }) => type === "item_started")).toMatchObject({ item: { action: "page_tool" } })
  expect(events.find(({ type }) => type === "request_opened")).toMatchObject({
    request: { kind: "page_tool", call: "d", tool: "weather", input: { city: "Rome" } }
  })
  expect(events.find(({ type }) => type === "call_answered")).toMatchObject({ content: "sunny", page: true })
})
