/** The steps of a turn, as `turn/plan/updated` says them: all of them, every time. */
import type { TurnPlanStep, TurnPlanStepStatus } from "../codex/generated/Turn.ts"
import { fieldsIn, listIn, textIn } from "../wire/Fields.ts"
import type { OpenTurn } from "./Cursor.ts"
import { type Draft, tell } from "./Draft.ts"

/** How a step stands, in the words of both runtimes. */
const statuses: Readonly<Record<string, TurnPlanStepStatus>> = {
  pending: "pending",
  in_progress: "inProgress",
  inProgress: "inProgress",
  completed: "completed"
}

/** Tells the steps of a turn: a list of `{step, status}`, and why they are so. */
export const tellSteps = (
  draft: Draft,
  { thread, turn }: OpenTurn,
  { explanation, steps }: { readonly explanation?: unknown; readonly steps: unknown }
): void =>
  tell(draft, "turn/plan/updated", {
    threadId: thread,
    turnId: turn,
    explanation: textIn(explanation) ?? null,
    plan: listIn(steps).flatMap((each): ReadonlyArray<TurnPlanStep> => {
      const { status, step } = fieldsIn(each)
      return typeof step === "string" ? [{ step, status: statuses[textIn(status) ?? ""] ?? "pending" }] : []
    })
  })
