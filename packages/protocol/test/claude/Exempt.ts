/**
 * The keys that the law of tolerance does not speak of: those that carry text, thoughts, calls, results, questions and
 * ends, by the message they are in. This list is the test's own. It says what may be essential, and
 * `src/claude/Essentials.ts` must not say more: an exemption that nobody has justified here fails.
 *
 * Paths are written as there, without `?`.
 */

/** What the law keeps. */
export type Carried = "text" | "thought" | "call" | "result" | "question" | "end"

/** Why a key is exempt. */
export interface Exemption {
  readonly carries: Carried
  /** Why, where the name of the key does not tell. */
  readonly why?: string
  /** The values that carry something; any other says what the key's absence says. */
  readonly onlyAs?: (value: unknown) => boolean
}

type Exemptions = Readonly<Record<string, Exemption>>

const isText = (value: unknown): boolean => typeof value === "string"
const isTrue = (value: unknown): boolean => value === true

/** Whose words they are: a message without it is of the main thread. */
const speaker: Exemptions = {
  parent_tool_use_id: { carries: "text", why: "which sub-agent says it", onlyAs: isText }
}

/** Which answer of the model a part of it belongs to. */
const ofReply: Exemptions = {
  api_message_id: { carries: "text", why: "a late part of an answer that was cut must not be read into the next" }
}

const below = (at: string, keys: Exemptions): Exemptions =>
  Object.fromEntries(Object.entries(keys).map(([key, exemption]) => [`${at}${key}`, exemption]))

const begun: Exemptions = {
  type: { carries: "text", why: "whether it is a text, a thought or a call" },
  text: { carries: "text" },
  thinking: { carries: "thought" },
  signature: { carries: "thought", why: "a thought whose text is omitted is nothing else" },
  data: { carries: "thought", why: "a thought that is encrypted" },
  id: { carries: "call", why: "results and questions name it" },
  name: { carries: "call" },
  tool_use_id: { carries: "result", why: "which call it is the result of" }
}

const block: Exemptions = {
  ...begun,
  input: { carries: "call" },
  content: { carries: "result" },
  is_error: { carries: "result" }
}

const index: Exemptions = { "event.index": { carries: "text", why: "which block of the answer it is" } }

const failed: Exemptions = {
  errors: { carries: "end" },
  terminal_reason: { carries: "end", why: "whether somebody interrupted it" },
  startup_failure_reason: { carries: "end" }
}

const asked: Exemptions = { request_id: { carries: "question", why: "what is answered" } }

