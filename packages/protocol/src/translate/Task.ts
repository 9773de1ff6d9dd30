/**
 * Tasks as activities: a sub-agent, a shell or a workflow that runs for a while has an activity message that shows
 * how it goes. The first that a run says about a task is a snapshot, the rest are deltas: a client that joined in
 * this run has nothing a delta could apply to.
 */
import type { MessageOf } from "../claude/Message.ts"
import type { Out } from "./Block.ts"
import { put, type State, without } from "./State.ts"

/** The `activityType` of tasks. */
export const taskActivity = "task"

/** The id of a task's activity message. */
export const taskId = (task: string): string => `task:${task}`

/** A task started. */
export const taskStarted = (state: State, message: MessageOf<"system/task_started">, out: Out): State =>
  show(
    state,
    message.task_id,
    {
      status: "running",
      type: message.task_type,
      description: message.description,
      toolCallId: message.tool_use_id,
      subagentType: message.subagent_type,
      background: message.is_backgrounded,
      parentTaskId: message.parent_task_id
    },
    out
  )

/** What a task does now. */
export const taskProgress = (state: State, message: MessageOf<"system/task_progress">, out: Out): State =>
  show(
    state,
    message.task_id,
    {
      description: message.description,
      toolCallId: message.tool_use_id,
      subagentType: message.subagent_type,
      lastTool: message.last_tool_name,
      summary: message.summary,
      usage: message.usage,
      workflow: message.workflow_progress
    },
    out
  )

/** Something about a task changed. */
export const taskUpdated = (state: State, message: MessageOf<"system/task_updated">, out: Out): State =>
  show(
    state,
    message.task_id,
    {
      status: message.patch.status,
      description: message.patch.description,
      error: message.patch.error,
      background: message.patch.is_backgrounded
    },
    out
  )

/** A task ended: its activity has its last state, and is forgotten here. */
export const taskEnded = (state: State, message: MessageOf<"system/task_notification">, out: Out): State => {
  const shown = show(
    state,
    message.task_id,
    { status: message.status, toolCallId: message.tool_use_id, summary: message.summary, usage: message.usage },
    out
  )
  return { ...shown, tasks: without(shown.tasks, message.task_id) }
}

const show = (state: State, id: string, news: Readonly<Record<string, unknown>>, out: Out): State => {
  const run = state.run?.ordinal ?? 0
  const known = state.tasks.get(id)
  const changes = Object.entries(news).filter(([key, value]) => value !== undefined && value !== known?.content[key])
  const content = { ...(known?.content ?? { taskId: id }), ...Object.fromEntries(changes) }
  const message = { messageId: taskId(id), activityType: taskActivity }
  if (known?.run !== run) out.push({ type: "ACTIVITY_SNAPSHOT", ...message, content })
  else if (changes.length > 0)
    out.push({
      type: "ACTIVITY_DELTA",
      ...message,
      patch: changes.map(([key, value]) => ({ op: "add" as const, path: `/${key}`, value }))
    })
  return { ...state, tasks: put(state.tasks, id, { content, run }) }
}
