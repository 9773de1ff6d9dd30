/**
 * Where the time of a turn went: measurements 2.1.197 and 2.1.325 add to a successful `result`.
 *
 * All of them are optional and none is needed to follow a session. Most came only with
 * CLAUDE_CODE_REMOTE=1; those that were never recorded are from the schemas in the 2.1.325 binary.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"

const ms = optional(Schema.Finite)
const count = optional(Schema.Finite)
const wallMs = optional(Schema.Finite)
const phases = optional(Schema.Record(Schema.String, Schema.Finite))

/** What a post to the server waited for. */
export const QueuedBehind = known("durable_post", "ephemeral_post", "retry_backoff", "hold", "none")

/** What a post to the server waited for. */
export type QueuedBehind = typeof QueuedBehind.Type

/** The phase `input_attachments` in detail. */
export const InputAttachmentsDetail = open("InputAttachmentsDetail", {
  slowest_producer: optional(Schema.String),
  slowest_producer_ms: ms,
  cpu_ms: ms,
  major_faults: count,
  changed_files_reread: count,
  changed_files_read_ms: ms,
  touch_compare: phases,
  differs_files: phases,
  setup_ms: ms,
  prompt_producers_ms: ms,
  ambient_start_ms: ms,
  ambient_wait_ms: ms,
  render_ms: ms,
  producers: count,
  token_counts: count,
  token_count_ms: ms
})

/** The phase `input_attachments` in detail. */
export type InputAttachmentsDetail = typeof InputAttachmentsDetail.Type

/** The phase `tool_schema_build` in detail. */
export const ToolSchemaBuildDetail = open("ToolSchemaBuildDetail", {
  betas_ms: ms,
  waits_ms: ms,
  placement_ms: ms,
  render_ms: ms,
  after_ms: ms,
  other_ms: ms,
  tools: count,
  new_schemas: count
})

/** The phase `tool_schema_build` in detail. */
export type ToolSchemaBuildDetail = typeof ToolSchemaBuildDetail.Type

/** The phase `message_normalization` in detail. */
export const MessageNormalizationDetail = open("MessageNormalizationDetail", {
  before_ms: ms,
  normalize_ms: ms,
  images_ms: ms,
  post_process_ms: ms,
  after_ms: ms,
  other_ms: ms,
  messages: count,
  wire_messages: count
})

/** The phase `message_normalization` in detail. */
export type MessageNormalizationDetail = typeof MessageNormalizationDetail.Type

/** The phase `request_build` in detail. */
export const RequestBuildDetail = open("RequestBuildDetail", {
  records_ms: ms,
  system_ms: ms,
  headers_ms: ms,
  cache_break_record_ms: ms,
  plans_ms: ms,
  retry_setup_ms: ms,
  sent_build_ms: ms,
  record_attempt_ms: ms,
  other_ms: ms,
  sent_build_safety_context_ms: ms,
  sent_build_cache_breakpoints_ms: ms,
  sent_build_surrogate_scan_ms: ms
})

/** The phase `request_build` in detail. */
export type RequestBuildDetail = typeof RequestBuildDetail.Type

/** How a resumed session's store was confirmed, in detail. */
export const ResumeStoreConfirmDetail = open("ResumeStoreConfirmDetail", {
  write_ms: ms,
  ahead_ms: ms,
  post_ms: ms,
  other_ms: ms,
  posts: count,
  failed_posts: count,
  rows_ahead: count,
  rows: count
})

/** How a resumed session's store was confirmed, in detail. */
export type ResumeStoreConfirmDetail = typeof ResumeStoreConfirmDetail.Type

/** The fields of a `result` about how its process was started. */
export const processStart = {
  process_start_tuning: optional(Schema.Finite),
  process_start_purge_delay_ms: ms,
  process_garbage_collections: optional(Schema.Unknown)
} as const

/** The fields of a successful `result` that say where the time went. */
export const resultTiming = {
  /** From the prompt to the first token (2.1.197). Recorded: `time_to_request_ms` ≤ `ttft_stream_ms` ≤ `ttft_ms`. */
  ttft_ms: ms,
  ttft_stream_ms: ms,
  time_to_request_ms: ms,
  time_to_request_phases_ms: phases,
  time_to_request_cpu_ms: ms,
  time_to_request_loop_lag_ms: ms,
  time_to_request_major_faults: count,
  time_to_request_from_spawn_ms: ms,
  time_origin_ms: wallMs,
  request_sent_wall_ms: wallMs,
  first_content_frame_ms: ms,
  first_request_input_tokens: count,
  first_request_cache_read_input_tokens: count,
  first_stream_post_ms: ms,
  first_stream_post_ack_ms: ms,
  first_stream_post_queue_wait_ms: ms,
  first_stream_post_queued_behind: optional(QueuedBehind),
  first_stream_post_wall_ms: wallMs,
  first_text_post_ms: ms,
  first_text_post_queue_wait_ms: ms,
  first_text_post_queued_behind: optional(QueuedBehind),
  first_text_post_wall_ms: wallMs,
  text_post_count: count,
  text_post_gap_over_500ms_count: count,
  text_post_flush_timer_max_late_ms: ms,
  user_message_server_received_wall_ms: wallMs,
  frame_received_wall_ms: wallMs,
  frame_enqueued_wall_ms: wallMs,
  frame_intake_phases_ms: phases,
  turn_started_wall_ms: wallMs,
  turn_start_phases_ms: phases,
  turn_start_control_requests_ms: ms,
  turn_start_resume_kind: optional(known("orphaned_permission", "turn_handoff", "deferred_tool_use", "none")),
  handoff_intake_phases_ms: phases,
  warm_spare_claimed: optional(Schema.Boolean),
  flag_fetch_kick: optional(Schema.String),
  input_attachments_detail: optional(InputAttachmentsDetail),
  tool_schema_build_detail: optional(ToolSchemaBuildDetail),
  message_normalization_detail: optional(MessageNormalizationDetail),
  request_build_detail: optional(RequestBuildDetail),
  resume_store_confirm_detail: optional(ResumeStoreConfirmDetail),
  main_stream_count: count,
  main_stream_event_count: count,
  main_stream_chunk_count: count,
  tool_pool_build_count: count,
  tool_pool_build_lapsed_count: count,
  tool_pool_moved_at_lapse_count: count,
  tool_pool_limit_ms: ms,
  process_turn_index: count,
  process_turn_states: optional(
    Schema.Record(Schema.String, open({ cpu_ms: Schema.Finite, wall_ms: Schema.Finite, entries: Schema.Finite }))
  ),
  process_turn_threads: optional(Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Finite))),
  process_rss_mib_turn_start: count,
  process_anon_mib_turn_start: count,
  process_rss_mib_result: count,
  process_anon_mib_result: count,
  process_peak_rss_mib: count,
  process_cpu_ms_between_turns: ms,
  process_wall_ms_between_turns: ms,
  process_cpu_ms_turn: ms,
  process_wall_ms_turn: ms,
  process_cpu_ms_streaming: ms,
  process_wall_ms_streaming: ms,
  shell_cpu_ms_turn: ms,
  shell_cpu_ms_since_last_result: ms,
  shell_wall_ms_since_last_result: ms
} as const
