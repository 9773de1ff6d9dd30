import { readRecording, recordings } from "@agentwire/fixtures"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import {
  ControlCancelRequest,
  ControlRequest,
  controlRequestMessages,
  controlResponses
} from "../../src/claude/Control.ts"
import { ControlRequestBody, controlRequests } from "../../src/claude/ControlRequest.ts"
import { JsonRpcMessage, McpServerConfig } from "../../src/claude/Mcp.ts"
import { driftOf } from "../../src/wire/Drift.ts"

const decode = (schema: Schema.Codec<unknown>, value: unknown) => Schema.decodeUnknownResult(schema)(value)
const message = (result: Result.Result<unknown, { readonly message: string }>) =>
  Result.isFailure(result) ? result.failure.message : "no failure"
const kept = (schema: Schema.Codec<unknown>, value: unknown) =>
  expect(decode(schema, value)).toEqual(Result.succeed(value))

// docs/wire/claude-code.md §1b.
const official = [
  ..."interrupt can_use_tool initialize set_permission_mode set_model set_max_thinking_tokens rename_session".split(
    " "
  ),
  ..."set_color mcp_status get_context_usage get_session_cost list_models get_usage get_binary_version".split(" "),
  ..."mcp_call file_suggestions hook_callback mcp_message rewind_files cancel_async_message read_file".split(" "),
  ..."seed_read_state mcp_set_servers register_repo_root reload_plugins reload_skills reload_output_styles".split(" "),
  ..."mcp_reconnect mcp_toggle set_has_subscribers stop_task background_tasks get_task_output".split(" "),
  ..."apply_flag_settings get_settings get_hooks_listing update_settings elicitation request_user_dialog".split(" "),
  ..."list_permission_rules mcp_read_resource".split(" ")
]

describe("the table of control requests", () => {
  it("has the 41 official subtypes and the three undocumented ones of §6f", () => {
    expect(official).toHaveLength(41)
    for (const subtype of [...official, "end_session", "generate_session_title", "side_question"])
      expect(controlRequests).toHaveProperty(subtype)
  })

  it("is keyed by the subtype its schemas are for", () => {
    for (const [subtype, { request }] of Object.entries(controlRequests))
      expect(request.fields.subtype.literal).toBe(subtype)
    for (const [subtype, { fields }] of Object.entries(controlRequestMessages))
      expect(fields.request.fields.subtype.literal).toBe(subtype)
  })

  it("has an envelope and a variant for each", () => {
    expect(Object.keys(controlRequestMessages)).toEqual(Object.keys(controlRequests))
    expect(ControlRequestBody.members).toEqual(Object.values(controlRequests).map(({ request }) => request))
  })

  it("says who asks", () => {
    const from = (direction: string) =>
      Object.entries(controlRequests).flatMap(([subtype, exchange]) => (exchange.from === direction ? [subtype] : []))
    expect(from("cli")).toEqual(["can_use_tool", "hook_callback", "elicitation", "request_user_dialog"])
    expect(from("both")).toEqual(["mcp_message"])
  })
})

