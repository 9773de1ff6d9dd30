/** How a small program in the CLI's place speaks: the lines of a turn, as 2.1.325 writes them. */
import { writeSync } from "node:fs"

let ids = 0
/** What every line says of its session. */
export const own = { session_id: "11111111-1111-4111-8111-111111111111" }
/** How often each line is written. */
export const times = { copies: 1 }
/** An id that no other line of the process has. */
export const uuid = () =>
  `${String(process.pid).padStart(8, "0").slice(-8)}-0000-4000-8000-${String(++ids).padStart(12, "0")}`
const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

/** Past the streams of Node, so that it is out when the next line runs, and waits while nobody reads. */
export const put = (fd, bytes) => {
  let rest = typeof bytes === "string" ? Buffer.from(bytes) : bytes
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if (error.code !== "EAGAIN") throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** Told of every line that a session file has, too. */
export const file = { keep: () => undefined }

/** Writes a line. */
export const say = (message) => {
  const line = { ...own, uuid: uuid(), ...message }
  put(1, `${JSON.stringify(line)}\n`.repeat(times.copies))
  if (line.type === "assistant" || line.type === "user") file.keep(line)
}

/** A piece of an answer, as the API streams it. */
export const event = (event) => say({ type: "stream_event", event, parent_tool_use_id: null })

/** The answer to a control request. */
export const answer = (request_id, response = {}) =>
  say({ type: "control_response", response: { subtype: "success", request_id, response } })

/** The beginning of a turn. */
export const init = () =>
  say({
    type: "system",
    subtype: "init",
    cwd: process.cwd(),
    tools: [],
    mcp_servers: [],
    model: "m",
    permissionMode: "default",
    slash_commands: [],
    apiKeySource: "none",
    claude_code_version: "2.1.325",
    output_style: "default",
    skills: [],
    plugins: []
  })

let messageId = ""
let blocks = 0
const message = (more) => ({ id: messageId, type: "message", role: "assistant", model: "m", ...more, usage })

/** The beginning of an answer of words. */
export const begin = () => {
  messageId = `msg_${uuid()}`
  blocks = 0
  event({ type: "message_start", message: message({ content: [], stop_reason: null }) })
  event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } })
}

/** More words. */
export const delta = (text) => event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })

const endBlock = (block) => {
  event({ type: "content_block_stop", index: blocks++ })
  say({ type: "assistant", message: message({ content: [block], stop_reason: null }), parent_tool_use_id: null })
}

const endMessage = (stop_reason) => {
  event({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage })
  event({ type: "message_stop" })
}

/** The end of an answer, with its whole text. */
export const end = (text) => {
  endBlock({ type: "text", text })
  endMessage("end_turn")
}

/** The end of an answer that calls a tool. */
export const endWithCall = (text, call) => {
  endBlock({ type: "text", text })
  event({ type: "content_block_start", index: blocks, content_block: { type: "tool_use", ...call, input: {} } })
  const partial_json = JSON.stringify(call.input)
  event({ type: "content_block_delta", index: blocks, delta: { type: "input_json_delta", partial_json } })
  endBlock({ type: "tool_use", ...call })
  endMessage("tool_use")
}

/** What a tool gave. */
export const toolResult = (tool_use_id, content, is_error = false) =>
  say({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id, content, is_error }] },
    parent_tool_use_id: null
  })

/** The end of a turn. */
export const result = (text, more = {}) =>
  say({
    type: "result",
    subtype: "success",
    is_error: false,
    result: text,
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    stop_reason: "end_turn",
    total_cost_usd: 0,
    usage,
    modelUsage: {},
    permission_denials: [],
    ...more
  })

/** What makes the end of a turn one that was interrupted. */
export const interrupted = {
  subtype: "error_during_execution",
  is_error: true,
  errors: [],
  terminal_reason: "aborted_streaming"
}
