/**
 * `system` lines of a session file: what the CLI notes about the conversation. They are links of its chain.
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../../wire/Open.ts"
import { link } from "./Line.ts"

const note = <const Subtype extends string>(subtype: Subtype) =>
  ({
    type: Schema.Literal("system"),
    subtype: Schema.Literal(subtype),
    ...link,
    content: optional(Schema.String),
    level: optional(known("info", "notice", "suggestion", "warning", "error")),
    isMeta: optional(Schema.Boolean)
  }) as const

/** What a compaction leaves in place: these lines are said again after the summary, without being written again. */
export const PreservedMessages = open("TranscriptPreservedMessages", {
  /** The summary, after which they come. */
  anchorUuid: Schema.String,
  uuids: Schema.Array(Schema.String),
  allUuids: optional(Schema.Array(Schema.String))
})

/** What a compaction leaves in place. */
export type PreservedMessages = typeof PreservedMessages.Type

/** The same as a stretch of the chain. */
export const PreservedSegment = open("TranscriptPreservedSegment", {
  headUuid: Schema.String,
  anchorUuid: Schema.String,
  tailUuid: Schema.String
})

/** What a compaction leaves in place, as a stretch of the chain. */
export type PreservedSegment = typeof PreservedSegment.Type

/**
 * From here on a summary stands for what was said before. Its `parentUuid` is null: who follows only that never sees the
 * beginning. The lines before it stay in the file; `logicalParentUuid` names the last of them.
 */
export const CompactBoundaryLine = open("TranscriptCompactBoundaryLine", {
  ...note("compact_boundary"),
  logicalParentUuid: optional(Schema.NullOr(Schema.String)),
  compactMetadata: optional(
    open("TranscriptCompactMetadata", {
      trigger: known("manual", "auto"),
      preTokens: optional(Schema.Finite),
      postTokens: optional(Schema.Finite),
      durationMs: optional(Schema.Finite),
      cumulativeDroppedTokens: optional(Schema.Finite),
      preservedSegment: optional(PreservedSegment),
      preservedMessages: optional(PreservedMessages)
    })
  )
})

/** From here on a summary stands for what was said before. */
export type CompactBoundaryLine = typeof CompactBoundaryLine.Type

/**
 * What a slash command printed (`<local-command-stdout>…`), or, without those marks, the command itself where the
 * CLI does not have it.
 */
export const LocalCommandLine = open("TranscriptLocalCommandLine", {
  ...note("local_command"),
  content: Schema.String,
  commandRun: optional(open({ command: Schema.String, args: Schema.String })),
  commandOutcome: optional(open({ kind: Schema.String })),
  contextUsage: optional(JsonObject)
})

/** What a slash command printed. */
export type LocalCommandLine = typeof LocalCommandLine.Type

/** The `system` lines by subtype. */
export const systemLines = {
  compact_boundary: CompactBoundaryLine,
  local_command: LocalCommandLine,
  /** A request to the API failed, and is tried again. */
  api_error: open("TranscriptApiErrorLine", {
    ...note("api_error"),
    error: optional(JsonObject),
    retryInMs: optional(Schema.Finite),
    retryAttempt: optional(Schema.Finite),
    maxRetries: optional(Schema.Finite),
    source: optional(Schema.String)
  }),
  /** Something that the person should know. */
  informational: open("TranscriptInformationalLine", {
    ...note("informational"),
    preventContinuation: optional(Schema.Boolean),
    promptSubmitEnding: optional(JsonObject)
  }),
  model_fallback: open("TranscriptModelFallbackLine", {
    ...note("model_fallback"),
    trigger: optional(Schema.String),
    originalModel: optional(Schema.String),
    fallbackModel: optional(Schema.String)
  }),
  model_refusal_fallback: open("TranscriptRefusalFallbackLine", {
    ...note("model_refusal_fallback"),
    trigger: optional(Schema.String),
    direction: optional(Schema.String),
    scope: optional(Schema.String),
    originalModel: optional(Schema.String),
    fallbackModel: optional(Schema.String),
    requestId: optional(Schema.NullOr(Schema.String)),
    apiRefusalCategory: optional(Schema.NullOr(Schema.String)),
    apiRefusalExplanation: optional(Schema.NullOr(Schema.String)),
    retractedMessageUuids: optional(Schema.Array(Schema.String)),
    refusedUserMessageUuid: optional(Schema.NullOr(Schema.String))
  }),
  model_refusal_no_fallback: open("TranscriptRefusalLine", {
    ...note("model_refusal_no_fallback"),
    originalModel: optional(Schema.String),
    requestId: optional(Schema.NullOr(Schema.String)),
    apiRefusalCategory: optional(Schema.NullOr(Schema.String)),
    apiRefusalExplanation: optional(Schema.NullOr(Schema.String)),
    refusedUserMessageUuid: optional(Schema.NullOr(Schema.String))
  }),
  /** The hooks that ran when a turn ended. */
  stop_hook_summary: open("TranscriptStopHookLine", {
    ...note("stop_hook_summary"),
    hookCount: optional(Schema.Finite),
    hookInfos: optional(Schema.Array(JsonObject)),
    hookErrors: optional(Schema.Array(Schema.Unknown)),
    hookAdditionalContext: optional(Schema.Array(Schema.Unknown)),
    preventedContinuation: optional(Schema.Boolean),
    stopReason: optional(Schema.String),
    hasOutput: optional(Schema.Boolean),
    toolUseID: optional(Schema.String)
  })
} as const
