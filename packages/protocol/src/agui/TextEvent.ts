/**
 * The events of text messages.
 */
import * as Schema from "effect/Schema"
import { open, optional } from "../wire/Open.ts"
import { attributable, baseEvent } from "./Base.ts"

/** Who streamed text may be from. Tool results, activities and reasoning have events of their own. */
export const TextMessageRole = Schema.Literals(["developer", "system", "assistant", "user"])

/** Who streamed text may be from. */
export type TextMessageRole = typeof TextMessageRole.Type

/** Opens a text message. Fatal while a message of the same id is open. */
export const TextMessageStartEvent = open("AguiTextMessageStartEvent", {
  type: Schema.Literal("TEXT_MESSAGE_START"),
  messageId: Schema.String,
  /** Absent means `assistant`. */
  role: optional(TextMessageRole),
  name: optional(Schema.String),
  ...baseEvent,
  ...attributable
})

/** Opens a text message. */
export type TextMessageStartEvent = typeof TextMessageStartEvent.Type

/** Appends to an open text message. An empty `delta` is legal. */
export const TextMessageContentEvent = open("AguiTextMessageContentEvent", {
  type: Schema.Literal("TEXT_MESSAGE_CONTENT"),
  messageId: Schema.String,
  delta: Schema.String,
  ...baseEvent,
  ...attributable
})

/** Appends to an open text message. */
export type TextMessageContentEvent = typeof TextMessageContentEvent.Type

/** Closes a text message. */
export const TextMessageEndEvent = open("AguiTextMessageEndEvent", {
  type: Schema.Literal("TEXT_MESSAGE_END"),
  messageId: Schema.String,
  ...baseEvent,
  ...attributable
})

/** Closes a text message. */
export type TextMessageEndEvent = typeof TextMessageEndEvent.Type

/**
 * Stands for start, content and end. The first chunk of a message needs `messageId`; later ones may leave out what has
 * not changed. Chunks and the explicit events must not be mixed in one message.
 */
export const TextMessageChunkEvent = open("AguiTextMessageChunkEvent", {
  type: Schema.Literal("TEXT_MESSAGE_CHUNK"),
  messageId: optional(Schema.String),
  role: optional(TextMessageRole),
  delta: optional(Schema.String),
  name: optional(Schema.String),
  ...baseEvent,
  ...attributable
})

/** Stands for start, content and end of a text message. */
export type TextMessageChunkEvent = typeof TextMessageChunkEvent.Type
