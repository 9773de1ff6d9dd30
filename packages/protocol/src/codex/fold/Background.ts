/**
 * Commands that outlive their turn, as tasks: what they put out and how they end is still told.
 */
import { withoutEntry } from "../../model/Situation.ts"
import type { JsonObject } from "../../wire/Open.ts"
import { callKinds, type WireItem } from "./CallTable.ts"
import { type Call, type FoldState, laneOf, type Out, remembered } from "./State.ts"

/** The id of the item of a command that runs on its own. */
export const taskId = (call: string): string => `task:${call}`

/** A command continues on its own. */
export const startTask = (state: FoldState, { id, input, thread }: Call, out: Out): void => {
  out.push({
    type: "item_started",
    lane: laneOf(state, thread),
    id: taskId(id),
    item: {
      kind: "task",
      content: { status: "running", type: "command", toolCallId: id, description: input?.["command"] ?? "" }
    }
  })
}

/** A command that ran on its own is over, or nobody will hear of its end. */
export const endTask = (state: FoldState, id: string, content: JsonObject, out: Out): FoldState => {
  const command = state.background.get(id)
  if (command === undefined) return state
  const lane = laneOf(state, command.thread)
  if (Object.keys(content).length > 0) out.push({ type: "item_changed", lane, id: taskId(id), content })
  out.push({ type: "item_ended", lane, id: taskId(id) })
  return { ...state, background: withoutEntry(state.background, id), complete: remembered(state.complete, id) }
}

/** The item of a command that outlived its turn is complete. */
export const backgroundCompleted = (state: FoldState, item: WireItem, id: string, out: Out): FoldState => {
  const result = callKinds["commandExecution"]?.result(item, state.background.get(id)?.output ?? "")
  return endTask(
    state,
    id,
    {
      status: result?.failed === true ? "failed" : "completed",
      output: result?.content ?? "",
      ...(result?.exitCode !== undefined && { exitCode: result.exitCode })
    },
    out
  )
}

/** Ends all of them: the process that ran them is gone. */
export const endTasks = (state: FoldState, out: Out): FoldState =>
  [...state.background.keys()].reduce((next, id) => endTask(next, id, { status: "stopped" }, out), state)
