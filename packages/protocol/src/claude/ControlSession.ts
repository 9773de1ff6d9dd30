/**
 * Control requests that start, steer and end a session: `initialize`, `interrupt`, the model, the
 * permission mode, the title.
 *
 * Each `…Request` is the inner `request` object; each `…Response` the payload of a success (§1b, §6f).
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../wire/Open.ts"
import { AccountInfo, AgentDefinition, AgentInfo, ModelInfo, SdkPluginConfig, SlashCommand } from "./ControlInfo.ts"
import { fastMode } from "./Envelope.ts"
import { HookCallbackMatcher } from "./Hook.ts"
import { McpServerToolPolicy } from "./Mcp.ts"
import { PermissionMode } from "./Permission.ts"

const strings = Schema.Array(Schema.String)

/**
 * Tells the CLI who the host is: hooks, MCP servers, agents, prompts. Optional. A second one is an error
 * up to 2.1.120 and a success from 2.1.197 (§5.41). `hooks` is keyed by event name.
 */
export const InitializeRequest = open("InitializeRequest", {
  subtype: Schema.Literal("initialize"),
  hooks: optional(Schema.Record(Schema.String, Schema.Array(HookCallbackMatcher))),
  sdkMcpServers: optional(strings),
  sdkMcpServerConfigs: optional(
    Schema.Record(
      Schema.String,
      open({ timeout: optional(Schema.Finite), tools: optional(Schema.Array(McpServerToolPolicy)) })
    )
  ),
  sdkMcpServerManifests: optional(
    Schema.Record(Schema.String, open({ initializeResult: JsonObject, toolsListResult: optional(JsonObject) }))
  ),
  sdkMcpServerManifestsOrigin: optional(known("host_per_send")),
  jsonSchema: optional(JsonObject),
  /** One string on 2.1.37, a list now; which version changed it was not measured. */
  systemPrompt: optional(Schema.Union([Schema.String, strings])),
  appendSystemPrompt: optional(Schema.String),
  systemPromptSnapshot: optional(Schema.Boolean),
  planModeInstructions: optional(Schema.String),
  toolAliases: optional(Schema.Record(Schema.String, Schema.String)),
  excludeDynamicSections: optional(Schema.Boolean),
  agents: optional(Schema.Record(Schema.String, AgentDefinition)),
  title: optional(Schema.String),
  skills: optional(strings),
  promptSuggestions: optional(Schema.Boolean),
  agentProgressSummaries: optional(Schema.Boolean),
  forwardSubagentText: optional(Schema.Boolean),
  supportedDialogKinds: optional(strings),
  perTaskStopAffordance: optional(Schema.Boolean),
  plugins: optional(Schema.Array(SdkPluginConfig))
})
/** Tells the CLI who the host is. */
export type InitializeRequest = typeof InitializeRequest.Type

/**
 * What there is to work with. `agents` is absent on 2.1.37, `pid` on 2.1.37 too, the rest below it
 * came with 2.1.325, much of it not in the official types.
 */
export const InitializeResponse = open("InitializeResponse", {
  commands: Schema.Array(SlashCommand),
  agents: optional(Schema.Array(AgentInfo)),
  output_style: Schema.String,
  available_output_styles: strings,
  models: Schema.Array(ModelInfo),
  account: AccountInfo,
  pid: optional(Schema.Finite),
  claude_code_version: optional(Schema.String),
  capabilities: optional(strings),
  session_state: optional(known("idle", "running", "requires_action")),
  current_model: optional(Schema.String),
  current_permission_mode: optional(PermissionMode),
  user_output_styles_dir: optional(Schema.String),
  hooks_applied: optional(Schema.Boolean),
  hook_on_failure_supported: optional(Schema.Boolean),
  other_hook_ask_outranks_host: optional(Schema.Boolean),
  plugins_applied: optional(Schema.Boolean),
  sdk_mcp_manifests_parked: optional(
    Schema.Record(
      Schema.String,
      known("parked", "already_connected", "protocol_version_mismatch", "malformed", "not_honoured")
    )
  ),
  feedback_mode: optional(open({ kind: known("post", "bundle", "share", "disabled") })),
  analytics_disabled: optional(Schema.Boolean),
  remote_control_auto_enable: optional(Schema.Boolean),
  remote_control_auto_connect_default: optional(Schema.Boolean),
  remote_control_available: optional(Schema.Boolean),
  remote_control_auto_on_by_default: optional(Schema.Boolean),
  ide_rc_auto_enable_gate: optional(Schema.Boolean),
  ...fastMode
})
/** What there is to work with. */
export type InitializeResponse = typeof InitializeResponse.Type

/** Stops the turn. `cancel_queued` (2.1.325) also drops the prompts that wait. A success when idle, too. */
export const InterruptRequest = open("InterruptRequest", {
  subtype: Schema.Literal("interrupt"),
  cancel_queued: optional(Schema.Boolean)
})
/** Stops the turn. */
export type InterruptRequest = typeof InterruptRequest.Type

/** The uuids of the prompts that still wait, and of those dropped. No payload at all before 2.1.325 (§5.48). */
export const InterruptResponse = open("InterruptResponse", {
  still_queued: optional(strings),
  cancelled: optional(strings)
})
/** The uuids of the prompts that still wait. */
export type InterruptResponse = typeof InterruptResponse.Type

