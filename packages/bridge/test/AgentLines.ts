/**
 * Lines as a CLI says them, for fake agents.
 */
import * as Effect from "effect/Effect"
import type { Behaviour, Line } from "./FakeAgent.ts"

let count = 0
const uuid = (): string => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`
const envelope = () => ({ session_id: "provider-1", uuid: uuid() })
const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

/** The beginning of a turn. */
export const init = (): Line => ({
  type: "system",
  subtype: "init",
  cwd: "/",
  tools: [],
  mcp_servers: [],
  model: "m",
  permissionMode: "default",
  slash_commands: [],
  apiKeySource: "none",
  claude_code_version: "2.1.325",
  output_style: "default",
  skills: [],
  plugins: [],
  ...envelope()
})
/** A whole message of the model. */
const assistant = (...content: ReadonlyArray<Line>): Line => ({
  type: "assistant",
  message: {
    id: `msg_${++count}`,
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: null,
    stop_sequence: null,
    usage
  },
  parent_tool_use_id: null,
  ...envelope()
})
/** A message of words. */
export const text = (words: string): Line => assistant({ type: "text", text: words })
/** A message that calls a tool. */
export const toolUse = (id: string, name: string, input: Line = {}): Line =>
  assistant({ type: "tool_use", id, name, input })
/** What a tool gave. */
export const toolResult = (id: string, content: string): Line => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
  parent_tool_use_id: null,
  ...envelope()
})
/** The end of a turn. */
export const result = (fields: Line = {}): Line => ({
  type: "result",
  subtype: "success",
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  result: "done",
  stop_reason: "end_turn",
  total_cost_usd: 0,
  usage,
  modelUsage: {},
  permission_denials: [],
  ...fields,
  ...envelope()
})
/** The question whether a tool may run. */
export const ask = (requestId: string, tool: string, toolUseId: string, input: Line = {}): Line => ({
  type: "control_request",
  request_id: requestId,
  request: { subtype: "can_use_tool", tool_name: tool, tool_use_id: toolUseId, input }
})

/** The hook that is called before a tool runs. */
export const beforeTool = (
  requestId: string,
  callbackId: string,
  tool: string,
  toolInput: Line = {},
  cwd = "/"
): Line => ({
  type: "control_request",
  request_id: requestId,
  request: {
    subtype: "hook_callback",
    callback_id: callbackId,
    tool_use_id: "toolu_1",
    input: {
      hook_event_name: "PreToolUse",
      session_id: "provider-1",
      transcript_path: "/t",
      cwd,
      tool_name: tool,
      tool_input: toolInput,
      tool_use_id: "toolu_1"
    }
  }
})

/** What became of a line of the host. */
export const lifecycle = (line: Line | undefined, state: "queued" | "started" | "completed" | "cancelled"): Line => ({
  type: "command_lifecycle",
  command_uuid: line?.["uuid"],
  state,
  ...envelope()
})
/** Whether the host says something for the model. */
export const isPrompt = (line: Line): boolean => line["type"] === "user"

/** An agent that repeats what it is told, and agrees to everything else. */
export const echo: Behaviour = (message, say) => {
  if (message["type"] === "control_request")
    return say({
      type: "control_response",
      response: { subtype: "success", request_id: message["request_id"], response: {} }
    })
  if (!isPrompt(message)) return Effect.void
  const { content } = message["message"] as { readonly content: ReadonlyArray<{ readonly text: string }> | string }
  const words = typeof content === "string" ? content : content.map(({ text }) => text).join("")
  return say(init(), text(`You said: ${words}`), result())
}

/** A call of a tool of the application, as MCP in a control request. */
export const pageToolCall = (
  requestId: string,
  rpcId: number,
  toolUseId: string,
  name: string,
  input: Line = {}
): Line => ({
  type: "control_request",
  request_id: requestId,
  request: {
    subtype: "mcp_message",
    server_name: "frontend",
    message: {
      jsonrpc: "2.0",
      id: rpcId,
      method: "tools/call",
      params: { name, arguments: input, _meta: { "claudecode/toolUseId": toolUseId } }
    }
  }
})

/** The CLI takes a question back. */
export const withdraw = (requestId: string): Line => ({ type: "control_cancel_request", request_id: requestId })

/** The end of a turn that was interrupted. */
export const aborted = (): Line =>
  result({ subtype: "error_during_execution", is_error: true, errors: [], terminal_reason: "aborted_streaming" })

/** The answer to a control request of the host. */
export const agreed = (line: Line): Line => ({
  type: "control_response",
  response: { subtype: "success", request_id: line["request_id"], response: {} }
})

/** Whether the host asks the agent to end its turn. */
export const isInterrupt = (line: Line): boolean => (line["request"] as Line | undefined)?.["subtype"] === "interrupt"
