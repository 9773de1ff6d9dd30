/**
 * Normalised events: a small protocol for chat interfaces and sidecars that do not care which runtime an agent has.
 * Each is `{ type, data, ts }`. What a sub-agent does has the same events, with its `subagent_id`.
 *
 * The names are those that several such servers use; fields that are not among theirs are additions, and optional to read.
 */
import * as Schema from "effect/Schema"
import { Content } from "../model/Content.ts"
import { Action } from "../model/Event.ts"
import { Closing } from "../model/Request.ts"
import { Usage } from "../model/Usage.ts"
import { JsonObject, optional } from "../wire/Open.ts"

/** The sub-agent that it is about: the call that started it. Absent: the main conversation. */
const by = { subagent_id: optional(Schema.String) }

const event = <const T extends string, const F extends Schema.Struct.Fields>(type: T, identifier: string, fields: F) =>
  Schema.Struct({
    type: Schema.Literal(type),
    data: Schema.Struct({ ...fields, ...by }),
    /** When it happened: ISO 8601, in UTC. */
    ts: Schema.String
  }).annotate({ identifier })

/** What a call is about, taken out of its arguments so that nobody need look into them. */
const about = {
  file_path: optional(Schema.String),
  /** All that it does is look at files. */
  is_file_read: optional(Schema.Boolean),
  /** The call in one line, for an interface that shows it closed. */
  summary: Schema.String
}

/** The events by their type. */
export const normalisedEvents = {
  /** The session was made, or the agent's own session is known, or is another one now. */
  session_ready: event("session_ready", "NormalisedSessionReady", {
    session_id: Schema.String,
    /** What people call the agent. */
    runtime: optional(Schema.String),
    /** The agent's own id of the conversation, to resume it with. */
    provider_session_id: optional(Schema.String),
    /** The conversation continues in another session of the agent than before. */
    resumed: optional(Schema.Boolean),
    model: optional(Schema.String),
    cwd: optional(Schema.String)
  }),
  /** The next piece of what the agent says. */
  delta: event("delta", "NormalisedDelta", {
    text: Schema.String,
    /** Pieces of one message have the same. */
    message_id: Schema.String
  }),
  /** The next piece of what the agent thinks. An empty one with `done: false` says that it has begun to work, or to think. */
  thinking: event("thinking", "NormalisedThinking", {
    text: Schema.String,
    done: optional(Schema.Boolean),
    message_id: optional(Schema.String)
  }),
  /** A call is made: its arguments are complete. */
  tool_start: event("tool_start", "NormalisedToolStart", {
    tool_use_id: Schema.String,
    tool: Schema.String,
    action: Action,
    /** Absent where the arguments are no JSON object. */
    input: optional(JsonObject),
    command: optional(Schema.String),
    pattern: optional(Schema.String),
    search_path: optional(Schema.String),
    ...about,
    /** The call starts a sub-agent, whose `subagent_id` is the id of the call. */
    subagent_spawn: optional(Schema.Boolean),
    subagent_name: optional(Schema.String)
  }),
  /** A call has its result. */
  tool_result: event("tool_result", "NormalisedToolResult", {
    tool_use_id: Schema.String,
    output: Content,
    is_error: Schema.Boolean,
    exit_code: optional(Schema.Finite),
    ...about,
    /** Somebody was asked, and did not allow it. */
    denied: optional(Schema.Boolean)
  }),
  /** Somebody has to decide, or to answer a question. */
  permission_request: event("permission_request", "NormalisedPermissionRequest", {
    /** Names it in the answer. */
    request_id: Schema.String,
    kind: Schema.Literals(["permission", "plan", "choice", "form"]),
    /** For a form: the server that asks. */
    tool_name: Schema.String,
    tool_input: JsonObject,
    tool_use_id: optional(Schema.String),
    /** In words, for people. */
    message: Schema.String
  }),
  /** It is decided, or nobody can decide it any more. */
  permission_resolved: event("permission_resolved", "NormalisedPermissionResolved", {
    request_id: Schema.String,
    tool_name: Schema.String,
    allowed: Schema.Boolean,
    by: Closing
  }),
  /** The last message of a turn, whole. Its deltas have said it already. */
  result: event("result", "NormalisedResult", { text: Schema.String }),
  /** The turn has failed, or a sub-agent has. `done` follows. */
  error: event("error", "NormalisedError", { message: Schema.String, code: optional(Schema.String) }),
  /** The conversation went back: what was said after this message is on another branch now. Null: all of it. */
  branched: event("branched", "NormalisedBranched", { branch: Schema.Natural, after: Schema.NullOr(Schema.String) }),
  /** The turn is over; with a `subagent_id`, the work of that sub-agent is. */
  done: event("done", "NormalisedDone", {
    outcome: Schema.Literals(["completed", "cancelled", "limited", "failed"]),
    /** Somebody stopped it. */
    stopped: optional(Schema.Boolean),
    usage: optional(Usage)
  })
} as const

/** A normalised event. */
export const NormalisedEvent = Schema.Union(Object.values(normalisedEvents)).annotate({ identifier: "NormalisedEvent" })

/** The type of a normalised event. */
export type NormalisedType = keyof typeof normalisedEvents

/** The normalised event of a type. */
export type NormalisedEventOf<T extends NormalisedType> = (typeof normalisedEvents)[T]["Type"]

/** A normalised event. */
export type NormalisedEvent = { readonly [T in NormalisedType]: NormalisedEventOf<T> }[NormalisedType]
