/**
 * How a run or a subagent ends when it does not fail: the outcomes of `RUN_FINISHED` and
 * `SUBAGENT_FINISHED`, and the interrupts a run waits for.
 */
import * as Schema from "effect/Schema"
import { JsonObject, open, optional } from "../wire/Open.ts"
import { attributable, Metadata } from "./Base.ts"

/**
 * Something a run needs from outside before it can continue. A client with an open interrupt
 * refuses to start any run that does not answer it (§4.5), so send one only to an
 * application that can answer.
 */
export const Interrupt = open("AguiInterrupt", {
  id: Schema.String,
  /** Free text; `tool_call` by convention when `toolCallId` names the call to approve. */
  reason: Schema.String,
  message: optional(Schema.String),
  toolCallId: optional(Schema.String),
  /** The JSON Schema of the answer. */
  responseSchema: optional(JsonObject),
  /** An ISO 8601 time, after which clients refuse to answer. */
  expiresAt: optional(Schema.String),
  metadata: optional(Metadata),
  ...attributable
})

/** Something a run needs from outside before it can continue. */
export type Interrupt = typeof Interrupt.Type

/** The run is complete, which an absent outcome says too. */
export const RunFinishedSuccessOutcome = open("AguiRunFinishedSuccessOutcome", {
  type: Schema.Literal("success"),
  /** The frontend tool calls this run leaves for the application to answer, in order. Fatal at 0.0 clients. */
  pendingToolCallIds: optional(Schema.Array(Schema.String))
})

/** The run is complete. */
export type RunFinishedSuccessOutcome = typeof RunFinishedSuccessOutcome.Type

/** The run waits. A new run whose `resume` answers the interrupts continues it. */
export const RunFinishedInterruptOutcome = open("AguiRunFinishedInterruptOutcome", {
  type: Schema.Literal("interrupt"),
  interrupts: Schema.Array(Interrupt).check(Schema.isMinLength(1))
})

/** The run waits. */
export type RunFinishedInterruptOutcome = typeof RunFinishedInterruptOutcome.Type

/** The run was stopped and did not fail. Fatal at 0.0 clients. */
export const RunFinishedCancelledOutcome = open("AguiRunFinishedCancelledOutcome", {
  type: Schema.Literal("cancelled")
})

/** The run was stopped and did not fail. */
export type RunFinishedCancelledOutcome = typeof RunFinishedCancelledOutcome.Type

/** Why a run ended. The 1.0.0 client drops a type it does not know, and reads the run as a success. */
export const RunFinishedOutcome = Schema.Union([
  RunFinishedSuccessOutcome,
  RunFinishedInterruptOutcome,
  RunFinishedCancelledOutcome
]).annotate({ identifier: "AguiRunFinishedOutcome" })

/** Why a run ended. */
export type RunFinishedOutcome = typeof RunFinishedOutcome.Type

/** The subagent is done, which an absent outcome says too. */
export const SubagentFinishedSuccessOutcome = open("AguiSubagentFinishedSuccessOutcome", {
  type: Schema.Literal("success")
})

/** The subagent is done. */
export type SubagentFinishedSuccessOutcome = typeof SubagentFinishedSuccessOutcome.Type

/** The subagent waits for something outside; a later run may continue the same invocation. */
export const SubagentFinishedSuspendedOutcome = open("AguiSubagentFinishedSuspendedOutcome", {
  type: Schema.Literal("suspended"),
  interruptIds: optional(Schema.Array(Schema.String))
})

/** The subagent waits for something outside. */
export type SubagentFinishedSuspendedOutcome = typeof SubagentFinishedSuspendedOutcome.Type

/** Why a subagent's part of a run ended. */
export const SubagentFinishedOutcome = Schema.Union([
  SubagentFinishedSuccessOutcome,
  SubagentFinishedSuspendedOutcome
]).annotate({ identifier: "AguiSubagentFinishedOutcome" })

/** Why a subagent's part of a run ended. */
export type SubagentFinishedOutcome = typeof SubagentFinishedOutcome.Type
