/**
 * The lines of a session file that are the conversation: `user`, `assistant`, and the `progress` of tools.
 *
 * The CLI writes one line for each content block, as on its wire, under names of its own (docs/wire/claude-code.md §12).
 * Each names the line before it by `parentUuid`, so that a file is a tree: going back and saying something else makes
 * a second child. The Agent SDK types a line as any object with a `type`; what is named here was measured on 2.1.37,
 * 2.1.197 and 2.1.325.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../../wire/Open.ts"
import { ApiMessage, MessageParam } from "../ApiMessage.ts"
import { ApiErrorParams } from "../Assistant.ts"
import { AssistantError, MessageOrigin } from "../Envelope.ts"
import { PermissionMode } from "../Permission.ts"

/** What every line of the tree has: who it is, what it follows, and the state of the process that wrote it. */
export const link = {
  uuid: Schema.String,
  /** The line before it; null for the first, and for the first after a compaction. */
  parentUuid: Schema.NullOr(Schema.String),
  /** True for what a sub-agent said. */
  isSidechain: optional(Schema.Boolean),
  /** The sub-agent that said it. */
  agentId: optional(Schema.String),
  sessionId: optional(Schema.String),
  timestamp: optional(Schema.String),
  /** The version of the CLI that wrote the line. */
  version: optional(Schema.String),
  cwd: optional(Schema.String),
  gitBranch: optional(Schema.String),
  /** Recorded: `external`. */
  userType: optional(Schema.String),
  /** How the CLI was started: `cli` in a terminal, `sdk-cli` by a host. */
  entrypoint: optional(Schema.String),
  /** Three words that name the plan of the session. */
  slug: optional(Schema.String),
  /** The team of agents that a line is of: those are not the session's own conversation. */
  teamName: optional(Schema.String),
  /** Where a fork has the line from. */
  forkedFrom: optional(open({ sessionId: Schema.String, messageUuid: Schema.String }))
} as const

/** Where in a session the turn of a prompt is. */
export const TurnPosition = open("TranscriptTurnPosition", {
  promptIndex: Schema.Finite,
  turnIndex: Schema.Finite
})

/** Where in a session the turn of a prompt is. */
export type TurnPosition = typeof TurnPosition.Type

/** Who let a tool run, or did not. */
export const TranscriptDecision = open("TranscriptDecision", {
  decision: known("accept", "reject"),
  source: Schema.String,
  grantScope: optional(known("once", "session")),
  reasonCode: optional(Schema.String),
  reasonType: optional(Schema.String),
  ruleSource: optional(Schema.String)
})

/** Who let a tool run, or did not. */
export type TranscriptDecision = typeof TranscriptDecision.Type

/**
 * A prompt, the result of a tool, or what the CLI says in the person's name: the summary of a compaction, the output
 * of a slash command, the end of a background task, a reminder (`isMeta`).
 */
export const UserLine = open("TranscriptUserLine", {
  type: Schema.Literal("user"),
  message: MessageParam,
  ...link,
  /** The CLI made it up, and the person does not see it. */
  isMeta: optional(Schema.Boolean),
  /** It is the summary that stands for all that was said before. */
  isCompactSummary: optional(Schema.Boolean),
  isVisibleInTranscriptOnly: optional(Schema.Boolean),
  repeatsCompactSummary: optional(Schema.Boolean),
  isVirtual: optional(Schema.Boolean),
  promptId: optional(Schema.String),
  /** Recorded: `sdk`, `system`; from a terminal also `typed`. */
  promptSource: optional(Schema.String),
  permissionMode: optional(PermissionMode),
  origin: optional(MessageOrigin),
  turnOrigin: optional(Schema.String),
  turnPosition: optional(TurnPosition),
  turnCompanion: optional(Schema.Boolean),
  turnAttributionKey: optional(Schema.String),
  /** The uuids of prompts that were put into this one (2.1.325 merges what waits). */
  mergedSendUuids: optional(Schema.Array(Schema.String)),
  queueSkipAttachments: optional(Schema.Boolean),
  queueSkipSlashCommands: optional(Schema.Boolean),
  queueTranscriptOnly: optional(Schema.Boolean),
  imagePasteIds: optional(Schema.Array(Schema.Finite)),
  /** The result as the tool gave it. */
  toolUseResult: optional(Schema.Unknown),
  /** The line whose call a result answers; parallel results hang on their own calls, not on each other. */
  sourceToolAssistantUUID: optional(Schema.String),
  sourceToolUseID: optional(Schema.String),
  permissionDecision: optional(TranscriptDecision),
  toolDenialKind: optional(Schema.String),
  toolDenialUnanswered: optional(Schema.Unknown),
  toolEndsTurn: optional(Schema.Boolean),
  sandboxed: optional(Schema.Boolean),
  mcpMeta: optional(JsonObject),
  mcpCallNotReadOnly: optional(Schema.String),
  holdsPersonsWords: optional(Schema.Boolean),
  interruptedByShutdown: optional(Schema.Boolean),
  refusedMessageId: optional(Schema.String)
})

