/** What tapes make of Codex's lines, on what the real program said. */
import { codexTapes, loadCodexTape } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { codexLines } from "../../../src/tape/lines/CodexLines.ts"

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

const data = (from: Tape.Speaker, text: string): Tape.Frame => ({
  _tag: "Data",
  wait: 0,
  from,
  channel: from === "host" ? "stdin" : "stdout",
  data: text
})

/** The same session with a client that calls its requests otherwise. */
const renumbered = ({ header, frames }: Tape.Tape): Tape.Tape => ({
  header,
  frames: frames.map((frame) => {
    if (frame._tag !== "Data" || frame.channel === "stderr" || typeof frame.data !== "string") return frame
    const { data: text, from } = frame
    const now = (name: string) =>
      name.replace(/^‹host (.*)›$/s, (_, id: string) => `‹host ${JSON.stringify(`now-${id}`)}›`)
    return {
      ...frame,
      data: text
        .split("\n")
        .map((each) => codexLines.renumbered(each, from, now))
        .join("\n")
    }
  })
})

const spoken = (frames: Iterable<Tape.Frame>, from: Tape.Speaker): ReadonlyArray<string> =>
  Tape.tapeLines(frames)
    .filter((each) => each.from === from)
    .map((each) => each.line.text)

const tapes = codexTapes.map((entry) => [`${entry.scenario} ${entry.run}`, loadCodexTape(entry)] as const)

describe("a client that calls its requests otherwise", () => {
  it.each(tapes)("hears %s with its own ids, and says the same session", (_, tape) => {
    const other = renumbered(tape)
    expect(Tape.diffTapes(tape, other)).toEqual([])
    let step = Tape.beginReplay(Tape.scriptOf(tape.frames, "codex"), "shape")
    const said: Array<string> = []
    const take = ({ acts, mismatch }: Tape.Step): void => {
      expect(mismatch).toBeUndefined()
      for (const act of acts)
        if (act._tag === "Say" && act.channel === "stdout" && typeof act.data === "string") said.push(act.data)
    }
    take(step)
    for (const text of spoken(other.frames, "host")) {
      step = Tape.stepReplay(step.replay, { _tag: "Line", text })
      take(step)
    }
    for (const act of [{ _tag: "End" }, { _tag: "Signal" }] as const) {
      step = Tape.stepReplay(step.replay, act)
      take(step)
    }
    expect(Tape.isOver(step.replay)).toBe(true)
    expect(said.join("")).toBe(
      spoken(other.frames, "agent")
        .map((each) => `${each}\n`)
        .join("")
    )
  })
})

describe("an id", () => {
  it("means its side: both count from 0", () => {
    const ask = { method: "turn/start", id: 0, params: {} }
    const question = { method: "item/fileChange/requestApproval", id: 0, params: {} }
    expect(codexLines.named(ask, "host")).toMatchObject({ id: "‹host 0›" })
    expect(codexLines.named({ id: 0, result: {} }, "agent")).toMatchObject({ id: "‹host 0›" })
    expect(codexLines.named(question, "agent")).toMatchObject({ id: "‹agent 0›" })
    expect(codexLines.named({ id: 0, result: {} }, "host")).toMatchObject({ id: "‹agent 0›" })
    expect(codexLines.named({ method: "serverRequest/resolved", params: { requestId: 0 } }, "agent")).toMatchObject({
      params: { requestId: "‹agent 0›" }
    })
  })

  it("is written anew where it is the message's, and nowhere else", () => {
    const written = String.raw`{ "error": {"id": 1, "message":"\"id\":1 }"}, "x": "id", "id" : 1 }`
    expect(codexLines.renumbered(written, "agent", () => '‹host "a"›')).toBe(
      String.raw`{ "error": {"id": 1, "message":"\"id\":1 }"}, "x": "id", "id" : "a" }`
    )
    expect(codexLines.renumbered("no JSON", "agent", () => "‹host 2›")).toBe("no JSON")
  })
})

