/** JSON-RPC of the agent, as `mcp_message` carries it, to answers of the application's MCP server. */
import * as Claude from "@agentwire/protocol/claude"
import { decodePayload } from "@agentwire/protocol/codec"
import { parseJson } from "@agentwire/protocol/wire"
import type * as Schema from "effect/Schema"
import { answerMcp, callResponse } from "../../packages/bridge/src/runtime/claude/FrontendServer.ts"
import { holds, linesOf, same, type Target } from "../Target.ts"

const tools = [
  { name: "paint", description: "Paints.", parameters: { type: "object", properties: { color: { type: "string" } } } },
  { name: "fill in", description: "", parameters: {} },
  { name: "__proto__", description: "", parameters: {} }
]

/** The reader of JSON-RPC. Each line is a message, or a line of the agent that carries one. */
export const jsonrpc: Target = {
  name: "jsonrpc",
  law: "any JSON-RPC message is answered once, under its own id, with a result or an error; any control request has its message read",
  shape: "lines",
  words: [
    ...[
      "jsonrpc",
      "2.0",
      "id",
      "method",
      "params",
      "result",
      "error",
      "code",
      "initialize",
      "ping",
      "tools/list",
      "tools/call"
    ],
    ...[
      "notifications/cancelled",
      "requestId",
      "name",
      "arguments",
      "_meta",
      "claudecode/toolUseId",
      "paint",
      "fill in"
    ]
  ],
  check: (input) => linesOf(input).map((line) => outcomeOf(parseJson(line)))
}

const outcomeOf = (value: unknown): string => {
  const carried = Claude.codec.decodeValue(value)
  const message =
    carried._tag === "Known" && carried.name === "control_request/mcp_message" ? carried.message.request.message : value
  const read = decodePayload(Claude.JsonRpcMessage as Schema.Codec<Claude.JsonRpcMessage>, message)
  if (read._tag === "Invalid") return "Invalid"
  const answer = answerMcp(tools, "frontend", read.value)
  if (answer._tag === "Call") {
    holds("id" in read.value && answer.id === read.value.id, "a call has the id of its request", read.value)
    holds(
      tools.some(({ name }) => name === answer.name),
      "a call is of a tool there is",
      answer
    )
    const written = decodePayload(
      Claude.JsonRpcMessage as Schema.Codec<Claude.JsonRpcMessage>,
      JSON.parse(JSON.stringify(callResponse(answer.id, { content: [] })))
    )
    holds(written._tag === "Known", "the answer to a call is JSON-RPC", written)
    return "Call"
  }
  const { response } = answer
  const again = decodePayload(
    Claude.JsonRpcMessage as Schema.Codec<Claude.JsonRpcMessage>,
    JSON.parse(JSON.stringify(response))
  )
  holds(again._tag === "Known", "an answer is JSON-RPC", response)
  const { id, method } = read.value as Readonly<Record<string, unknown>>
  if (method !== undefined && (typeof id === "string" || typeof id === "number"))
    same("an answer has the id of its request", response.id, id)
  holds("result" in response !== "error" in response, "an answer is a result or an error", response)
  return "error" in response ? `error ${response.error.code}` : answer.cancels === undefined ? "result" : "cancels"
}
