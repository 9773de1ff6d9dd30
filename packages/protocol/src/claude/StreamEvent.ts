/**
 * `stream_event`: the events of the Messages API's stream, as the CLI passes them on when it is
 * started with `--include-partial-messages`.
 *
 * Sub-agents are never streamed (`parent_tool_use_id` was null in every recording), `ping` is not passed
 * on, and a broken stream may lack any of the closing events (docs/wire/claude-code.md §5.3, §5.10, §5.11, §5.36).
 */
import * as Schema from "effect/Schema"
import { known, open, optional, variants } from "../wire/Open.ts"
import {
  ApiMessage,
  Container,
  ContextManagement,
  InputTransformation,
  StopDetails,
  StopReason,
  Usage
} from "./ApiMessage.ts"
import { Citation } from "./Citation.ts"
import { ContentBlock } from "./Content.ts"
import { envelope, turnMarks } from "./Envelope.ts"

/** A piece of a content block. */
export const ContentBlockDelta = variants("ContentBlockDelta", "type", [
  open("TextDelta", { type: Schema.Literal("text_delta"), text: Schema.String }),
  /** The first one of a block is `""`. */
  open("InputJsonDelta", { type: Schema.Literal("input_json_delta"), partial_json: Schema.String }),
  open("CitationsDelta", { type: Schema.Literal("citations_delta"), citation: Citation }),
  open("ThinkingDelta", {
    type: Schema.Literal("thinking_delta"),
    thinking: Schema.String,
    estimated_tokens: optional(Schema.NullOr(Schema.Finite))
  }),
  open("SignatureDelta", { type: Schema.Literal("signature_delta"), signature: Schema.String }),
  open("CompactionDelta", {
    type: Schema.Literal("compaction_delta"),
    content: optional(Schema.NullOr(Schema.String)),
    encrypted_content: optional(Schema.NullOr(Schema.String))
  })
])

/** A piece of a content block. */
export type ContentBlockDelta = typeof ContentBlockDelta.Type

/** The usage when a message ends: cumulative; often the output count alone. */
export const MessageDeltaUsage = open("MessageDeltaUsage", {
  ...Usage.fields,
  input_tokens: optional(Schema.NullOr(Schema.Finite)),
  output_tokens: optional(Schema.Finite)
})

/** The usage when a message ends: cumulative. */
export type MessageDeltaUsage = typeof MessageDeltaUsage.Type

/** A message begins; its content is empty. */
export const MessageStartEvent = open("MessageStartEvent", {
  type: Schema.Literal("message_start"),
  message: ApiMessage
})

/** A message begins; its content is empty. */
export type MessageStartEvent = typeof MessageStartEvent.Type

/** A block begins. Text, thinking and tool input are empty; blocks without deltas are whole. */
export const ContentBlockStartEvent = open("ContentBlockStartEvent", {
  type: Schema.Literal("content_block_start"),
  index: Schema.Finite,
  content_block: ContentBlock
})

/** A block begins. */
export type ContentBlockStartEvent = typeof ContentBlockStartEvent.Type

/** A block continues. */
export const ContentBlockDeltaEvent = open("ContentBlockDeltaEvent", {
  type: Schema.Literal("content_block_delta"),
  index: Schema.Finite,
  delta: ContentBlockDelta
})

/** A block continues. */
export type ContentBlockDeltaEvent = typeof ContentBlockDeltaEvent.Type

/** A block ends, after the `assistant` message that holds it whole. */
export const ContentBlockStopEvent = open("ContentBlockStopEvent", {
  type: Schema.Literal("content_block_stop"),
  index: Schema.Finite
})

/** A block ends, after the `assistant` message that holds it whole. */
export type ContentBlockStopEvent = typeof ContentBlockStopEvent.Type

/** Why a message ends and what it cost. The only place that has the real stop reason of a streamed message. */
export const MessageDeltaEvent = open("MessageDeltaEvent", {
  type: Schema.Literal("message_delta"),
  delta: open("MessageDelta", {
    stop_reason: optional(Schema.NullOr(StopReason)),
    stop_sequence: optional(Schema.NullOr(Schema.String)),
    stop_details: optional(Schema.NullOr(StopDetails)),
    container: optional(Schema.NullOr(Container))
  }),
  usage: optional(MessageDeltaUsage),
  context_management: optional(Schema.NullOr(ContextManagement)),
  input_transformations: optional(Schema.NullOr(Schema.Array(InputTransformation)))
})

/** Why a message ends and what it cost. */
export type MessageDeltaEvent = typeof MessageDeltaEvent.Type

