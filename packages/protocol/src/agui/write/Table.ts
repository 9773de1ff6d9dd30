/**
 * What each event of the model can become: the writer's mapping as data, for documentation and tests.
 */
import type { ItemStart, EventType as ModelEventType } from "../../model/Event.ts"
import type { EventType } from "../Event.ts"

/** What something becomes, beside what begins and ends runs and sub-agents. */
export interface WriteMapping {
  readonly events: ReadonlyArray<EventType>
  /** The names of the `CUSTOM` events among them; those of `noticed` are the notice's. */
  readonly custom: ReadonlyArray<string>
}

const nothing: WriteMapping = { events: [], custom: [] }
const given = (...events: ReadonlyArray<EventType>): WriteMapping => ({ events, custom: [] })
const custom = (...names: ReadonlyArray<string>): WriteMapping => ({ events: ["CUSTOM"], custom: names })

type Kind = ItemStart["kind"]

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

const table: { readonly [T in ModelEventType]: WriteMapping | ((kind: Kind) => WriteMapping) } = {
  turn_started: nothing,
  turn_ended: nothing,
  reply_started: nothing,
  reply_ended: nothing,
  spent: nothing,
  item_started: (kind) => given(...starts[kind]),
  item_grew: (kind) => given(...starts[kind], ...growths[kind]),
  item_changed: given("ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"),
  item_ended: (kind) =>
    kind === "task" ? nothing : { events: [...starts[kind], ...ends[kind], "CUSTOM"], custom: ["message_abandoned"] },
  call_answered: given("TOOL_CALL_RESULT"),
  request_opened: custom("tool_approval_request", "elicitation_request"),
  request_closed: custom("control_request_cancelled"),
  lane_opened: nothing,
  lane_closed: nothing,
  session_changed: { events: ["STATE_DELTA", "CUSTOM"], custom: ["system_init"] },
  context_reset: nothing,
  noticed: custom(),
  unknown: given("RAW")
}

/** What an event of the model can become. `kinds`: of the items it may be about. */
export const writeMappingOf = (type: ModelEventType, kinds: ReadonlyArray<Kind> = []): WriteMapping => {
  const entry = table[type]
  if (typeof entry !== "function") return entry
  const each = kinds.map(entry)
  return { events: each.flatMap(({ events }) => events), custom: each.flatMap((mapping) => mapping.custom) }
}
