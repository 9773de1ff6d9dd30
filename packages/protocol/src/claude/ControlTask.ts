/**
 * Control requests about background tasks: shell commands and sub-agents that outlive their tool call.
 */
import * as Schema from "effect/Schema"
import { open, optional } from "../wire/Open.ts"

/** Stops a task. An unknown id is an error on 2.1.113 and a success from 2.1.197. */
export const StopTaskRequest = open("StopTaskRequest", {
  subtype: Schema.Literal("stop_task"),
  task_id: Schema.String
})
/** Stops a task. */
export type StopTaskRequest = typeof StopTaskRequest.Type

/** Sends what runs in the foreground to the background: one tool use, or all. */
export const BackgroundTasksRequest = open("BackgroundTasksRequest", {
  subtype: Schema.Literal("background_tasks"),
  tool_use_id: optional(Schema.String)
})
/** Sends what runs in the foreground to the background. */
export type BackgroundTasksRequest = typeof BackgroundTasksRequest.Type

/** Whether the tool use was sent; `{}` when all were asked for. */
export const BackgroundTasksResponse = open("BackgroundTasksResponse", { backgrounded: optional(Schema.Boolean) })
/** Whether the tool use was sent to the background. */
export type BackgroundTasksResponse = typeof BackgroundTasksResponse.Type

/** Asks what a shell task has printed. */
export const GetTaskOutputRequest = open("GetTaskOutputRequest", {
  subtype: Schema.Literal("get_task_output"),
  task_id: Schema.String
})
/** Asks what a shell task has printed. */
export type GetTaskOutputRequest = typeof GetTaskOutputRequest.Type

/** What a shell task has printed so far. */
export const GetTaskOutputResponse = open("GetTaskOutputResponse", {
  output: Schema.String,
  total_bytes: Schema.Finite,
  truncated: Schema.Boolean
})
/** What a shell task has printed so far. */
export type GetTaskOutputResponse = typeof GetTaskOutputResponse.Type
