/**
 * A stand-in for the CLI that says when it says something: every delta of its answers carries the time it was
 * written at. The prompt tells how many deltas there are, and how long it waits between two of them.
 *
 * A program of its own without imports but Node's, because hundreds of it are started.
 */
import { createInterface } from "node:readline"
import type { Pace } from "./Stamp.ts"
import { stamped } from "./Stamp.ts"

const session_id = "e246662a-7abd-46cd-810a-8bee54567603"
const usage = { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
/** So many lines are written at once when there is no wait, as a fast model's are. */
const batchSize = 16

let uuids = 0
let answers = 0

const line = (message: object): string => {
  const uuid = `00000000-0000-4000-8000-${String(++uuids).padStart(12, "0")}`
  return `${JSON.stringify({ ...message, session_id, parent_tool_use_id: null, uuid })}\n`
}

const streamed = (event: object): string => line({ type: "stream_event", event })

const delta = (text: string): string =>
  streamed({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const init = {
  type: "system",
  subtype: "init",
  cwd: process.cwd(),
  tools: [],
  mcp_servers: [],
  model: "claude-opus-5-5",
  permissionMode: "default",
  slash_commands: [],
  apiKeySource: "none",
  output_style: "default",
  agents: [],
  skills: [],
  plugins: [],
  claude_code_version: "2.1.325"
}

const answer = async ({ events, everyMs }: Pace): Promise<void> => {
  const message = {
    id: `msg_${++answers}`,
    type: "message",
    role: "assistant",
    model: "claude-opus-5-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage
  }
  process.stdout.write(
    line(init) +
      streamed({ type: "message_start", message }) +
      streamed({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } })
  )
  const said: Array<string> = []
  for (let batch = ""; said.length < events; ) {
    if (everyMs > 0) await sleep(everyMs)
    const text = stamped()
    said.push(text)
    batch += delta(text)
    if (everyMs === 0 && said.length % batchSize !== 0 && said.length < events) continue
    process.stdout.write(batch)
    batch = ""
  }
  process.stdout.write(
    line({ type: "assistant", message: { ...message, content: [{ type: "text", text: said.join("") }] } }) +
      streamed({ type: "content_block_stop", index: 0 }) +
      streamed({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage }) +
      streamed({ type: "message_stop" }) +
      line({
        type: "result",
        subtype: "success",
        is_error: false,
        duration_ms: 1,
        duration_api_ms: 1,
        num_turns: 1,
        result: "",
        stop_reason: "end_turn",
        total_cost_usd: 0,
        usage,
        modelUsage: {},
        permission_denials: []
      })
  )
}

interface Said {
  readonly type: string
  readonly request_id?: string
  readonly message?: { readonly content: string | ReadonlyArray<{ readonly text: string }> }
}

const hear = (said: Said): void => {
  if (said.type === "control_request")
    process.stdout.write(
      line({
        type: "control_response",
        response: {
          subtype: "success",
          request_id: said.request_id,
          response: {
            commands: [],
            output_style: "default",
            available_output_styles: ["default"],
            models: [],
            account: {}
          }
        }
      })
    )
  if (said.type !== "user") return
  const content = said.message?.content ?? ""
  void answer(JSON.parse(typeof content === "string" ? content : (content[0]?.text ?? "")) as Pace)
}

if (process.argv.includes("--version")) console.log("2.1.325 (Claude Code)")
else createInterface({ input: process.stdin }).on("line", (text) => hear(JSON.parse(text) as Said))
