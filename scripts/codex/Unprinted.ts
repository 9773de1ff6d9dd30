/**
 * What `generate-json-schema` does not say, and `generate-ts` does or names suggest. The type test
 * (`test/codex/types.test.ts`) holds all of it against `generate-ts`.
 */
import type { JsonSchema } from "./Bundle.ts"

/** Responses whose definition is not called like the params of their request, by method. */
export const otherResults: Readonly<Record<string, string>> = {
  "memory/reset": "MemoryResetResponse",
  "rollout/compress": "RolloutCompressResponse",
  "account/gatewayOAuth/read": "GatewayOAuthReadResponse",
  "account/gatewayOAuth/login": "GatewayOAuthLoginResponse",
  "account/gatewayOAuth/cancel": "GatewayOAuthCancelResponse",
  "remoteControl/enable": "RemoteControlEnableResponse",
  "remoteControl/disable": "RemoteControlDisableResponse",
  "remoteControl/status/read": "RemoteControlStatusReadResponse",
  "config/mcpServer/reload": "McpServerRefreshResponse",
  "windowsSandbox/readiness": "WindowsSandboxReadinessResponse",
  "accountSession/list": "AccountSessionsResponse",
  "account/logout": "LogoutAccountResponse",
  "account/rateLimits/read": "GetAccountRateLimitsResponse",
  "account/usage/read": "GetAccountTokenUsageResponse",
  "account/workspaceMessages/read": "GetWorkspaceMessagesResponse",
  "externalAgentConfig/import/readHistories": "ExternalAgentConfigImportHistoriesReadResponse",
  "config/value/write": "ConfigWriteResponse",
  "config/batchWrite": "ConfigWriteResponse",
  "configRequirements/read": "ConfigRequirementsReadResponse"
}

/** Requests of the first app-server that are still taken: method, params, result. Only `generate-ts` prints them. */
export const legacyRequests: Readonly<Record<string, readonly [params: string, result: string]>> = {
  getConversationSummary: ["GetConversationSummaryParams", "GetConversationSummaryResponse"],
  gitDiffToRemote: ["GitDiffToRemoteParams", "GitDiffToRemoteResponse"],
  getAuthStatus: ["GetAuthStatusParams", "GetAuthStatusResponse"]
}

/** Notifications that only `generate-ts` lists, although `generate-json-schema` defines their params. */
export const unlistedNotifications: Readonly<Record<string, string>> = {
  "rawResponseItem/completed": "RawResponseItemCompletedNotification",
  "rawResponse/completed": "RawResponseCompletedNotification"
}

/**
 * Definitions whose members `generate-json-schema` spells with underscores (`started_at`), and `generate-ts` and the
 * wire do not: 0.166.0 answers `thread/timeline/list` with `startedAt`. The two others are like it in both prints.
 */
export const misspelled: ReadonlyArray<string> = [
  "AccountSessionsSwitchResponse",
  "ThreadRealtimeItem",
  "ThreadTimelineEntry"
]

/**
 * Members that earlier versions say and the newest does not, by definition: 0.150.1 and 0.160.1 answer
 * `modelProvider/capabilities/read` with `namespaceTools`.
 */
export const earlierMembers: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  ModelProviderCapabilitiesReadResponse: {
    namespaceTools: { type: "boolean", description: "Only up to 0.160.1." }
  }
}

const string: JsonSchema = { type: "string" }
const nullableString: JsonSchema = { type: ["string", "null"] }
const nullableBoolean: JsonSchema = { type: ["boolean", "null"] }
const nullable = (name: string): JsonSchema => ({ anyOf: [{ $ref: name }, { type: "null" }] })
const object = (properties: Readonly<Record<string, JsonSchema>>, required = Object.keys(properties)): JsonSchema => ({
  type: "object",
  properties,
  required
})

/** The definitions of the legacy requests, as `generate-ts` has them. */
export const legacyDefinitions: Readonly<Record<string, JsonSchema>> = {
  GetConversationSummaryParams: { anyOf: [object({ rolloutPath: string }), object({ conversationId: string })] },
  GetConversationSummaryResponse: object({ summary: { $ref: "ConversationSummary" } }),
  ConversationSummary: object({
    conversationId: string,
    path: string,
    preview: string,
    timestamp: nullableString,
    updatedAt: nullableString,
    modelProvider: string,
    cwd: string,
    cliVersion: string,
    source: { $ref: "ConversationSource" },
    gitInfo: nullable("ConversationGitInfo")
  }),
  // The first app-server's SessionSource, which has other names for some of the sources than v2's.
  ConversationSource: {
    oneOf: [
      { type: "string", enum: ["cli", "vscode", "exec", "mcp", "unknown"] },
      { ...object({ custom: string }), additionalProperties: false },
      { ...object({ internal: { $ref: "ConversationInternalSource" } }), additionalProperties: false },
      { ...object({ subagent: { $ref: "SubAgentSource" } }), additionalProperties: false }
    ]
  },
  ConversationInternalSource: { type: "string", enum: ["memory_consolidation", "guardian"] },
  ConversationGitInfo: object({ sha: nullableString, branch: nullableString, origin_url: nullableString }),
  GitDiffToRemoteParams: object({ cwd: string }),
  GitDiffToRemoteResponse: object({ sha: string, diff: string }),
  GetAuthStatusParams: object({ includeToken: nullableBoolean, refreshToken: nullableBoolean }, []),
  GetAuthStatusResponse: object({
    authMethod: nullable("AuthMode"),
    authToken: nullableString,
    requiresOpenaiAuth: nullableBoolean
  })
}
