/**
 * The 31 events of AG-UI 1.0: a table by type, and their union.
 *
 * To decode, look the member up by `type` in {@link events}: errors then speak of that
 * member alone. The union is for types and for JSON Schema.
 */
import * as Schema from "effect/Schema"
import {
  ReasoningEncryptedValueEvent,
  ReasoningEndEvent,
  ReasoningMessageChunkEvent,
  ReasoningMessageContentEvent,
  ReasoningMessageEndEvent,
  ReasoningMessageStartEvent,
  ReasoningStartEvent
} from "./ReasoningEvent.ts"
import { RunErrorEvent, RunFinishedEvent, RunStartedEvent, StepFinishedEvent, StepStartedEvent } from "./RunEvent.ts"
import {
  ActivityDeltaEvent,
  ActivitySnapshotEvent,
  CustomEvent,
  MessagesSnapshotEvent,
  RawEvent,
  StateDeltaEvent,
  StateSnapshotEvent
} from "./StateEvent.ts"
import { SubagentErrorEvent, SubagentFinishedEvent, SubagentStartedEvent } from "./SubagentEvent.ts"
import {
  TextMessageChunkEvent,
  TextMessageContentEvent,
  TextMessageEndEvent,
  TextMessageStartEvent
} from "./TextEvent.ts"
import {
  ToolCallArgsEvent,
  ToolCallChunkEvent,
  ToolCallEndEvent,
  ToolCallResultEvent,
  ToolCallStartEvent
} from "./ToolCallEvent.ts"

/** The events by type. */
export const events = {
  TEXT_MESSAGE_START: TextMessageStartEvent,
  TEXT_MESSAGE_CONTENT: TextMessageContentEvent,
  TEXT_MESSAGE_END: TextMessageEndEvent,
  TEXT_MESSAGE_CHUNK: TextMessageChunkEvent,
  TOOL_CALL_START: ToolCallStartEvent,
  TOOL_CALL_ARGS: ToolCallArgsEvent,
  TOOL_CALL_END: ToolCallEndEvent,
  TOOL_CALL_CHUNK: ToolCallChunkEvent,
  TOOL_CALL_RESULT: ToolCallResultEvent,
  STATE_SNAPSHOT: StateSnapshotEvent,
  STATE_DELTA: StateDeltaEvent,
  MESSAGES_SNAPSHOT: MessagesSnapshotEvent,
  ACTIVITY_SNAPSHOT: ActivitySnapshotEvent,
  ACTIVITY_DELTA: ActivityDeltaEvent,
  RAW: RawEvent,
  CUSTOM: CustomEvent,
  RUN_STARTED: RunStartedEvent,
  RUN_FINISHED: RunFinishedEvent,
  RUN_ERROR: RunErrorEvent,
  STEP_STARTED: StepStartedEvent,
  STEP_FINISHED: StepFinishedEvent,
  REASONING_START: ReasoningStartEvent,
  REASONING_MESSAGE_START: ReasoningMessageStartEvent,
  REASONING_MESSAGE_CONTENT: ReasoningMessageContentEvent,
  REASONING_MESSAGE_END: ReasoningMessageEndEvent,
  REASONING_MESSAGE_CHUNK: ReasoningMessageChunkEvent,
  REASONING_END: ReasoningEndEvent,
  REASONING_ENCRYPTED_VALUE: ReasoningEncryptedValueEvent,
  SUBAGENT_STARTED: SubagentStartedEvent,
  SUBAGENT_FINISHED: SubagentFinishedEvent,
  SUBAGENT_ERROR: SubagentErrorEvent
}

/** The type of an event. */
export type EventType = keyof typeof events

/** Any event of AG-UI 1.0. */
export const AguiEvent = Schema.Union(Object.values(events)).annotate({ identifier: "AguiEvent" })

/** Any event of AG-UI 1.0. */
export type AguiEvent = (typeof events)[EventType]["Type"]

/** The event of one type, or of several. */
export type AguiEventOf<T extends EventType> = (typeof events)[T]["Type"]
