#!/usr/bin/env node
/** A stand-in for the CLI that takes prompts of any size, and says one word to each. */
import { createInterface } from "node:readline"

const session_id = "e246662a-7abd-46cd-810a-8bee54567603"
const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const say = (message) =>
  process.stdout.write(`${JSON.stringify({ ...message, session_id, uuid: crypto.randomUUID() })}\n`)

const answer = () => {
  const id = `msg_${crypto.randomUUID()}`
  const content = [{ type: "text", text: "Yes." }]
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
  say({
    type: "assistant",
    message: { id, type: "message", role: "assistant", model: "m", content, stop_reason: null, usage },
    parent_tool_use_id: null
  })
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

const hear = (line) => {
  if (line.startsWith('{"type":"user"') || /"type":"user"/.test(line.slice(0, 500)) || line.endsWith('"type":"user"}'))
    return answer()
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
