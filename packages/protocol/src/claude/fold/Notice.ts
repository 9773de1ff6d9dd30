/**
 * What the CLI tells beside the conversation: `noticed` under a name each.
 *
 * The value of a notice is the message without its envelope, under the wire's own names. The mapping of every message
 * is data: {@link mappingOf} is what the fold goes by and what the documentation shows.
 */
import type { EventType, ItemStart } from "../../model/Event.ts"
import type { Known } from "../Codec.ts"
import type { MessageName, MessageOf } from "../Message.ts"
import type { Out } from "./Block.ts"

/** What a message becomes. */
export interface Mapping {
  /** The events it can give, beside those that begin and end turns and sub-agents and what such an end closes. */
  readonly events: ReadonlyArray<EventType>
  /** The kinds of the items among them. */
  readonly items: ReadonlyArray<ItemStart["kind"]>
  /** The names of what is `noticed`. */
  readonly noticed: ReadonlyArray<string>
  /** When, in words. */
  readonly note: string
}

const nothing = (note: string): Mapping => ({ events: [], items: [], noticed: [], note })
const named = (name: string, note: string): Mapping => ({ events: ["noticed"], items: [], noticed: [name], note })

const item = ["item_started", "item_grew", "item_ended"] as const
const said = ["text", "thought", "call"] as const
const task = ["item_started", "item_changed", "item_ended"] as const

const explicit: { readonly [Name in MessageName]?: Mapping } = {
  "stream_event/message_start": {
    events: ["reply_started", "spent", ...item],
    items: said,
    noticed: [],
    note: "closes what a cut answer left open; otherwise nothing is shown until there is something to show"
  },
  "stream_event/content_block_start": {
    events: item,
    items: said,
    noticed: [],
    note: "a tool call begins at once; text and thinking with their first delta"
  },
  "stream_event/content_block_delta": {
    events: item,
    items: said,
    noticed: [],
    note: "text, arguments or thinking, as they come"
  },
  "stream_event/content_block_stop": nothing("the `assistant` line before it has closed the block"),
  "stream_event/message_delta": { events: ["spent"], items: [], noticed: [], note: "its usage is counted" },
  "stream_event/message_stop": {
    events: ["reply_ended", ...item],
    items: said,
    noticed: [],
    note: "closes what no `assistant` line has closed"
  },
  "stream_event/ping": nothing("a sign of life"),
  "stream_event/error": nothing("the CLI tries again"),
  assistant: {
    events: [...item, "call_answered", "reply_ended", "spent", "noticed"],
    items: said,
    noticed: ["citations", "content_block"],
    note: "what the stream did not bring, and the end of the block; results of the API's own tools"
  },
  user: {
    events: [...item, "call_answered", "request_closed", "noticed"],
    items: ["text", "call"],
    noticed: ["local_command_output", "compact_summary", "synthetic_user_message", "subagent_prompt"],
    note: "results of tools; output of a slash command as text, where nothing else answers; echoes give nothing"
  },
  "system/init": {
    events: ["session_changed"],
    items: [],
    noticed: [],
    note: "one key of the shared state; `CUSTOM` where the state is no object"
  },
  "system/status": named("system_status", ""),
  "system/compact_boundary": {
    events: ["noticed", "context_reset"],
    items: [],
    noticed: ["compact_boundary"],
    note: "the summary follows"
  },
  conversation_reset: {
    events: ["noticed", "context_reset"],
    items: [],
    noticed: ["conversation_reset"],
    note: "`/clear`"
  },
  "system/local_command_output": {
    events: [...item, "noticed"],
    items: ["text"],
    noticed: ["local_command_output"],
    note: "text, where nothing else answers the command"
  },
  "system/task_started": { events: task, items: ["task"], noticed: [], note: "a sub-agent's also begins its part" },
  "system/task_progress": { events: task, items: ["task"], noticed: [], note: "" },
  "system/task_updated": { events: task, items: ["task"], noticed: [], note: "" },
  "system/task_notification": {
    events: [...task, "noticed"],
    items: ["task"],
    noticed: ["task_notification"],
    note: "a sub-agent's also ends its part"
  },
  "control_request/can_use_tool": {
    events: [...item, "request_opened"],
    items: ["call"],
    noticed: [],
    note: "announces the call, if no message has done so"
  },
  "control_request/hook_callback": named("hook_callback", ""),
  "control_request/elicitation": { events: ["request_opened"], items: [], noticed: [], note: "" },
  "control_request/request_user_dialog": named("user_dialog_request", ""),
  control_cancel_request: {
    events: ["request_closed", "noticed"],
    items: [],
    noticed: ["control_request_cancelled"],
    note: "takes an approval back"
  },
  keep_alive: nothing("a sign of life"),
  transcript_mirror: nothing("the host's copy of the transcript"),
  update_environment_variables: nothing("the host's")
}

const result: Mapping = {
  events: [...item, "noticed", "request_closed"],
  items: ["text"],
  noticed: ["result_stats"],
  note: "the end of the turn; its text is shown where the turn had none"
}

/** What a message becomes, by its name. */
export const mappingOf = (name: MessageName): Mapping => {
  const found = explicit[name]
  if (found !== undefined) return found
  const [type, subtype] = name.split("/")
  switch (type) {
    case "result":
      return result
    case "control_request":
    case "control_response":
      return nothing("between the host and the CLI")
    default:
      return named(subtype ?? name, "")
  }
}

/** A message as the value of a notice: without its envelope. */
export const bareMessage = (message: object): Record<string, unknown> => {
  const {
    session_id: _session,
    subtype: _subtype,
    type: _type,
    uuid: _uuid,
    ...value
  } = message as Record<string, unknown>
  return value
}

/** Tells of a message that is a notice, and nothing of others. */
export const notice = ({ message, name }: Known, out: Out): void => {
  for (const each of mappingOf(name).noticed)
    out.push({ type: "noticed", lane: null, name: each, value: bareMessage(message) })
}

/** A hook the host registered is called. */
export const hookCallback = (message: MessageOf<"control_request/hook_callback">, out: Out): void => {
  const { callback_id, input, tool_use_id } = message.request
  out.push({
    type: "noticed",
    lane: null,
    name: "hook_callback",
    value: {
      requestId: message.request_id,
      callbackId: callback_id,
      ...(tool_use_id !== undefined && { toolCallId: tool_use_id }),
      input
    }
  })
}

/** Something else that the host is asked. */
export const question = (
  name: string,
  message: { readonly request_id: string; readonly request: object },
  out: Out
): void => {
  const value = { requestId: message.request_id, ...bareMessage(message.request) }
  out.push({ type: "noticed", lane: null, name, value })
}