/** A message ends. From 2.1.197 on its tools may have run already (docs/wire/claude-code.md §5.4). */
export const MessageStopEvent = open("MessageStopEvent", {
  type: Schema.Literal("message_stop")
})

/** A message ends. */
export type MessageStopEvent = typeof MessageStopEvent.Type

/** A sign of life of the API. No version passes it on. */
export const PingEvent = open("PingEvent", {
  type: Schema.Literal("ping")
})

/** A sign of life of the API. */
export type PingEvent = typeof PingEvent.Type

/** The API's stream broke. No version was seen to pass it on: the CLI tries again. */
export const ErrorEvent = open("ErrorEvent", {
  type: Schema.Literal("error"),
  error: open("ApiStreamError", {
    type: Schema.String,
    message: Schema.String
  })
})

/** The API's stream broke. */
export type ErrorEvent = typeof ErrorEvent.Type

const streamEvent = {
  type: Schema.Literal("stream_event"),
  parent_tool_use_id: Schema.NullOr(Schema.String),
  /** On `message_start`, 2.1.113 on. */
  ttft_ms: optional(Schema.Finite),
  ...turnMarks,
  /** The id of the message the event belongs to, on every event (2.1.325). */
  api_message_id: optional(Schema.String),
  thinking_display: optional(known("summarized", "omitted", "highlights", "updates")),
  /**
   * On a `message_stop` the CLI made up for a message that was cut: blocks from this index on have no
   * `assistant` message and never will (2.1.325).
   */
  abandoned_blocks: optional(
    open("AbandonedBlocks", {
      api_message_id: Schema.String,
      from_block_index: Schema.Finite
    })
  ),
  owed_rows: optional(Schema.Array(Schema.String)),
  text_runs_joined: optional(Schema.Boolean),
  ...envelope
} as const

/** `stream_event` with `message_start`. */
export const StreamMessageStart = open("StreamMessageStart", { ...streamEvent, event: MessageStartEvent })

/** `stream_event` with `message_start`. */
export type StreamMessageStart = typeof StreamMessageStart.Type

/** `stream_event` with `content_block_start`. */
export const StreamContentBlockStart = open("StreamContentBlockStart", {
  ...streamEvent,
  event: ContentBlockStartEvent
})

/** `stream_event` with `content_block_start`. */
export type StreamContentBlockStart = typeof StreamContentBlockStart.Type

/** `stream_event` with `content_block_delta`. */
export const StreamContentBlockDelta = open("StreamContentBlockDelta", {
  ...streamEvent,
  event: ContentBlockDeltaEvent
})

/** `stream_event` with `content_block_delta`. */
export type StreamContentBlockDelta = typeof StreamContentBlockDelta.Type

/** `stream_event` with `content_block_stop`. */
export const StreamContentBlockStop = open("StreamContentBlockStop", { ...streamEvent, event: ContentBlockStopEvent })

/** `stream_event` with `content_block_stop`. */
export type StreamContentBlockStop = typeof StreamContentBlockStop.Type

/** `stream_event` with `message_delta`. */
export const StreamMessageDelta = open("StreamMessageDelta", { ...streamEvent, event: MessageDeltaEvent })

/** `stream_event` with `message_delta`. */
export type StreamMessageDelta = typeof StreamMessageDelta.Type

/** `stream_event` with `message_stop`. */
export const StreamMessageStop = open("StreamMessageStop", { ...streamEvent, event: MessageStopEvent })

/** `stream_event` with `message_stop`. */
export type StreamMessageStop = typeof StreamMessageStop.Type

/** `stream_event` with `ping`. */
export const StreamPing = open("StreamPing", { ...streamEvent, event: PingEvent })

/** `stream_event` with `ping`. */
export type StreamPing = typeof StreamPing.Type

/** `stream_event` with `error`. */
export const StreamError = open("StreamError", { ...streamEvent, event: ErrorEvent })

/** `stream_event` with `error`. */
export type StreamError = typeof StreamError.Type

/** The `stream_event` messages by `event.type`. */
export const streamEvents = {
  message_start: StreamMessageStart,
  content_block_start: StreamContentBlockStart,
  content_block_delta: StreamContentBlockDelta,
  content_block_stop: StreamContentBlockStop,
  message_delta: StreamMessageDelta,
  message_stop: StreamMessageStop,
  ping: StreamPing,
  error: StreamError
} as const

/** Any `stream_event` message with a known event. */
export type StreamEvent = (typeof streamEvents)[keyof typeof streamEvents]["Type"]
