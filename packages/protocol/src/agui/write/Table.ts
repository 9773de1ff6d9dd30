/**
 * What each event of the model can become: the writer's mapping as data, for documentation and tests.
 */
import type { ItemStart, EventType as ModelEventType } from "../../model/Event.ts"
import type { Closing, Request } from "../../model/Request.ts"
import type { EventType } from "../Event.ts"
import { customNames } from "./CustomNames.ts"

/** What something becomes, besides what begins and ends runs and sub-agents. */
export interface WriteMapping {
  readonly events: ReadonlyArray<EventType>
  /** The names of the `CUSTOM` events among them. */
  readonly custom: ReadonlyArray<string>
}

const nothing: WriteMapping = { events: [], custom: [] }
const given = (...events: ReadonlyArray<EventType>): WriteMapping => ({ events, custom: [] })
const custom = (...names: ReadonlyArray<string>): WriteMapping => ({ events: ["CUSTOM"], custom: names })

type Kind = ItemStart["kind"]

/** What the events of the model are about, as far as that decides what they become. */
export interface Subjects {
  readonly items?: ReadonlyArray<Kind>
  readonly requests?: ReadonlyArray<Request["kind"]>
  readonly closings?: ReadonlyArray<Closing>
  readonly noticed?: ReadonlyArray<string>
}

/** An item may have to be begun again in a run before anything else is said of it. */
const starts: Readonly<Record<Kind, ReadonlyArray<EventType>>> = {
  text: ["TEXT_MESSAGE_START"],
  thought: ["REASONING_START", "REASONING_MESSAGE_START"],
  call: ["TOOL_CALL_START"],
  prompt: ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"],
  task: ["ACTIVITY_SNAPSHOT"]
}

const growths: Readonly<Record<Kind, ReadonlyArray<EventType>>> = {
  text: ["TEXT_MESSAGE_CONTENT"],
  thought: ["REASONING_MESSAGE_CONTENT"],
  call: ["TOOL_CALL_ARGS"],
  prompt: [],
  task: []
}

const ends: Readonly<Record<Kind, ReadonlyArray<EventType>>> = {
  text: ["TEXT_MESSAGE_END"],
  thought: ["REASONING_MESSAGE_END", "REASONING_ENCRYPTED_VALUE", "REASONING_END"],
  call: ["TOOL_CALL_END"],
  prompt: [],
  task: []
}

const all = (mappings: ReadonlyArray<WriteMapping>): WriteMapping => ({
  events: [...new Set(mappings.flatMap(({ events }) => events))],
  custom: [...new Set(mappings.flatMap((mapping) => mapping.custom))]
})

const ofItem = (become: (kind: Kind) => WriteMapping) => (subjects: Subjects) => all((subjects.items ?? []).map(become))

const ended = (kind: Kind): WriteMapping =>
  kind === "task" || kind === "prompt"
    ? nothing
    : { events: [...starts[kind], ...ends[kind], "CUSTOM"], custom: [customNames.itemAbandoned] }

const asked = (kind: Request["kind"]): WriteMapping => {
  if (kind === "page_tool") return nothing
  return custom(kind === "form" ? customNames.formAsked : customNames.callAsked)
}

const table: { readonly [T in ModelEventType]: (subjects: Subjects) => WriteMapping } = {
  turn_started: () => nothing,
  turn_ended: () => nothing,
  reply_started: () => nothing,
  reply_ended: () => nothing,
  spent: () => nothing,
  item_started: ofItem((kind) => given(...starts[kind])),
  item_grew: ofItem((kind) => given(...starts[kind], ...growths[kind])),
  item_changed: () => given("ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"),
  item_ended: ofItem(ended),
  call_answered: () => given("TOOL_CALL_RESULT"),
  anchored: () => nothing,
  branched: () => custom(customNames.branched),
  request_opened: ({ requests = [] }) => all(requests.map(asked)),
  request_closed: ({ closings = [] }) =>
    closings.includes("withdrawn") ? custom(customNames.requestWithdrawn) : nothing,
  lane_opened: () => nothing,
  lane_closed: () => nothing,
  session_changed: () => ({ events: ["STATE_DELTA", "CUSTOM"], custom: [customNames.sessionChanged] }),
  // Clients are given the shared state when they join: see SharedState.ts.
  state_changed: () => nothing,
  context_reset: () => nothing,
  noticed: ({ noticed = [] }) => custom(...noticed),
  unknown: () => given("RAW")
}

/** What events of the model can become, besides what begins and ends runs and sub-agents. */
export const writeMappingOf = (types: ReadonlyArray<ModelEventType>, subjects: Subjects): WriteMapping =>
  all(types.map((type) => table[type](subjects)))
