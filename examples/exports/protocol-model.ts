/**
 * `@agentwire/protocol/model`: the conversation itself, whoever speaks it. Its schemas (`Event`, `Request`, `Answer`,
 * `Content`, `Transcript`, …) are all used alike: one stands here for the others.
 */
import {
  addUsage,
  applyToSituation,
  boundTranscript,
  Event,
  type EventOf,
  emptySituation,
  emptyTranscript,
  events,
  incomplete,
  isInBackground,
  isSlashCommand,
  noUsage,
  SituationJson,
  situationFromJson,
  situationToJson,
  slashCommandOf,
  subtractUsage,
  TranscriptBuilder,
  transcriptOf,
  withEntry,
  withoutEntry
} from "@agentwire/protocol/model"
import * as Schema from "effect/Schema"

const said: ReadonlyArray<Event> = [
  { type: "turn_started", cause: "prompt" },
  { type: "item_started", lane: null, id: "1", item: { kind: "text" } },
  { type: "item_grew", lane: null, id: "1", delta: "Hello" }
]

// Schemas have the names of their types; the table has them by the type of the event.
console.log(said.every(Schema.is(Event)), Object.hasOwn(events, "turn_ended")) // true true

// What is open after some events: a turn, and a text that grows.
const situation = said.reduce(applyToSituation, emptySituation)
console.log(situation.turns, situation.items.get("1")?.phase) // 1 growing

// The same as plain JSON, for those who keep it, and back.
const json = situationToJson(situation)
console.log(Schema.is(SituationJson)(json), situationFromJson(json).items.get("1")?.phase) // true growing

// A sub-agent whose call has its result, or was never seen, works in the background; the main thread does not.
console.log(isInBackground(situation, "call"), isInBackground(situation, null)) // true false

// What was said: at once, or event by event.
console.log(transcriptOf(said).entries.map((entry) => entry.kind === "text" && entry.text)) // [ 'Hello' ]
const builder = new TranscriptBuilder(emptyTranscript)
for (const event of said) builder.apply(event)
console.log(boundTranscript(builder.snapshot(), 10).omitted) // 1

// A sub-agent that did not come to its end.
const closed: EventOf<"lane_closed"> = { type: "lane_closed", lane: "call", outcome: incomplete }
console.log(closed.outcome.type) // failed

// Tokens.
const spent = addUsage(noUsage, { input: 10, output: 5, cachedInput: 0, cacheWriteInput: 0 })
console.log(spent.input, subtractUsage(spent, spent).input) // 10 0

// A prompt that is a command of the agent.
const prompt = [{ id: "1", content: "/compact now" }]
console.log(isSlashCommand(prompt), slashCommandOf(prompt)) // true /compact now

// Maps that are never changed in place.
console.log(withoutEntry(withEntry(new Map([["a", 1]]), "b", 2), "a")) // Map(1) { 'b' => 2 }
