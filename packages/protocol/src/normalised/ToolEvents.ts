/**
 * Calls and their results as normalised events: with what they are about, and in one line.
 */
import { callActions, inputOf, isFileRead, type ToolCall } from "../actions/Call.ts"
import type { CallAction } from "../actions/CallAction.ts"
import { unwrapShell } from "../actions/ShellActions.ts"
import { summarise } from "../actions/Summary.ts"
import type { EventOf } from "../model/Event.ts"
import type { OpenCall } from "./Cursor.ts"
import type { NormalisedEventOf } from "./Event.ts"

/** The first of some actions that has a value. */
const first = (
  actions: ReadonlyArray<CallAction>,
  pick: (action: CallAction) => string | undefined
): string | undefined => {
  for (const action of actions) {
    const value = pick(action)
    if (value !== undefined) return value
  }
  return undefined
}

const fileOf = (actions: ReadonlyArray<CallAction>) =>
  first(actions, (action) =>
    action.type === "read" || action.type === "write" || action.type === "edit" || action.type === "delete"
      ? action.path
      : undefined
  )

const looks = (action: CallAction) => action.type === "search" || action.type === "list"

/** What both events say of a call. */
const aboutOf = (actions: ReadonlyArray<CallAction>) => {
  const path = fileOf(actions)
  return {
    ...(path !== undefined && { file_path: path }),
    ...(isFileRead(actions) && { is_file_read: true })
  }
}

const isObject = (text: string): boolean => /^\s*\{/.test(text)

/** What is told when a call is made. */
export const startOf = (id: string, call: OpenCall): NormalisedEventOf<"tool_start">["data"] => {
  const actions = callActions(call)
  const input = inputOf(call)
  const command = call.action === "command" && typeof input["command"] === "string" ? input["command"] : undefined
  const pattern = first(actions, (action) => (looks(action) && "pattern" in action ? action.pattern : undefined))
  const place = first(actions, (action) => (looks(action) && "path" in action ? action.path : undefined))
  const agent = actions.find(({ type }) => type === "agent")
  return {
    tool_use_id: id,
    tool: call.tool,
    action: call.action,
    ...(isObject(call.arguments) && { input }),
    ...(command !== undefined && { command: unwrapShell(command) }),
    ...(pattern !== undefined && { pattern }),
    ...(place !== undefined && { search_path: place }),
    ...aboutOf(actions),
    summary: summarise(call),
    ...(agent?.type === "agent" && {
      subagent_spawn: true,
      subagent_name: agent.name ?? agent.task ?? "sub-agent"
    })
  }
}

/** What is told when a call has its result. */
export const resultOf = (
  { content, exitCode, failed, id }: EventOf<"call_answered">,
  call: OpenCall | undefined
): NormalisedEventOf<"tool_result">["data"] => {
  const known: ToolCall = call ?? { tool: "tool", arguments: "" }
  const denied = call?.denied === true && failed
  const outcome = { content, failed, denied, ...(exitCode !== undefined && { exitCode }) }
  return {
    tool_use_id: id,
    output: content,
    is_error: failed,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    ...aboutOf(callActions(known)),
    summary: summarise(known, outcome),
    ...(denied && { denied })
  }
}
