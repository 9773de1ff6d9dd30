/**
 * What an agent says it can do. CopilotKit reads it from `/info`; AG-UI itself leaves open
 * how it is fetched. Everything is optional, and absent means "not said", not "no".
 */
import * as Schema from "effect/Schema"
import { JsonObject, open, optional } from "../wire/Open.ts"
import { Metadata } from "./Base.ts"
import { Tool } from "./RunInput.ts"

const flag = optional(Schema.Boolean)

/** Who the agent is. */
export const IdentityCapabilities = open("AguiIdentityCapabilities", {
  name: optional(Schema.String),
  /** The framework behind the agent. */
  type: optional(Schema.String),
  description: optional(Schema.String),
  version: optional(Schema.String),
  provider: optional(Schema.String),
  documentationUrl: optional(Schema.String),
  metadata: optional(Metadata)
})

/** Who the agent is. */
export type IdentityCapabilities = typeof IdentityCapabilities.Type

/** How the agent can be reached. */
export const TransportCapabilities = open("AguiTransportCapabilities", {
  streaming: flag,
  websocket: flag,
  /** The protobuf encoding. */
  httpBinary: flag,
  pushNotifications: flag,
  resumable: flag
})

/** How the agent can be reached. */
export type TransportCapabilities = typeof TransportCapabilities.Type

/** Which tools the agent calls. */
export const ToolsCapabilities = open("AguiToolsCapabilities", {
  supported: flag,
  /** The agent's own tools. */
  items: optional(Schema.Array(Tool)),
  parallelCalls: flag,
  /** Whether it calls the tools of `RunAgentInput.tools`. */
  clientProvided: flag
})

/** Which tools the agent calls. */
export type ToolsCapabilities = typeof ToolsCapabilities.Type

/** What the agent's answers look like. */
export const OutputCapabilities = open("AguiOutputCapabilities", {
  structuredOutput: flag,
  supportedMimeTypes: optional(Schema.Array(Schema.String))
})

/** What the agent's answers look like. */
export type OutputCapabilities = typeof OutputCapabilities.Type

/** What the agent does with state. */
export const StateCapabilities = open("AguiStateCapabilities", {
  snapshots: flag,
  deltas: flag,
  memory: flag,
  persistentState: flag
})

/** What the agent does with state. */
export type StateCapabilities = typeof StateCapabilities.Type

/** A subagent the agent can call on. */
export const SubagentInfo = open("AguiSubagentInfo", {
  name: Schema.String,
  description: optional(Schema.String)
})

/** A subagent the agent can call on. */
export type SubagentInfo = typeof SubagentInfo.Type

/** How the agent works with others. */
export const MultiAgentCapabilities = open("AguiMultiAgentCapabilities", {
  supported: flag,
  delegation: flag,
  handoffs: flag,
  /** 0.0 spells it `subAgents`. */
  subagents: optional(Schema.Array(SubagentInfo))
})

/** How the agent works with others. */
export type MultiAgentCapabilities = typeof MultiAgentCapabilities.Type

/** Whether the agent shows its reasoning. */
export const ReasoningCapabilities = open("AguiReasoningCapabilities", {
  supported: flag,
  streaming: flag,
  encrypted: flag
})

/** Whether the agent shows its reasoning. */
export type ReasoningCapabilities = typeof ReasoningCapabilities.Type

/** What the agent takes besides text. */
export const MultimodalInputCapabilities = open("AguiMultimodalInputCapabilities", {
  image: flag,
  audio: flag,
  video: flag,
  pdf: flag,
  file: flag
})

/** What the agent takes besides text. */
export type MultimodalInputCapabilities = typeof MultimodalInputCapabilities.Type

/** What the agent makes besides text. */
export const MultimodalOutputCapabilities = open("AguiMultimodalOutputCapabilities", {
  image: flag,
  audio: flag
})

/** What the agent makes besides text. */
export type MultimodalOutputCapabilities = typeof MultimodalOutputCapabilities.Type

/** What the agent takes and makes besides text. */
export const MultimodalCapabilities = open("AguiMultimodalCapabilities", {
  input: optional(MultimodalInputCapabilities),
  output: optional(MultimodalOutputCapabilities)
})

/** What the agent takes and makes besides text. */
export type MultimodalCapabilities = typeof MultimodalCapabilities.Type

/** How the agent executes, and its limits. */
export const ExecutionCapabilities = open("AguiExecutionCapabilities", {
  codeExecution: flag,
  sandboxed: flag,
  maxIterations: optional(Schema.Natural),
  /** Milliseconds. */
  maxExecutionTime: optional(Schema.Natural)
})

/** How the agent executes, and its limits. */
export type ExecutionCapabilities = typeof ExecutionCapabilities.Type

/** How a person takes part. */
export const HumanInTheLoopCapabilities = open("AguiHumanInTheLoopCapabilities", {
  supported: flag,
  approvals: flag,
  interventions: flag,
  feedback: flag,
  /** Whether runs may end with an `interrupt` outcome. */
  interrupts: flag,
  approveWithEdits: flag
})

/** How a person takes part. */
export type HumanInTheLoopCapabilities = typeof HumanInTheLoopCapabilities.Type

/** What an agent says it can do. */
export const AgentCapabilities = open("AguiAgentCapabilities", {
  identity: optional(IdentityCapabilities),
  transport: optional(TransportCapabilities),
  tools: optional(ToolsCapabilities),
  output: optional(OutputCapabilities),
  state: optional(StateCapabilities),
  multiAgent: optional(MultiAgentCapabilities),
  reasoning: optional(ReasoningCapabilities),
  multimodal: optional(MultimodalCapabilities),
  execution: optional(ExecutionCapabilities),
  humanInTheLoop: optional(HumanInTheLoopCapabilities),
  /** What the other groups have no place for. */
  custom: optional(JsonObject)
})

/** What an agent says it can do. */
export type AgentCapabilities = typeof AgentCapabilities.Type
