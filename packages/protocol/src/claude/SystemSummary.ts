/**
 * What an app that shows sessions keeps about one: a line on what it does, a summary of the last turn, what it
 * published, drafts and warnings to word for the user.
 *
 * None of these was recorded; the fields are those of the schemas in the 2.1.325 binary.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { systemEnvelope } from "./Envelope.ts"

/** A summary of the turn that ended (2.1.325; from the binary's own schema, not recorded). */
export const SystemPostTurnSummary = open("SystemPostTurnSummary", {
  ...systemEnvelope("post_turn_summary"),
  /** The `uuid` of the last message of the turn; may be `""`. */
  summarizes_uuid: Schema.String,
  status_category: Schema.String,
  status_detail: Schema.String,
  needs_action: Schema.String
})

/** A summary of the turn that ended. */
export type SystemPostTurnSummary = typeof SystemPostTurnSummary.Type

/** A line on what the turn does now; null when idle (2.1.325; from the binary's own schema, not recorded). */
export const SystemTaskSummary = open("SystemTaskSummary", {
  ...systemEnvelope("task_summary"),
  detail: Schema.NullOr(Schema.String)
})

/** A line on what the turn does now. */
export type SystemTaskSummary = typeof SystemTaskSummary.Type

/** Something the session published. */
export const SessionArtifact = open("SessionArtifact", {
  url: Schema.String,
  title: optional(Schema.String),
  favicon: optional(Schema.String),
  kind: known("frame"),
  updated_at: Schema.String
})

/** Something the session published. */
export type SessionArtifact = typeof SessionArtifact.Type

/** What changed of the metadata of the session (2.1.325; from the binary's own schema, not recorded). */
export const SystemSessionMetadata = open("SystemSessionMetadata", {
  ...systemEnvelope("session_metadata"),
  metadata: open({
    /** The whole list; null once it is empty. */
    artifacts: optional(Schema.NullOr(Schema.Array(SessionArtifact)))
  })
})

/** What changed of the metadata of the session. */
export type SystemSessionMetadata = typeof SystemSessionMetadata.Type

/** A draft of feedback waits for the user's review (2.1.325; from the binary's own schema, not recorded). */
export const SystemFeedbackDraftQueued = open("SystemFeedbackDraftQueued", {
  ...systemEnvelope("feedback_draft_queued"),
  draft_id: Schema.String,
  draft_type: known("bug", "idea", "missing_capability"),
  title: Schema.String,
  /** The first 200 characters or so. */
  details_preview: Schema.String
})

/** A draft of feedback waits for the user's review. */
export type SystemFeedbackDraftQueued = typeof SystemFeedbackDraftQueued.Type

/**
 * The instruction files are longer than they should be, in characters (2.1.325; from the binary's own schema, not
 * recorded). Once per process, after the first `init`, and only to Claude Desktop.
 */
export const SystemInstructionSizeWarning = open("SystemInstructionSizeWarning", {
  ...systemEnvelope("instruction_size_warning"),
  total_chars: Schema.Finite,
  total_limit_chars: Schema.Finite,
  file_count: Schema.Finite,
  /** When one of several files is too long by itself. */
  largest_chars: optional(Schema.Finite)
})

/** The instruction files are longer than they should be. */
export type SystemInstructionSizeWarning = typeof SystemInstructionSizeWarning.Type
