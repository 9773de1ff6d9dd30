/**
 * The events of `codex exec --json`, a line each. They are another protocol than the app-server's: in snake case, without
 * deltas, without questions. The program prints no schema of them; thread, turn, reasoning, message, command and error
 * were recorded on 0.150.1 to 0.166.0, the other items are as `@openai/codex-sdk` 0.163.0 types them.
 */
import * as Schema from "effect/Schema"
import { type Codec, makeCodec } from "../wire/Codec.ts"
import type { EssentialPaths } from "../wire/Essentials.ts"
import { known, open, optional, variants } from "../wire/Open.ts"

const item = <const Type extends string, const F extends Schema.Struct.Fields>(name: string, type: Type, fields: F) =>
  open(name, { id: Schema.String, type: Schema.Literal(type), ...fields })

/** An item of a turn. */
export const ExecItem = variants("ExecItem", "type", [
  item("ExecAgentMessage", "agent_message", { text: Schema.String }),
  // The parts of a summary are joined by line ends.
  item("ExecReasoning", "reasoning", { text: Schema.String }),
  item("ExecCommandExecution", "command_execution", {
    command: Schema.String,
    aggregated_output: Schema.String,
    // Null while it runs; the SDK's types say that it is left out.
    exit_code: optional(Schema.NullOr(Schema.Finite)),
    status: known("in_progress", "completed", "failed")
  }),
  item("ExecFileChange", "file_change", {
    changes: Schema.Array(open({ path: Schema.String, kind: known("add", "delete", "update") })),
    // In progress while it is asked for and applied (0.166.0); the SDK's types know only the ends.
    status: known("in_progress", "completed", "failed")
  }),
  item("ExecMcpToolCall", "mcp_tool_call", {
    server: Schema.String,
    tool: Schema.String,
    arguments: optional(Schema.Unknown),
    result: optional(
      Schema.NullOr(
        open({
          content: Schema.Array(Schema.Unknown),
          structured_content: optional(Schema.Unknown),
          _meta: optional(Schema.Unknown)
        })
      )
    ),
    error: optional(Schema.NullOr(open({ message: Schema.String }))),
    status: known("in_progress", "completed", "failed")
  }),
  item("ExecWebSearch", "web_search", { query: Schema.String, action: optional(Schema.Unknown) }),
  item("ExecTodoList", "todo_list", {
    items: Schema.Array(open({ text: Schema.String, completed: Schema.Boolean }))
  }),
  item("ExecErrorItem", "error", { message: Schema.String })
])
/** An item of a turn. */
export type ExecItem = typeof ExecItem.Type

const event = <const Type extends string, const F extends Schema.Struct.Fields>(name: string, type: Type, fields: F) =>
  open(name, { type: Schema.Literal(type), ...fields })

/** What the thread has used so far, not the turn: after `codex exec resume` it counts on (§3.19). */
const usage = open("ExecUsage", {
  input_tokens: Schema.Finite,
  cached_input_tokens: Schema.Finite,
  cache_write_input_tokens: optional(Schema.Finite),
  output_tokens: Schema.Finite,
  reasoning_output_tokens: optional(Schema.Finite)
})

const execSchemas = {
  "thread.started": event("ExecThreadStarted", "thread.started", { thread_id: Schema.String }),
  "turn.started": event("ExecTurnStarted", "turn.started", {}),
  "item.started": event("ExecItemStarted", "item.started", { item: ExecItem }),
  "item.updated": event("ExecItemUpdated", "item.updated", { item: ExecItem }),
  "item.completed": event("ExecItemCompleted", "item.completed", { item: ExecItem }),
  "turn.completed": event("ExecTurnCompleted", "turn.completed", { usage }),
  "turn.failed": event("ExecTurnFailed", "turn.failed", { error: open({ message: Schema.String }) }),
  // Also says that it tries again ("Reconnecting... 1/1"): only `turn.failed` is an end.
  error: event("ExecError", "error", { message: Schema.String })
}

/** The schemas of all events by type. */
export interface ExecEvents extends Readonly<typeof execSchemas> {}

/** Every event by type. */
export const execEvents: ExecEvents = execSchemas

/** Any event. */
export type ExecEvent = ExecEvents[keyof ExecEvents]["Type"]

const itemPaths: EssentialPaths = [
  ...[
    "type",
    "id",
    "text",
    "command",
    "aggregated_output?",
    "exit_code?",
    "status?",
    "changes[].path",
    "changes[].kind?",
    "server",
    "tool"
  ],
  ...["arguments?", "result?", "error?", "query?", "items[].text", "items[].completed?", "message"]
].map((key) => `item.${key}`)

/** Decodes the events of `codex exec --json`: `execCodec.decodeLine(line)`. */
export const execCodec: Codec<ExecEvents> = makeCodec(execEvents, undefined, {
  "thread.started": ["thread_id"],
  "item.started": itemPaths,
  "item.updated": itemPaths,
  "item.completed": itemPaths,
  "turn.failed": ["error.message?"],
  error: ["message?"]
})
