/**
 * Type-level test: the control requests and answers, hook inputs and outputs, permissions and shared
 * types of the official SDK are assignable to ours, and ours lack none of them, nor any of their fields.
 * `npx tsc -p test` runs it.
 *
 * Members are checked one by one, so a failure reads `Type '"request can_use_tool"' does not satisfy the
 * constraint 'never'`. Requests, hook inputs and hook outputs are reached through exported unions: a new
 * one fails by name. Answers and shared types are exported one by one: those below are all of 0.3.325.
 */
import type * as Sdk from "@anthropic-ai/claude-agent-sdk"
import type { ControlResponse } from "../../packages/protocol/src/claude/Control.ts"
import type * as Info from "../../packages/protocol/src/claude/ControlInfo.ts"
import type { ControlSubtype, RequestOf, ResponseOf } from "../../packages/protocol/src/claude/ControlRequest.ts"
import type {
  ListPermissionRulesResponse,
  PermissionRuleEntry
} from "../../packages/protocol/src/claude/ControlSettings.ts"
import type * as Hook from "../../packages/protocol/src/claude/Hook.ts"
import type { HookInput, hookInputs } from "../../packages/protocol/src/claude/HookInput.ts"
import type {
  AsyncHookOutput,
  HookOutput,
  hookSpecificOutputs,
  SyncHookOutput
} from "../../packages/protocol/src/claude/HookOutput.ts"
import type * as Mcp from "../../packages/protocol/src/claude/Mcp.ts"
import type * as Permission from "../../packages/protocol/src/claude/Permission.ts"

/** Our types, by the names {@link Theirs} has for the official ones. */
type Ours = {
  readonly [S in ControlSubtype as `request ${S}`]: RequestOf<S>
} & {
  readonly [S in ControlSubtype as `response ${S}`]: ResponseOf<S>
} & {
  readonly [E in keyof typeof hookInputs as `hook input ${E}`]: (typeof hookInputs)[E]["Type"]
} & {
  readonly [E in keyof typeof hookSpecificOutputs as `hook output ${E}`]: (typeof hookSpecificOutputs)[E]["Type"]
} & {
  readonly control_response: ControlResponse
  readonly AccountInfo: Info.AccountInfo
  readonly AgentDefinition: Info.AgentDefinition
  readonly AgentInfo: Info.AgentInfo
  readonly AgentMcpServerSpec: Info.AgentMcpServerSpec
  readonly AsyncHookJSONOutput: AsyncHookOutput
  readonly BackgroundTaskSummary: Hook.BackgroundTaskSummary
  readonly EffortLevel: Info.EffortLevel
  readonly ExitReason: Hook.ExitReason
  readonly HookEvent: Hook.HookEvent
  readonly HookInput: HookInput
  readonly HookJSONOutput: HookOutput
  readonly McpClaudeAIProxyServerConfig: Mcp.McpClaudeAIProxyServerConfig
  readonly McpHttpServerConfig: Mcp.McpHttpServerConfig
  readonly McpSdkServerConfig: Mcp.McpSdkServerConfig
  readonly McpServerConfigForProcessTransport: Mcp.McpServerConfig
  readonly McpServerProvenance: Mcp.McpServerProvenance
  readonly McpServerStatus: Mcp.McpServerStatus
  readonly McpServerStatusConfig: Mcp.McpServerConfig
  readonly McpServerToolPolicy: Mcp.McpServerToolPolicy
  readonly McpSSEServerConfig: Mcp.McpSSEServerConfig
  readonly McpStdioServerConfig: Mcp.McpStdioServerConfig
  readonly ModelInfo: Info.ModelInfo
  readonly PermissionBehavior: Permission.PermissionBehavior
  readonly PermissionDecisionClassification: Permission.PermissionDecisionClassification
  readonly PermissionMode: Permission.PermissionMode
  readonly PermissionRuleValue: Permission.PermissionRuleValue
  readonly PermissionUpdate: Permission.PermissionUpdate
  readonly PermissionUpdateDestination: Permission.PermissionUpdateDestination
  readonly PostToolBatchToolCall: Hook.PostToolBatchToolCall
  readonly SDKControlPermissionRulesState: ListPermissionRulesResponse["state"]
  readonly SDKPermissionRuleEntry: PermissionRuleEntry
  readonly SdkPluginConfig: Info.SdkPluginConfig
  readonly SDKSettingsParseError: Info.SettingsParseError
  readonly SessionCronSummary: Hook.SessionCronSummary
  readonly SlashCommand: Info.SlashCommand
  readonly SyncHookJSONOutput: SyncHookOutput
}

type SdkRequest = Sdk.SDKControlRequest["request"]
type SdkHookOutput = NonNullable<Sdk.SyncHookJSONOutput["hookSpecificOutput"]>