/** Takes back a prompt that waits. */
export const CancelAsyncMessageRequest = open("CancelAsyncMessageRequest", {
  subtype: Schema.Literal("cancel_async_message"),
  message_uuid: Schema.String
})
/** Takes back a prompt that waits. */
export type CancelAsyncMessageRequest = typeof CancelAsyncMessageRequest.Type

/** Whether it still waited. */
export const CancelAsyncMessageResponse = open("CancelAsyncMessageResponse", { cancelled: Schema.Boolean })
/** Whether it still waited. */
export type CancelAsyncMessageResponse = typeof CancelAsyncMessageResponse.Type

/**
 * Changes the permission mode; `system/status` follows (§5.27). `bypassPermissions` is refused unless the
 * process was started for it (2.1.37 takes it); modes nobody knows are refused by 2.1.325 only.
 */
export const SetPermissionModeRequest = open("SetPermissionModeRequest", {
  subtype: Schema.Literal("set_permission_mode"),
  mode: PermissionMode
})
/** Changes the permission mode. */
export type SetPermissionModeRequest = typeof SetPermissionModeRequest.Type

/** The mode that was asked for. 2.1.113 and 2.1.197 accept any word and repeat it, so this is not a list of modes. */
export const SetPermissionModeResponse = open("SetPermissionModeResponse", { mode: optional(Schema.String) })
/** The mode that holds now. */
export type SetPermissionModeResponse = typeof SetPermissionModeResponse.Type

/** Changes the model; null or nothing goes back to the default. Unknown models are accepted (§5.26). */
export const SetModelRequest = open("SetModelRequest", {
  subtype: Schema.Literal("set_model"),
  model: optional(Schema.NullOr(Schema.String))
})
/** Changes the model. */
export type SetModelRequest = typeof SetModelRequest.Type

/** The model that holds now, resolved. No payload before 2.1.325. */
export const SetModelResponse = open("SetModelResponse", { model: optional(Schema.String) })
/** The model that holds now. */
export type SetModelResponse = typeof SetModelResponse.Type

/** Sets the thinking budget; null takes the limit away. */
export const SetMaxThinkingTokensRequest = open("SetMaxThinkingTokensRequest", {
  subtype: Schema.Literal("set_max_thinking_tokens"),
  max_thinking_tokens: optional(Schema.NullOr(Schema.Finite)),
  thinking_display: optional(Schema.NullOr(known("summarized", "omitted", "highlights")))
})
/** Sets the thinking budget. */
export type SetMaxThinkingTokensRequest = typeof SetMaxThinkingTokensRequest.Type

/** Names the session; 2.1.325 then sends `system/session_title_changed`. */
export const RenameSessionRequest = open("RenameSessionRequest", {
  subtype: Schema.Literal("rename_session"),
  title: Schema.String,
  source: optional(known("remote", "host")),
  session_id: optional(Schema.String)
})
/** Names the session. */
export type RenameSessionRequest = typeof RenameSessionRequest.Type

/** Sets the session's colour. Official, but no measured version supports it over stream-json (§6f). */
export const SetColorRequest = open("SetColorRequest", {
  subtype: Schema.Literal("set_color"),
  color: Schema.String
})
/** Sets the session's colour. */
export type SetColorRequest = typeof SetColorRequest.Type

/** Says whether anybody watches. It matters to a CLI that holds deltas back (`CLAUDE_CODE_STREAM_EVENT_HOLD_MS`). */
export const SetHasSubscribersRequest = open("SetHasSubscribersRequest", {
  subtype: Schema.Literal("set_has_subscribers"),
  has_subscribers: Schema.NullOr(Schema.Boolean)
})
/** Says whether anybody watches. */
export type SetHasSubscribersRequest = typeof SetHasSubscribersRequest.Type

/** Asks for a title. Undocumented; answered from 2.1.113. */
export const GenerateSessionTitleRequest = open("GenerateSessionTitleRequest", {
  subtype: Schema.Literal("generate_session_title"),
  description: Schema.String,
  persist: optional(Schema.Boolean)
})
/** Asks for a title. */
export type GenerateSessionTitleRequest = typeof GenerateSessionTitleRequest.Type

/** The title, or null when the model gave none. */
export const GenerateSessionTitleResponse = open("GenerateSessionTitleResponse", {
  title: Schema.NullOr(Schema.String)
})
/** The title, or null. */
export type GenerateSessionTitleResponse = typeof GenerateSessionTitleResponse.Type

/** Asks something about the conversation without adding to it. Undocumented; answered from 2.1.113. */
export const SideQuestionRequest = open("SideQuestionRequest", {
  subtype: Schema.Literal("side_question"),
  question: Schema.String
})
/** Asks something about the conversation without adding to it. */
export type SideQuestionRequest = typeof SideQuestionRequest.Type

/** The answer. `synthetic` when the CLI wrote it and not the model. */
export const SideQuestionResponse = open("SideQuestionResponse", {
  response: Schema.NullOr(Schema.String),
  synthetic: optional(Schema.Boolean)
})
/** The answer. */
export type SideQuestionResponse = typeof SideQuestionResponse.Type

/** Ends the process with exit code 0. Undocumented; answered from 2.1.113, then nothing more is read (§2). */
export const EndSessionRequest = open("EndSessionRequest", {
  subtype: Schema.Literal("end_session"),
  reason: optional(Schema.String)
})
/** Ends the process. */
export type EndSessionRequest = typeof EndSessionRequest.Type
