/** The table of what becomes of each message: current, and true of every tape. */
import { readFileSync } from "node:fs"
import { loadTape } from "@agentwire/fixtures"
import { describe, expect, it } from "vitest"
import { mappingText, messageNames } from "../../../../scripts/Mapping.ts"
import { chosenTapes } from "../../../fixtures/test/Sweep.ts"
import { type Decoded, decodeLine } from "../../src/claude/index.ts"
import { Agui, Claude, type Model, Tape, Translate } from "../../src/index.ts"

const text = readFileSync(new URL("../../mapping.md", import.meta.url), "utf8")

/** An event as the table names it. */
const label = (event: Agui.AguiEvent): string => (event.type === "CUSTOM" ? `CUSTOM ${event.name}` : event.type)

const listed = (decoded: Decoded): ReadonlyArray<string> => {
  if (decoded._tag !== "Known") return ["RAW"]
  const { custom, events } = Translate.mappingOf(decoded.name)
  return [...events.filter((type) => type !== "CUSTOM"), ...custom.map((name) => `CUSTOM ${name}`)]
}

const lifecycle = /^(?:RUN|SUBAGENT)_/
const ending = /^(?:RUN_FINISHED|RUN_ERROR|SUBAGENT_FINISHED|SUBAGENT_ERROR)$/

/** What the end of a run or of a sub-agent closes, whichever message brought it. */
const closing = [
  "TEXT_MESSAGE_END",
  "TOOL_CALL_END",
  "REASONING_ENCRYPTED_VALUE",
  "REASONING_MESSAGE_END",
  "REASONING_END",
  "CUSTOM message_abandoned"
]

/** What an event of the model that has waited may become. */
const listedHeld = (event: Model.Event): ReadonlyArray<string> => {
  const { custom, events } = Agui.writeMappingOf([event.type], {
    items: ["text", "thought", "call", "task"],
    requests: ["permission", "form"],
    closings: ["withdrawn"],
    noticed: event.type === "noticed" ? [event.name] : []
  })
  return [...events, ...custom.map((name) => `CUSTOM ${name}`)]
}

/** Events of one step that nothing in the table accounts for. */
const unaccounted = (held: ReadonlyArray<Model.Event>, decoded: Decoded, events: ReadonlyArray<Agui.AguiEvent>) => {
  const allowed = new Set([
    ...listed(decoded),
    ...(events.some(({ type }) => type === "RUN_STARTED") ? held.flatMap(listedHeld) : []),
    ...(events.some(({ type }) => ending.test(type)) ? closing : [])
  ])
  return events.map(label).filter((name) => !lifecycle.test(name) && !allowed.has(name))
}

describe("mapping.md", () => {
  it("is current (`npm run mapping` writes it)", () => {
    expect(text).toBe(mappingText())
  })

  it("has a row for every message", () => {
    for (const name of messageNames) expect(text).toContain(`| \`${name}\` |`)
  })

  it.each(["1.0", "0.0"] as const)("accounts for every event of every tape in %s", (dialect) => {
    const found = new Set<string>()
    const names = new Set<string>()
    for (const entry of chosenTapes) {
      let state = Translate.initialState({ threadId: "t", dialect })
      for (const { from, line } of Tape.tapeLines(loadTape(entry).frames)) {
        if (from !== "agent" || line._tag !== "Text" || line.text.trim() === "") continue
        const decoded = decodeLine(line.text)
        const [next, events] = Translate.step(state, decoded)
        for (const name of unaccounted(state.writer.held, decoded, events))
          found.add(`${decoded._tag === "Known" ? decoded.name : decoded._tag} gives ${name} (${entry.scenario})`)
        for (const event of events) if (event.type === "CUSTOM") names.add(event.name)
        state = next
      }
    }
    expect([...found]).toEqual([])
    expect(names.size).toBeGreaterThan(20)
    for (const name of names) expect(text).toContain(`\`${name}\``)
  })

  it("accounts for every event of the model of every tape", () => {
    const found = new Set<string>()
    const seen = new Set<string>()
    for (const entry of chosenTapes) {
      let state = Claude.initialFold()
      for (const { from, line } of Tape.tapeLines(loadTape(entry).frames)) {
        if (from !== "agent" || line._tag !== "Text" || line.text.trim() === "") continue
        const decoded = decodeLine(line.text)
        const [next, events] = Claude.foldMessage(state, decoded)
        state = next
        const allowed = new Set<string>(decoded._tag === "Known" ? Claude.mappingOf(decoded.name).events : ["unknown"])
        const closes = events.some(({ type }) => type === "turn_ended" || type === "lane_closed")
        for (const { type } of events) {
          seen.add(type)
          if (/^(?:turn|lane)_/.test(type) || (closes && /^item_/.test(type)) || allowed.has(type)) continue
          found.add(`${decoded._tag === "Known" ? decoded.name : decoded._tag} gives ${type} (${entry.scenario})`)
        }
      }
    }
    expect([...found]).toEqual([])
    expect(seen.size).toBeGreaterThan(15)
  })

  it("would notice an event that is not listed", () => {
    const alive = decodeLine('{"type":"keep_alive"}')
    const event: Agui.AguiEvent = { type: "CUSTOM", name: "sign_of_life", value: {} }
    expect(unaccounted([], alive, [event])).toEqual(["CUSTOM sign_of_life"])
    expect(unaccounted([], alive, [{ type: "TEXT_MESSAGE_END", messageId: "m" }])).toEqual(["TEXT_MESSAGE_END"])
  })
})