/** A message in the person's name. */
export type UserLine = typeof UserLine.Type

const { id, model, type, usage, ...said } = ApiMessage.fields

/** A message of the model. What a host put into the conversation in the model's name has neither id nor usage. */
export const TranscriptMessage = open("TranscriptMessage", {
  id: optional(id),
  type: optional(type),
  model: optional(model),
  usage: optional(usage),
  ...said
})

/** A message of the model. */
export type TranscriptMessage = typeof TranscriptMessage.Type

/** One block of the model's answer, whole. `message.usage` is repeated on each, and is final on the last at the latest. */
export const AssistantLine = open("TranscriptAssistantLine", {
  type: Schema.Literal("assistant"),
  message: TranscriptMessage,
  ...link,
  requestId: optional(Schema.String),
  requestRef: optional(Schema.String),
  requestedModel: optional(Schema.String),
  promptCacheRequested: optional(Schema.String),
  /** The API's index of the block. */
  apiBlockIndex: optional(Schema.Finite),
  effort: optional(Schema.NullOr(Schema.String)),
  perTurnEffort: optional(Schema.NullOr(Schema.String)),
  /** Recorded: `model`, `input`, `other`. */
  madeBy: optional(Schema.String),
  /** An interrupt cut it: what is here is all there will be. */
  isAbortedMidStream: optional(Schema.Boolean),
  /** Lines that this one takes the place of. */
  supersedesUuids: optional(Schema.Array(Schema.String)),
  healsDistinctCarrier: optional(Schema.Boolean),
  thinkingDurationMs: optional(Schema.Finite),
  thinkingDisplay: optional(known("summarized", "omitted", "highlights", "updates")),
  toolInputStreamMs: optional(Schema.Finite),
  serverClassifierRequest: optional(Schema.String),
  /** The text is an error of the API. False on what the CLI says in the model's place. */
  isApiErrorMessage: optional(Schema.Boolean),
  error: optional(AssistantError),
  apiError: optional(Schema.String),
  apiErrorStatus: optional(Schema.NullOr(Schema.Finite)),
  apiErrorType: optional(Schema.String),
  apiErrorIsTransient: optional(Schema.Boolean),
  apiErrorParams: optional(ApiErrorParams),
  errorDetails: optional(Schema.String),
  failedResponseHadNoToolCall: optional(Schema.Boolean),
  resendCannotCure: optional(Schema.Boolean),
  quotaLimits: optional(JsonObject),
  refusedMessageId: optional(Schema.String),
  refusingModel: optional(Schema.String),
  attributionAgent: optional(Schema.String),
  attributionSkill: optional(Schema.String),
  attributionPlugin: optional(Schema.String),
  attributionMcpServer: optional(Schema.String),
  attributionMcpTool: optional(Schema.String)
})

/** One block of the model's answer, whole. */
export type AssistantLine = typeof AssistantLine.Type

/** What a tool that runs tells: up to 2.1.37 or so these lines are links of the chain. */
export const ProgressLine = open("TranscriptProgressLine", {
  type: Schema.Literal("progress"),
  ...link,
  data: optional(Schema.Unknown),
  toolUseID: optional(Schema.String),
  /** The call that started the sub-agent that is told of. */
  parentToolUseID: optional(Schema.NullOr(Schema.String))
})

/** What a tool that runs tells. */
export type ProgressLine = typeof ProgressLine.Type
