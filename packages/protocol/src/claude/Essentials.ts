/**
 * What each message of Claude Code cannot be read without: the keys that carry text, thoughts, calls, results,
 * questions and ends. How the paths are written is in `wire/Essentials.ts`. Everything else may be missing, null or of
 * another type: 2.1.30 lacks `stop_reason` in `result`, 2.0.45 `maxOutputTokens` in `modelUsage`, and nothing that
 * was said is in either.
 *
 * What the agent says is tolerated; what a host says is an order, and an order with a broken part is not carried out.
 */
import type { EssentialPaths } from "../wire/Essentials.ts"
import { type ControlSubtype, controlRequests } from "./ControlRequest.ts"
import type { MessageName } from "./Message.ts"

/** Which sub-agent speaks. Whoever is not said to is the main thread. */
const speaker = "parent_tool_use_id?"

/** A block, whole, at a path. A tool's result without its content still ends the call. */
const block = (at: string): EssentialPaths => [
  `${at}.type`,
  `${at}.text`,
  `${at}.thinking`,
  `${at}.signature?`,
  `${at}.data`,
  `${at}.id`,
  `${at}.name`,
  `${at}.input`,
  `${at}.tool_use_id`,
  `${at}.content?`,
  `${at}.is_error?`
]

/** A block that begins. The input of a tool is `{}` here and comes in deltas. */
const blockStart: EssentialPaths = ["type", "text", "thinking", "signature?", "data", "id", "name", "tool_use_id"].map(
  (key) => `event.content_block.${key}`
)

/** A turn that is over is over, however little its `result` says. */
const success: EssentialPaths = ["is_error?", "result?", "structured_output?", "stop_reason?"]
const failure: EssentialPaths = ["errors?", "terminal_reason?", "startup_failure_reason?"]

const spoken: { readonly [Name in MessageName]?: EssentialPaths } = {
  assistant: ["message.id", ...block("message.content[]"), "message.model?", "error?", speaker],
  user: [...block("message.content[]"), "message.content[].source", "isReplay?", "tool_use_result?", speaker],
  "stream_event/message_start": ["event.message.id", speaker],
  "stream_event/content_block_start": ["event.index", ...blockStart, "api_message_id?", speaker],
  "stream_event/content_block_delta": [
    "event.index",
    "event.delta.type",
    "event.delta.text",
    "event.delta.thinking",
    "event.delta.signature",
    "event.delta.partial_json",
    "api_message_id?",
    speaker
  ],
  "stream_event/content_block_stop": ["event.index", "api_message_id?", speaker],
  "stream_event/message_delta": [speaker],
  "stream_event/message_stop": ["abandoned_blocks?", "api_message_id?", speaker],
  "result/success": success,
  "result/error_during_execution": failure,
  "result/error_max_turns": failure,
  "result/error_max_budget_usd": failure,
  "result/error_max_structured_output_retries": failure,
  // A conversation is resumed by it.
  "system/init": ["session_id"],
  "system/status": ["status?"],
  "system/local_command_output": ["content"],
  "system/task_started": ["task_id", "tool_use_id?", "task_type?"],
  "system/task_progress": ["task_id", "tool_use_id?"],
  "system/task_updated": ["task_id"],
  "system/task_notification": ["task_id", "tool_use_id?", "status?", "summary?"],
  streamlined_text: ["text"],
  conversation_reset: ["new_conversation_id?"]
}

/** What the agent asks, and how either side answers. */
const asked: { readonly [Name in MessageName]?: EssentialPaths } = {
  "control_request/can_use_tool": [
    "request_id",
    "request.tool_name",
    "request.tool_use_id",
    "request.input",
    "request.agent_id?",
    "request.suppress_always_allow_rule?"
  ],
  "control_request/hook_callback": [
    "request_id",
    "request.callback_id",
    "request.input.hook_event_name",
    "request.input.tool_name",
    "request.input.tool_input",
    "request.input.cwd?",
    "request.tool_use_id?"
  ],
  "control_request/mcp_message": ["request_id", "request.server_name", "request.message.**"],
  "control_request/elicitation": [
    "request_id",
    "request.message",
    "request.mode?",
    "request.url?",
    "request.requested_schema?"
  ],
  "control_request/request_user_dialog": ["request_id", "request.dialog_kind", "request.payload"],
  "control_response/success": ["response.request_id", "response.response"],
  "control_response/error": ["response.request_id", "response.error?"],
  control_cancel_request: ["request_id"]
}

const fromHost = Object.entries(controlRequests).filter(([, { from }]) => from === "host")

/** The paths of every message that has any; a message that is not here can be read whatever it lacks. */
export const essentials: { readonly [Name in MessageName]?: EssentialPaths } = {
  ...spoken,
  ...asked,
  ...Object.fromEntries(fromHost.map(([subtype]) => [`control_request/${subtype}`, ["**"]])),
  update_environment_variables: ["**"]
}

/**
 * What the payload of a success cannot be read without, by the subtype of the request: all of it where the host
 * answers, nothing where the agent does. An `initialize` that lacks a list is answered all the same.
 */
export const responseEssentials = (subtype: ControlSubtype): EssentialPaths =>
  controlRequests[subtype].from === "host" ? [] : ["**"]
