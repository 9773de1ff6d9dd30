/**
 * What the CLI tells beside the conversation: a `CUSTOM` event each.
 *
 * The value of such an event is the message without its envelope, under the wire's own names. The mapping of
 * every message is data: {@link mappingOf} is what the translator goes by and what the documentation shows.
 */
import type { EventType } from "../agui/Event.ts"
import type { Known } from "../claude/Codec.ts"
import type { MessageName } from "../claude/Message.ts"
import type { Out } from "./Block.ts"

/** What a message becomes. */
export interface Mapping {
  /** The events it can give, beside those that begin and end runs and sub-agents. */
  readonly events: ReadonlyArray<EventType>
  /** The names of the `CUSTOM` events among them. */
  readonly custom: ReadonlyArray<string>
  /** When, in words. */
  readonly note: string
}

const nothing = (note: string): Mapping => ({ events: [], custom: [], note })
const custom = (name: string, note: string): Mapping => ({ events: ["CUSTOM"], custom: [name], note })

const text = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"] as const
const call = ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"] as const
const reasoning = [
  "REASONING_START",
  "REASONING_MESSAGE_START",
  "REASONING_MESSAGE_CONTENT",
  "REASONING_MESSAGE_END",
  "REASONING_ENCRYPTED_VALUE",
  "REASONING_END"
] as const
const activity = ["ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"] as const
const abandoned = "message_abandoned"

const explicit: { readonly [Name in MessageName]?: Mapping } = {
  "stream_event/message_start": {
    events: [...text, ...call, ...reasoning, "CUSTOM"],
    custom: [abandoned],
    note: "closes what a cut answer left open; otherwise nothing until there is something to show"
  },
  "stream_event/content_block_start": {
    events: [...text, ...call, ...reasoning, "CUSTOM"],
    custom: [abandoned],
    note: "a tool call begins at once; text and thinking with their first delta"
  },
  "stream_event/content_block_delta": {
    events: [...text, ...call, ...reasoning, "CUSTOM"],
    custom: [abandoned],
    note: "text, arguments or thinking, as they come"
  },
  "stream_event/content_block_stop": nothing("the `assistant` line before it has closed the block"),
  "stream_event/message_delta": nothing("its usage is counted"),
  "stream_event/message_stop": {
    events: [...text, ...call, ...reasoning, "CUSTOM"],
    custom: [abandoned],
    note: "closes what no `assistant` line has closed"
  },
  "stream_event/ping": nothing("a sign of life"),
  "stream_event/error": nothing("the CLI tries again"),
  assistant: {
    events: [...text, ...call, ...reasoning, "TOOL_CALL_RESULT", "CUSTOM"],
    custom: [abandoned, "citations", "content_block"],
    note: "what the stream did not bring, and the end of the block; results of the API's own tools"
  },
  user: {
    events: ["TOOL_CALL_END", "TOOL_CALL_RESULT", ...text, "CUSTOM"],
    custom: ["local_command_output", "compact_summary", "synthetic_user_message", "subagent_prompt"],
    note: "results of tools; output of a slash command as text, where nothing else answers; echoes give nothing"
  },
  "system/init": {
    events: ["STATE_DELTA", "CUSTOM"],
    custom: ["system_init"],
    note: "one key of the shared state; `CUSTOM` where the state is no object"
  },
  "system/status": custom("system_status", ""),
  "system/compact_boundary": custom("compact_boundary", "the summary follows"),
  "system/local_command_output": {
    events: [...text, "CUSTOM"],
    custom: ["local_command_output"],
    note: "text, where nothing else answers the command"
  },
  "system/task_started": { events: activity, custom: [], note: "a sub-agent's also begins its part" },
  "system/task_progress": { events: activity, custom: [], note: "" },
  "system/task_updated": { events: activity, custom: [], note: "" },
  "system/task_notification": {
    events: [...activity, "CUSTOM"],
    custom: ["task_notification"],
    note: "a sub-agent's also ends its part"
  },
  "control_request/can_use_tool": {
    events: [...call, "CUSTOM"],
    custom: ["tool_approval_request"],
    note: "announces the call, if no message has done so"
  },
  "control_request/hook_callback": custom("hook_callback", ""),
  "control_request/elicitation": custom("elicitation_request", ""),
  "control_request/request_user_dialog": custom("user_dialog_request", ""),
  control_cancel_request: custom("control_request_cancelled", "takes an approval back"),
  keep_alive: nothing("a sign of life"),
  transcript_mirror: nothing("the host's copy of the transcript"),
  update_environment_variables: nothing("the host's")
}

const result: Mapping = {
  events: [...text, "CUSTOM"],
  custom: ["result_stats"],
  note: "the end of the run; its text is shown where the turn had none"
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
      return custom(subtype ?? name, "")
  }
}

/** A message as the value of a `CUSTOM` event: without its envelope. */
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
  for (const custom of mappingOf(name).custom) out.push({ type: "CUSTOM", name: custom, value: bareMessage(message) })
}
