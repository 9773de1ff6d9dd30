/**
 * What many messages share: the envelope, the marks that tie a message to the prompts it answers, and
 * the small enumerations that appear in several places.
 *
 * Fields of the CLI that are not in the official type definitions are named too: they were recorded on
 * 2.1.325, or its own schemas list them.
 */
import * as Schema from "effect/Schema"
import { known, open, optional, variants } from "../wire/Open.ts"

/** The two fields every message from the CLI has. `uuid` is new for each line; replays repeat it. */
export const envelope = { uuid: Schema.String, session_id: Schema.String } as const

/** The fields every `system` message has, for one subtype. */
export const systemEnvelope = <const Subtype extends string>(subtype: Subtype) =>
  ({ type: Schema.Literal("system"), subtype: Schema.Literal(subtype), ...envelope }) as const

/**
 * Which prompts a message answers: 2.1.325 merges queued prompts into one turn, and says so here
 * (docs/wire/claude-code.md §5.23). `user_message_uuid` is the last of them.
 */
export const turnMarks = {
  user_message_uuid: optional(Schema.String),
  user_message_uuids: optional(Schema.Array(Schema.String)),
  /** Why the turn continues one that a restart cut. */
  resume_reason: optional(Schema.String)
} as const

/** Which sub-agent a message comes from; `parent_tool_use_id` names the call that started it. */
export const subagentMarks = {
  /** The `task_id` of the sub-agent (2.1.325). */
  agent_id: optional(Schema.String),
  subagent_type: optional(Schema.String),
  task_description: optional(Schema.String)
} as const

/** What went wrong with a request to the API. Which value an HTTP status gives differs by version (fact 14). */
export const AssistantError = known(
  "authentication_failed",
  "oauth_org_not_allowed",
  "account_on_hold",
  "verification_required",
  "billing_error",
  "rate_limit",
  "overloaded",
  "invalid_request",
  "model_not_found",
  "server_error",
  "unknown",
  "max_output_tokens",
  "cloud_credential_error"
)

/** What went wrong with a request to the API. */
export type AssistantError = typeof AssistantError.Type

/** Where the API key came from. */
export const ApiKeySource = known(
  "ANTHROPIC_API_KEY",
  "apiKeyHelper",
  "/login managed key",
  "none",
  "user",
  "project",
  "org",
  "temporary",
  "oauth"
)

/** Where the API key came from. */
export type ApiKeySource = typeof ApiKeySource.Type

/** Whether fast mode is on. */
export const FastModeState = known("off", "cooldown", "on")

/** Whether fast mode is on. */
export type FastModeState = typeof FastModeState.Type

/** Why fast mode is not available. */
export const FastModeDisabledReason = known(
  "free",
  "preference",
  "extra_usage_disabled",
  "network_error",
  "unknown",
  "not_first_party",
  "disabled_by_env",
  "model_not_allowed",
  "sdk_opt_in_required",
  "pending"
)

/** Why fast mode is not available. */
export type FastModeDisabledReason = typeof FastModeDisabledReason.Type

/** The two fields about fast mode that `init` and `result` share. */
export const fastMode = {
  fast_mode_state: optional(FastModeState),
  fast_mode_disabled_reason: optional(FastModeDisabledReason)
} as const

/**
 * Who started a turn or wrote a message. On a `result` it tells turns the CLI started by itself
 * (`task-notification`, from 2.1.197) from those a prompt started, which have none.
 */
export const MessageOrigin = variants("MessageOrigin", "kind", [
  open("HumanOrigin", { kind: Schema.Literal("human") }),
  open("ChannelOrigin", { kind: Schema.Literal("channel"), server: Schema.String }),
  open("PeerOrigin", {
    kind: Schema.Literal("peer"),
    from: Schema.String,
    fromMode: optional(known("bypass", "prompting")),
    name: optional(Schema.String),
    fromSession: optional(Schema.String),
    inbound_origin: optional(Schema.String),
    senderTaskId: optional(Schema.String),
    body: optional(Schema.String),
    verifiedPeerPid: optional(Schema.Finite),
    handback: optional(Schema.Boolean),
    flagged: optional(Schema.Boolean),
    handbackNote: optional(Schema.String),
    handbackReportText: optional(Schema.String),
    members: optional(Schema.Array(open({ body: Schema.String })))
  }),
  open("TaskNotificationOrigin", {
    kind: Schema.Literal("task-notification"),
    subkind: optional(known("scheduled-trigger", "peer-send-message", "projects-relay", "session-inbox")),
    fireReason: optional(Schema.String),
    producer: optional(known("session-task")),
    runId: optional(Schema.String),
    taskKind: optional(known("mcp-task"))
  }),
  open("CoordinatorOrigin", { kind: Schema.Literal("coordinator") }),
  open("UnclassifiedOrigin", { kind: Schema.Literal("unclassified") }),
  open("ObserverOrigin", {
    kind: Schema.Literal("observer"),
    from: Schema.String,
    senderTaskId: Schema.String
  }),
  open("AutoContinuationOrigin", { kind: Schema.Literal("auto-continuation") }),
  open("ObserverActivityOrigin", { kind: Schema.Literal("observer-activity") }),
  open("VoiceCallOrigin", {
    kind: Schema.Literal("voice-call"),
    requestUuid: optional(Schema.String),
    inReplyToUuid: optional(Schema.String),
    saidAt: optional(Schema.String)
  })
])

/** Who started a turn or wrote a message. */
export type MessageOrigin = typeof MessageOrigin.Type

/** A resource an MCP tool returned a link to. */
export const McpResourceLink = open("McpResourceLink", {
  uri: Schema.String,
  name: Schema.String,
  title: optional(Schema.String),
  description: optional(Schema.String),
  mimeType: optional(Schema.String),
  size: optional(Schema.Finite),
  annotations: optional(Schema.Record(Schema.String, Schema.Unknown))
})

/** A resource an MCP tool returned a link to. */
export type McpResourceLink = typeof McpResourceLink.Type
