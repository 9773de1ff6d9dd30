/**
 * The plan of a turn: a task whose content is the list of steps, each with its status. The server says all of it every
 * time.
 */
import { withEntry } from "../../model/Situation.ts"
import { textIn } from "../../wire/Fields.ts"
import type { MessageOf } from "../Message.ts"
import { type FoldState, laneOf, type Out, turnId } from "./State.ts"

/** The steps of a turn, all of them. */
export const planUpdated = (
  state: FoldState,
  thread: string,
  { explanation, plan, turnId: turn }: MessageOf<"turn/plan/updated">["params"],
  out: Out
): FoldState => {
  const lane = laneOf(state, thread)
  const content = {
    type: "plan",
    status: plan.every(({ status }) => status === "completed") ? "completed" : "running",
    explanation: textIn(explanation) ?? null,
    steps: plan.map(({ status, step }) => ({ step, status: textIn(status) ?? "pending" }))
  }
  const known = state.plans.get(thread)
  if (known !== undefined) {
    out.push({ type: "item_changed", lane, id: known, content })
    return state
  }
  const id = `plan:${textIn(turn) ?? turnId(state) ?? thread}`
  out.push({ type: "item_started", lane, id, item: { kind: "task", content } })
  return { ...state, plans: withEntry(state.plans, thread, id) }
}
