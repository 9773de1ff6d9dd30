/**
 * The events of tool calls, those of the agent and those of the client alike.
 */
import * as Schema from "effect/Schema"
import { open, optional } from "../wire/Open.ts"
import { attributable, baseEvent } from "./Base.ts"
import { Content } from "./ContentPart.ts"

/** Opens a tool call. */
export const ToolCallStartEvent = open("AguiToolCallStartEvent", {
  type: Schema.Literal("TOOL_CALL_START"),
  toolCallId: Schema.String,
  toolCallName: Schema.String,
  /** The assistant message that carries the call; absent, the call gets a message of its own. */
  parentMessageId: optional(Schema.String),
  ...baseEvent,
  ...attributable
})

/** Opens a tool call. */
export type ToolCallStartEvent = typeof ToolCallStartEvent.Type

/** Appends to the arguments, which are JSON text by convention; clients do not check it. */
export const ToolCallArgsEvent = open("AguiToolCallArgsEvent", {
  type: Schema.Literal("TOOL_CALL_ARGS"),
  toolCallId: Schema.String,
  delta: Schema.String,
  ...baseEvent,
  ...attributable
})

/** Appends to the arguments. */
export type ToolCallArgsEvent = typeof ToolCallArgsEvent.Type

/** Says that the arguments are complete. The result, if any, comes later and by itself. */
export const ToolCallEndEvent = open("AguiToolCallEndEvent", {
  type: Schema.Literal("TOOL_CALL_END"),
  toolCallId: Schema.String,
  ...baseEvent,
  ...attributable
})

/** Says that the arguments are complete. */
export type ToolCallEndEvent = typeof ToolCallEndEvent.Type

/** Stands for start, args and end. The first chunk of a call needs `toolCallId` and `toolCallName`. */
export const ToolCallChunkEvent = open("AguiToolCallChunkEvent", {
  type: Schema.Literal("TOOL_CALL_CHUNK"),
  toolCallId: optional(Schema.String),
  toolCallName: optional(Schema.String),
  parentMessageId: optional(Schema.String),
  delta: optional(Schema.String),
  ...baseEvent,
  ...attributable
})

/** Stands for start, args and end of a tool call. */
export type ToolCallChunkEvent = typeof ToolCallChunkEvent.Type

/**
 * What a tool gave back. It makes a message of its own, hence `messageId`. Never send it for a tool of the client: the
 * result suppresses the execution (§4.4).
 */
export const ToolCallResultEvent = open("AguiToolCallResultEvent", {
  type: Schema.Literal("TOOL_CALL_RESULT"),
  messageId: Schema.String,
  toolCallId: Schema.String,
  /** Parts are new in 1.0 and fatal at 0.0 clients. */
  content: Content,
  role: optional(Schema.Literal("tool")),
  ...baseEvent,
  ...attributable
})

/** What a tool gave back. */
export type ToolCallResultEvent = typeof ToolCallResultEvent.Type
