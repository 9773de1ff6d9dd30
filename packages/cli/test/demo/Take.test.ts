import { Tape } from "@agentwire/protocol"
import { decodeLine } from "@agentwire/protocol/claude"
import { describe, expect, it } from "vitest"
import { parseLine, textAt } from "../../src/demo/Line.ts"
import { OpenTurn } from "../../src/demo/OpenTurn.ts"
import type { Cue } from "../../src/demo/Take.ts"
import { demoTurns } from "../../src/demo/Turns.ts"
import { eventsOf, take, takeNames, wrongWith } from "./takes.ts"

const linesOf = (cues: ReadonlyArray<Cue>): ReadonlyArray<string> =>
  cues.flatMap((cue) => (cue._tag === "Say" ? [cue.line] : []))

/** The lines up to the first answer, without ids and times; their order may differ by a hair. */
const untilAnswer = (cues: ReadonlyArray<Cue>): ReadonlyArray<string> =>
  linesOf(
    cues.slice(
      0,
      cues.findIndex(({ _tag }) => _tag === "Await")
    )
  )
    .map(parseLine)
    .filter(({ subtype }) => subtype !== "thinking_tokens" && subtype !== "init")
    .map((line) => Tape.signatureOf(line))
    .sort()

describe.each(takeNames)("the take %s", (name) => {
  const { sessionId, start, turn, version } = take(name)

  it("is all known, of one session, and ends with a result", () => {
    const lines = linesOf(turn)
    expect(lines.map(decodeLine).filter(({ _tag }) => _tag !== "Known")).toEqual([])
    const sessions = lines.map((line) => textAt(parseLine(line), "session_id")).filter((id) => id !== "")
    expect(new Set(sessions)).toEqual(new Set([sessionId]))
    expect(lines.filter((line) => parseLine(line)["type"] === "result")).toHaveLength(1)
    expect(version).toBe("2.1.325")
  })

  it("begins with the question for the page's tools", () => {
    const asked = linesOf(start).map((line) => textAt(parseLine(line), "request", "message", "method"))
    expect(asked.filter((method) => method !== "")).toEqual(["initialize", "notifications/initialized", "tools/list"])
    expect(start.slice(-2).map(({ _tag }) => _tag)).toEqual(["Say", "Await"])
  })

  it("has closed its message before it waits for a person or a page", () => {
    const open = new OpenTurn()
    let asked = ""
    for (const cue of turn) {
      if (cue._tag === "Await") {
        // The bridge itself answers what the page's own tools ask.
        if (!asked.includes('"tool_name":"mcp__frontend__')) expect(open.messageId).toBeUndefined()
      } else {
        open.said(parseLine(cue.line))
        if (parseLine(cue.line)["type"] === "control_request") asked = cue.line
      }
    }
  })

  it("gives a page nothing that is wrong", () => {
    expect(wrongWith(eventsOf(linesOf(turn)))).toEqual([])
  })
})

it.each(demoTurns.filter(({ takes }) => takes.length > 1))(
  "the takes for “$prompt” differ by the answer only",
  ({ takes: [first, ...others] }) => {
    for (const other of others) expect(untilAnswer(take(other).turn)).toEqual(untilAnswer(take(first).turn))
  }
)
