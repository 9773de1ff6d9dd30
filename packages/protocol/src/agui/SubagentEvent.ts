/**
 * The events of subagents. Here `subagentRunId` names the subagent itself; on all other
 * events it says who the event belongs to.
 */
import * as Schema from "effect/Schema"
import { open, optional } from "../wire/Open.ts"
import { baseEvent, NotNull } from "./Base.ts"
import { SubagentFinishedOutcome } from "./Interrupt.ts"

/** Announces an invocation of a subagent. An id is good for one invocation and cannot be used again in the run. */
export const SubagentStartedEvent = open("AguiSubagentStartedEvent", {
  type: Schema.Literal("SUBAGENT_STARTED"),
  subagentRunId: Schema.String,
  name: Schema.String,
  description: optional(Schema.String),
  /** The subagent that called this one; it must have been started in this run. */
  parentSubagentRunId: optional(Schema.String),
  parentToolCallId: optional(Schema.String),
  parentMessageId: optional(Schema.String),
  ...baseEvent
})

/** Announces an invocation of a subagent. */
export type SubagentStartedEvent = typeof SubagentStartedEvent.Type

/** Ends a subagent's part of the run. */
export const SubagentFinishedEvent = open("AguiSubagentFinishedEvent", {
  type: Schema.Literal("SUBAGENT_FINISHED"),
  subagentRunId: Schema.String,
  result: optional(NotNull),
  outcome: optional(SubagentFinishedOutcome),
  ...baseEvent
})

/** Ends a subagent's part of the run. */
export type SubagentFinishedEvent = typeof SubagentFinishedEvent.Type

/** Says that a subagent failed. The run may continue. */
export const SubagentErrorEvent = open("AguiSubagentErrorEvent", {
  type: Schema.Literal("SUBAGENT_ERROR"),
  subagentRunId: Schema.String,
  message: Schema.String,
  code: optional(Schema.String),
  ...baseEvent
})

/** Says that a subagent failed. */
export type SubagentErrorEvent = typeof SubagentErrorEvent.Type