/**
 * `permission_mode` of hook inputs is a plain string in the official types; on the wire it is a
 * permission mode, and ours says so.
 */
type WithMode<I> = I extends unknown ? Omit<I, "permission_mode"> & { permission_mode?: Sdk.PermissionMode } : never
type SdkHookInput = WithMode<Sdk.HookInput>

/** The pending lists hold requests, which are checked one by one above: only their names are left to compare. */
type PendingList = `pending_${string}`
type SdkResponse = Sdk.SDKControlResponse["response"]
type Envelope<R> = R extends unknown
  ? Omit<Sdk.SDKControlResponse, "response"> & { readonly response: Omit<R, PendingList> }
  : never

/** MCP's own types let optional fields be `undefined`; JSON cannot say that, and ours do not. */
type NoUndefined<T> = T extends object ? { [K in keyof T]: NoUndefined<Exclude<T[K], undefined>> } : T

/** The official types, by name. */
type Theirs = {
  readonly [R in SdkRequest as `request ${R["subtype"]}`]: R extends { readonly subtype: "hook_callback" }
    ? Omit<R, "input"> & { readonly input: SdkHookInput }
    : R extends { readonly subtype: "mcp_message" }
      ? NoUndefined<R>
      : R
} & {
  readonly [I in SdkHookInput as `hook input ${I["hook_event_name"]}`]: I
} & {
  readonly [O in SdkHookOutput as `hook output ${O["hookEventName"]}`]: O
} & {
  readonly "response can_use_tool": Sdk.PermissionResult
  readonly "response elicitation": NoUndefined<Sdk.ElicitationResult>
  readonly "response get_context_usage": Sdk.SDKControlGetContextUsageResponse
  readonly "response get_usage": Sdk.SDKControlGetUsageResponse
  readonly "response hook_callback": Sdk.HookJSONOutput
  readonly "response initialize": Sdk.SDKControlInitializeResponse
  readonly "response interrupt": Sdk.SDKControlInterruptResponse
  readonly "response list_models": { readonly models: Awaited<ReturnType<Sdk.Query["supportedModels"]>> }
  readonly "response list_permission_rules": Sdk.SDKControlListPermissionRulesResponse
  readonly "response mcp_read_resource": Sdk.SDKControlMcpReadResourceResponse
  readonly "response mcp_set_servers": Sdk.McpSetServersResult
  readonly "response mcp_status": { readonly mcpServers: Awaited<ReturnType<Sdk.Query["mcpServerStatus"]>> }
  readonly "response read_file": Sdk.SDKControlReadFileResponse
  readonly "response reload_output_styles": Sdk.SDKControlReloadOutputStylesResponse
  readonly "response reload_plugins": Sdk.SDKControlReloadPluginsResponse
  readonly "response reload_skills": Sdk.SDKControlReloadSkillsResponse
  readonly "response request_user_dialog": Sdk.UserDialogResult
  readonly "response rewind_files": Sdk.RewindFilesResult
  readonly "response set_mcp_permission_mode_override": Awaited<ReturnType<Sdk.Query["setMcpPermissionModeOverride"]>>
  readonly control_response: Envelope<SdkResponse>
  readonly AccountInfo: Sdk.AccountInfo
  readonly AgentDefinition: Sdk.AgentDefinition
  readonly AgentInfo: Sdk.AgentInfo
  readonly AgentMcpServerSpec: Sdk.AgentMcpServerSpec
  readonly AsyncHookJSONOutput: Sdk.AsyncHookJSONOutput
  readonly BackgroundTaskSummary: Sdk.BackgroundTaskSummary
  readonly EffortLevel: Sdk.EffortLevel
  readonly ExitReason: Sdk.ExitReason
  readonly HookEvent: Sdk.HookEvent
  readonly HookInput: SdkHookInput
  readonly HookJSONOutput: Sdk.HookJSONOutput
  readonly McpClaudeAIProxyServerConfig: Sdk.McpClaudeAIProxyServerConfig
  readonly McpHttpServerConfig: Sdk.McpHttpServerConfig
  readonly McpSdkServerConfig: Sdk.McpSdkServerConfig
  readonly McpServerConfigForProcessTransport: Sdk.McpServerConfigForProcessTransport
  readonly McpServerProvenance: Sdk.McpServerProvenance
  readonly McpServerStatus: Sdk.McpServerStatus
  readonly McpServerStatusConfig: Sdk.McpServerStatusConfig
  readonly McpServerToolPolicy: Sdk.McpServerToolPolicy
  readonly McpSSEServerConfig: Sdk.McpSSEServerConfig
  readonly McpStdioServerConfig: Sdk.McpStdioServerConfig
  readonly ModelInfo: Sdk.ModelInfo
  readonly PermissionBehavior: Sdk.PermissionBehavior
  readonly PermissionDecisionClassification: Sdk.PermissionDecisionClassification
  readonly PermissionMode: Sdk.PermissionMode
  readonly PermissionRuleValue: Sdk.PermissionRuleValue
  readonly PermissionUpdate: Sdk.PermissionUpdate
  readonly PermissionUpdateDestination: Sdk.PermissionUpdateDestination
  readonly PostToolBatchToolCall: Sdk.PostToolBatchToolCall
  readonly SDKControlPermissionRulesState: Sdk.SDKControlPermissionRulesState
  readonly SDKPermissionRuleEntry: Sdk.SDKPermissionRuleEntry
  readonly SdkPluginConfig: Sdk.SdkPluginConfig
  readonly SDKSettingsParseError: Sdk.SDKSettingsParseError
  readonly SessionCronSummary: Sdk.SessionCronSummary
  readonly SlashCommand: Sdk.SlashCommand
  readonly SyncHookJSONOutput: Sdk.SyncHookJSONOutput
}

