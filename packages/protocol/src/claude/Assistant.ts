/**
 * `assistant`: one block of the model's answer, whole.
 *
 * One line per content block, always exactly one block, before that block's `content_block_stop`
 * (docs/wire/claude-code.md §5.1 and §5.2). Lines that were never streamed (API errors, output of slash
 * commands, answers after a broken stream) appear with a message id no `message_start` had.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../wire/Open.ts"
import { ApiMessage, MessageParam } from "./ApiMessage.ts"
import { AssistantError, envelope, subagentMarks, turnMarks } from "./Envelope.ts"
import { ContextUsage, UsageReport } from "./ModelUsage.ts"
import { RateLimitInfo } from "./RateLimit.ts"

/** How to show a call of a tool that came from an MCP server (2.1.197 on). */
export const ToolUseMeta = open("ToolUseMeta", {
  id: Schema.String,
  display_name: Schema.String,
  server_display_name: optional(Schema.String),
  icon_url: optional(Schema.String),
  server_id: optional(Schema.String),
  server_id_stamp: optional(Schema.String),
  tool_name: optional(Schema.String),
  artifact_publish: optional(Schema.Boolean)
})

/** How to show a call of a tool that came from an MCP server. */
export type ToolUseMeta = typeof ToolUseMeta.Type

/** More about an error of the API, for hosts that word it themselves. */
export const ApiErrorParams = open("ApiErrorParams", {
  effort: optional(Schema.String),
  provider: optional(
    known("bedrock", "anthropicAws", "mantle", "anthropicGoogleCloud", "vertex", "foundry", "gateway")
  ),
  remedy: optional(
    known("refresh_command", "refresh_credentials", "adc", "gateway_token", "host_managed", "model_access")
  ),
  media: optional(known("image", "document")),
  media_reason: optional(known("unprocessable", "unsupported_by_model", "media_budget")),
  rate_limit_info: optional(RateLimitInfo),
  cut: optional(known("output_limit", "context_window"))
})

/** More about an error of the API, for hosts that word it themselves. */
export type ApiErrorParams = typeof ApiErrorParams.Type

/** What the API, or the CLI in its place, said went wrong (2.1.325; `error` is in all versions). */
export const apiError = {
  /** The HTTP status. Null in a `result` whose turn had no error. */
  api_error_status: optional(Schema.NullOr(Schema.Finite)),
  /** The `error.type` of the API's answer, such as `invalid_request_error`. */
  api_error_type: optional(Schema.String),
  api_error_code: optional(Schema.String),
  api_error_origin: optional(known("first_party")),
  api_error: optional(Schema.String)
} as const

/** One block of the model's answer, whole. */
export const Assistant = open("Assistant", {
  type: Schema.Literal("assistant"),
  message: ApiMessage,
  /** The tool call that started the sub-agent this comes from; null for the main thread. */
  parent_tool_use_id: Schema.NullOr(Schema.String),
  /** Present when the text is an error of the API; the `result` that follows says `success` all the same. */
  error: optional(AssistantError),
  request_id: optional(Schema.String),
  /** When the CLI made the message (2.1.325). */
  timestamp: optional(Schema.String),
  /** True when an interrupt cut the block: what is here is all there will be (2.1.325). */
  aborted: optional(Schema.Boolean),
  /** Earlier messages this one replaces. */
  supersedes: optional(Schema.Array(Schema.String)),
  resumed_from_incomplete_thinking: optional(Schema.Boolean),
  ...subagentMarks,
  ...turnMarks,
  tool_use_meta: optional(Schema.Array(ToolUseMeta)),
  thinking_duration_ms: optional(Schema.Finite),
  thinking_display: optional(known("summarized", "omitted", "highlights", "updates")),
  context_usage: optional(ContextUsage),
  usage_report: optional(UsageReport),
  /** The raw output of the slash command this message shows. */
  local_command_source: optional(Schema.String),
  /** The slash command this message is the output of. */
  local_command_run: optional(
    open("LocalCommandRun", {
      command: Schema.String,
      args: Schema.String,
      plugin: optional(Schema.String)
    })
  ),
  local_command_outcome: optional(
    open("LocalCommandOutcome", {
      kind: known("unavailable_headless", "unknown", "failed", "restart_required"),
      suggestion: optional(Schema.String)
    })
  ),
  is_api_error_message: optional(Schema.Boolean),
  ...apiError,
  api_error_params: optional(ApiErrorParams),
  error_details: optional(Schema.String),
  refused_message_id: optional(Schema.String),
  historical: optional(Schema.Boolean),
  is_meta: optional(Schema.Boolean),
  is_virtual: optional(Schema.Boolean),
  narration_block_indexes: optional(Schema.Array(Schema.Finite)),
  narration_hint: optional(known("hidden", "faint")),
  batch_tool_uses: optional(Schema.Array(open({ id: Schema.String, name: Schema.String }))),
  wire_tool_inputs: optional(JsonObject),
  wire_ingest_context: optional(JsonObject),
  advisor_model: optional(Schema.String),
  attribution_agent: optional(Schema.String),
  attribution_skill: optional(Schema.String),
  attribution_plugin: optional(Schema.String),
  attribution_mcp_server: optional(Schema.String),
  attribution_mcp_tool: optional(Schema.String),
  ...envelope
})

/** One block of the model's answer, whole. */
export type Assistant = typeof Assistant.Type

/**
 * An answer the **host** puts into the conversation in the model's name, without the fields the API gives a
 * message. The next request to the model has it (2.1.113 to 2.1.325); 2.1.37 ends with an error.
 */
export const AssistantInput = open("AssistantInput", {
  type: Schema.Literal("assistant"),
  message: MessageParam,
  parent_tool_use_id: optional(Schema.NullOr(Schema.String)),
  session_id: optional(Schema.String),
  uuid: optional(Schema.String)
})

/** An answer the host puts into the conversation in the model's name. */
export type AssistantInput = typeof AssistantInput.Type
