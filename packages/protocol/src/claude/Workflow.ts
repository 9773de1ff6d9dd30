/**
 * The progress of a workflow: the phases and agents of its script, as `task_progress` and `task_notification` list
 * them. Unlike the rest of the wire, the fields are in camel case.
 */
import * as Schema from "effect/Schema"
import { known, open, optional, variants } from "../wire/Open.ts"

/** A phase of the script (2.1.325; recorded). */
export const WorkflowPhase = open("WorkflowPhase", {
  type: Schema.Literal("workflow_phase"),
  /** From 1. */
  index: Schema.Finite,
  title: Schema.String,
  /** `child` for a workflow that the script runs. */
  kind: optional(known("child"))
})

/** A phase of the script. */
export type WorkflowPhase = typeof WorkflowPhase.Type

/** An agent of the script (2.1.325; recorded in the states `start` and `done`). Times are milliseconds since 1970. */
export const WorkflowAgent = open("WorkflowAgent", {
  type: Schema.Literal("workflow_agent"),
  /** From 1, over all phases. */
  index: Schema.Finite,
  label: Schema.String,
  /** `start` while it waits in the queue too: `startedAt` is absent then. */
  state: known("start", "progress", "done", "error"),
  phaseIndex: optional(Schema.Finite),
  phaseTitle: optional(Schema.String),
  agentId: optional(Schema.String),
  agentType: optional(Schema.String),
  isolation: optional(known("worktree", "remote")),
  remoteSessionId: optional(Schema.String),
  model: optional(Schema.String),
  fallbackModel: optional(Schema.String),
  tokens: optional(Schema.Finite),
  toolCalls: optional(Schema.Finite),
  durationMs: optional(Schema.Finite),
  error: optional(Schema.String),
  queuedAt: optional(Schema.Finite),
  startedAt: optional(Schema.Finite),
  lastProgressAt: optional(Schema.Finite),
  attempt: optional(Schema.Finite),
  lastAttemptReason: optional(known("stalled", "throttled", "user-retry")),
  skipped: optional(Schema.Boolean),
  blocked: optional(Schema.Boolean),
  /** The run ended before the agent did. */
  endedWithRun: optional(known("completed", "failed", "stopped")),
  /** The result is that of an earlier run. */
  cached: optional(Schema.Boolean),
  lastToolName: optional(Schema.String),
  lastToolSummary: optional(Schema.String),
  resultPreview: optional(Schema.String),
  promptPreview: optional(Schema.String),
  promptFramed: optional(Schema.Boolean)
})

/** An agent of the script. */
export type WorkflowAgent = typeof WorkflowAgent.Type

/** A line the script logged. 2.1.325 has it among the others, but leaves it out of what it sends (not recorded). */
export const WorkflowLog = open("WorkflowLog", {
  type: Schema.Literal("workflow_log"),
  message: Schema.String
})

/** A line the script logged. */
export type WorkflowLog = typeof WorkflowLog.Type

/** A row of the progress of a workflow. */
export const WorkflowProgress = variants("WorkflowProgress", "type", [WorkflowPhase, WorkflowAgent, WorkflowLog])

/** A row of the progress of a workflow. */
export type WorkflowProgress = typeof WorkflowProgress.Type