/**
 * Names of official types that disagree with the wire, where the wire wins. Each says why. Empty: what the
 * wire omits is optional in ours, and the official type still fits; for the rest see `WithMode`.
 */
type Exceptions = never

/** Official types ours lack. */
type Missing<T = Theirs> = Exclude<keyof T, keyof Ours>

/** Official types that do not fit ours. */
type Misfit<T = Theirs> = { [K in keyof T & keyof Ours]: [T[K]] extends [Ours[K]] ? never : K }[keyof T & keyof Ours]

/**
 * Fields of official types that ours do not name, however deep: open objects keep them, so assignability
 * says nothing about them.
 */
type Unnamed<T = Theirs> = { [K in keyof T & keyof Ours & string]: Gaps<T[K], Ours[K], K> }[keyof T &
  keyof Ours &
  string]

type Gaps<A, B, Path extends string> = unknown extends B
  ? never
  : A extends ReadonlyArray<infer X>
    ? Gaps<X, Extract<B, ReadonlyArray<unknown>>[number], `${Path}[]`>
    : A extends object
      ? string extends keyof A
        ? Gaps<A[keyof A], B[keyof B], `${Path}{}`>
        : { [K in keyof A & string]-?: GapAt<A, Exclude<B, ReadonlyArray<unknown>>, K, Path> }[keyof A & string]
      : never

type GapAt<A, B, K extends keyof A & string, Path extends string> =
  K extends KeysOf<B> ? Gaps<NonNullable<A[K]>, ValueAt<B, K>, `${Path}.${K}`> : `${Path}.${K}`

type KeysOf<B> = B extends unknown ? keyof B : never
type ValueAt<B, K> = B extends unknown ? (K extends keyof B ? NonNullable<B[K]> : never) : never

/** Compiles only for `never`; the error names what else there is. */
type Nothing<T extends never> = T

export type NoneMissing = Nothing<Missing>
export type NoneMisfits = Nothing<Exclude<Misfit, Exceptions>>
export type NoneUnnamed = Nothing<Unnamed>
export type NoneStale = Nothing<Exclude<Exceptions, Misfit>>

/** The pending lists of answers have the same names. */
export type SamePending = Nothing<Exclude<keyof SdkResponse & PendingList, keyof ControlResponse["response"]>>

/** Guards the test itself: that it sees the types at all, and that a misfit or a gap would show. */
type Expect<T extends true> = T
type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type IsAny<T> = 0 extends 1 & T ? true : false
type AnyMember<T = Theirs> = { [K in keyof T]: IsAny<T[K]> extends true ? K : never }[keyof T]

export type SeesNoAny = Nothing<AnyMember>
export type SeesRequests = Expect<Equal<Theirs["request stop_task"], { subtype: "stop_task"; task_id: string }>>
export type SeesMessage = Expect<Equal<IsAny<Theirs["request mcp_message"]["message"]>, false>>
export type SeesEvents = Expect<Equal<keyof Theirs & `hook input ${string}`, `hook input ${Sdk.HookEvent}`>>
export type SeesMisfit = Expect<Equal<Misfit<{ "request stop_task": { task_id: number } }>, "request stop_task">>
export type SeesGap = Expect<Equal<Missing<{ "hook input CoffeeBreak": object }>, "hook input CoffeeBreak">>
export type SeesUnnamed = Expect<
  Equal<
    Unnamed<{ "response mcp_status": { mcpServers: ReadonlyArray<{ name: string; serverInfo: { novelty: 1 } }> } }>,
    "response mcp_status.mcpServers[].serverInfo.novelty"
  >
>
