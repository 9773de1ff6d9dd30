/**
 * `user`: a prompt from the host, or what the CLI says in the user's place.
 *
 * From the CLI it is a tool result (one per line, docs/wire/claude-code.md §5.6), the echo of a prompt
 * (`isReplay`), text the CLI made up to continue by itself (`isSynthetic`), an interrupt notice, the
 * summary of a compaction or the output of a slash command. One schema covers them and what hosts send.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../wire/Open.ts"
import { MessageContent, MessageParam } from "./ApiMessage.ts"
import { McpResourceLink, MessageOrigin, subagentMarks } from "./Envelope.ts"
import { DecisionReasonType, PermissionMode } from "./Permission.ts"

/** What a host can offer to do about a tool result. */
export const ToolResultRemedy = open("ToolResultRemedy", {
  kind: known(
    "mcp_needs_auth",
    "mcp_disabled",
    "mcp_required_missing",
    "auth_expired",
    "auth_overridden",
    "auth_missing_scope",
    "design_needs_authorization",
    "sandbox_violation",
    "outside_reads_blocked",
    "memory_paused",
    "feature_disabled",
    "policy_denied",
    "spawn_arg_limit",
    "staged_for_review"
  ),
  servers: optional(Schema.Array(Schema.String)),
  provider: optional(known("claude_ai", "claude_design")),
  path: optional(Schema.String),
  managed: optional(Schema.Boolean),
  feature: optional(known("workflows", "artifacts")),
  cause: optional(known("managed_settings", "org_policy", "unavailable", "user_setting", "unsupported_runtime")),
  policy_kind: optional(known("org_denied", "latched"))
})

/** What a host can offer to do about a tool result. */
export type ToolResultRemedy = typeof ToolResultRemedy.Type

/** Who let a tool run, or did not. */
export const ToolPermissionDecision = open("ToolPermissionDecision", {
  decision: known("accept", "reject", "cancelled"),
  /** Recorded: `config`, `user_temporary`, `user_reject`. */
  source: Schema.String,
  reason_type: optional(DecisionReasonType),
  auto_mode_rule: optional(open({ list: known("allow", "soft_deny"), name: Schema.String }))
})

/** Who let a tool run, or did not. */
export type ToolPermissionDecision = typeof ToolPermissionDecision.Type

/** What the CLI knows about a tool result besides its content (2.1.325). */
export const ToolResultMeta = open("ToolResultMeta", {
  /** The `tool_use_id`. */
  id: Schema.String,
  /** Why an error result is not the tool's own: absent when the tool ran. */
  non_execution_kind: optional(
    known(
      "user-rejected",
      "permission-rule",
      "automode-blocked",
      "automode-unavailable",
      "automode-parsing-error",
      "interrupted",
      "cancelled"
    )
  ),
  user_feedback: optional(Schema.String),
  remedy: optional(ToolResultRemedy),
  permission_decision: optional(ToolPermissionDecision),
  built_in_tool: optional(Schema.String),
  run_input: optional(Schema.String)
})

/** What the CLI knows about a tool result besides its content. */
export type ToolResultMeta = typeof ToolResultMeta.Type

/**
 * A message in the user's name, in either direction.
 *
 * Lines of the CLI always have `uuid`, `session_id` and `parent_tool_use_id`; hosts may leave them out.
 * A host that gives a `uuid` gets `command_lifecycle` for it (2.1.325), and a duplicate `uuid` is skipped.
 */
export const User = open("User", {
  type: Schema.Literal("user"),
  message: MessageParam,
  parent_tool_use_id: optional(Schema.NullOr(Schema.String)),
  uuid: optional(Schema.String),
  /** Hosts send `""` before they know it. */
  session_id: optional(Schema.String),
  timestamp: optional(Schema.String),
  /** Text the CLI made up; not the human's. */
  isSynthetic: optional(Schema.Boolean),
  /** The echo of a prompt or a command. 2.1.37 also sends `false`. */
  isReplay: optional(Schema.Boolean),
  /** The result as the tool gave it: an object of the tool's own shape, or a string `Error: …`. */
  tool_use_result: optional(Schema.Unknown),
  tool_result_meta: optional(Schema.Array(ToolResultMeta)),
  /** Id of the API message whose refusal this message continues from (2.1.325). */
  refused_message_id: optional(Schema.String),
  ...subagentMarks,
  origin: optional(MessageOrigin),
  /** When a prompt that comes during a turn is taken. */
  priority: optional(known("now", "next", "later")),
  /** False: put it into the conversation without asking the model. */
  shouldQuery: optional(Schema.Boolean),
  client_composed: optional(Schema.Boolean),
  pasted_content: optional(Schema.Array(MessageContent)),
  inline_pastes: optional(Schema.Array(Schema.String)),
  file_attachments: optional(Schema.Array(Schema.Unknown)),
  tool_states: optional(Schema.Array(Schema.Unknown)),
  requeue_if_interrupted_within_ms: optional(Schema.Finite),
  client_platform: optional(Schema.String),
  inbound_origin: optional(Schema.String),
  initiator: optional(Schema.String),
  server_received_wall_ms: optional(Schema.Finite),
  text_not_typed: optional(Schema.Boolean),
  ultrathink_typed: optional(Schema.Boolean),
  seeded_summon: optional(Schema.Boolean),
  historical: optional(Schema.Boolean),
  is_meta: optional(Schema.Boolean),
  is_virtual: optional(Schema.Boolean),
  is_visible_in_transcript_only: optional(Schema.Boolean),
  is_compact_summary: optional(Schema.Boolean),
  summarize_metadata: optional(
    open({
      messages_summarized: Schema.Finite,
      user_context: optional(Schema.String),
      direction: optional(known("from", "up_to"))
    })
  ),
  mcp_meta: optional(
    open({
      _meta: optional(JsonObject),
      structured_content: optional(JsonObject),
      resource_links: optional(Schema.Array(McpResourceLink))
    })
  ),
  source_tool_use_id: optional(Schema.String),
  source_tool_assistant_uuid: optional(Schema.String),
  image_paste_ids: optional(Schema.Array(Schema.Finite)),
  plan_content: optional(Schema.String),
  permission_mode: optional(PermissionMode),
  interrupted_message_id: optional(Schema.String),
  retracted_message_uuids: optional(Schema.Array(Schema.String)),
  plugin_prompt: optional(open({ name: Schema.String, text: Schema.String }))
})

/** A message in the user's name, in either direction. */
export type User = typeof User.Type