describe("the host of a tape", () => {
  it("answers a question with today's id, and refuses one that the tape does not have", () => {
    const approval = (id: number) => ({ method: "item/commandExecution/requestApproval", id, params: { itemId: "i" } })
    const frames = [
      data("agent", line(approval(0))),
      data("host", line({ id: 0, result: { decision: "accept" } })),
      data("agent", line({ method: "turn/completed", params: {} }))
    ]
    const host = new Tape.HostReplay(frames, "codex")
    expect(host.begin()).toEqual([])
    expect(host.receiveLine(JSON.stringify(approval(7)))).toEqual([
      { _tag: "Send", line: '{"id":7,"result":{"decision":"accept"}}' }
    ])
    expect(host.receiveLine('{"method":"new/question","id":"q","params":{}}')).toEqual([
      { _tag: "Send", line: '{"id":"q","error":{"code":-32601,"message":"The tape has no answer to this."}}' }
    ])
    expect(host.unknownQuestions).toHaveLength(1)
  })

  it("does not wait for answers in the order that they came in", () => {
    const frames = [
      data("host", line({ method: "model/list", id: 1, params: {} })),
      data("host", line({ method: "thread/list", id: 2, params: {} })),
      data("agent", line({ id: 2, result: {} })),
      data("agent", line({ id: 1, result: {} })),
      data("host", line({ method: "thread/loaded/list", id: 3, params: {} }))
    ]
    const host = new Tape.HostReplay(frames, "codex")
    expect(host.begin()).toHaveLength(2)
    expect(host.receiveLine('{"id":1,"result":{}}')).toEqual([])
    expect(host.receiveLine('{"id":2,"result":{}}')).toMatchObject([{ line: expect.stringContaining("loaded") }])
  })
})

describe("a comparison", () => {
  const header: Tape.TapeHeader = {
    tape: 1,
    agentwire: "0.0.0",
    runtime: { name: "codex" },
    transport: "stdio",
    argv: ["app-server"],
    startedAt: "2026-01-01T00:00:00.000Z",
    redacted: []
  }
  const tape = (...values: ReadonlyArray<unknown>): Tape.Tape => ({
    header,
    frames: values.map((each) => data("agent", line(each)))
  })
  const delta = (text: string, itemId = "m") => ({
    method: "item/agentMessage/delta",
    params: { threadId: "t", itemId, delta: text }
  })

  it("does not tell where deltas were cut, when it is asked not to", () => {
    const [one, other] = [tape(delta("Hel"), delta("lo")), tape(delta("H"), delta("ello"))]
    expect(Tape.diffTapes(one, other)).not.toEqual([])
    expect(Tape.diffTapes(one, other, { joinDeltas: true })).toEqual([])
    expect(Tape.diffTapes(one, tape(delta("Help")), { joinDeltas: true })).toMatchObject([{ _tag: "Changed" }])
  })

  it("does not tell that an answer overtook a notification", () => {
    const [answer, notice] = [
      { id: 1, result: { a: 1 } },
      { method: "thread/started", params: {} }
    ]
    expect(Tape.diffTapes(tape(answer, notice), tape(notice, answer))).toEqual([])
    expect(Tape.diffTapes(tape(answer), tape({ id: 1, result: { a: 2 } }))).toMatchObject([
      { name: "agent stdout answers response", differences: [{ path: "$.result.a" }] }
    ])
  })

  it("finds a secret that two deltas share", () => {
    const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    const item = {
      method: "item/completed",
      params: { threadId: "t", item: { type: "agentMessage", id: "m", text: `It is ${secret}.` } }
    }
    const frames = tape(
      delta(`It is ${secret.slice(0, 12)}`),
      delta("Meanwhile.", "other"),
      delta(`${secret.slice(12)}.`),
      item
    ).frames
    const redactor = Tape.makeRedactor({ home: "/home/me", user: "me" })
    const clean = [...frames.flatMap((frame) => redactor.push(frame)), ...redactor.end()]
    const whole = JSON.stringify(clean)
    for (const part of [secret, secret.slice(0, 12), secret.slice(12)]) expect(whole).not.toContain(part)
    expect(whole).toContain("Meanwhile.")
    expect(whole.match(/REDACTED_github-token_1/g)).toHaveLength(2)
  })
})
