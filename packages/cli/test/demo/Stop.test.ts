import { loadTape } from "@agentwire/fixtures"
import { decodeLine } from "@agentwire/protocol/claude"
import { describe, expect, it } from "vitest"
import { parseLine, textAt, valueAt } from "../../src/demo/Line.ts"
import { OpenTurn } from "../../src/demo/OpenTurn.ts"
import { Play } from "../../src/demo/Play.ts"
import { stopLines } from "../../src/demo/Stop.ts"
import { takeOf } from "../../src/demo/Take.ts"
import { demoTakes, stopTakes } from "../../src/demo/Turns.ts"
import { conversation, eventsOf, promptNames, take, way, wrongWith } from "./takes.ts"

const patterns = { text: take(stopTakes.text), tools: take(stopTakes.tools) }
const stop = { conversation, prompt: promptNames, requestId: "stop-1" }
const played = demoTakes.filter((name) => !Object.values<string>(stopTakes).includes(name))

/** The lines of a take with names of now. */
const linesOf = (name: string): ReadonlyArray<string> => {
  const play = new Play(conversation, [way(name)])
  const lines: Array<string> = []
  for (let next = play.next(); next !== undefined; next = play.next()) {
    if (next._tag === "Say") lines.push(next.line)
    else play.answer({ subtype: "success", response: {} })
  }
  return lines
}

const stoppedAfter = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const open = new OpenTurn()
  for (const line of lines) open.said(parseLine(line))
  return open.over ? [] : stopLines(patterns, open, stop)
}

const kindsOf = (lines: ReadonlyArray<string>) =>
  lines.map((line) => {
    const decoded = decodeLine(line)
    return decoded._tag === "Known" ? decoded.name : decoded._tag
  })

/** Of deltas in a row one is as good as another. */
const moments = (lines: ReadonlyArray<string>): ReadonlyArray<number> =>
  lines.flatMap((line, index) => {
    const kind = (each = "") => each.replace(/"(?:uuid|text|thinking|partial_json)":".*/, "")
    return kind(line) === kind(lines[index - 1]) && kind(line) === kind(lines[index + 1]) ? [] : [index]
  })

describe.each(played)("%s stopped", (name) => {
  it("anywhere leaves a page with nothing open", () => {
    const lines = linesOf(name)
    for (const moment of moments(lines)) {
      const before = lines.slice(0, moment)
      const after = stoppedAfter(before)
      if (after.length === 0) continue
      const events = eventsOf([...before, ...after])
      expect(wrongWith(events), `after line ${moment}`).toEqual([])
      expect(kindsOf(after)).not.toContain("Invalid")
      expect(after.map((line) => textAt(parseLine(line), "response", "request_id")).filter((id) => id !== "")).toEqual([
        "stop-1"
      ])
      expect(kindsOf(after).at(-2)).toBe("result/error_during_execution")
      const sessions = after.map((line) => textAt(parseLine(line), "session_id")).filter((id) => id !== "")
      expect(new Set(sessions)).toEqual(new Set([conversation.sessionId]))
    }
  })
})

/** What the real CLI said before and after an interrupt, in tapes of the library. */
const interrupted = (scenario: string) => {
  const { stopped, turn } = takeOf(loadTape({ scenario, version: "2.1.325" }))
  const said = turn.flatMap((cue) => (cue._tag === "Say" ? [cue.line] : []))
  const before = said.slice(0, said.length - stopped.length)
  const end = stopped.findIndex((line) => parseLine(line)["type"] === "result")
  return { before, after: stopped.slice(0, end + 1) }
}

describe("a stop says what the real CLI said", () => {
  it.each([
    "interrupt_midstream",
    "interrupt_during_thinking",
    "interrupt_during_tool_args",
    "interrupt_during_tool",
    "interrupt_during_permission",
    "interrupt_before_answer"
  ])("in %s", (scenario) => {
    const { after, before } = interrupted(scenario)
    const open = new OpenTurn()
    for (const line of before) open.said(parseLine(line))
    if (scenario === "interrupt_during_tool") for (const id of open.questions) open.answered(id)
    const last = stopLines(patterns, open, stop).slice(0, -1)
    expect(kindsOf(last)).toEqual(kindsOf(after))
    const content = (lines: ReadonlyArray<string>) =>
      lines
        .map(parseLine)
        .map((line) => valueAt(line, "message", "content", 0, "text") ?? valueAt(line, "event", "index"))
    expect(content(last)).toEqual(content(after))
    const abandoned = (lines: ReadonlyArray<string>) =>
      lines.map((line) => valueAt(parseLine(line), "abandoned_blocks", "from_block_index"))
    expect(abandoned(last)).toEqual(abandoned(after))
  })
})

describe("a stop", () => {
  const until = (name: string, text: string) => {
    const lines = linesOf(name)
    return lines.slice(0, lines.findIndex((line) => line.includes(text)) + 1)
  }

  it("in a text says what the real CLI said, with the text so far", () => {
    const before = until("story", 'listened. "')
    const after = stoppedAfter(before)
    expect(kindsOf(after)).toEqual(kindsOf(patterns.text.stopped))
    const whole = after.map(parseLine).find(({ type }) => type === "assistant")
    expect(textAt(whole, "message", "content", 0, "text")).toMatch(/^Once there was .*listened\. $/)
    const started = before.map(parseLine).find((line) => textAt(line, "event", "type") === "message_start")
    expect(textAt(whole, "message", "id")).toBe(textAt(started, "event", "message", "id"))
  })

  it("of sub-agents says what the real CLI said", () => {
    const lines = linesOf("subagents")
    const working = lines.findLastIndex((line) => line.includes('"task_started"'))
    const closed = lines.findIndex((line, index) => index > working && line.includes('"message_stop"'))
    const after = stoppedAfter(lines.slice(0, closed + 1))
    expect(kindsOf(after)).toEqual(kindsOf(patterns.tools.stopped))
  })

  it("takes a question back", () => {
    const after = stoppedAfter(until("approval_allow", '"can_use_tool"')).map(parseLine)
    expect(after[0]).toMatchObject({ type: "control_cancel_request" })
    expect(after.map((line) => textAt(line, "message", "content", 0, "type"))).toContain("tool_result")
  })
})
