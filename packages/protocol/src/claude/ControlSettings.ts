/**
 * Control requests about settings: reading and changing them, the hooks and permission rules they hold,
 * and reading plugins, skills and output styles again.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../wire/Open.ts"
import { AgentInfo, EffortLevel, PluginInfo, SdkPluginConfig, SettingsParseError, SlashCommand } from "./ControlInfo.ts"
import { McpServerStatus } from "./Mcp.ts"
import { PermissionBehavior } from "./Permission.ts"

const strings = Schema.Array(Schema.String)

/** Changes settings for this process only; null takes one back. */
export const ApplyFlagSettingsRequest = open("ApplyFlagSettingsRequest", {
  subtype: Schema.Literal("apply_flag_settings"),
  settings: JsonObject
})
/** Changes settings for this process only. */
export type ApplyFlagSettingsRequest = typeof ApplyFlagSettingsRequest.Type

/** Asks for the settings. */
export const GetSettingsRequest = open("GetSettingsRequest", { subtype: Schema.Literal("get_settings") })
/** Asks for the settings. */
export type GetSettingsRequest = typeof GetSettingsRequest.Type

/** The settings that hold, where each came from, and what the session made of them. */
export const GetSettingsResponse = open("GetSettingsResponse", {
  effective: JsonObject,
  sources: Schema.Array(
    open({
      source: known("userSettings", "projectSettings", "localSettings", "flagSettings", "policySettings"),
      settings: JsonObject
    })
  ),
  applied: optional(
    open({
      model: Schema.String,
      effort: Schema.NullOr(EffortLevel),
      advisor: optional(Schema.NullOr(Schema.String)),
      ultracode: optional(Schema.Boolean),
      ultracodeRequested: optional(Schema.Boolean),
      ultracodeAvailable: optional(Schema.Boolean),
      ultrathinkAvailable: optional(Schema.Boolean),
      outsideFileToolReadsBlocked: optional(Schema.Boolean),
      outsideFileToolWritesBlocked: optional(Schema.Boolean),
      outsideBlocksCountLaunchFoldersOnly: optional(Schema.Boolean),
      launchEnvLeftOwnFilesInPlace: optional(Schema.Boolean)
    })
  ),
  errors: optional(Schema.Array(SettingsParseError)),
  remote_control_policy_lock_reason: optional(Schema.String),
  withheld: optional(Schema.Boolean)
})
/** The settings that hold, and where each came from. */
export type GetSettingsResponse = typeof GetSettingsResponse.Type

/** Writes settings to a file. 2.1.325 takes `outputStyle` (local) and `effortLevel` (user) only. */
export const UpdateSettingsRequest = open("UpdateSettingsRequest", {
  subtype: Schema.Literal("update_settings"),
  source: known("localSettings", "userSettings"),
  settings: JsonObject
})
/** Writes settings to a file. */
export type UpdateSettingsRequest = typeof UpdateSettingsRequest.Type

/** Asks which hooks are configured. */
export const GetHooksListingRequest = open("GetHooksListingRequest", { subtype: Schema.Literal("get_hooks_listing") })
/** Asks which hooks are configured. */
export type GetHooksListingRequest = typeof GetHooksListingRequest.Type

const event = { name: Schema.String, summary: Schema.String, supportsMatcher: Schema.Boolean }

/** The hooks of the settings files and plugins; those of `initialize` are not among them. */
export const GetHooksListingResponse = open("GetHooksListingResponse", {
  events: Schema.Array(open({ ...event, hookCount: Schema.Finite })),
  hooks: Schema.Array(
    open({
      event: Schema.String,
      matcher: Schema.String,
      source: Schema.String,
      sourceLabel: Schema.String,
      pluginName: optional(Schema.String),
      type: Schema.String,
      displayText: Schema.String,
      commandText: Schema.String,
      contentLabel: Schema.String,
      condition: optional(Schema.String),
      timeout: optional(Schema.Finite),
      statusMessage: optional(Schema.String),
      runsOnce: optional(Schema.Boolean),
      runsInBackground: optional(Schema.Boolean),
      disabled: optional(Schema.Boolean),
      editable: optional(
        open({ matcher: Schema.String, config: JsonObject, headersRedacted: optional(Schema.Boolean) })
      )
    })
  ),
  eventCatalog: Schema.Array(open(event)),
  policy: open({
    disabledByPolicy: Schema.Boolean,
    managedOnly: Schema.Boolean,
    pluginOnly: Schema.Boolean,
    allDisabled: Schema.Boolean,
    policyHookCount: Schema.Finite,
    policyUnreadable: optional(Schema.Boolean)
  }),
  safeMode: optional(open({ managedHooksStillApply: Schema.Boolean, exitHint: Schema.String })),
  bareMode: optional(open({ exitHint: Schema.String })),
  errors: optional(Schema.Array(SettingsParseError))
})
/** The hooks of the settings files and plugins. */
export type GetHooksListingResponse = typeof GetHooksListingResponse.Type

