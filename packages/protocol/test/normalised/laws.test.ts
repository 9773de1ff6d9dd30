/** The laws of normalised events, on every tape of a real Claude Code and on every thread of a real Codex. */
import { tapes } from "@agentwire/fixtures"
import * as Schema from "effect/Schema"
import { expect, test } from "vitest"
import { Model, Normalised } from "../../src/index.ts"
import { sessions, threadsIn } from "../codex/Sessions.ts"
import { options, timedCodexEvents, timedEvents, written } from "./Tapes.ts"

const toldOf = (name: string, events: ReadonlyArray<Normalised.Timed>) => {
  const [cursor, parts] = written(events)
  return { name, events, cursor, parts, told: parts.flat() }
}

const all = [
  ...tapes.map((entry) => toldOf(`${entry.version} ${entry.scenario}`, timedEvents(entry))),
  ...sessions.flatMap((session) =>
    threadsIn(session.lines).map((thread) => toldOf(session.name, timedCodexEvents(session, thread)))
  )
]

const decode = Schema.decodeUnknownSync(Normalised.NormalisedEvent, { onExcessProperty: "error" })

const laneOf = ({ data }: Normalised.NormalisedEvent): string | null => data.subagent_id ?? null

/** Texts by who says them. */
const byLane = (pieces: Iterable<readonly [string | null, string]>): ReadonlyMap<string | null, string> => {
  const texts = new Map<string | null, string>()
  for (const [lane, text] of pieces) if (text !== "") texts.set(lane, (texts.get(lane) ?? "") + text)
  return texts
}

test("every event is what its schema says, and nothing else", () => {
  let count = 0
  for (const { name, told } of all)
    for (const event of told) {
      count++
      expect(() => decode(JSON.parse(JSON.stringify(event))), `${name} ${JSON.stringify(event)}`).not.toThrow()
    }
  expect(count).toBeGreaterThan(10_000)
})

test("what is held at the end says nothing", () => {
  for (const { cursor, name } of all)
    expect(
      cursor.held.filter(({ type }) => type !== "session_ready"),
      name
    ).toEqual([])
})

/** The pieces of a message together: one may be said within another (docs/wire/codex.md §3.15). */
const inOrder = (told: ReadonlyArray<Normalised.NormalisedEvent>): ReadonlyArray<Normalised.NormalisedEvent> => {
  const first = new Map<string, number>()
  const placeOf = (event: Normalised.NormalisedEvent, index: number): number => {
    if (event.type !== "delta") return index
    const { message_id: id } = event.data
    if (!first.has(id)) first.set(id, index)
    return first.get(id) ?? index
  }
  const placed = told.map((event, index) => ({ event, place: placeOf(event, index) }))
  return placed.sort((a, b) => a.place - b.place).map(({ event }) => event)
}

test.each(["text", "thought"] as const)("the pieces of a %s are the transcript's, by who says it", (kind) => {
  const type = kind === "text" ? "delta" : "thinking"
  for (const { events, name, told } of all) {
    const said = Model.transcriptOf(events.map(({ event }) => event)).entries
    const pieces = byLane(
      inOrder(told).flatMap((event) => (event.type === type ? [[laneOf(event), event.data.text] as const] : []))
    )
    const wanted = byLane(said.flatMap((entry) => (entry.kind === kind ? [[entry.lane, entry.text] as const] : [])))
    expect(pieces, name).toEqual(wanted)
  }
})

test("the pieces of each message are that message", () => {
  for (const { events, name, told } of all) {
    const texts = new Map<string, string>()
    for (const event of told)
      if (event.type === "delta")
        texts.set(event.data.message_id, (texts.get(event.data.message_id) ?? "") + event.data.text)
    const said = Model.transcriptOf(events.map(({ event }) => event)).entries
    const wanted = said.flatMap((entry) => (entry.kind === "text" && entry.text !== "" ? [[entry.id, entry.text]] : []))
    expect([...texts].sort(), name).toEqual((wanted as Array<[string, string]>).sort())
  }
})

test("a call is told once, before its result, which is told once; no result is lost", () => {
  for (const { events, name, told } of all) {
    const started: Array<string> = []
    const answered: Array<string> = []
    for (const event of told) {
      if (event.type === "tool_start") started.push(event.data.tool_use_id)
      if (event.type !== "tool_result") continue
      answered.push(event.data.tool_use_id)
      expect(started, name).toContain(event.data.tool_use_id)
    }
    expect(new Set(started).size, name).toBe(started.length)
    const results = events.flatMap(({ event }) => (event.type === "call_answered" ? [event.id] : []))
    expect(answered.sort(), name).toEqual([...new Set(results)].sort())
  }
})

test("a question is asked once and settled once", () => {
  for (const { name, told } of all) {
    const asked = told.flatMap((event) => (event.type === "permission_request" ? [event.data.request_id] : []))
    const settled = told.flatMap((event) => (event.type === "permission_resolved" ? [event.data.request_id] : []))
    expect(new Set(asked).size, name).toBe(asked.length)
    expect(settled.sort(), name).toEqual(asked.sort())
  }
})

test("every turn ends with one `done`, and nothing of the main conversation follows until the next begins", () => {
  for (const { events, name, parts } of all) {
    let isOver = true
    for (const [index, told] of parts.entries()) {
      const type = events[index]?.event.type
      if (type === "turn_started") isOver = false
      for (const event of told) {
        if (laneOf(event) !== null) continue
        expect(isOver, `${name} ${JSON.stringify(event)}`).toBe(false)
        if (event.type === "done") isOver = true
      }
      if (type === "turn_ended") expect(isOver, name).toBe(true)
    }
  }
})

test("a sub-agent ends with one `done`, and says nothing after it unless it is opened again", () => {
  let ends = 0
  for (const { events, name, parts } of all) {
    const over = new Set<string>()
    for (const [index, told] of parts.entries()) {
      const event = events[index]?.event
      if (event?.type === "lane_opened") over.delete(event.lane)
      for (const each of told) {
        const lane = laneOf(each)
        if (lane === null) continue
        expect(over.has(lane), `${name} ${JSON.stringify(each)}`).toBe(false)
        if (each.type !== "done") continue
        over.add(lane)
        ends++
      }
    }
  }
  expect(ends).toBeGreaterThan(50)
})

test("who begins at any turn of a quiet moment is told the rest, the same as everybody", () => {
  for (const { events, name, parts } of all) {
    let situation = Model.emptySituation
    for (const [index, { event }] of events.entries()) {
      // `face/normalised` goes back to such a place, and reads on from there.
      if (event.type === "turn_started" && situation.lanes.size === 0) {
        const [, rest] = written(events.slice(index), Normalised.initialNormalised(options, situation))
        expect(rest.slice(1), name).toEqual(parts.slice(index + 1))
      }
      situation = Model.applyToSituation(situation, event)
    }
  }
})
