/**
 * `@agentwire/protocol/normalised`: the same small events whichever runtime an agent has. `NormalisedEvent` is the schema of
 * all of them.
 */
import type * as Model from "@agentwire/protocol/model"
import {
  greeting,
  initialNormalised,
  NormalisedEvent,
  normalisedEvents,
  writeNormalised
} from "@agentwire/protocol/normalised"
import * as Schema from "effect/Schema"

// A session begins with an event of its own; all others are written from the model's.
let cursor = initialNormalised({ sessionId: "s" })
console.log(greeting(cursor, 0).data) // { session_id: 's' }

const conversation: ReadonlyArray<Model.Event> = [
  { type: "turn_started", cause: "prompt" },
  { type: "item_started", lane: null, id: "m", item: { kind: "text" } },
  { type: "item_grew", lane: null, id: "m", delta: "Hello." },
  { type: "item_ended", lane: null, id: "m" },
  { type: "turn_ended", outcome: { type: "completed" } }
]
const told: Array<NormalisedEvent> = []
for (const event of conversation) {
  const [next, given] = writeNormalised(cursor, { at: 0, event })
  cursor = next
  told.push(...given)
}
console.log(told.map(({ type }) => type)) // [ 'thinking', 'delta', 'result', 'done' ]

// Whoever reads them from somewhere checks them.
console.log(Schema.is(NormalisedEvent)(told[1])) // true
console.log(Object.keys(normalisedEvents).length) // 11
