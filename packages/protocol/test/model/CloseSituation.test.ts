/** What ends a conversation that was cut short, wherever that was. */
import { loadTape, tapes } from "@agentwire/fixtures"
import * as fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { decodeLine } from "../../src/claude/index.ts"
import { Agui, Claude, Model, Tape } from "../../src/index.ts"
import { refusal } from "../translate/Order.ts"

const ended: Model.TurnOutcome = { type: "failed", code: "BRIDGE_ENDED", message: "The bridge ended." }

const after = (events: ReadonlyArray<Model.Event>, from: Model.Situation = Model.emptySituation): Model.Situation =>
  events.reduce(Model.applyToSituation, from)

const isClosed = ({ items, lanes, reply, requests, turn }: Model.Situation): boolean =>
  turn === undefined && reply === undefined && items.size + lanes.size + requests.size === 0

/** The events of a tape up to each of its lines. */
const prefixes = (scenario: string): ReadonlyArray<ReadonlyArray<Model.Event>> => {
  const entry = tapes.find((each) => each.scenario === scenario && each.version === "2.1.325")
  if (entry === undefined) throw new Error(`no tape of ${scenario}`)
  const events: Array<Model.Event> = [{ type: "turn_started", cause: "prompt", ticket: "r" }]
  const all: Array<ReadonlyArray<Model.Event>> = [[...events]]
  let [state] = Claude.foldPrompt(Claude.initialFold(), [{ id: "p", content: "Go" }])
  for (const { from, line } of Tape.tapeLines(loadTape(entry).frames)) {
    if (from !== "agent" || line._tag !== "Text" || line.text.trim() === "") continue
    const [next, given] = Claude.foldMessage(state, decodeLine(line.text))
    state = next
    events.push(...given)
    all.push([...events])
  }
  return all
}

const scenarios = ["plain_text", "three_tool_turns", "subagent_parallel", "subagent_background", "redacted_interleaved"]

describe.each(scenarios)("%s, cut after any line", (scenario) => {
  const all = prefixes(scenario)

  test("has nothing open then, and says so once", () => {
    for (const events of all) {
      const situation = after(events)
      const closing = Model.closeSituation(situation, ended)
      expect(isClosed(after(closing, situation))).toBe(true)
      expect(closing.filter(({ type }) => type === "turn_ended")).toEqual(
        situation.turn === undefined ? [] : [expect.objectContaining({ outcome: ended })]
      )
      expect(Model.closeSituation(after(closing, situation), ended)).toEqual([])
    }
  })

  test("keeps what was said", () => {
    const words = (events: ReadonlyArray<Model.Event>) =>
      Model.transcriptOf(events).entries.map(
        ({ abandoned: _, ...entry }: Model.TranscriptEntry & { abandoned?: boolean }) => entry
      )
    for (const events of all)
      expect(words([...events, ...Model.closeSituation(after(events), ended)])).toEqual(words(events))
  })

  test("is a stream that a client takes, and its run has failed", () => {
    for (const events of all) {
      let writer = Agui.initialWriter({ threadId: "t" })
      const sent: Array<Agui.AguiEvent> = []
      for (const event of [...events, ...Model.closeSituation(after(events), ended)]) {
        const [next, given] = Agui.write(writer, event)
        writer = next
        sent.push(...given)
      }
      expect(refusal(sent)).toBeUndefined()
      expect(Agui.isRunOpen(writer)).toBe(false)
      if (after(events).turn !== undefined)
        expect(sent.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "BRIDGE_ENDED" })
    }
  })
})

it("whatever was said, in whatever order, nothing is open then", () => {
  const id = fc.constantFrom("a", "b", "c")
  const lane = fc.constantFrom(null, "x", "y")
  const item = fc.constantFrom<Model.ItemStart>(
    { kind: "text" },
    { kind: "call", tool: "Bash", action: "command", parent: "m" },
    { kind: "task", content: {} }
  )
  const request = { kind: "page_tool" as const, message: "", call: "c", tool: "paint", input: {} }
  const event: fc.Arbitrary<Model.Event> = fc.oneof(
    fc.record({ type: fc.constant("item_started" as const), lane, id, item }),
    fc.record({ type: fc.constant("item_ended" as const), lane, id }),
    fc.record({ type: fc.constant("item_ended" as const), lane, id, abandoned: fc.constant(true) }),
    fc.record({ type: fc.constant("item_grew" as const), lane, id, delta: fc.constant("x") }),
    fc.record({
      type: fc.constant("lane_opened" as const),
      lane: fc.constantFrom("x", "y"),
      parent: lane,
      name: fc.constant("h")
    }),
    fc.record({ type: fc.constantFrom("reply_started" as const, "reply_ended" as const), lane: fc.constant(null), id }),
    id.map((id) => ({ type: "request_opened" as const, lane: null, request: { ...request, id } })),
    fc.constantFrom<Model.Event>(
      { type: "turn_started", cause: "agent" },
      { type: "turn_ended", outcome: { type: "completed" } },
      { type: "spent", usage: { input: 3, output: 1, cachedInput: 0, cacheWriteInput: 0 }, provider: "p", model: "m" }
    )
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const situation = after(events)
      expect(isClosed(after(Model.closeSituation(situation, ended), situation))).toBe(true)
    })
  )
})

it("the turn has spent what it had spent", () => {
  const usage = { input: 3, output: 1, cachedInput: 0, cacheWriteInput: 0 }
  const situation = after([
    { type: "turn_started", cause: "agent" },
    { type: "spent", usage, provider: "p", model: "m" }
  ])
  expect(Model.closeSituation(situation, ended)).toEqual([
    { type: "turn_ended", outcome: ended, usage, provider: "p", model: "m" }
  ])
})