/** Asks which permission rules hold. */
export const ListPermissionRulesRequest = open("ListPermissionRulesRequest", {
  subtype: Schema.Literal("list_permission_rules")
})
/** Asks which permission rules hold. */
export type ListPermissionRulesRequest = typeof ListPermissionRulesRequest.Type

/** A rule that holds, with a sentence about it in three parts. */
export const PermissionRuleEntry = open("PermissionRuleEntry", {
  behavior: PermissionBehavior,
  source: known(
    "userSettings",
    "projectSettings",
    "localSettings",
    "flagSettings",
    "policySettings",
    "cliArg",
    "command",
    "session",
    "mcpMount",
    "toolsNarrowing",
    "mcpServerPolicy",
    "hostCredential"
  ),
  rule: Schema.String,
  description: optional(
    open({ prefix: Schema.String, emphasis: optional(Schema.String), suffix: optional(Schema.String) })
  ),
  editability: known("persistent", "session", "readonly"),
  notInEffect: optional(Schema.Boolean)
})
/** A rule that holds. */
export type PermissionRuleEntry = typeof PermissionRuleEntry.Type

/** The rules that hold, and the folders they let the session into. */
export const ListPermissionRulesResponse = open("ListPermissionRulesResponse", {
  state: open("PermissionRulesState", {
    rules: Schema.Array(PermissionRuleEntry),
    workspaceDirectories: Schema.Array(open({ path: Schema.String, source: Schema.String })),
    originalCwd: Schema.String,
    managedOnly: Schema.Boolean,
    errors: optional(Schema.Array(SettingsParseError)),
    withheld: optional(Schema.Boolean)
  })
})
/** The rules that hold. */
export type ListPermissionRulesResponse = typeof ListPermissionRulesResponse.Type

/** Reads the plugins again, and may add some. */
export const ReloadPluginsRequest = open("ReloadPluginsRequest", {
  subtype: Schema.Literal("reload_plugins"),
  hold_on_cache_impact: optional(Schema.Boolean),
  add_plugins: optional(Schema.Array(SdkPluginConfig)),
  refuse_if_busy: optional(Schema.Boolean)
})
/** Reads the plugins again. */
export type ReloadPluginsRequest = typeof ReloadPluginsRequest.Type

/** What there is now. With `held` nothing was changed, and `cache_impact` says what would be. */
export const ReloadPluginsResponse = open("ReloadPluginsResponse", {
  commands: Schema.Array(SlashCommand),
  agents: Schema.Array(AgentInfo),
  plugins: Schema.Array(PluginInfo),
  mcpServers: Schema.Array(McpServerStatus),
  error_count: Schema.Finite,
  held: optional(Schema.Boolean),
  cache_impact: optional(
    open({
      mcp_servers_added: strings,
      mcp_servers_removed: strings,
      lsp_tool_change: Schema.NullOr(known("adds", "may-add", "removes", "may-remove"))
    })
  )
})
/** What there is now. */
export type ReloadPluginsResponse = typeof ReloadPluginsResponse.Type

/** Reads the skills again. */
export const ReloadSkillsRequest = open("ReloadSkillsRequest", { subtype: Schema.Literal("reload_skills") })
/** Reads the skills again. */
export type ReloadSkillsRequest = typeof ReloadSkillsRequest.Type

/** The skills there are now. */
export const ReloadSkillsResponse = open("ReloadSkillsResponse", { skills: Schema.Array(SlashCommand) })
/** The skills there are now. */
export type ReloadSkillsResponse = typeof ReloadSkillsResponse.Type

/** Reads the output styles again. */
export const ReloadOutputStylesRequest = open("ReloadOutputStylesRequest", {
  subtype: Schema.Literal("reload_output_styles")
})
/** Reads the output styles again. */
export type ReloadOutputStylesRequest = typeof ReloadOutputStylesRequest.Type

/** The output styles there are now. */
export const ReloadOutputStylesResponse = open("ReloadOutputStylesResponse", { available_output_styles: strings })
/** The output styles there are now. */
export type ReloadOutputStylesResponse = typeof ReloadOutputStylesResponse.Type
