/**
 * The request that starts a run: `RunAgentInput` and what it carries.
 */
import * as Schema from "effect/Schema"
import { open, optional } from "../wire/Open.ts"
import { Metadata, NotNull } from "./Base.ts"
import { Message } from "./Message.ts"

/** A tool the client offers. The agent may call it, and must end the run for the client to execute it (§4.4). */
export const Tool = open("AguiTool", {
  name: Schema.String,
  description: Schema.String,
  /** A JSON Schema, by convention only. */
  parameters: optional(NotNull),
  metadata: optional(Metadata)
})

/** A tool the client offers. */
export type Tool = typeof Tool.Type

/** Something the application wants the agent to know, apart from the conversation. */
export const Context = open("AguiContext", {
  description: Schema.String,
  /** Always text; applications put JSON in it. */
  value: Schema.String
})

/** Something the application wants the agent to know. */
export type Context = typeof Context.Type

/** The answer to one interrupt, on the run that continues from it. */
export const ResumeEntry = open("AguiResumeEntry", {
  interruptId: Schema.String,
  status: Schema.Literals(["resolved", "cancelled"]),
  payload: optional(NotNull),
  metadata: optional(Metadata)
})

/** The answer to one interrupt. */
export type ResumeEntry = typeof ResumeEntry.Type

/**
 * A request to run an agent; `RUN_STARTED.input` echoes it. A run that answers an interrupt
 * may carry the `runId` of the run it continues: CopilotKit re-uses it (§0 item 8).
 */
export const RunAgentInput = open("AguiRunAgentInput", {
  threadId: Schema.String,
  runId: Schema.String,
  /** Clients before 1.0 send none, which is how they are told apart: see `Dialect.ts`. */
  protocolVersion: optional(Schema.String),
  parentRunId: optional(Schema.String),
  /** Null is read as absent. */
  state: optional(Schema.Unknown),
  messages: Schema.Array(Message),
  /** Absent means none; 0.0 clients always send it. */
  tools: optional(Schema.Array(Tool)),
  /** Absent means none; 0.0 clients always send it. */
  context: optional(Schema.Array(Context)),
  forwardedProps: optional(NotNull),
  resume: optional(Schema.Array(ResumeEntry))
})

/** A request to run an agent. */
export type RunAgentInput = typeof RunAgentInput.Type
