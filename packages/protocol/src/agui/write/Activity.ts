/**
 * Tasks as activities. The first thing a run says about a task is a snapshot, the rest are deltas: a client that joined
 * in this run has nothing a delta could apply to.
 */
import type { JsonObject } from "../../wire/Open.ts"
import type { Out, Writer } from "./Writer.ts"

/** The `activityType` of tasks. */
export const taskActivity = "task"

/** A task with all its content. */
export const showTask = (writer: Writer, id: string, content: JsonObject, out: Out): Writer => {
  out.push({ type: "ACTIVITY_SNAPSHOT", messageId: id, activityType: taskActivity, content })
  return { ...writer, tasks: new Set(writer.tasks).add(id) }
}

/** What changed about a task. */
export const changeTask = (writer: Writer, id: string, changes: JsonObject, out: Out): Writer => {
  const known = writer.situation.items.get(id)?.item
  if (known?.kind !== "task") return writer
  if (!writer.tasks.has(id)) return showTask(writer, id, { ...known.content, ...changes }, out)
  const patch = Object.entries(changes).map(([key, value]) => ({ op: "add" as const, path: `/${key}`, value }))
  if (patch.length > 0) out.push({ type: "ACTIVITY_DELTA", messageId: id, activityType: taskActivity, patch })
  return writer
}

/** A task is over: should its id come again, it is another one. */
export const forgetTask = (writer: Writer, id: string): Writer => {
  const tasks = new Set(writer.tasks)
  tasks.delete(id)
  return { ...writer, tasks }
}
