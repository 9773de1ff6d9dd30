/**
 * Arbitrary turns in which texts, thoughts, calls, tasks and sub-agents overlap, all in order.
 */
import type { Model } from "@agentwire/protocol"
import * as fc from "fast-check"

type Kind = "text" | "thought" | "call" | "task" | "subagent"

interface Begun {
  readonly kind: Kind
  readonly id: string
}

const main = { lane: null } as const

const start = (id: string, item: Model.ItemStart, lane: Model.Lane = null): Model.Event => ({
  type: "item_started",
  lane,
  id,
  item
})

const begin: { readonly [K in Kind]: (id: string, parent: string) => ReadonlyArray<Model.Event> } = {
  text: (id) => [start(id, { kind: "text" })],
  thought: (id) => [start(id, { kind: "thought" })],
  call: (id, parent) => [start(id, { kind: "call", tool: `tool-${id}`, action: "other", parent })],
  task: (id) => [start(id, { kind: "task", content: { step: "first" } })],
  subagent: (lane) => [{ type: "lane_opened", lane, parent: null, name: "helper" }]
}

const grown = (id: string, delta: string): ReadonlyArray<Model.Event> => [{ type: "item_grew", ...main, id, delta }]

const grow: { readonly [K in Kind]: (id: string, delta: string, nth: number) => ReadonlyArray<Model.Event> } = {
  text: grown,
  thought: grown,
  call: grown,
  task: (id, step) => [{ type: "item_changed", ...main, id, content: { step } }],
  subagent: (lane, delta, nth) => [
    start(`${lane}:${nth}`, { kind: "text" }, lane),
    { type: "item_grew", lane, id: `${lane}:${nth}`, delta },
    { type: "item_ended", lane, id: `${lane}:${nth}` }
  ]
}

const ended = (id: string): ReadonlyArray<Model.Event> => [{ type: "item_ended", ...main, id }]

const end: { readonly [K in Kind]: (id: string) => ReadonlyArray<Model.Event> } = {
  text: ended,
  thought: (id) => [{ type: "item_ended", ...main, id, signature: `sealed ${id}` }],
  call: (id) => [...ended(id), { type: "call_answered", ...main, id, content: `result of ${id}`, failed: false }],
  task: ended,
  subagent: (lane) => [{ type: "lane_closed", lane, outcome: { type: "completed" } }]
}

const move = fc.record({
  kind: fc.constantFrom<Kind>("text", "thought", "call", "task", "subagent"),
  slot: fc.nat(2),
  ends: fc.boolean(),
  delta: fc.string({ minLength: 1, maxLength: 4 })
})

type Move = typeof move extends fc.Arbitrary<infer A> ? A : never

/** What happens in a turn. All that begins in it ends in it. */
const turnOf = (turn: number, moves: ReadonlyArray<Move>): ReadonlyArray<Model.Event> => {
  const open = new Map<string, Begun>()
  const events: Array<Model.Event> = []
  for (const [index, { delta, ends, kind, slot }] of moves.entries()) {
    const key = `${kind} ${slot}`
    const found = open.get(key)
    if (found === undefined) {
      const id = `${kind}-${turn}-${index}`
      open.set(key, { kind, id })
      events.push(...begin[kind](id, slot === 0 ? `parent-${id}` : `parent-${turn}`))
    } else if (ends) {
      open.delete(key)
      events.push(...end[kind](found.id))
    } else events.push(...grow[kind](found.id, delta, index))
  }
  for (const { id, kind } of open.values()) events.push(...end[kind](id))
  return events
}

/** Some turns, one after the other: what happens in each. */
export const turns: fc.Arbitrary<ReadonlyArray<ReadonlyArray<Model.Event>>> = fc
  .array(fc.array(move, { maxLength: 40 }), { minLength: 1, maxLength: 3 })
  .map((found) => found.map((moves, turn) => turnOf(turn, moves)))

/** Some turns, with their prompts, from the first event to the last. */
export const conversation: fc.Arbitrary<ReadonlyArray<Model.Event>> = turns.map((found) =>
  found.flatMap(
    (events, turn): ReadonlyArray<Model.Event> => [
      // Nobody waits for anything then.
      { type: "noticed", lane: null, name: "between", value: turn },
      { type: "turn_started", cause: "prompt", ticket: `run-${turn}` },
      start(`user-${turn}`, { kind: "prompt", content: "Go on." }),
      ...events,
      { type: "turn_ended", outcome: { type: "completed" } }
    ]
  )
)