/** The exempt keys by the name of their message. */
export const exempt: Readonly<Record<string, Exemptions>> = {
  assistant: {
    "message.id": { carries: "text", why: "what was streamed is said again here, and must not be shown twice" },
    ...below("message.content[].", block),
    "message.model": {
      carries: "text",
      why: "what the CLI says in the model's place repeats nothing",
      onlyAs: (value) => value === "<synthetic>"
    },
    error: { carries: "end", why: "the code of a turn that the API failed" },
    ...speaker
  },
  user: {
    ...below("message.content[].", block),
    "message.content[].source": { carries: "result", why: "an image" },
    isReplay: { carries: "text", why: "an echo of a prompt", onlyAs: isTrue },
    "tool_use_result.status": { carries: "end", why: "whether the sub-agent has ended" },
    "tool_use_result.agentId": { carries: "end", why: "which task will say that the sub-agent has ended" },
    ...speaker
  },
  "stream_event/message_start": { "event.message.id": { carries: "text", why: "as in `assistant`" }, ...speaker },
  "stream_event/content_block_start": {
    ...index,
    ...below("event.content_block.", begun),
    ...ofReply,
    ...speaker
  },
  "stream_event/content_block_delta": {
    ...index,
    "event.delta.type": { carries: "text", why: "whether it is a text, a thought or a call" },
    "event.delta.text": { carries: "text" },
    "event.delta.thinking": { carries: "thought" },
    "event.delta.signature": { carries: "thought" },
    "event.delta.partial_json": { carries: "call" },
    ...ofReply,
    ...speaker
  },
  "stream_event/content_block_stop": { ...index, ...ofReply, ...speaker },
  "stream_event/message_stop": {
    "abandoned_blocks.from_block_index": { carries: "text", why: "which blocks are sent again" },
    ...ofReply,
    ...speaker
  },
  "result/success": {
    is_error: { carries: "end", onlyAs: isTrue },
    result: { carries: "text", why: "where a turn had no other, and the words of its failure" },
    structured_output: { carries: "result" },
    stop_reason: { carries: "end", onlyAs: (value) => value === "refusal" }
  },
  "result/error_during_execution": failed,
  "result/error_max_turns": failed,
  "result/error_max_budget_usd": failed,
  "result/error_max_structured_output_retries": failed,
  "system/status": {
    status: { carries: "text", why: "a turn that compacts begins; the output of a command is not the answer" }
  },
  "system/local_command_output": { content: { carries: "text" } },
  "system/task_started": {
    task_id: { carries: "question", why: "how the questions of a sub-agent name it, and its end on 2.1.37" },
    tool_use_id: { carries: "end", why: "which call the sub-agent is of" },
    task_type: { carries: "end", why: "whether it is a sub-agent that begins" }
  },
  "system/task_progress": { tool_use_id: { carries: "end", why: "which call the sub-agent is of" } },
  "system/task_notification": {
    task_id: { carries: "end" },
    tool_use_id: { carries: "end" },
    status: { carries: "end" },
    summary: { carries: "end", why: "the words of a sub-agent's failure" }
  },
  streamlined_text: { text: { carries: "text" } },
  "control_request/can_use_tool": {
    ...asked,
    "request.tool_name": { carries: "question" },
    "request.tool_use_id": { carries: "question", why: "which call is asked about" },
    "request.input": { carries: "question" },
    "request.agent_id": { carries: "question", why: "which sub-agent asks" },
    "request.suppress_always_allow_rule": { carries: "question", why: "what may be remembered", onlyAs: isTrue }
  },
  "control_request/hook_callback": {
    ...asked,
    "request.callback_id": { carries: "question", why: "which hook is asked; a call that does not say is denied" },
    "request.input.hook_event_name": { carries: "question", why: "whether a call is to be judged" },
    "request.input.tool_name": { carries: "call" },
    "request.input.tool_input": { carries: "call" },
    "request.input.cwd": { carries: "call", why: "where it would run, by which a policy judges" }
  },
  "control_request/mcp_message": {
    ...asked,
    "request.message.method": { carries: "call" },
    "request.message.id": { carries: "call", why: "what the answer names" },
    "request.message.params.name": { carries: "call" },
    "request.message.params.arguments": { carries: "call" },
    "request.message.params._meta.claudecode/toolUseId": { carries: "call", why: "which call of the model it is" },
    "request.message.params.requestId": { carries: "call", why: "which call is taken back" }
  },
  "control_request/elicitation": {
    ...asked,
    "request.message": { carries: "question" },
    "request.mode": { carries: "question", why: "a form, or a page to visit" },
    "request.url": { carries: "question" },
    "request.requested_schema": { carries: "question" }
  },
  "control_request/request_user_dialog": asked,
  "control_response/success": {
    "response.request_id": { carries: "end", why: "an interrupt that is not answered keeps its caller waiting" }
  },
  "control_response/error": { "response.request_id": { carries: "end", why: "as in a success" } },
  control_cancel_request: { request_id: { carries: "question", why: "which is taken back" } }
}

/** What the agent may ask of its host. All other control requests are orders of the host, and must be whole. */
export const askedByAgents: ReadonlySet<string> = new Set([
  "control_request/can_use_tool",
  "control_request/hook_callback",
  "control_request/mcp_message",
  "control_request/elicitation",
  "control_request/request_user_dialog"
])
