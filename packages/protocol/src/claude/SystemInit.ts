/**
 * `system/init`: what the CLI can do and how it is set up.
 *
 * It comes with every turn, not once per session, and not before the first prompt (docs/wire/claude-code.md
 * §5.20).
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../wire/Open.ts"
import { ApiKeySource, fastMode, systemEnvelope } from "./Envelope.ts"
import { PermissionMode } from "./Permission.ts"

/** An MCP server, as `init` lists it: its state only. `mcp_status` tells more. */
export const InitMcpServer = open("InitMcpServer", {
  name: Schema.String,
  /** `connected`, `failed`, `needs-auth`, `pending`, `disabled` … */
  status: Schema.String,
  source: optional(Schema.String)
})

/** An MCP server, as `init` lists it. */
export type InitMcpServer = typeof InitMcpServer.Type

/** A plugin, as `init` lists it. Those that come with 2.1.325 have the path `builtin`. */
export const InitPlugin = open("InitPlugin", {
  name: Schema.String,
  path: Schema.String,
  source: optional(Schema.String),
  version: optional(Schema.String)
})

/** A plugin, as `init` lists it. */
export type InitPlugin = typeof InitPlugin.Type

/** Why a plugin did not load. */
export const InitPluginError = open("InitPluginError", {
  plugin: Schema.String,
  type: Schema.String,
  message: Schema.String,
  path: optional(Schema.String),
  managed_lock: optional(
    open({
      plugin_enabled: Schema.Boolean,
      name: Schema.String,
      marketplace: optional(Schema.String)
    })
  )
})

/** Why a plugin did not load. */
export type InitPluginError = typeof InitPluginError.Type

/** Where the time of the start went: in the first `init` with CLAUDE_CODE_REMOTE=1 (2.1.197 on). */
export const StartupTiming = open("StartupTiming", {
  entrypoint: optional(Schema.String),
  time_origin_ms: optional(Schema.Finite),
  /** Duration of each phase. */
  phases: optional(Schema.Record(Schema.String, Schema.Finite)),
  /** Start of each phase. */
  phase_start_ms: optional(Schema.Record(Schema.String, Schema.Finite)),
  warm_spare_claimed: optional(Schema.Boolean),
  warm_wake_early_fetch: optional(Schema.Boolean),
  kick_on_warm_cache: optional(Schema.Boolean),
  flag_fetch_kick: optional(Schema.String),
  flag_fetch_kick_judged_at_ms: optional(Schema.Finite),
  hooks_init_source: optional(Schema.String),
  cli_trial_keys: optional(Schema.Finite),
  plugin_full_loads: optional(Schema.Finite),
  sdk_mcp_dial_runs: optional(Schema.Finite),
  sdk_mcp_servers_dialed: optional(Schema.Finite),
  user_context_builds: optional(Schema.Finite)
})

/** Where the time of the start went. */
export type StartupTiming = typeof StartupTiming.Type

/** What the CLI can do and how it is set up, at the start of each turn. */
export const SystemInit = open("SystemInit", {
  ...systemEnvelope("init"),
  claude_code_version: Schema.String,
  cwd: Schema.String,
  original_cwd: optional(Schema.String),
  additional_directories: optional(Schema.Array(Schema.String)),
  model: Schema.String,
  permissionMode: PermissionMode,
  apiKeySource: ApiKeySource,
  /** Lists `Task`, though the model calls it `Agent` from 2.1.113 on (docs/wire/claude-code.md §5.35). */
  tools: Schema.Array(Schema.String),
  mcp_servers: Schema.Array(InitMcpServer),
  mcp_server_errors: optional(Schema.Array(open({ name: Schema.String, type: Schema.String, message: Schema.String }))),
  /** Names only, without the slash. */
  slash_commands: Schema.Array(Schema.String),
  /** Those of `slash_commands` that need a terminal. */
  terminal_slash_commands: optional(Schema.Array(Schema.String)),
  agents: optional(Schema.Array(Schema.String)),
  skills: Schema.Array(Schema.String),
  plugins: Schema.Array(InitPlugin),
  plugin_errors: optional(Schema.Array(InitPluginError)),
  plugin_warnings: optional(Schema.Array(open({ plugin: Schema.String, type: Schema.String, message: Schema.String }))),
  output_style: Schema.String,
  betas: optional(Schema.Array(Schema.String)),
  effort: optional(Schema.NullOr(known("low", "medium", "high", "xhigh", "max"))),
  view_mode: optional(known("focus", "default")),
  /** Features a host may rely on, such as `interrupt_receipt_v1` (2.1.325). */
  capabilities: optional(Schema.Array(Schema.String)),
  ...fastMode,
  /** The prompts this turn answers (2.1.325). */
  user_message_uuids: optional(Schema.Array(Schema.String)),
  memory_paths: optional(open({ auto: optional(Schema.String), team: optional(Schema.String) })),
  messaging_socket_path: optional(Schema.String),
  scratchpad_path: optional(Schema.String),
  synced_skills_path: optional(Schema.String),
  powershell_path: optional(Schema.NullOr(Schema.String)),
  analytics_disabled: optional(Schema.Boolean),
  product_feedback_disabled: optional(Schema.Boolean),
  per_turn_effort_active: optional(Schema.Boolean),
  ultrathink_available: optional(Schema.Boolean),
  ultrathink_typed_raises: optional(Schema.Boolean),
  startup_timing: optional(StartupTiming),
  footer_indicator: optional(open({ text: Schema.String })),
  worker_epoch: optional(Schema.Finite),
  client_thinking: optional(
    open({
      max_thinking_tokens: Schema.NullOr(Schema.Finite),
      thinking_display: Schema.NullOr(known("summarized", "omitted", "highlights"))
    })
  ),
  flag_restate_noop: optional(Schema.Boolean),
  cloud_session: optional(JsonObject)
})

/** What the CLI can do and how it is set up, at the start of each turn. */
export type SystemInit = typeof SystemInit.Type
