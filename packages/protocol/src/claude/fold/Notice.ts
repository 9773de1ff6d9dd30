/**
 * What the CLI says besides the conversation: `noticed`, each under a name of its own.
 *
 * The value of a notice is the message without its envelope, under the wire's own names. The mapping of every message
 * is data: {@link mappingOf} is what the fold follows and what the documentation shows.
 */
import { type Mapping, mapping } from "../../model/Mapping.ts"
import type { Known } from "../Codec.ts"
import type { MessageName, MessageOf } from "../Message.ts"
import type { Out } from "./Block.ts"

const nothing = (note: string): Mapping => mapping({ note })
const named = (name: string, note = ""): Mapping => mapping({ events: ["noticed"], noticed: [name], note })

const item = ["item_started", "item_grew", "item_ended"] as const
const said = ["text", "thought", "call"] as const
const task = { events: ["item_started", "item_changed", "item_ended"], items: ["task"] } as const

const explicit: { readonly [Name in MessageName]?: Mapping } = {
  "stream_event/message_start": mapping({
    events: ["reply_started", "spent", ...item],
    items: said,
    note: "closes what a cut answer left open; otherwise nothing is shown until there is something to show"
  }),
  "stream_event/content_block_start": mapping({
    events: item,
    items: said,
    note: "a tool call begins at once; text and thinking with their first delta"
  }),
  "stream_event/content_block_delta": mapping({
    events: item,
    items: said,
    note: "text, arguments or thinking, as they come"
  }),
  "stream_event/content_block_stop": nothing("the `assistant` line before it has closed the block"),
  "stream_event/message_delta": mapping({ events: ["spent"], note: "its usage is counted" }),
  "stream_event/message_stop": mapping({
    events: ["reply_ended", ...item],
    items: said,
    note: "closes what no `assistant` line has closed"
  }),
  "stream_event/ping": nothing("a sign of life"),
  "stream_event/error": nothing("the CLI tries again"),
  assistant: mapping({
    events: ["anchored", ...item, "call_answered", "reply_ended", "spent", "noticed"],
    items: said,
    noticed: ["citations", "content_block"],
    note: "what the stream did not bring, and the end of the block; results of the API's own tools"
  }),
  user: mapping({
    events: ["anchored", ...item, "call_answered", "request_closed", "noticed"],
    items: ["text", "call"],
    closings: ["answered"],
    noticed: ["local_command_output", "compact_summary", "synthetic_user_message", "subagent_prompt"],
    note: "results of tools; output of a slash command as text, where nothing else answers; echoes give nothing"
  }),
  "system/init": mapping({
    events: ["session_changed", "context_reset"],
    note: "one key of the shared state; `CUSTOM` where the state is not an object; another session after `/clear`"
  }),
  "system/status": named("system_status"),
  "system/compact_boundary": mapping({
    events: ["noticed", "context_reset"],
    noticed: ["compact_boundary"],
    note: "the summary follows"
  }),
  conversation_reset: mapping({
    events: ["noticed", "context_reset"],
    noticed: ["conversation_reset"],
    note: "`/clear`"
  }),
  "system/local_command_output": mapping({
    events: [...item, "noticed"],
    items: ["text"],
    noticed: ["local_command_output"],
    note: "text, where nothing else answers the command"
  }),
  "system/task_started": mapping({ ...task, note: "a sub-agent's also begins its part" }),
  "system/task_progress": mapping(task),
  "system/task_updated": mapping(task),
  "system/task_notification": mapping({
    events: [...task.events, "noticed"],
    items: task.items,
    noticed: ["task_notification"],
    note: "a sub-agent's also ends its part"
  }),
  "control_request/can_use_tool": mapping({
    events: [...item, "request_opened"],
    items: ["call"],
    requests: ["permission", "plan", "choice"],
    note: "announces the call, if no message has done so"
  }),
  "control_request/hook_callback": named("hook_callback"),
  "control_request/elicitation": mapping({ events: ["request_opened"], requests: ["form"] }),
  "control_request/request_user_dialog": named("user_dialog_request"),
  control_cancel_request: mapping({
    events: ["request_closed", "noticed"],
    closings: ["withdrawn"],
    noticed: ["control_request_cancelled"],
    note: "takes a question back"
  }),
  keep_alive: nothing("a sign of life"),
  transcript_mirror: nothing("the host's copy of the transcript"),
  update_environment_variables: nothing("the host's")
}

const result = mapping({
  events: [...item, "noticed", "request_closed"],
  items: ["text"],
  closings: ["ended"],
  noticed: ["result_stats"],
  note: "the end of the turn; its text is shown where the turn had none"
})

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
      return named(subtype ?? name)
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

/** Writes a message that is a notice; others give nothing. */
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

/** Another request to the host. */
export const question = (
  name: string,
  message: { readonly request_id: string; readonly request: object },
  out: Out
): void => {
  const value = { requestId: message.request_id, ...bareMessage(message.request) }
  out.push({ type: "noticed", lane: null, name, value })
}
