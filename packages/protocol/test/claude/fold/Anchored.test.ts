/** The points a conversation can go back to, on what real CLIs said (docs/wire/claude-code.md §10). */
import { loadTape, tapes } from "@agentwire/fixtures"
import { describe, expect, it } from "vitest"
import { sweeping } from "../../../../fixtures/test/Sweep.ts"
import { anchorName, decodeLine, hostPrompt, readAnchor } from "../../../src/claude/index.ts"
import { Claude, Model, Tape } from "../../../src/index.ts"

/** The lines of a tape, and the events they become; prompts as a runtime sends them. */
const foldTape = (entry: (typeof tapes)[number]) => {
  const events: Array<Model.Event> = []
  const lines: Array<{ readonly type: string; readonly uuid: string; readonly session_id: string }> = []
  let state = Claude.initialFold()
  for (const { from, line } of Tape.tapeLines(loadTape(entry).frames)) {
    if (line._tag !== "Text" || line.text.trim() === "") continue
    const decoded = decodeLine(line.text)
    if (decoded._tag !== "Known") continue
    let given: ReadonlyArray<Model.Event> = []
    if (from === "agent") {
      ;[state, given] = Claude.foldMessage(state, decoded)
      lines.push(decoded.message as never)
    } else if (decoded.name === "user") {
      const said = hostPrompt(decoded.message, `prompt ${events.length}`)
      if (said !== undefined) [state, given] = Claude.foldPrompt(state, [said], decoded.message.uuid)
    }
    events.push(...given)
  }
  events.push(...Claude.endFold(state, { type: "end" })[1])
  return { events, lines }
}

const anchorsIn = (events: ReadonlyArray<Model.Event>) =>
  events.flatMap((event) => (event.type === "anchored" ? [event] : []))

/** All of them in a sweep; the newest and the oldest otherwise, and of each what a scenario's name begins with once. */
const folded = tapes
  .filter(
    ({ scenario, version }, index, all) =>
      sweeping ||
      (["2.1.325", "2.1.37"].includes(version) &&
        all.findIndex((other) => other.version === version && stem(other.scenario) === stem(scenario)) === index)
  )
  .map((entry) => ({ name: `${entry.scenario} ${entry.version}`, ...foldTape(entry) }))

function stem(scenario: string): string {
  return scenario.split("_")[0] ?? scenario
}

describe("on every tape", () => {
  it("each point is a line of the main thread, in its own session", () => {
    for (const { events, lines, name } of folded) {
      const spoken = lines
        .filter(({ type }) => type === "assistant" || type === "user")
        .map(({ session_id, uuid }) => anchorName({ sessionId: session_id, uuid }))
      const prompts = events.flatMap((event) =>
        event.type === "item_started" && event.item.kind === "prompt" ? [event.id] : []
      )
      const odd = anchorsIn(events).filter(
        ({ anchor, id, lane }) => lane !== null || !(prompts.includes(id ?? "") || spoken.includes(anchor))
      )
      expect(odd, name).toEqual([])
    }
  })

  it("whatever the model said to its end on the main thread has one", () => {
    for (const { events, name } of folded) {
      // What an interrupt cuts off is in the deltas only on 2.1.37 (§5.10), and so is what a signal cuts off.
      if (events.some((event) => event.type === "turn_ended" && event.outcome.type !== "completed")) continue
      const { entries } = Model.transcriptOf(events)
      const without = entries.filter(
        (each) => each.lane === null && each.anchor === undefined && each.kind === "text" && each.id.startsWith("msg_")
      )
      expect(
        without.filter((each) => each.kind === "text" && each.abandoned !== true),
        name
      ).toEqual([])
    }
  })
})

describe("a point", () => {
  const of = (scenario: string, version = "2.1.325") => {
    const entry = tapes.find((tape) => tape.scenario === scenario && tape.version === version)
    if (entry === undefined) throw new Error(`No tape ${scenario} of ${version}`)
    return foldTape(entry)
  }

  it("after a call is after its result", () => {
    const { events, lines } = of("tool_approved")
    const { entries } = Model.transcriptOf(events)
    const call = entries.find(({ kind }) => kind === "call")
    const result = entries.find(({ kind }) => kind === "result")
    const typeOf = (anchor = "") => lines.find(({ uuid }) => uuid === readAnchor(anchor)?.uuid)?.type
    expect(typeOf(call?.anchor)).toBe("assistant")
    expect(typeOf(result?.anchor)).toBe("user")
  })

  it("after an interrupt is after what the CLI says of it, whatever was said last", () => {
    for (const version of ["2.1.325", "2.1.37"]) {
      const { events, lines } = of("interrupt_midstream", version)
      const last = anchorsIn(events).findLast(({ id }) => id === undefined)
      const line = lines.find(({ uuid }) => uuid === readAnchor(last?.anchor ?? "")?.uuid)
      expect(JSON.stringify(line)).toContain("[Request interrupted by user")
    }
  })

  it("after what a slash command printed is after that line", () => {
    for (const version of ["2.1.325", "2.1.37"]) {
      const { events, lines } = of("slash_commands", version)
      const printed = Model.transcriptOf(events).entries.find(
        (entry) => entry.kind === "text" && entry.text.includes("Context Usage")
      )
      const line = lines.find(({ uuid }) => uuid === readAnchor(printed?.anchor ?? "")?.uuid)
      expect(JSON.stringify(line), version).toContain("Context Usage")
    }
  })

  it("has a name that can be read again, and no other text has", () => {
    const anchor = { sessionId: "a-session", uuid: "0-1-2" }
    expect(readAnchor(anchorName(anchor))).toEqual(anchor)
    for (const odd of ["", "/", "a/", "/b", "a/b/c", "a b/c", "--resume/x\n", "a/b\n"])
      expect(readAnchor(odd), JSON.stringify(odd)).toBeUndefined()
  })
})
