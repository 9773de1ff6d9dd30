/**
 * What several control answers, and some messages, have in common: commands, agents, models, the
 * account, plugins, errors in settings files.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { McpServerConfig } from "./Mcp.ts"
import { PermissionMode } from "./Permission.ts"

/** How hard a model thinks. */
export const EffortLevel = known("low", "medium", "high", "xhigh", "max")
/** How hard a model thinks. */
export type EffortLevel = typeof EffortLevel.Type

/**
 * A slash command or skill. The name has no slash; `argumentHint` is empty when there is none. 2.1.37 passes a
 * hint that YAML reads as a list (`argument-hint: [name]`) on as a list.
 */
export const SlashCommand = open("SlashCommand", {
  name: Schema.String,
  description: Schema.String,
  argumentHint: Schema.Union([Schema.String, Schema.Array(Schema.Unknown)]),
  aliases: optional(Schema.Array(Schema.String)),
  builtin: optional(Schema.Boolean)
})
/** A slash command or skill. */
export type SlashCommand = typeof SlashCommand.Type

/** A kind of sub-agent that can be started. `model` is an alias, or `inherit`. */
export const AgentInfo = open("AgentInfo", {
  name: Schema.String,
  description: Schema.String,
  model: optional(Schema.String)
})
/** A kind of sub-agent that can be started. */
export type AgentInfo = typeof AgentInfo.Type

/** A model that can be chosen. `value` is what `set_model` takes, `resolvedModel` (2.1.197 and later) what it means. */
export const ModelInfo = open("ModelInfo", {
  value: Schema.String,
  resolvedModel: optional(Schema.String),
  displayName: Schema.String,
  description: Schema.String,
  supportsEffort: optional(Schema.Boolean),
  supportedEffortLevels: optional(Schema.Array(EffortLevel)),
  supportsAdaptiveThinking: optional(Schema.Boolean),
  supportsFastMode: optional(Schema.Boolean),
  supportsAutoMode: optional(Schema.Boolean),
  supportsThinkingOff: optional(Schema.Boolean)
})
/** A model that can be chosen. */
export type ModelInfo = typeof ModelInfo.Type

/** Who is signed in. With an API key only the three last fields are there. */
export const AccountInfo = open("AccountInfo", {
  email: optional(Schema.String),
  organization: optional(Schema.String),
  subscriptionType: optional(Schema.String),
  tokenSource: optional(Schema.String),
  apiKeySource: optional(Schema.String),
  apiProvider: optional(
    known("firstParty", "bedrock", "vertex", "foundry", "anthropicAws", "anthropicGoogleCloud", "mantle", "gateway")
  )
})
/** Who is signed in. */
export type AccountInfo = typeof AccountInfo.Type

/** The MCP servers of an agent: the name of one that exists, or configurations of its own. */
export const AgentMcpServerSpec = Schema.Union([Schema.String, Schema.Record(Schema.String, McpServerConfig)])
/** The MCP servers of an agent. */
export type AgentMcpServerSpec = typeof AgentMcpServerSpec.Type

/** A kind of sub-agent the host defines in `initialize.agents`. */
export const AgentDefinition = open("AgentDefinition", {
  description: Schema.String,
  prompt: Schema.String,
  tools: optional(Schema.Array(Schema.String)),
  disallowedTools: optional(Schema.Array(Schema.String)),
  model: optional(Schema.String),
  mcpServers: optional(Schema.Array(AgentMcpServerSpec)),
  criticalSystemReminder_EXPERIMENTAL: optional(Schema.String),
  skills: optional(Schema.Array(Schema.String)),
  initialPrompt: optional(Schema.String),
  maxTurns: optional(Schema.Finite),
  autoCompactWindow: optional(Schema.Finite),
  background: optional(Schema.Boolean),
  omitClaudeMd: optional(Schema.Boolean),
  memory: optional(known("user", "project", "local")),
  effort: optional(Schema.Union([EffortLevel, Schema.Finite])),
  permissionMode: optional(PermissionMode),
  observer: optional(Schema.String),
  observerMessage: optional(Schema.String)
})
/** A kind of sub-agent the host defines. */
export type AgentDefinition = typeof AgentDefinition.Type

/** A plugin the host brings. `local` is the only kind so far. */
export const SdkPluginConfig = open("SdkPluginConfig", {
  type: known("local"),
  path: Schema.String,
  skipMcpDiscovery: optional(Schema.Boolean)
})
/** A plugin the host brings. */
export type SdkPluginConfig = typeof SdkPluginConfig.Type

/** A plugin that is loaded; the CLI's own have the path `builtin`. */
export const PluginInfo = open("PluginInfo", {
  name: Schema.String,
  path: Schema.String,
  source: optional(Schema.String),
  version: optional(Schema.String)
})
/** A plugin that is loaded. */
export type PluginInfo = typeof PluginInfo.Type

/** A settings file that could not be read; `path` is the place inside the file. */
export const SettingsParseError = open("SettingsParseError", {
  file: optional(Schema.String),
  path: Schema.String,
  message: Schema.String
})
/** A settings file that could not be read. */
export type SettingsParseError = typeof SettingsParseError.Type

/** The answer of requests that have nothing to say. Often the `response` is absent altogether: read that as `{}`. */
export const EmptyResponse = open("EmptyResponse", {})
/** The answer of requests that have nothing to say. */
export type EmptyResponse = typeof EmptyResponse.Type
