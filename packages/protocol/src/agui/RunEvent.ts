/**
 * The events that begin and end runs and steps.
 */
import * as Schema from "effect/Schema"
import { open, optional } from "../wire/Open.ts"
import { attributable, baseEvent, NotNull } from "./Base.ts"
import { RunFinishedOutcome } from "./Interrupt.ts"
import { RunAgentInput } from "./RunInput.ts"
import { TokenUsage } from "./TokenUsage.ts"

/** Opens a run. Every stream begins with it, or with `RUN_ERROR`. */
export const RunStartedEvent = open("AguiRunStartedEvent", {
  type: Schema.Literal("RUN_STARTED"),
  threadId: Schema.String,
  runId: Schema.String,
  /** What the producer speaks: the spec wants it, clients accept its absence. */
  protocolVersion: optional(Schema.String),
  parentRunId: optional(Schema.String),
  /** The request, echoed. CopilotKit's history gets its user messages from here (§4.3). */
  input: optional(RunAgentInput),
  ...baseEvent
})

/** Opens a run. */
export type RunStartedEvent = typeof RunStartedEvent.Type

/** Closes a run that did not fail. Messages, calls, reasoning, steps and subagents must all be closed before it. */
export const RunFinishedEvent = open("AguiRunFinishedEvent", {
  type: Schema.Literal("RUN_FINISHED"),
  threadId: Schema.String,
  runId: Schema.String,
  result: optional(NotNull),
  outcome: optional(RunFinishedOutcome),
  usage: optional(Schema.Array(TokenUsage)),
  ...baseEvent
})

/** Closes a run that did not fail. */
export type RunFinishedEvent = typeof RunFinishedEvent.Type

/**
 * Ends a run that failed, whatever is still open. It names no run. CopilotKit shows nothing for it in the chat, and is
 * silent altogether when `code` is `abort` (§4.6).
 */
export const RunErrorEvent = open("AguiRunErrorEvent", {
  type: Schema.Literal("RUN_ERROR"),
  message: Schema.String,
  code: optional(Schema.String),
  usage: optional(Schema.Array(TokenUsage)),
  ...baseEvent
})

/** Ends a run that failed. */
export type RunErrorEvent = typeof RunErrorEvent.Type

/** Whether an event ends a run. */
export const endsRun = <E extends { readonly type?: unknown }>(
  event: E
): event is Extract<E, { readonly type: "RUN_FINISHED" | "RUN_ERROR" }> =>
  event.type === "RUN_FINISHED" || event.type === "RUN_ERROR"

/** Opens a step. Steps are told apart by name and subagent. */
export const StepStartedEvent = open("AguiStepStartedEvent", {
  type: Schema.Literal("STEP_STARTED"),
  stepName: Schema.String,
  ...baseEvent,
  ...attributable
})

/** Opens a step. */
export type StepStartedEvent = typeof StepStartedEvent.Type

/** Closes a step. Only who opened it may close it. */
export const StepFinishedEvent = open("AguiStepFinishedEvent", {
  type: Schema.Literal("STEP_FINISHED"),
  stepName: Schema.String,
  ...baseEvent,
  ...attributable
})

/** Closes a step. */
export type StepFinishedEvent = typeof StepFinishedEvent.Type
