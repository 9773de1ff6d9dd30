#!/usr/bin/env node
/**
 * A stand-in for the CLI that takes prompts of any size, and says one word to each; to `Ask` and `Call` only once its
 * question, or its call of the tool `show` of the page, is answered.
 */
import { createInterface } from "node:readline"

const session_id = "e246662a-7abd-46cd-810a-8bee54567603"
const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const say = (message) =>
  process.stdout.write(`${JSON.stringify({ ...message, session_id, uuid: crypto.randomUUID() })}\n`)

const speak = (...content) => {
  const id = `msg_${crypto.randomUUID()}`
  say({
    type: "assistant",
    message: { id, type: "message", role: "assistant", model: "m", content, stop_reason: null, usage },
    parent_tool_use_id: null
  })
}

const begin = () =>
  say({
    type: "system",
    subtype: "init",
    cwd: process.cwd(),
    tools: [],
    mcp_servers: [],
    model: "m",
    permissionMode: "default",
    apiKeySource: "none",
    claude_code_version: "2.1.325"
  })

const end = () => {
  speak({ type: "text", text: "Yes." })
  say({
    type: "result",
    subtype: "success",
    is_error: false,
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    result: "Yes.",
    stop_reason: "end_turn",
    total_cost_usd: 0,
    usage,
    modelUsage: {},
    permission_denials: []
  })
}

const request = (request) =>
  process.stdout.write(`${JSON.stringify({ type: "control_request", request_id: crypto.randomUUID(), request })}\n`)

const ask = () => {
  const tool_use_id = `toolu_${crypto.randomUUID()}`
  const call = { name: "Bash", input: { command: "true" } }
  speak({ type: "tool_use", id: tool_use_id, ...call })
  request({ subtype: "can_use_tool", tool_name: call.name, input: call.input, tool_use_id })
}

const call = () => {
  const id = `toolu_${crypto.randomUUID()}`
  speak({ type: "tool_use", id, name: "mcp__frontend__show", input: {} })
  const params = { name: "show", arguments: {}, _meta: { "claudecode/toolUseId": id } }
  request({
    subtype: "mcp_message",
    server_name: "frontend",
    message: { jsonrpc: "2.0", id: 1, method: "tools/call", params }
  })
}

/** What it does with a prompt, by its last word. */
const tasks = { Ask: ask, Call: call }

const hear = (line) => {
  if (/^.{0,500}"type":"user"/.test(line.slice(0, 600)) || line.endsWith('"type":"user"}')) {
    begin()
    const [, word] = /"text":"(Ask|Call)"/.exec(line.slice(0, 500)) ?? []
    return (tasks[word] ?? end)()
  }
  if (/"type":"control_response"/.test(line.slice(0, 500))) return end()
  const { request_id, type } = JSON.parse(line)
  if (type !== "control_request") return
  const response = {
    commands: [],
    output_style: "default",
    available_output_styles: ["default"],
    models: [],
    account: {}
  }
  say({ type: "control_response", response: { subtype: "success", request_id, response } })
}

if (process.argv.includes("--version")) console.log("2.1.325 (Claude Code)")
else createInterface({ input: process.stdin }).on("line", hear)
