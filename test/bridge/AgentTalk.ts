/** What a host says to an agent in these tests, and what it looks for in the answers. */
import type { Decoded } from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Agent, LaunchRequest } from "../../packages/bridge/src/runtime/claude/Agent.ts"

/** A launch in a folder. */
export const requestIn = (cwd: string, more: Partial<LaunchRequest> = {}): LaunchRequest => ({
  sessionKey: "test-session",
  cwd,
  options: {},
  frontendServer: "frontend",
  ...more
})

/** A prompt. */
export const prompt = (text: string, more: object = {}) => ({
  type: "user",
  message: { role: "user", content: text },
  parent_tool_use_id: null,
  session_id: "",
  ...more
})

/** What the host answers: it allows every tool, and has an in-process MCP server without tools, which 2.1.37 waits for. */
export const answerTo = (decoded: Decoded): object | undefined => {
  if (decoded._tag !== "Known") return undefined
  if (decoded.name === "control_request/can_use_tool") {
    const { request, request_id } = decoded.message
    return response(request_id, { behavior: "allow", updatedInput: request.input })
  }
  if (decoded.name === "control_request/mcp_message") {
    const { request, request_id } = decoded.message
    const asked = request.message as { readonly id?: number; readonly method?: string }
    const result =
      asked.method === "initialize"
        ? { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo: { name: "test", version: "1" } }
        : asked.method === "tools/list"
          ? { tools: [] }
          : {}
    return response(request_id, { mcp_response: { jsonrpc: "2.0", id: asked.id ?? 0, result } })
  }
  return undefined
}

const response = (request_id: string, payload: object) => ({
  type: "control_response",
  response: { subtype: "success", request_id, response: payload }
})

/** Reads until a message of this name, that one included; fails after 60 seconds. */
export const readUntil = (agent: Agent, name: string) =>
  Effect.gen(function* () {
    const seen: Array<Decoded> = []
    for (;;) {
      const decoded = yield* Queue.take(agent.messages)
      seen.push(decoded)
      if (decoded._tag === "Known" && decoded.name === name) return seen
      const answer = answerTo(decoded)
      if (answer !== undefined) yield* agent.send(answer)
    }
  }).pipe(Effect.timeout("60 seconds"))

/** The text that was streamed. */
export const textOf = (seen: ReadonlyArray<Decoded>): string =>
  seen
    .map((decoded) =>
      decoded._tag === "Known" &&
      decoded.name === "stream_event/content_block_delta" &&
      decoded.message.event.delta.type === "text_delta"
        ? decoded.message.event.delta.text
        : ""
    )
    .join("")