describe("control messages", () => {
  const ask = (request: unknown) => ({ type: "control_request", request_id: "r1", request })

  it("keep a subtype that came later", () => {
    kept(ControlRequest, ask({ subtype: "brew_coffee", cups: 2 }))
  })

  it("say where a known request is malformed", () => {
    const request = ask({ subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t", input: "ls" })
    expect(message(decode(controlRequestMessages.can_use_tool, request))).toContain('at ["request"]["input"]')
    expect(Result.isFailure(decode(ControlRequest, request))).toBe(true)
  })

  it("carry a hook event that came later", () => {
    const input = { hook_event_name: "CoffeeBreak", minutes: 5 }
    kept(controlRequestMessages.hook_callback, ask({ subtype: "hook_callback", callback_id: "c", input }))
  })

  it("succeed without a payload", () => {
    kept(controlResponses.success, { type: "control_response", response: { subtype: "success", request_id: "r1" } })
  })

  it("carry pending permissions in errors, too (2.1.37: Already initialized)", () => {
    const pending = ask({ subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t", input: { command: "ls" } })
    const response = { subtype: "error", request_id: "r", error: "Already initialized" }
    kept(controlResponses.error, {
      type: "control_response",
      response: { ...response, pending_permission_requests: [pending] }
    })
  })

  it("want the error of an error", () => {
    const response = { type: "control_response", response: { subtype: "error", request_id: "r" } }
    expect(message(decode(controlResponses.error, response))).toContain('at ["response"]["error"]')
  })
})

describe("MCP", () => {
  it("lets only stdio servers leave their type out", () => {
    kept(McpServerConfig, { command: "server", args: ["-v"] })
    kept(McpServerConfig, { type: "stdio", command: "server" })
    expect(Result.isFailure(decode(McpServerConfig, { url: "http://127.0.0.1/mcp" }))).toBe(true)
  })

  it("does not take a malformed server for a kind that came later", () => {
    expect(Result.isFailure(decode(McpServerConfig, { type: "stdio" }))).toBe(true)
    expect(Result.isFailure(decode(McpServerConfig, { type: "http" }))).toBe(true)
    kept(McpServerConfig, { type: "carrier-pigeon", loft: 3 })
  })

  it("tells the four JSON-RPC messages apart", () => {
    kept(JsonRpcMessage, { jsonrpc: "2.0", id: 0, method: "tools/list" })
    kept(JsonRpcMessage, { jsonrpc: "2.0", method: "notifications/initialized" })
    kept(JsonRpcMessage, { jsonrpc: "2.0", id: "a", result: {} })
    kept(JsonRpcMessage, { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } })
    expect(Result.isFailure(decode(JsonRpcMessage, { jsonrpc: "2.0", id: 1 }))).toBe(true)
  })
})

// Scenarios whose host sends nonsense on purpose.
const malformedByHost = new Set(["tool_perm_malformed", "hooks_async_and_error", "bad_control_request"])

// A permission mode nobody knows, which CLIs before 2.1.325 accept and repeat.
const hostNonsense = "nonsense"

interface Frame {
  readonly scenario: string
  readonly from: "cli" | "host"
  readonly message: unknown
}

describe.each(recordings)("every control message of %s", (version) => {
  const tables: {
    readonly requests: Record<string, Schema.Codec<unknown>>
    readonly answers: Record<string, { readonly response: Schema.Codec<unknown> }>
    readonly envelopes: Record<string, Schema.Codec<unknown>>
  } = { requests: controlRequestMessages, answers: controlRequests, envelopes: controlResponses }

  it("decodes to itself, and the CLI says nothing the schemas do not name", () => {
    const asked = new Map<string, string>()
    const problems: Array<string> = []
    const check = (label: string, schema: Schema.Codec<unknown> | undefined, value: unknown, frame: Frame) => {
      if (schema === undefined) return
      const result = decode(schema, value)
      if (Result.isFailure(result)) problems.push(`${frame.scenario} ${label}: ${result.failure.message}`)
      else expect(result.success).toEqual(value)
      if (frame.from === "cli")
        for (const { example, path } of driftOf(schema, value))
          if (example !== hostNonsense) problems.push(`${frame.scenario} ${label}: unnamed ${path}`)
    }
    for (const frame of framesOf(version)) {
      if (frame.from === "host" && malformedByHost.has(frame.scenario)) continue
      const line = ControlLine(frame.message)
      if (line === undefined) continue
      const key = (from: string) => `${frame.scenario} ${from} ${line.request_id}`
      if (line.type === "control_request") {
        asked.set(key(frame.from), line.subtype)
        check(line.subtype, tables.requests[line.subtype], frame.message, frame)
      } else if (line.type === "control_response") {
        check(line.subtype, tables.envelopes[line.subtype], frame.message, frame)
        const subtype = asked.get(key(frame.from === "cli" ? "host" : "cli"))
        if (line.subtype === "success" && subtype !== undefined)
          check(`answer to ${subtype}`, tables.answers[subtype]?.response, line.response ?? {}, frame)
      } else check("cancel", ControlCancelRequest, frame.message, frame)
    }
    expect(asked.size).toBeGreaterThan(100)
    expect(problems).toEqual([])
  })
})

const framesOf = function* (version: string): Generator<Frame> {
  for (const { from, line, scenario } of readRecording(version)) {
    if (!line.includes("control_")) continue
    try {
      yield { scenario, from, message: JSON.parse(line) }
    } catch (error) {
      // Some scenarios send lines that are not JSON.
      if (!(error instanceof SyntaxError) || from === "cli") throw error
    }
  }
}

type Line = {
  readonly type: string
  readonly request_id: string
  readonly subtype: string
  readonly response?: unknown
}

const Body = Schema.Struct({ subtype: Schema.String })
const Answer = Schema.Struct({
  subtype: Schema.String,
  request_id: Schema.String,
  response: Schema.optionalKey(Schema.Unknown)
})
const isRequest = Schema.is(
  Schema.Struct({ type: Schema.Literal("control_request"), request_id: Schema.String, request: Body })
)
const isResponse = Schema.is(Schema.Struct({ type: Schema.Literal("control_response"), response: Answer }))
const isCancel = Schema.is(Schema.Struct({ type: Schema.Literal("control_cancel_request"), request_id: Schema.String }))

const ControlLine = (value: unknown): Line | undefined => {
  if (isRequest(value)) return { type: value.type, request_id: value.request_id, subtype: value.request.subtype }
  if (isResponse(value)) return { type: value.type, ...value.response }
  return isCancel(value) ? { ...value, subtype: "" } : undefined
}
