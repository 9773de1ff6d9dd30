/**
 * The lines of a rollout, the file that Codex keeps of a thread: `CODEX_HOME/sessions/<year>/<month>/<day>/rollout-….jsonl`
 * (docs/wire/codex.md §7). Codex prints no schema of them; these are of what 0.150.1 to 0.166.0 wrote.
 *
 * A line has a time, since 0.160.1 a number, and a payload. What the clients of the app-server were told are events, under
 * names and spellings of their own; what the model was told and said are response items. The same thing is often in both.
 */
import * as Schema from "effect/Schema"
import * as Codec from "../../wire/Codec.ts"
import type { EssentialPaths } from "../../wire/Essentials.ts"
import { extensible, open, optional } from "../../wire/Open.ts"

const anything = extensible({})
const text = optional(Schema.NullOr(Schema.String))

const line = <const Type extends string, P extends Schema.Top>(type: Type, payload: P) =>
  open({
    type: Schema.Literal(type),
    timestamp: optional(Schema.String),
    ordinal: optional(Schema.Number),
    metadata: optional(anything),
    payload
  })

const event = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  line("event_msg", extensible({ type: Schema.Literal(type), turn_id: optional(Schema.String), ...fields }))

const response = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  line("response_item", extensible({ type: Schema.Literal(type), ...fields }))

/** The schemas of all lines that are known, by type and type of the payload. */
export const rolloutLines = {
  session_meta: line(
    "session_meta",
    extensible({
      id: Schema.String,
      /** The thread that the person speaks with: another one's, where this is a sub-agent's. */
      session_id: text,
      parent_thread_id: text,
      forked_from_id: text,
      /** The beginning of the thread is in another file: all before this number. */
      history_base: optional(
        Schema.NullOr(extensible({ thread_id: Schema.String, end_ordinal_exclusive: Schema.Number }))
      ),
      timestamp: text,
      cwd: text,
      cli_version: text,
      model_provider: text
    })
  ),
  turn_context: line("turn_context", extensible({ turn_id: text, cwd: text, model: text })),
  compacted: line("compacted", anything),
  world_state: line("world_state", anything),
  token_usage_record: line("token_usage_record", anything),
  retained_context: line("retained_context", anything),
  "event_msg/task_started": event("task_started", {}),
  "event_msg/task_complete": event("task_complete", {}),
  "event_msg/turn_aborted": event("turn_aborted", {}),
  "event_msg/item_completed": event("item_completed", {
    item: extensible({ type: Schema.String, id: Schema.String })
  }),
  "event_msg/token_count": event("token_count", {}),
  "event_msg/thread_settings_applied": event("thread_settings_applied", { thread_settings: anything }),
  "event_msg/thread_goal_updated": event("thread_goal_updated", {}),
  // What 0.150.1 has in the place of items.
  "event_msg/user_message": event("user_message", { message: Schema.String }),
  "event_msg/agent_message": event("agent_message", {}),
  "event_msg/agent_reasoning": event("agent_reasoning", {}),
  "event_msg/patch_apply_end": event("patch_apply_end", { call_id: Schema.String }),
  "event_msg/mcp_tool_call_end": event("mcp_tool_call_end", { call_id: Schema.String }),
  "response_item/message": response("message", { id: text, role: Schema.String }),
  "response_item/reasoning": response("reasoning", { id: text }),
  "response_item/function_call": response("function_call", {
    name: Schema.String,
    call_id: Schema.String,
    arguments: Schema.String
  }),
  "response_item/function_call_output": response("function_call_output", { call_id: Schema.String }),
  "response_item/custom_tool_call": response("custom_tool_call", {
    name: Schema.String,
    call_id: Schema.String,
    input: Schema.String
  }),
  "response_item/custom_tool_call_output": response("custom_tool_call_output", { call_id: Schema.String }),
  "response_item/web_search_call": response("web_search_call", {})
} as const

/** The schemas of all lines. */
export type RolloutLines = typeof rolloutLines

/** What a line of a rollout turns out to be. */
export type DecodedRolloutLine = Codec.Decoded<RolloutLines>

/** A line of a rollout that can be read; `name` tells which. */
export type KnownRolloutLine = Codec.Known<RolloutLines>

const turn: EssentialPaths = ["timestamp?", "ordinal?", "payload.turn_id?"]

/** What each line cannot be read without. */
const essentials: { readonly [Name in keyof RolloutLines]?: EssentialPaths } = {
  session_meta: [
    "timestamp?",
    "ordinal?",
    "payload.id",
    "payload.parent_thread_id?",
    "payload.history_base.thread_id?",
    "payload.history_base.end_ordinal_exclusive?"
  ],
  "event_msg/task_started": turn,
  "event_msg/task_complete": turn,
  "event_msg/turn_aborted": turn,
  "event_msg/item_completed": [...turn, "payload.item.type", "payload.item.id"],
  "event_msg/user_message": [...turn, "payload.message"],
  "event_msg/patch_apply_end": [...turn, "payload.call_id"],
  "event_msg/mcp_tool_call_end": [...turn, "payload.call_id"],
  "response_item/message": ["timestamp?", "ordinal?", "payload.role", "payload.id?"],
  "response_item/function_call": ["timestamp?", "ordinal?", "payload.name", "payload.call_id", "payload.arguments"],
  "response_item/function_call_output": ["timestamp?", "ordinal?", "payload.call_id"],
  "response_item/custom_tool_call": ["timestamp?", "ordinal?", "payload.name", "payload.call_id", "payload.input"],
  "response_item/custom_tool_call_output": ["timestamp?", "ordinal?", "payload.call_id"]
}

/** The codec of rollouts. */
export const rolloutCodec: Codec.Codec<RolloutLines> = Codec.makeCodec(
  rolloutLines,
  { event_msg: ["payload", "type"], response_item: ["payload", "type"] },
  essentials
)
