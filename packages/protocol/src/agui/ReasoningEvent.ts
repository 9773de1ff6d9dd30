/**
 * The events of reasoning. 1.0 clients end the run when a span or a message is left open,
 * or gets content before its start; 0.0 clients do not look.
 */
import * as Schema from "effect/Schema"
import { open, optional } from "../wire/Open.ts"
import { attributable, baseEvent } from "./Base.ts"

/** Opens a span of reasoning, which may hold several reasoning messages. */
export const ReasoningStartEvent = open("AguiReasoningStartEvent", {
  type: Schema.Literal("REASONING_START"),
  messageId: Schema.String,
  ...baseEvent,
  ...attributable
})

/** Opens a span of reasoning. */
export type ReasoningStartEvent = typeof ReasoningStartEvent.Type

/** Opens a reasoning message. `role` is required, unlike on the other events. */
export const ReasoningMessageStartEvent = open("AguiReasoningMessageStartEvent", {
  type: Schema.Literal("REASONING_MESSAGE_START"),
  messageId: Schema.String,
  role: Schema.Literal("reasoning"),
  ...baseEvent,
  ...attributable
})

/** Opens a reasoning message. */
export type ReasoningMessageStartEvent = typeof ReasoningMessageStartEvent.Type

/** Appends to an open reasoning message. */
export const ReasoningMessageContentEvent = open("AguiReasoningMessageContentEvent", {
  type: Schema.Literal("REASONING_MESSAGE_CONTENT"),
  messageId: Schema.String,
  delta: Schema.String,
  ...baseEvent,
  ...attributable
})

/** Appends to an open reasoning message. */
export type ReasoningMessageContentEvent = typeof ReasoningMessageContentEvent.Type

/** Closes a reasoning message. */
export const ReasoningMessageEndEvent = open("AguiReasoningMessageEndEvent", {
  type: Schema.Literal("REASONING_MESSAGE_END"),
  messageId: Schema.String,
  ...baseEvent,
  ...attributable
})

/** Closes a reasoning message. */
export type ReasoningMessageEndEvent = typeof ReasoningMessageEndEvent.Type

/** Stands for start, content and end. The first chunk of a message needs `messageId`. */
export const ReasoningMessageChunkEvent = open("AguiReasoningMessageChunkEvent", {
  type: Schema.Literal("REASONING_MESSAGE_CHUNK"),
  messageId: optional(Schema.String),
  delta: optional(Schema.String),
  ...baseEvent,
  ...attributable
})

/** Stands for start, content and end of a reasoning message. */
export type ReasoningMessageChunkEvent = typeof ReasoningMessageChunkEvent.Type

/** Closes a span of reasoning. */
export const ReasoningEndEvent = open("AguiReasoningEndEvent", {
  type: Schema.Literal("REASONING_END"),
  messageId: Schema.String,
  ...baseEvent,
  ...attributable
})

/** Closes a span of reasoning. */
export type ReasoningEndEvent = typeof ReasoningEndEvent.Type

/** A provider's sealed reasoning, which clients store and give back unread. */
export const ReasoningEncryptedValueEvent = open("AguiReasoningEncryptedValueEvent", {
  type: Schema.Literal("REASONING_ENCRYPTED_VALUE"),
  /** What `entityId` names. */
  subtype: Schema.Literals(["tool-call", "message"]),
  entityId: Schema.String,
  encryptedValue: Schema.String,
  ...baseEvent,
  ...attributable
})

/** A provider's sealed reasoning. */
export type ReasoningEncryptedValueEvent = typeof ReasoningEncryptedValueEvent.Type
