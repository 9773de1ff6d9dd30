/**
 * What happens in a conversation: the events that every runtime is folded into and every face is written from.
 *
 * The list is small and closed. What else a runtime says is `noticed` under a documented name, so that nothing is
 * dropped. Ids are stable: a replay, a stream and its whole messages give the same ones.
 */
import * as Schema from "effect/Schema"
import { JsonObject, optional } from "../wire/Open.ts"
import { BranchBeginning, EntryPlace } from "./Branch.ts"
import { Content } from "./Content.ts"
import { Closing, Request } from "./Request.ts"
import { Usage } from "./Usage.ts"

/** Who speaks: null is the main thread, a text is the call that started a sub-agent. */
export const Lane = Schema.NullOr(Schema.String)

/** Who speaks: null is the main thread, a text is the call that started a sub-agent. */
export type Lane = typeof Lane.Type

/** What a call does, so that a face need not know the names of tools. */
export const Action = Schema.Literals([
  "command",
  "read",
  "write",
  "edit",
  "search",
  "fetch",
  "agent",
  "question",
  "page_tool",
  "other"
])

/** What a call does. */
export type Action = typeof Action.Type

/** What an item is. */
export const ItemStart = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("text") }),
  Schema.Struct({ kind: Schema.Literal("thought") }),
  Schema.Struct({
    kind: Schema.Literal("call"),
    /** The tool, by the name that people know. */
    tool: Schema.String,
    action: Action,
    /** The message of the agent that the call hangs on; several calls may share one, and a text. */
    parent: Schema.String
  }),
  /** What the person said. It is whole from the start. */
  Schema.Struct({ kind: Schema.Literal("prompt"), content: Content }),
  /** Something that runs for a while: a sub-agent, a shell, a workflow. Its content changes. */
  Schema.Struct({ kind: Schema.Literal("task"), content: JsonObject })
]).annotate({ identifier: "ModelItemStart" })

/** What an item is. */
export type ItemStart = typeof ItemStart.Type

/** How a turn ended. */
export const TurnOutcome = Schema.Union([
  Schema.Struct({ type: Schema.Literal("completed"), result: optional(Schema.Unknown) }),
  Schema.Struct({ type: Schema.Literal("cancelled") }),
  /** It was cut short at a limit that somebody set: of model calls, of cost, of attempts. */
  Schema.Struct({ type: Schema.Literal("limited"), code: Schema.String, message: Schema.String }),
  Schema.Struct({ type: Schema.Literal("failed"), code: Schema.String, message: Schema.String })
]).annotate({ identifier: "ModelTurnOutcome" })

/** How a turn ended. */
export type TurnOutcome = typeof TurnOutcome.Type

/** How a sub-agent ended. */
export const LaneOutcome = Schema.Union([
  Schema.Struct({ type: Schema.Literal("completed") }),
  Schema.Struct({ type: Schema.Literal("failed"), code: Schema.String, message: Schema.String })
]).annotate({ identifier: "ModelLaneOutcome" })

/** How a sub-agent ended. */
export type LaneOutcome = typeof LaneOutcome.Type

/** The outcome of a sub-agent that was cut short: its turn is over, or its agent is gone. */
export const incomplete: LaneOutcome = {
  type: "failed",
  code: "incomplete",
  message: "The turn ended before the sub-agent did."
}

/** A session as it describes itself. What a runtime does not have, or does not tell, is left out. */
export const SessionInfo = Schema.Struct({
  /** The runtime's id of the conversation, to resume it later. */
  sessionId: Schema.String,
  model: Schema.String,
  cwd: Schema.String,
  /** Of the agent's program. */
  version: optional(Schema.String),
  /** How much the agent may do without asking, by the runtime's name for it. */
  mode: optional(Schema.String),
  tools: optional(Schema.Array(Schema.String)),
  mcpServers: optional(Schema.Array(Schema.Struct({ name: Schema.String, status: Schema.String }))),
  /** What a prompt may be besides words, without the slash. */
  slashCommands: optional(Schema.Array(Schema.String)),
  /** The kinds of sub-agents. */
  agents: optional(Schema.Array(Schema.String)),
  skills: optional(Schema.Array(Schema.String)),
  outputStyle: optional(Schema.String)
}).annotate({ identifier: "ModelSessionInfo" })

/** A session as it describes itself. */
export type SessionInfo = typeof SessionInfo.Type

const on = { lane: Lane }
const item = { ...on, id: Schema.String }

