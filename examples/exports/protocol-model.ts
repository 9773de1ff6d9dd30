/**
 * `@agentwire/protocol/model`: the conversation itself, whoever speaks it. Its schemas (`Event`, `Request`, `Answer`,
 * `Content`, `Transcript`, …) are all used alike: one stands here for the others.
 */
import {
  addUsage,
  applyToSituation,
  boundTranscript,
  changeEntry,
  closeSituation,
  Event,
  type EventOf,
  emptySituation,
  emptyTranscript,
  entryOf,
  events,
  forkOf,
  incomplete,
  isInBackground,
  isOnPath,
  isOrderly,
  isSlashCommand,
  noBranches,
  noUsage,
  outcomeWithout,
  pathIn,
  pathOf,
  pathThrough,
  situationFromJson,
  situationToJson,
  slashCommandOf,
  subtractUsage,
  TranscriptBuilder,
  transcriptOf,
  turnStopping,
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

// As plain JSON, for stores; and the events that close it when whatever ran the agent is gone.
const kept = situationToJson(situation)
console.log(situationFromJson(JSON.parse(JSON.stringify(kept))).turns) // 1
const gone = { type: "failed", code: "BRIDGE_ENDED", message: "The bridge ended." } as const
console.log(closeSituation(situation, gone).map(({ type }) => type)) // [ 'item_ended', 'turn_ended' ]

// How a turn ends whose agent is gone without a word.
const crash = { type: "exit", code: 1 } as const
console.log(isOrderly(crash), outcomeWithout(crash).type) // false failed

// That somebody has stopped the turn is noticed under this name, before its agent has heard of it.
console.log(turnStopping) // turn_stopping

// A sub-agent whose call has its result, or was never seen, works in the background; the main thread does not.
console.log(isInBackground(situation, "call"), isInBackground(situation, null)) // true false

// What was said: at once, or event by event.
console.log(transcriptOf(said).entries.map((entry) => entry.kind === "text" && entry.text)) // [ 'Hello' ]
const builder = new TranscriptBuilder(emptyTranscript)
for (const event of said) builder.apply(event)
console.log(boundTranscript(builder.snapshot(), 10).omitted) // 1

// The conversation goes back to before everything: what was said stays on branch 0.
const back: EventOf<"branched"> = { type: "branched", branch: 1, from: null, after: null, anchor: null }
const path = pathIn(applyToSituation(situation, back))
console.log(path, isOnPath(path, { branch: 0, position: 0 })) // [ { branch: 1 } ] false
console.log(transcriptOf([...said, back]).entries.length) // 0

// Paths by where the branches began: the second one after the entry at position 3 of the first.
const origins = [...noBranches, { branch: 0, position: 3 }]
console.log(pathOf(origins, 1)) // [ { branch: 0, through: 3 }, { branch: 1 } ]
console.log(pathThrough(origins, { branch: 1, position: 5 })) // [ { branch: 0, through: 3 }, { branch: 1, through: 5 } ]
console.log(forkOf(pathOf(origins, 0), pathOf(origins, 1))) // { branch: 0, position: 3 }

// The same by hand: the entry that an event begins, and what another event adds to it.
const entry = entryOf({ type: "item_started", lane: null, id: "2", item: { kind: "text" } })
if (entry !== undefined) changeEntry(entry, { type: "item_grew", lane: null, id: "2", delta: "More" })
console.log(entry?.kind === "text" && entry.text) // More

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
