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

/**
 * A block, whole, at a path. A tool's result without its content still ends the call. The signature is all that there
 * is of a thought whose text the API was asked to omit.
 */
export const blockPaths = (at: string): EssentialPaths => [
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
  // Without the id of its message a text that was streamed would be said twice. A synthetic model repeats nothing.
  assistant: ["message.id", ...blockPaths("message.content[]"), "message.model?", "error?", speaker],
  user: [
    ...blockPaths("message.content[]"),
    "message.content[].source",
    // An echo of a prompt is not said once more.
    "isReplay?",
    // Whether the sub-agent of the call has ended, or continues in the background, and as which task.
    "tool_use_result.status?",
    "tool_use_result.agentId?",
    speaker
  ],
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
  "stream_event/content_block_stop": ["event.index?", "api_message_id?", speaker],
  // The blocks that are sent again are not said yet.
  "stream_event/message_stop": ["abandoned_blocks.from_block_index?", "api_message_id?", speaker],
  "result/success": success,
  "result/error_during_execution": failure,
  "result/error_max_turns": failure,
  "result/error_max_budget_usd": failure,
  "result/error_max_structured_output_retries": failure,
  // A turn that compacts begins by it; once the model is asked, the output of a command is not the answer.
  "system/status": ["status?"],
  "system/local_command_output": ["content"],
  // Which call a sub-agent is of. Its task is how its questions name it, and how its end does on 2.1.37.
  "system/task_started": ["task_id?", "tool_use_id?", "task_type?"],
  "system/task_progress": ["tool_use_id?"],
  "system/task_notification": ["task_id?", "tool_use_id?", "status?", "summary?"],
  streamlined_text: ["text"]
}

/** What the agent asks, and how either side answers. */
const asked: { readonly [Name in MessageName]?: EssentialPaths } = {
  "control_request/can_use_tool": [
    "request_id",
    "request.tool_name",
    "request.tool_use_id",
    "request.input",
    // Which sub-agent asks.
    "request.agent_id?",
    // What may be remembered is part of the question.
    "request.suppress_always_allow_rule?"
  ],
  // What a policy judges. A call of its hook that lacks any of it is denied; without a folder the last one counts.
  "control_request/hook_callback": [
    "request_id",
    // Which hook is called. Whether it is the policy's must not be guessed: what does not say is denied.
    "request.callback_id",
    "request.input.hook_event_name",
    "request.input.tool_name",
    "request.input.tool_input",
    "request.input.cwd?"
  ],
  // A call of a tool of the application, or that one is taken back.
  "control_request/mcp_message": [
    "request_id",
    "request.message.method",
    "request.message.id",
    "request.message.params.name?",
    "request.message.params.arguments?",
    "request.message.params._meta.claudecode/toolUseId?",
    "request.message.params.requestId?"
  ],
  "control_request/elicitation": [
    "request_id",
    "request.message?",
    "request.mode?",
    "request.url?",
    "request.requested_schema?"
  ],
  // Nobody is asked: it is cancelled.
  "control_request/request_user_dialog": ["request_id"],
  // Whose answer it is. What is in it is read by whoever asked (`responseEssentials`).
  "control_response/success": ["response.request_id"],
  "control_response/error": ["response.request_id"],
  // Heeded, for an id that is not a text can still be compared as one (`RequestId.ts`).
  control_cancel_request: ["request_id?"]
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
