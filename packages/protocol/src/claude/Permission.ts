/**
 * Permissions: the modes, rules and rule changes that `can_use_tool`, its answer and the permission
 * hooks talk about.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional, variants } from "../wire/Open.ts"

/** How a session decides about tools nobody ruled on. `delegate` is gone since 2.1.113, `auto` came later. */
export const PermissionMode = known(
  "default",
  "acceptEdits",
  "bypassPermissions",
  "plan",
  "dontAsk",
  "auto",
  "delegate"
)
/** How a session decides about tools nobody ruled on. */
export type PermissionMode = typeof PermissionMode.Type

/** What a rule does to the calls it matches. */
export const PermissionBehavior = known("allow", "deny", "ask")
/** What a rule does to the calls it matches. */
export type PermissionBehavior = typeof PermissionBehavior.Type

/** Where a rule change is stored: a settings file, or only this session. */
export const PermissionUpdateDestination = known(
  "userSettings",
  "projectSettings",
  "localSettings",
  "session",
  "cliArg"
)
/** Where a rule change is stored. */
export type PermissionUpdateDestination = typeof PermissionUpdateDestination.Type

/** A rule: `Bash(ls:*)` is `{toolName: "Bash", ruleContent: "ls:*"}`. camelCase, unlike most of the wire. */
export const PermissionRuleValue = open("PermissionRuleValue", {
  toolName: Schema.String,
  ruleContent: optional(Schema.String)
})
/** A rule. */
export type PermissionRuleValue = typeof PermissionRuleValue.Type

const ruleChange = {
  rules: Schema.Array(PermissionRuleValue),
  behavior: PermissionBehavior,
  destination: PermissionUpdateDestination
}

const directoryChange = {
  directories: Schema.Array(Schema.String),
  destination: PermissionUpdateDestination
}

/** Adds rules to those of the destination. */
export const AddRules = open("AddRules", { type: Schema.Literal("addRules"), ...ruleChange })
/** Adds rules to those of the destination. */
export type AddRules = typeof AddRules.Type

/** Replaces the destination's rules of one behaviour. */
export const ReplaceRules = open("ReplaceRules", { type: Schema.Literal("replaceRules"), ...ruleChange })
/** Replaces the destination's rules of one behaviour. */
export type ReplaceRules = typeof ReplaceRules.Type

/** Removes rules from those of the destination. */
export const RemoveRules = open("RemoveRules", { type: Schema.Literal("removeRules"), ...ruleChange })
/** Removes rules from those of the destination. */
export type RemoveRules = typeof RemoveRules.Type

/** Changes the permission mode; the CLI then says so with `system/status`. */
export const SetMode = open("SetMode", {
  type: Schema.Literal("setMode"),
  mode: PermissionMode,
  destination: PermissionUpdateDestination
})
/** Changes the permission mode. */
export type SetMode = typeof SetMode.Type

/** Adds working directories. */
export const AddDirectories = open("AddDirectories", { type: Schema.Literal("addDirectories"), ...directoryChange })
/** Adds working directories. */
export type AddDirectories = typeof AddDirectories.Type

/** Removes working directories. */
export const RemoveDirectories = open("RemoveDirectories", {
  type: Schema.Literal("removeDirectories"),
  ...directoryChange
})
/** Removes working directories. */
export type RemoveDirectories = typeof RemoveDirectories.Type

/** A change of the rules: the CLI suggests some with `can_use_tool`, the answer may ask for some. */
export const PermissionUpdate = variants("PermissionUpdate", "type", [
  AddRules,
  ReplaceRules,
  RemoveRules,
  SetMode,
  AddDirectories,
  RemoveDirectories
])
/** A change of the rules. */
export type PermissionUpdate = typeof PermissionUpdate.Type

/** What the person meant by the answer; the CLI only counts it. */
export const PermissionDecisionClassification = known("user_temporary", "user_permanent", "user_reject")
/** What the person meant by the answer. */
export type PermissionDecisionClassification = typeof PermissionDecisionClassification.Type

/**
 * Lets the tool run. `updatedInput` replaces the input and is echoed nowhere (§5.32). It is optional
 * for 2.1.325 only: earlier versions turn an answer without it into a tool error.
 */
export const PermissionAllow = open("PermissionAllow", {
  behavior: Schema.Literal("allow"),
  updatedInput: optional(JsonObject),
  updatedPermissions: optional(Schema.Array(PermissionUpdate)),
  toolUseID: optional(Schema.String),
  decisionClassification: optional(PermissionDecisionClassification)
})
/** Lets the tool run. */
export type PermissionAllow = typeof PermissionAllow.Type

/**
 * Refuses the tool; `message` becomes its error result. With `interrupt` the turn ends too, and
 * 2.1.197 and later replace the message with a text of their own (§5.31).
 */
export const PermissionDeny = open("PermissionDeny", {
  behavior: Schema.Literal("deny"),
  message: Schema.String,
  interrupt: optional(Schema.Boolean),
  toolUseID: optional(Schema.String),
  decisionClassification: optional(PermissionDecisionClassification)
})
/** Refuses the tool. */
export type PermissionDeny = typeof PermissionDeny.Type

/** The host's answer to `can_use_tool`. */
export const PermissionResult = variants("PermissionResult", "behavior", [PermissionAllow, PermissionDeny])
/** The host's answer to `can_use_tool`. */
export type PermissionResult = typeof PermissionResult.Type

/** What decided about a tool call, where nobody was asked or the question has a reason. */
export const DecisionReasonType = known(
  "rule",
  "mode",
  "subcommandResults",
  "permissionPromptTool",
  "hook",
  "asyncAgent",
  "sandboxOverride",
  "workingDir",
  "safetyCheck",
  "classifier",
  "other"
)
/** What decided about a tool call. */
export type DecisionReasonType = typeof DecisionReasonType.Type
