/**
 * Tasks: sub-agents, shells and workflows that run beside or below the main thread.
 *
 * Not every task is a sub-agent: a Bash call of more than about three seconds is one too. `task_id` of a
 * sub-agent is the `agent_id` of its permission requests (docs/wire/claude-code.md §5.21, §5.22, §5.36, §5.37).
 */
import * as Schema from "effect/Schema"
import { JsonObject, known, open, optional } from "../wire/Open.ts"
import { McpResourceLink, systemEnvelope } from "./Envelope.ts"
import { WorkflowProgress } from "./Workflow.ts"

/** What a task has used so far. */
export const TaskUsage = open("TaskUsage", {
  total_tokens: Schema.Finite,
  tool_uses: Schema.Finite,
  duration_ms: Schema.Finite
})

/** What a task has used so far. */
export type TaskUsage = typeof TaskUsage.Type

const task = {
  task_id: Schema.String,
  /** One run of the task: a resumed task keeps its `task_id` and gets a new one (2.1.325). */
  run_id: optional(Schema.String)
} as const

/** A task started. 2.1.37 sends only the notification at the end. */
export const SystemTaskStarted = open("SystemTaskStarted", {
  ...systemEnvelope("task_started"),
  ...task,
  /** The call that started it. */
  tool_use_id: optional(Schema.String),
  description: Schema.String,
  /** `local_bash`, `local_agent` … */
  task_type: optional(Schema.String),
  subagent_type: optional(Schema.String),
  is_backgrounded: optional(Schema.Boolean),
  awaited: optional(Schema.Boolean),
  spawn_depth: optional(Schema.Finite),
  parent_task_id: optional(Schema.String),
  owned_by_subagent: optional(Schema.Boolean),
  workflow_name: optional(Schema.String),
  prompt: optional(Schema.String),
  skip_transcript: optional(Schema.Boolean),
  ambient: optional(Schema.Boolean)
})

/** A task started. */
export type SystemTaskStarted = typeof SystemTaskStarted.Type

/** Something about a task changed: `patch` has the new values only. */
export const SystemTaskUpdated = open("SystemTaskUpdated", {
  ...systemEnvelope("task_updated"),
  ...task,
  patch: open("TaskPatch", {
    status: optional(known("pending", "running", "completed", "failed", "killed", "paused")),
    description: optional(Schema.String),
    /** Milliseconds since 1970. */
    end_time: optional(Schema.Finite),
    total_paused_ms: optional(Schema.Finite),
    error: optional(Schema.String),
    is_backgrounded: optional(Schema.Boolean)
  })
})

/** Something about a task changed. */
export type SystemTaskUpdated = typeof SystemTaskUpdated.Type

/** What a sub-agent does now. It can come before the message that announces the tool (fact 5). */
export const SystemTaskProgress = open("SystemTaskProgress", {
  ...systemEnvelope("task_progress"),
  ...task,
  tool_use_id: optional(Schema.String),
  description: Schema.String,
  subagent_type: optional(Schema.String),
  usage: TaskUsage,
  last_tool_name: optional(Schema.String),
  summary: optional(Schema.String),
  /** Of a workflow: all its phases and agents, each time. Mere progress of agents sends it every 10 s (2.1.325). */
  workflow_progress: optional(Schema.Array(WorkflowProgress)),
  /** The workflow waits for a usage limit to reset (2.1.325; from its code, not recorded). */
  usage_limit_wait: optional(open({ resets_at: optional(Schema.Finite) })),
  /** Nothing new: a sign of life (2.1.325; from its code, not recorded). */
  resent: optional(Schema.Boolean)
})

/** What a sub-agent does now. */
export type SystemTaskProgress = typeof SystemTaskProgress.Type

/** A task ended. A background task's end then starts a turn without a prompt. */
export const SystemTaskNotification = open("SystemTaskNotification", {
  ...systemEnvelope("task_notification"),
  ...task,
  /** Absent on 2.1.37. */
  tool_use_id: optional(Schema.String),
  status: known("completed", "failed", "stopped"),
  reason: optional(known("worker_restart")),
  /** May be `""`. */
  output_file: Schema.String,
  summary: Schema.String,
  usage: optional(TaskUsage),
  resource_links: optional(Schema.Array(McpResourceLink)),
  handback: optional(known("send", "flagged", "withheld")),
  handback_report: optional(open({ text: Schema.String, warning: optional(Schema.String) })),
  /** Of an MCP task: the result of the call, with `content` (2.1.325; from its code, not recorded). */
  result: optional(JsonObject),
  /** Of a workflow (2.1.325; from its code, not recorded). */
  workflow_progress: optional(Schema.Array(WorkflowProgress)),
  /** How many rows were too many to send. */
  workflow_progress_omitted: optional(Schema.Finite),
  skip_transcript: optional(Schema.Boolean),
  ambient: optional(Schema.Boolean)
})

/** A task ended. */
export type SystemTaskNotification = typeof SystemTaskNotification.Type

/** A task that runs in the background. */
export const BackgroundTask = open("BackgroundTask", {
  ...task,
  task_type: Schema.String,
  description: Schema.String,
  subagent_type: optional(Schema.String),
  parent_task_id: optional(Schema.String),
  ambient: optional(Schema.Boolean),
  awaited: optional(Schema.Boolean),
  off_host: optional(Schema.Boolean)
})

/** A task that runs in the background. */
export type BackgroundTask = typeof BackgroundTask.Type

/** All tasks that run in the background now: the whole list each time (2.1.325). */
export const SystemBackgroundTasksChanged = open("SystemBackgroundTasksChanged", {
  ...systemEnvelope("background_tasks_changed"),
  tasks: Schema.Array(BackgroundTask)
})

/** All tasks that run in the background now. */
export type SystemBackgroundTasksChanged = typeof SystemBackgroundTasksChanged.Type
