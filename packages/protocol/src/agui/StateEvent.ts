/**
 * The events that set state, messages and activities, and the two that carry what AG-UI
 * has no event for.
 */
import * as Schema from "effect/Schema"
import { JsonObject, open, optional } from "../wire/Open.ts"
import { attributable, baseEvent } from "./Base.ts"
import { JsonPatch } from "./JsonPatch.ts"
import { Message } from "./Message.ts"

/** Replaces the agent's state with any JSON value, null included. */
export const StateSnapshotEvent = open("AguiStateSnapshotEvent", {
  type: Schema.Literal("STATE_SNAPSHOT"),
  snapshot: Schema.Unknown,
  ...baseEvent,
  ...attributable
})

/** Replaces the agent's state. */
export type StateSnapshotEvent = typeof StateSnapshotEvent.Type

/** Changes the agent's state. Clients warn, and continue, when the patch does not apply. */
export const StateDeltaEvent = open("AguiStateDeltaEvent", {
  type: Schema.Literal("STATE_DELTA"),
  delta: JsonPatch,
  ...baseEvent,
  ...attributable
})

/** Changes the agent's state. */
export type StateDeltaEvent = typeof StateDeltaEvent.Type

/** All messages of the conversation, in order. Sent while a message is open, the rest of that message is lost (§2.4). */
export const MessagesSnapshotEvent = open("AguiMessagesSnapshotEvent", {
  type: Schema.Literal("MESSAGES_SNAPSHOT"),
  messages: Schema.Array(Message),
  ...baseEvent
})

/** All messages of the conversation. */
export type MessagesSnapshotEvent = typeof MessagesSnapshotEvent.Type

/** Progress that is not conversation. Its `messageId` must not be that of a text message: it would replace it (§2.4). */
export const ActivitySnapshotEvent = open("AguiActivitySnapshotEvent", {
  type: Schema.Literal("ACTIVITY_SNAPSHOT"),
  messageId: Schema.String,
  activityType: Schema.String,
  content: JsonObject,
  /** Whether it replaces an activity of the same id; absent means it does. */
  replace: optional(Schema.Boolean),
  ...baseEvent,
  ...attributable
})

/** Progress that is not conversation. */
export type ActivitySnapshotEvent = typeof ActivitySnapshotEvent.Type

/** Changes the content of an activity. Ignored when there is none of that id. */
export const ActivityDeltaEvent = open("AguiActivityDeltaEvent", {
  type: Schema.Literal("ACTIVITY_DELTA"),
  messageId: Schema.String,
  activityType: Schema.String,
  patch: JsonPatch,
  ...baseEvent,
  ...attributable
})

/** Changes the content of an activity. */
export type ActivityDeltaEvent = typeof ActivityDeltaEvent.Type

/** An event of the provider, passed on as it is. */
export const RawEvent = open("AguiRawEvent", {
  type: Schema.Literal("RAW"),
  event: Schema.Unknown,
  source: optional(Schema.String),
  ...baseEvent,
  ...attributable
})

/** An event of the provider, passed on as it is. */
export type RawEvent = typeof RawEvent.Type

/** An event of the application's own. `value` is required, and may be null: leaving it out is fatal at 1.0 clients. */
export const CustomEvent = open("AguiCustomEvent", {
  type: Schema.Literal("CUSTOM"),
  name: Schema.String,
  value: Schema.Unknown,
  ...baseEvent,
  ...attributable
})

/** An event of the application's own. */
export type CustomEvent = typeof CustomEvent.Type
