/**
 * What the CLI tells the user or the host aside from the conversation: hints, output of commands, changed
 * commands, denied tools, recalled memories, installed plugins.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { SlashCommand } from "./ControlInfo.ts"
import { systemEnvelope } from "./Envelope.ts"

/** A line for the user that is not part of the conversation (2.1.325). */
export const SystemInformational = open("SystemInformational", {
  ...systemEnvelope("informational"),
  content: Schema.String,
  level: known("info", "notice", "suggestion", "warning"),
  tool_use_id: optional(Schema.String),
  prevent_continuation: optional(Schema.Boolean),
  tag: optional(Schema.String),
  timestamp: optional(Schema.String),
  isMeta: optional(Schema.Boolean),
  prompt_submit_outcome: optional(
    open({
      kind: optional(known("blocked_by_hook", "stopped_by_hook", "dropped_by_hook", "not_passed_on", "no_verdict")),
      no_verdict_kind: optional(Schema.String),
      prompt_kept: Schema.Boolean,
      reason: optional(Schema.String)
    })
  ),
  model_restriction: optional(
    open({
      requested_model: Schema.String,
      effective_model: Schema.String,
      at: optional(known("start", "switch", "resume"))
    })
  ),
  hook_no_verdict: optional(
    open({
      hook_event: Schema.String,
      tool_use_id: Schema.String,
      timed_out: Schema.Boolean,
      plugin_id: optional(Schema.String),
      plugin_root: optional(Schema.String)
    })
  )
})

/** A line for the user that is not part of the conversation. */
export type SystemInformational = typeof SystemInformational.Type

/** A short-lived hint, as the terminal shows it below the prompt (2.1.113 on). */
export const SystemNotification = open("SystemNotification", {
  ...systemEnvelope("notification"),
  key: Schema.String,
  text: Schema.String,
  priority: known("low", "medium", "high", "immediate"),
  color: optional(Schema.String),
  timeout_ms: optional(Schema.Finite)
})

/** A short-lived hint. */
export type SystemNotification = typeof SystemNotification.Type

/** The output of a slash command. */
export const SystemLocalCommandOutput = open("SystemLocalCommandOutput", {
  ...systemEnvelope("local_command_output"),
  content: Schema.String
})

/** The output of a slash command. */
export type SystemLocalCommandOutput = typeof SystemLocalCommandOutput.Type

/** The slash commands are others now: the whole list (2.1.197 on). */
export const SystemCommandsChanged = open("SystemCommandsChanged", {
  ...systemEnvelope("commands_changed"),
  commands: Schema.Array(SlashCommand)
})

/** The slash commands are others now. */
export type SystemCommandsChanged = typeof SystemCommandsChanged.Type

/** A tool was denied without asking the host (2.1.197 on). */
export const SystemPermissionDenied = open("SystemPermissionDenied", {
  ...systemEnvelope("permission_denied"),
  tool_name: Schema.String,
  tool_use_id: Schema.String,
  agent_id: optional(Schema.String),
  decision_reason_type: optional(Schema.String),
  decision_reason_code: optional(Schema.String),
  decision_reason: optional(Schema.String),
  message: Schema.String
})

/** A tool was denied without asking the host. */
export type SystemPermissionDenied = typeof SystemPermissionDenied.Type

/** The page an elicitation sent the user to is done with. */
export const SystemElicitationComplete = open("SystemElicitationComplete", {
  ...systemEnvelope("elicitation_complete"),
  mcp_server_name: Schema.String,
  elicitation_id: Schema.String
})

/** The page an elicitation sent the user to is done with. */
export type SystemElicitationComplete = typeof SystemElicitationComplete.Type

/** The memories that went into this turn. */
export const SystemMemoryRecall = open("SystemMemoryRecall", {
  ...systemEnvelope("memory_recall"),
  mode: known("select", "synthesize"),
  memories: Schema.Array(
    open("RecalledMemory", {
      path: Schema.String,
      scope: known("personal", "team", "organization"),
      content: optional(Schema.String)
    })
  )
})

/** The memories that went into this turn. */
export type SystemMemoryRecall = typeof SystemMemoryRecall.Type

/** How the installation of plugins goes. */
export const SystemPluginInstall = open("SystemPluginInstall", {
  ...systemEnvelope("plugin_install"),
  status: known("started", "installed", "failed", "completed"),
  name: optional(Schema.String),
  error: optional(Schema.String)
})

/** How the installation of plugins goes. */
export type SystemPluginInstall = typeof SystemPluginInstall.Type
