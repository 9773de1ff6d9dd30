/**
 * Events in any order, about a few items, sub-agents and requests: more than any runtime would say.
 */
import type { Model } from "@agentwire/protocol"
import * as fc from "fast-check"

/** An item keeps its kind; all else about it is anybody's guess. */
const items: Readonly<Record<string, Model.ItemStart>> = {
  t0: { kind: "text" },
  t1: { kind: "text" },
  h0: { kind: "thought" },
  c0: { kind: "call", tool: "Bash", action: "command", parent: "t0" },
  c1: { kind: "call", tool: "paint", action: "page_tool", parent: "t1" },
  k0: { kind: "task", content: { step: "first" } },
  p0: { kind: "prompt", content: "Hi" }
}

const id = fc.constantFrom(...Object.keys(items))
const lane = fc.constantFrom<Model.Lane>(null, null, null, "a", "b")
const delta = fc.string({ minLength: 1, maxLength: 3 })
const on = fc.record({ lane, id })

const request = (name: string): Model.Request => ({
  id: name,
  kind: "page_tool",
  message: "Run it.",
  call: "c1",
  tool: "paint",
  input: {}
})

/** An event. */
export const looseEvent: fc.Arbitrary<Model.Event> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(on, delta).map(([on, delta]) => ({ type: "item_grew" as const, ...on, delta })) },
  {
    weight: 4,
    arbitrary: on.map((on) => ({ type: "item_started" as const, ...on, item: items[on.id] ?? { kind: "text" } }))
  },
  {
    weight: 3,
    arbitrary: fc.tuple(on, fc.boolean(), fc.boolean()).map(([on, sealed, abandoned]) => ({
      type: "item_ended" as const,
      ...on,
      ...(sealed && { signature: "seal" }),
      ...(abandoned && { abandoned })
    }))
  },
  {
    weight: 1,
    arbitrary: fc.tuple(on, delta).map(([on, step]) => ({ type: "item_changed" as const, ...on, content: { step } }))
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("c0", "c1").map((id) => ({
      type: "call_answered" as const,
      lane: null,
      id,
      content: "done",
      failed: false
    }))
  },
  { weight: 1, arbitrary: fc.constant<Model.Event>({ type: "turn_started", cause: "prompt", ticket: "r" }) },
  { weight: 1, arbitrary: fc.constant<Model.Event>({ type: "turn_ended", outcome: { type: "completed" } }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("q0", "q1")
      .map((name) => ({ type: "request_opened" as const, lane: null, request: request(name) }))
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("q0", "q1")
      .map((id) => ({ type: "request_closed" as const, lane: null, id, by: "answered" as const }))
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("a", "b")
      .map((lane) => ({ type: "lane_opened" as const, lane, parent: null, name: "helper" }))
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("a", "b")
      .map((lane) => ({ type: "lane_closed" as const, lane, outcome: { type: "completed" as const } }))
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Model.Event>(
      { type: "reply_started", lane: null, id: "y" },
      { type: "reply_ended", lane: null, id: "y" }
    )
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }).map((state) => ({ type: "state_changed" as const, state })) }
)
