/**
 * Tasks: a sub-agent, a shell or a workflow that runs for a while is an item whose content changes.
 */
import { withEntry, withoutEntry } from "../../model/Situation.ts"
import type { MessageOf } from "../Message.ts"
import type { Out } from "./Block.ts"
import { fieldsIn, textIn } from "./Fields.ts"
import type { FoldState } from "./State.ts"

/** The id of a task's item. */
export const taskId = (task: string): string => `task:${task}`

/** A task started. */
export const taskStarted = (state: FoldState, message: MessageOf<"system/task_started">, out: Out): FoldState =>
  show(
    state,
    textIn(message.task_id),
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
export const taskProgress = (state: FoldState, message: MessageOf<"system/task_progress">, out: Out): FoldState =>
  show(
    state,
    textIn(message.task_id),
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
export const taskUpdated = (state: FoldState, message: MessageOf<"system/task_updated">, out: Out): FoldState => {
  const patch = fieldsIn(message.patch)
  return show(
    state,
    textIn(message.task_id),
    {
      status: patch["status"],
      description: patch["description"],
      error: patch["error"],
      background: patch["is_backgrounded"]
    },
    out
  )
}

/** A task ended: its item has its last content, and is forgotten here. */
export const taskEnded = (state: FoldState, message: MessageOf<"system/task_notification">, out: Out): FoldState => {
  const shown = show(
    state,
    textIn(message.task_id),
    { status: message.status, summary: message.summary, usage: message.usage },
    out
  )
  // An odd line may lack the id, and then nobody can tell which task has ended.
  if (textIn(message.task_id) === undefined) return shown
  out.push({ type: "item_ended", lane: null, id: taskId(message.task_id) })
  return { ...shown, tasks: withoutEntry(shown.tasks, message.task_id) }
}

/** Ends all tasks: nobody will report on them any more. */
export const endTasks = ({ tasks }: FoldState, out: Out): void => {
  for (const [id, { begun }] of tasks) if (begun) out.push({ type: "item_ended", lane: null, id: taskId(id) })
}

const show = (
  state: FoldState,
  id: string | undefined,
  news: Readonly<Record<string, unknown>>,
  out: Out
): FoldState => {
  if (id === undefined) return state
  const known = state.tasks.get(id)
  const changes = Object.fromEntries(
    Object.entries(news).filter(([key, value]) => isTold(value) && value !== known?.content[key])
  )
  const content = { ...(known?.content ?? { taskId: id }), ...changes }
  if (known?.begun !== true)
    out.push({ type: "item_started", lane: null, id: taskId(id), item: { kind: "task", content } })
  else if (Object.keys(changes).length > 0)
    out.push({ type: "item_changed", lane: null, id: taskId(id), content: changes })
  return { ...state, tasks: withEntry(state.tasks, id, { content, begun: true }) }
}

const isTold = (value: unknown): boolean => value !== undefined && value !== null