/** The events by their type. */
export const events = {
  /** The agent begins to work: on a prompt, or by itself. */
  turn_started: Schema.Struct({
    type: Schema.Literal("turn_started"),
    cause: Schema.Literals(["prompt", "agent"]),
    /** The name that whoever asked for it gave the request. */
    ticket: optional(Schema.String)
  }),
  /** The turn is over; `usage` is all that it spent. Whatever is open on its lanes was closed before. */
  turn_ended: Schema.Struct({
    type: Schema.Literal("turn_ended"),
    outcome: TurnOutcome,
    usage: optional(Usage),
    provider: optional(Schema.String),
    model: optional(Schema.String)
  }),
  /** The model begins to answer: until `reply_ended`, more items may follow without anybody being asked. */
  reply_started: Schema.Struct({ type: Schema.Literal("reply_started"), ...item }),
  reply_ended: Schema.Struct({ type: Schema.Literal("reply_ended"), ...item }),
  /** What the turn has spent so far. */
  spent: Schema.Struct({
    type: Schema.Literal("spent"),
    usage: Usage,
    /** Who is paid for them. */
    provider: optional(Schema.String),
    model: optional(Schema.String)
  }),
  item_started: Schema.Struct({ type: Schema.Literal("item_started"), ...item, item: ItemStart }),
  /** The next piece of a text, a thought, or the arguments of a call. Never half a surrogate pair, except at the end. */
  item_grew: Schema.Struct({ type: Schema.Literal("item_grew"), ...item, delta: Schema.String }),
  /** A task changed: these keys of its content have these values now. */
  item_changed: Schema.Struct({ type: Schema.Literal("item_changed"), ...item, content: JsonObject }),
  /**
   * A text, thought or task is complete, or the arguments of a call are. `signature` is the provider's seal on a
   * thought; it may come in an end of its own, after the first. `abandoned`: it was cut off and will not continue; should
   * it continue after all, it grows again. Anything else that continues after its end is started again.
   */
  item_ended: Schema.Struct({
    type: Schema.Literal("item_ended"),
    ...item,
    signature: optional(Schema.String),
    abandoned: optional(Schema.Boolean)
  }),
  /** A call has its result. */
  call_answered: Schema.Struct({
    type: Schema.Literal("call_answered"),
    ...item,
    content: Content,
    failed: Schema.Boolean,
    exitCode: optional(Schema.Finite),
    /** The application gave it: its client has it. */
    page: optional(Schema.Boolean)
  }),
  /**
   * The runtime has a name for the point just after an item, or after the result of a call: the conversation can go back
   * to it. Nobody but the runtime reads the name.
   */
  anchored: Schema.Struct({
    type: Schema.Literal("anchored"),
    ...on,
    /** Absent: whatever was said last on the lane. */
    id: optional(Schema.String),
    anchor: Schema.String
  }),
  /**
   * The conversation goes back, and continues from there on a branch of its own. What had followed stays as a sibling.
   * The turn before is over.
   */
  branched: Schema.Struct({
    type: Schema.Literal("branched"),
    /** The number of the branch: 1 is the first. */
    branch: Schema.Natural,
    /** The entry after which it continues; null: before everything. */
    from: Schema.NullOr(EntryPlace),
    /** The id of that entry. */
    after: Schema.NullOr(Schema.String),
    /** The runtime's name for that point; null: it begins a conversation anew. */
    anchor: Schema.NullOr(Schema.String),
    /** Where and when it begins. */
    begins: optional(BranchBeginning),
    /** The name that whoever asked for it gave the request. */
    ticket: optional(Schema.String)
  }),
  request_opened: Schema.Struct({ type: Schema.Literal("request_opened"), ...on, request: Request }),
  request_closed: Schema.Struct({
    type: Schema.Literal("request_closed"),
    ...on,
    id: Schema.String,
    by: Closing,
    /** What was decided, in a word: `allow`, `deny`, … */
    verdict: optional(Schema.String)
  }),
  /** A sub-agent begins. Its lane is the call that started it. */
  lane_opened: Schema.Struct({
    type: Schema.Literal("lane_opened"),
    lane: Schema.String,
    parent: Lane,
    name: Schema.String,
    description: optional(Schema.String)
  }),
  lane_closed: Schema.Struct({ type: Schema.Literal("lane_closed"), lane: Schema.String, outcome: LaneOutcome }),
  session_changed: Schema.Struct({ type: Schema.Literal("session_changed"), info: SessionInfo }),
  /** The application's shared state, whole, as its client sent it last. */
  state_changed: Schema.Struct({ type: Schema.Literal("state_changed"), state: Schema.Unknown }),
  /** The agent has forgotten what was said before: all of it, or all but a summary. `lost`: it never wrote it down. */
  context_reset: Schema.Struct({
    type: Schema.Literal("context_reset"),
    how: Schema.Literals(["cleared", "compacted", "lost"])
  }),
  /** Anything else, under a documented name. */
  noticed: Schema.Struct({
    type: Schema.Literal("noticed"),
    ...on,
    name: Schema.String,
    value: Schema.Unknown
  }),
  /** A line that no schema knows, and the runtime that said it. */
  unknown: Schema.Struct({ type: Schema.Literal("unknown"), raw: Schema.Unknown, source: Schema.String })
} as const

/** An event of a conversation. */
export const Event = Schema.Union(Object.values(events)).annotate({ identifier: "ModelEvent" })

/** The type of an event. */
export type EventType = keyof typeof events

/** The event of a type. */
export type EventOf<T extends EventType> = (typeof events)[T]["Type"]

/** An event of a conversation. */
export type Event = { readonly [T in EventType]: EventOf<T> }[EventType]
