/**
 * Lines of a session file that are about the session, and no part of its chain: titles, what waits to be said, files
 * as they were, what a request was made of. They have no `parentUuid`, and most come again whenever the CLI exits.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../../wire/Open.ts"

const about = <const Type extends string>(type: Type) =>
  ({
    type: Schema.Literal(type),
    sessionId: optional(Schema.String),
    uuid: optional(Schema.String),
    timestamp: optional(Schema.String)
  }) as const

/** The title that the person gave the session. */
export const CustomTitleLine = open("TranscriptCustomTitleLine", {
  ...about("custom-title"),
  customTitle: Schema.String
})

/** The title that the person gave the session. */
export type CustomTitleLine = typeof CustomTitleLine.Type

/** The title that a model gave the session (2.1.197). */
export const AiTitleLine = open("TranscriptAiTitleLine", { ...about("ai-title"), aiTitle: Schema.String })

/** The title that a model gave the session. */
export type AiTitleLine = typeof AiTitleLine.Type

/** What a branch of a session was about, by the line it ends with: as the CLI wrote it before 2.1; not recorded. */
export const SummaryLine = open("TranscriptSummaryLine", {
  ...about("summary"),
  summary: Schema.String,
  leafUuid: optional(Schema.NullOr(Schema.String))
})

/** What a branch of a session was about. */
export type SummaryLine = typeof SummaryLine.Type

/** The last prompt, and the line that the conversation ends with. It is written now and then, and may be late. */
export const LastPromptLine = open("TranscriptLastPromptLine", {
  ...about("last-prompt"),
  lastPrompt: optional(Schema.String),
  leafUuid: optional(Schema.NullOr(Schema.String)),
  explicit: optional(Schema.Boolean),
  /** The person went back: what came from `cutUuid` on is not said. */
  rewound: optional(Schema.Boolean),
  cutUuid: optional(Schema.NullOr(Schema.String))
})

/** The last prompt, and the line that the conversation ends with. */
export type LastPromptLine = typeof LastPromptLine.Type

/** The lines about a session by type. */
export const sessionLines = {
  "custom-title": CustomTitleLine,
  "ai-title": AiTitleLine,
  summary: SummaryLine,
  "last-prompt": LastPromptLine,
  "agent-name": open("TranscriptAgentNameLine", { ...about("agent-name"), agentName: Schema.String }),
  "agent-color": open("TranscriptAgentColorLine", { ...about("agent-color"), agentColor: Schema.String }),
  /** A label of the person's; empty takes it away (written by the Agent SDK; not recorded). */
  tag: open("TranscriptTagLine", { ...about("tag"), tag: Schema.String }),
  mode: open("TranscriptModeLine", { ...about("mode"), mode: Schema.String }),
  /** The session goes on in another file (read by the Agent SDK; not recorded). */
  "continued-in": open("TranscriptContinuedInLine", {
    ...about("continued-in"),
    continuedInSessionId: Schema.String
  }),
  "queue-operation": open("TranscriptQueueLine", {
    ...about("queue-operation"),
    operation: known("enqueue", "dequeue", "remove"),
    content: optional(Schema.Unknown),
    reason: optional(Schema.String),
    commandUuid: optional(Schema.String),
    deliveryId: optional(Schema.String)
  }),
  "file-history-snapshot": open("TranscriptFileSnapshotLine", {
    ...about("file-history-snapshot"),
    messageId: optional(Schema.String),
    snapshot: optional(JsonObject),
    isSnapshotUpdate: optional(Schema.Boolean)
  }),
  "file-history-delta": open("TranscriptFileDeltaLine", {
    ...about("file-history-delta"),
    messageId: optional(Schema.String),
    snapshotMessageId: optional(Schema.String),
    trackingPath: optional(Schema.String),
    backup: optional(JsonObject)
  }),
  "worktree-state": open("TranscriptWorktreeLine", {
    ...about("worktree-state"),
    worktreeSession: optional(Schema.NullOr(JsonObject))
  }),
  relocated: open("TranscriptRelocatedLine", { ...about("relocated"), relocatedCwd: Schema.String }),
  "pr-link": open("TranscriptPullRequestLine", {
    ...about("pr-link"),
    prNumber: optional(Schema.Finite),
    prUrl: optional(Schema.String),
    prRepository: optional(Schema.String)
  }),
  "tools-used": open("TranscriptToolsUsedLine", { ...about("tools-used"), tools: Schema.Array(Schema.String) }),
  "atis-latch": open("TranscriptAtisLine", { ...about("atis-latch"), atis: optional(Schema.Unknown) }),
  /** What the process has spent: of all sessions it was in, sub-agents included. */
  "cost-state": open("TranscriptCostLine", {
    ...about("cost-state"),
    totalCostUSD: optional(Schema.Finite),
    totalAPIDuration: optional(Schema.Finite),
    totalAPIDurationWithoutRetries: optional(Schema.Finite),
    totalToolDuration: optional(Schema.Finite),
    totalLinesAdded: optional(Schema.Finite),
    totalLinesRemoved: optional(Schema.Finite),
    totalDuration: optional(Schema.Finite),
    startTime: optional(Schema.Finite),
    modelUsage: optional(JsonObject),
    hasUnknownModelCost: optional(Schema.Boolean)
  }),
  /** What was sent to the API, cut into pieces that later requests refer to: most of the bytes of a 2.1.325 file. */
  "api-request": open("TranscriptApiRequestLine", {
    ...about("api-request"),
    id: optional(Schema.String),
    agentId: optional(Schema.String),
    version: optional(Schema.String),
    querySource: optional(Schema.String),
    shapeHash: optional(Schema.String),
    params: optional(JsonObject),
    keep: optional(Schema.Finite),
    tail: optional(Schema.Array(Schema.String)),
    cacheControl: optional(Schema.Array(Schema.Unknown)),
    requestDigest: optional(Schema.String),
    base: optional(Schema.String)
  }),
  "api-request-blob": open("TranscriptApiBlobLine", {
    ...about("api-request-blob"),
    agentId: optional(Schema.String),
    hash: optional(Schema.String),
    message: optional(JsonObject)
  }),
  "api-request-shape": open("TranscriptApiShapeLine", {
    ...about("api-request-shape"),
    agentId: optional(Schema.String),
    version: optional(Schema.String),
    shapeHash: optional(Schema.String),
    shape: optional(JsonObject)
  })
} as const
