/**
 * Messages of Claude Code, made small, and what the translator gives for them.
 *
 * Each builder makes a message that its schema takes (a mistake throws), with a `uuid` of its own: a message that
 * is stepped twice is a replay.
 */
import { loadTape, type TapeName, wireLines } from "@agentwire/fixtures"
import type { AguiEvent } from "../../src/agui/Event.ts"
import { type Decoded, decodeLine, decodeValue, type Known } from "../../src/claude/Codec.ts"
import type { TranslateOptions } from "../../src/translate/Options.ts"
import { stepAll } from "../../src/translate/TranslateStream.ts"
import { type FinishReason, finish, initialState, type State } from "../../src/translate/Translator.ts"

/** The id of the speaker: null is the main thread. */
export type Parent = string | null

let made = 0

/** A uuid that no other message has. */
export const freshUuid = (): string => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`

/** A message, checked by its schema. */
export const message = (value: object): Known => {
  const decoded = decodeValue(value)
  if (decoded._tag !== "Known" || decoded.odd !== undefined) throw new Error(`no message: ${JSON.stringify(decoded)}`)
  return decoded
}

/** A message with the envelope that all but control messages have. */
export const enveloped = (value: object): Known => message({ session_id: "s", uuid: freshUuid(), ...value })

const usage = { input_tokens: 10, output_tokens: 2, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

const apiMessage = (id: string, content: ReadonlyArray<object>, more: object = {}) => ({
  id,
  type: "message",
  role: "assistant",
  model: "claude-test",
  content,
  stop_reason: null,
  stop_sequence: null,
  usage,
  ...more
})

/** `system/init`. */
export const init = (more: object = {}): Known =>
  enveloped({
    type: "system",
    subtype: "init",
    claude_code_version: "2.1.325",
    cwd: "/w",
    model: "claude-test",
    permissionMode: "default",
    apiKeySource: "none",
    tools: ["Bash"],
    mcp_servers: [],
    slash_commands: [],
    skills: [],
    plugins: [],
    output_style: "default",
    ...more
  })

const streamed = (event: object, parent: Parent, more: object = {}): Known =>
  enveloped({ type: "stream_event", event, parent_tool_use_id: parent, ...more })

/** `message_start`: an answer begins to stream. */
export const messageStart = (id: string, parent: Parent = null, more: object = {}): Known =>
  streamed({ type: "message_start", message: apiMessage(id, [], more) }, parent)

/** `content_block_start`. */
export const blockStart = (index: number, block: object, parent: Parent = null, more: object = {}): Known =>
  streamed({ type: "content_block_start", index, content_block: block }, parent, more)

/** `content_block_delta`. */
export const blockDelta = (index: number, delta: object, parent: Parent = null, more: object = {}): Known =>
  streamed({ type: "content_block_delta", index, delta }, parent, more)

/** A `content_block_delta` with text. */
export const textDelta = (index: number, piece: string, parent: Parent = null, more: object = {}): Known =>
  blockDelta(index, { type: "text_delta", text: piece }, parent, more)

/** A `content_block_delta` with thinking. */
export const thinkingDelta = (index: number, piece: string): Known =>
  blockDelta(index, { type: "thinking_delta", thinking: piece })

/** A `content_block_delta` with a piece of a tool's arguments. */
export const jsonDelta = (index: number, piece: string): Known =>
  blockDelta(index, { type: "input_json_delta", partial_json: piece })

/** `content_block_stop`. */
export const blockStop = (index: number): Known => streamed({ type: "content_block_stop", index }, null)

/** `message_delta` with what the answer cost. */
export const messageDelta = (usage: object = { output_tokens: 5 }): Known =>
  streamed({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage }, null)

/** `message_stop`. */
export const messageStop = (parent: Parent = null, more: object = {}): Known =>
  streamed({ type: "message_stop" }, parent, more)

/** A block of text. */
export const text = (words: string, more: object = {}): object => ({ type: "text", text: words, ...more })

/** A block of thinking. */
export const thinking = (words: string, signature = ""): object => ({ type: "thinking", thinking: words, signature })

/** A tool call. */
export const toolUse = (id: string, input: object = {}, name = "Bash"): object => ({
  type: "tool_use",
  id,
  name,
  input
})

/** `assistant`: a block of an answer, whole. */
export const said = (id: string, block: object, parent: Parent = null, more: object = {}): Known =>
  enveloped({ type: "assistant", message: apiMessage(id, [block]), parent_tool_use_id: parent, ...more })

/** `assistant` in the model's place: an error of the API, the output of a command. */
export const synthetic = (id: string, words: string, more: object = {}): Known =>
  enveloped({
    type: "assistant",
    message: apiMessage(id, [text(words)], { model: "<synthetic>" }),
    parent_tool_use_id: null,
    ...more
  })

/** An answer of one text, streamed in these pieces, with its `assistant` line. */
export const streamedText = (id: string, pieces: ReadonlyArray<string>): ReadonlyArray<Known> => [
  messageStart(id),
  blockStart(0, text("")),
  ...pieces.map((piece) => textDelta(0, piece)),
  said(id, text(pieces.join(""))),
  blockStop(0),
  messageDelta(),
  messageStop()
]

/** An answer of one tool call, streamed in these pieces, with its `assistant` line. */
export const streamedCall = (id: string, call: string, input: object, name = "Bash"): ReadonlyArray<Known> => [
  messageStart(id),
  blockStart(0, toolUse(call, {}, name)),
  jsonDelta(0, ""),
  jsonDelta(0, JSON.stringify(input)),
  said(id, toolUse(call, input, name)),
  blockStop(0),
  messageDelta(),
  messageStop()
]

/** `user` with a tool's result. */
export const toolResult = (
  call: string,
  content: unknown = "done",
  { parent = null, error, more = {} }: { parent?: Parent; error?: boolean; more?: object } = {}
): Known =>
  enveloped({
    type: "user",
    message: {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: call,
          ...(content === undefined ? {} : { content }),
          ...(error === undefined ? {} : { is_error: error })
        }
      ]
    },
    parent_tool_use_id: parent,
    ...more
  })

/** `user` with words that are no result. */
export const userText = (content: string | ReadonlyArray<object>, more: object = {}): Known =>
  enveloped({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, ...more })

const turnFacts = {
  type: "result",
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  stop_reason: "end_turn",
  total_cost_usd: 0,
  usage: { ...usage, output_tokens: 5 },
  modelUsage: {},
  permission_denials: []
}

/** `result` with the subtype `success`. */
export const success = (more: object = {}): Known =>
  enveloped({ ...turnFacts, subtype: "success", is_error: false, result: "", ...more })

/** `result` of a turn that was stopped. */
export const stopped = (subtype: string, more: object = {}): Known =>
  enveloped({ ...turnFacts, subtype, is_error: true, stop_reason: null, errors: [], ...more })

/** `can_use_tool`. */
export const canUseTool = (request: string, call: string, more: object = {}): Known =>
  message({
    type: "control_request",
    request_id: request,
    request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" }, tool_use_id: call, ...more }
  })

/** `elicitation`: a form of an MCP server. */
export const elicitation = (request: string): Known =>
  message({
    type: "control_request",
    request_id: request,
    request: {
      subtype: "elicitation",
      mcp_server_name: "demo",
      message: "Name?",
      mode: "form",
      requested_schema: { type: "object", properties: { name: { type: "string" } } }
    }
  })

/** `control_cancel_request`. */
export const cancelRequest = (request: string): Known =>
  message({ type: "control_cancel_request", request_id: request })

/** `system/task_started`. */
export const taskStarted = (task: string, call: string, more: object = {}): Known =>
  enveloped({
    type: "system",
    subtype: "task_started",
    task_id: task,
    tool_use_id: call,
    description: "look around",
    task_type: "local_agent",
    ...more
  })

/** `system/task_progress`. */
export const taskProgress = (task: string, more: object = {}): Known =>
  enveloped({
    type: "system",
    subtype: "task_progress",
    task_id: task,
    description: "look around",
    usage: { total_tokens: 1, tool_uses: 1, duration_ms: 1 },
    ...more
  })

/** `system/task_updated`. */
export const taskUpdated = (task: string, patch: object): Known =>
  enveloped({ type: "system", subtype: "task_updated", task_id: task, patch })

/** `system/task_notification`. */
export const taskEnded = (task: string, more: object = {}): Known =>
  enveloped({
    type: "system",
    subtype: "task_notification",
    task_id: task,
    status: "completed",
    output_file: "",
    summary: "it looked around",
    ...more
  })

/** What a `system` message with this status says. */
export const status = (value: string | null, more: object = {}): Known =>
  enveloped({ type: "system", subtype: "status", status: value, ...more })

/** The messages of a recorded session that came from the CLI. */
export const recorded = (name: TapeName): ReadonlyArray<Decoded> => recordedLines(name).map((line) => decodeLine(line))

/** The lines of a recorded session that came from the CLI. */
export const recordedLines = (name: TapeName): ReadonlyArray<string> =>
  wireLines(name.scenario, loadTape(name))
    .filter(({ from, line }) => from === "cli" && line.trim() !== "")
    .map(({ line }) => line)

/** The options that the tests have in common. */
export const options: TranslateOptions = { threadId: "t" }

/** The events of a whole session. */
export const translated = (
  messages: ReadonlyArray<Decoded>,
  more: Partial<TranslateOptions> = {},
  reason: FinishReason = { type: "end" }
): ReadonlyArray<AguiEvent> => {
  const [state, events] = stepAll(initialState({ ...options, ...more }), messages)
  return [...events, ...finish(state, reason)]
}

/** The state after some messages. */
export const after = (messages: ReadonlyArray<Decoded>, more: Partial<TranslateOptions> = {}): State =>
  stepAll(initialState({ ...options, ...more }), messages)[0]

/** The events of one type, narrowed. */
export const only = <T extends AguiEvent["type"]>(
  events: ReadonlyArray<AguiEvent>,
  ...types: ReadonlyArray<T>
): ReadonlyArray<Extract<AguiEvent, { type: T }>> =>
  events.filter((event): event is Extract<AguiEvent, { type: T }> => types.some((type) => type === event.type))

/** The values of the `CUSTOM` events of a name. */
export const customs = (events: ReadonlyArray<AguiEvent>, name: string): ReadonlyArray<unknown> =>
  only(events, "CUSTOM")
    .filter((event) => event.name === name)
    .map(({ value }) => value)

/** Events in short, one line each: the type, what it is about, what it says, and `@` who says it. */
export const brief = (events: ReadonlyArray<AguiEvent>): ReadonlyArray<string> =>
  events.map((event) => {
    const fields: Readonly<Record<string, unknown>> = { ...event }
    const about = fields["messageId"] ?? fields["toolCallId"] ?? fields["name"] ?? fields["entityId"] ?? ""
    const what = fields["delta"] ?? fields["content"] ?? ""
    const words = [event.type, about, typeof what === "string" ? what : JSON.stringify(what)].filter((w) => w !== "")
    const tag = fields["subagentRunId"]
    return words.join(" ") + (tag === undefined ? "" : ` @${tag}`)
  })

/** What each message of an id says in the end. */
export const textsOf = (events: ReadonlyArray<AguiEvent>): Readonly<Record<string, string>> => {
  const texts: Record<string, string> = {}
  for (const event of only(events, "TEXT_MESSAGE_CONTENT", "REASONING_MESSAGE_CONTENT"))
    texts[event.messageId] = (texts[event.messageId] ?? "") + event.delta
  return texts
}

/** The arguments of each call. */
export const argumentsOf = (events: ReadonlyArray<AguiEvent>): Readonly<Record<string, string>> => {
  const args: Record<string, string> = {}
  for (const event of only(events, "TOOL_CALL_START", "TOOL_CALL_ARGS"))
    args[event.toolCallId] = (args[event.toolCallId] ?? "") + (event.type === "TOOL_CALL_ARGS" ? event.delta : "")
  return args
}
