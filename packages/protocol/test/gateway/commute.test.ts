/**
 * The commuting law of the gateway, on tapes of a real Claude Code and threads of a real Codex: what a client has that was
 * written from the documentation alone is the model's transcript, up to the table of `Projection.ts`.
 */

import * as Schema from "effect/Schema"
import { expect, test } from "vitest"
import { chosenTapes, sweeping } from "../../../fixtures/test/Sweep.ts"
import { Gateway, Model } from "../../src/index.ts"
import { sessions, threadsIn } from "../codex/Sessions.ts"
import { timedCodexEvents, timedEvents } from "../normalised/Tapes.ts"
import { projected } from "./Projection.ts"
import { type Json, plain, ReadingClient } from "./ReadingClient.ts"

interface Case {
  readonly name: string
  readonly entries: ReadonlyArray<Gateway.LoggedEvent>
  /** What is told of each entry, and where the reader is before it. */
  readonly told: ReadonlyArray<ReadonlyArray<Gateway.SessionEvent>>
  readonly cursors: ReadonlyArray<Gateway.GatewayCursor>
}

const caseOf = (name: string, events: ReturnType<typeof timedEvents>): Case => {
  const entries = events.map((timed, seq) => ({ ...timed, seq }))
  const cursors: Array<Gateway.GatewayCursor> = [Gateway.initialGateway({ sessionId: "s" })]
  const told = entries.map((entry) => {
    const [next, given] = Gateway.writeGateway(cursors.at(-1) as Gateway.GatewayCursor, entry)
    cursors.push(next)
    return given
  })
  return { name, entries, told, cursors }
}

const all: ReadonlyArray<Case> = [
  ...chosenTapes.map((entry) => caseOf(`${entry.version} ${entry.scenario}`, timedEvents(entry))),
  ...sessions
    .filter((_, nth) => sweeping || nth % 4 === 0)
    .flatMap((session) =>
      threadsIn(session.lines).map((thread) => caseOf(session.name, timedCodexEvents(session, thread)))
    )
]

/** A history has a text with all its calls, whatever was said between them: the order is that of messages. */
const sorted = (entries: ReadonlyArray<Json>): ReadonlyArray<Json> => {
  const nameOf = ({ id, kind }: Json): string => `${kind} ${id}`
  return [...entries].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
}

const transcriptOf = (entries: Case["entries"]) => Model.transcriptOf(entries.map(({ event }) => event)).entries

/** What travels. */
const onWire = (events: Iterable<Gateway.SessionEvent>): ReadonlyArray<Gateway.SessionEvent> =>
  JSON.parse(JSON.stringify([...events])) as ReadonlyArray<Gateway.SessionEvent>

const clientOf = (told: Iterable<Gateway.SessionEvent>, client = new ReadingClient()): ReadingClient => {
  for (const { event, payload } of onWire(told)) client.hear({ event, payload })
  return client
}

test("a client that has heard everything has the transcript", () => {
  expect(all.length).toBeGreaterThan(100)
  for (const { entries, name, told } of all) {
    const client = clientOf(told.flat())
    expect(client.faults, name).toEqual([])
    expect(plain(client.entries), name).toEqual(projected(transcriptOf(entries)))
    expect(client.inTurn, name).toBe(false)
    expect(client.questions.size, name).toBe(0)
  }
})

test("the history has the transcript", () => {
  for (const { entries, name } of all) {
    const client = new ReadingClient()
    client.history(JSON.parse(JSON.stringify(Gateway.messagesOf(transcriptOf(entries)))))
    expect(sorted(plain(client.entries)), name).toEqual(sorted(projected(transcriptOf(entries))))
  }
})

test("a client that comes later has the transcript: the history, what is open, and what is told from then on", () => {
  for (const { cursors, entries, name, told } of all)
    for (const place of [0.2, 0.5, 0.8]) {
      const at = Math.floor(entries.length * place)
      const client = new ReadingClient()
      client.history(JSON.parse(JSON.stringify(Gateway.messagesOf(transcriptOf(entries.slice(0, at))))))
      const cursor = cursors[at] as Gateway.GatewayCursor
      clientOf([...Gateway.joinGateway(cursor), ...told.slice(at).flat()], client)
      expect(client.faults, `${name} at ${at}`).toEqual([])
      expect(sorted(plain(client.entries)), `${name} at ${at}`).toEqual(sorted(projected(transcriptOf(entries))))
    }
})

test("a client that comes back after any number has what it would have had", () => {
  for (const { cursors, name, told } of all) {
    const at = Math.floor(told.length / 2)
    const cursor = cursors[at] as Gateway.GatewayCursor
    expect(cursor.seq, name).toBe(at - 1)
    for (const [index, each] of told.entries())
      for (const [part, { payload }] of each.entries())
        expect([payload.seq, payload.part], name).toEqual([index, part === each.length - 1 ? undefined : part])
  }
})

test("every turn ends with one turn_stop, that says what it spent", () => {
  for (const { entries, name, told } of all) {
    const ends = entries.flatMap(({ event }) => (event.type === "turn_ended" ? [event.outcome] : []))
    expect(
      told.flat().flatMap(({ payload }) => (payload.type === "turn_stop" ? [payload.outcome] : [])),
      name
    ).toEqual(ends)
  }
})

test("every event is what its schema says, and nothing else", () => {
  let count = 0
  for (const { name, told } of all)
    for (const event of onWire(told.flat())) {
      count++
      const schema = Gateway.sessionEvents[event.event] as Schema.Codec<unknown>
      expect(
        () => Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(event),
        `${name} ${JSON.stringify(event)}`
      ).not.toThrow()
    }
  expect(count).toBeGreaterThan(3000)
})
