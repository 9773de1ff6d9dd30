/**
 * The state of the session: what it is doing, its compactions, its title, and what it could not save.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { systemEnvelope } from "./Envelope.ts"
import { PermissionMode } from "./Permission.ts"

/**
 * What the CLI is busy with. `null` ends a compaction, but also comes alone when the permission mode
 * changes (docs/wire/claude-code.md §5.27). `requesting` comes before each API call, 2.1.113 on.
 */
export const SystemStatus = open("SystemStatus", {
  ...systemEnvelope("status"),
  status: Schema.NullOr(known("compacting", "requesting")),
  permissionMode: optional(PermissionMode),
  compact_result: optional(known("success", "failed")),
  compact_error: optional(Schema.String),
  compact_output_chars: optional(Schema.Finite),
  /** The prompts the request is about (2.1.325). */
  user_message_uuids: optional(Schema.Array(Schema.String)),
  resume_held_for_plan: optional(Schema.Boolean)
})

/** What the CLI is busy with. */
export type SystemStatus = typeof SystemStatus.Type

/** What a compaction did. */
export const CompactMetadata = open("CompactMetadata", {
  trigger: known("manual", "auto"),
  pre_tokens: Schema.Finite,
  post_tokens: optional(Schema.Finite),
  cumulative_dropped_tokens: optional(Schema.Finite),
  duration_ms: optional(Schema.Finite),
  user_context: optional(Schema.String),
  messages_summarized: optional(Schema.Finite),
  precomputed: optional(Schema.Boolean),
  pre_compact_discovered_tools: optional(Schema.Array(Schema.String)),
  pre_compact_artifact_read_versions: optional(Schema.Array(open({ slug: Schema.String, ver: Schema.String }))),
  preserved_segment: optional(
    open({
      head_uuid: Schema.String,
      anchor_uuid: Schema.String,
      tail_uuid: Schema.String
    })
  ),
  preserved_messages: optional(
    open({
      anchor_uuid: Schema.String,
      uuids: Schema.Array(Schema.String),
      all_uuids: optional(Schema.Array(Schema.String))
    })
  )
})

/** What a compaction did. */
export type CompactMetadata = typeof CompactMetadata.Type

/** The conversation before this was replaced by a summary. It comes after the status `null` (fact 28). */
export const SystemCompactBoundary = open("SystemCompactBoundary", {
  ...systemEnvelope("compact_boundary"),
  compact_metadata: CompactMetadata,
  logical_parent_uuid: optional(Schema.NullOr(Schema.String)),
  historical: optional(Schema.Boolean)
})

/** The conversation before this was replaced by a summary. */
export type SystemCompactBoundary = typeof SystemCompactBoundary.Type

/** Whether the session works, waits for the user or is idle (with CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1). */
export const SystemSessionStateChanged = open("SystemSessionStateChanged", {
  ...systemEnvelope("session_state_changed"),
  state: known("idle", "running", "requires_action")
})

/** Whether the session works, waits for the user or is idle. */
export type SystemSessionStateChanged = typeof SystemSessionStateChanged.Type

/** The session has a new title: the answer to `rename_session` (2.1.325; not in the official types). */
export const SystemSessionTitleChanged = open("SystemSessionTitleChanged", {
  ...systemEnvelope("session_title_changed"),
  title: Schema.String
})

/** The session has a new title. */
export type SystemSessionTitleChanged = typeof SystemSessionTitleChanged.Type

/** The disk is full: parts of the session are not saved. */
export const SystemSessionWritesLost = open("SystemSessionWritesLost", {
  ...systemEnvelope("session_writes_lost"),
  error_code: known("ENOSPC", "EDQUOT"),
  lost: Schema.Array(known("transcript", "global_config")),
  transcript_session_ids: optional(Schema.Array(Schema.String))
})

/** The disk is full: parts of the session are not saved. */
export type SystemSessionWritesLost = typeof SystemSessionWritesLost.Type

/** The host's own store of the session failed. */
export const SystemMirrorError = open("SystemMirrorError", {
  ...systemEnvelope("mirror_error"),
  error: Schema.String,
  key: open({
    projectKey: Schema.String,
    sessionId: Schema.String,
    subpath: optional(Schema.String)
  })
})

/** The host's own store of the session failed. */
export type SystemMirrorError = typeof SystemMirrorError.Type

/** The process is about to end. */
export const SystemWorkerShuttingDown = open("SystemWorkerShuttingDown", {
  ...systemEnvelope("worker_shutting_down"),
  reason: Schema.String
})

/** The process is about to end. */
export type SystemWorkerShuttingDown = typeof SystemWorkerShuttingDown.Type

/** Files were uploaded. */
export const SystemFilesPersisted = open("SystemFilesPersisted", {
  ...systemEnvelope("files_persisted"),
  files: Schema.Array(open({ filename: Schema.String, file_id: Schema.String })),
  failed: Schema.Array(open({ filename: Schema.String, error: Schema.String })),
  processed_at: Schema.String
})

/** Files were uploaded. */
export type SystemFilesPersisted = typeof SystemFilesPersisted.Type
