/**
 * What becomes of a submission, given what its session does: it begins, waits, goes into the turn that is open, ends it, or
 * is refused.
 */
import * as Model from "@agentwire/protocol/model"
import type { Submission } from "./Session.ts"
import type { BusyMode } from "./SessionOptions.ts"

/** What becomes of a submission. */
export type SubmissionPlan = "begin" | "wait" | "steer" | "interrupt" | "refuse"

/** What a session does when something is submitted. */
export interface SessionDoing {
  /** What the agent has asked. */
  readonly waiting: ReadonlyArray<Model.Request>
  readonly isGoingBack: boolean
  readonly inTurn: boolean
  /** It is in a turn, and waits for nobody. */
  readonly isWorking: boolean
  /** The turn was asked to end. */
  readonly isStopping: boolean
  readonly isQueueEmpty: boolean
  /** The agent hears words in the middle of a turn. */
  readonly canSteer: boolean
  readonly busy: BusyMode
}

/** What becomes of a submission. */
export const planSubmission = (
  { answers, branch, prompt, results }: Pick<Submission, "answers" | "branch" | "prompt" | "results">,
  { busy, canSteer, inTurn, isGoingBack, isQueueEmpty, isStopping, isWorking, waiting }: SessionDoing
): SubmissionPlan => {
  const answered = new Set(answers.map(({ id }) => id))
  if (isGoingBack) return busy === "reject" ? "refuse" : "wait"
  if (!inTurn) return isQueueEmpty ? "begin" : "wait"
  // Whoever goes back has had the turn, and does not want it.
  if (branch !== undefined) return "interrupt"
  if (prompt === undefined) return answered.size + results.length > 0 || !isWorking ? "wait" : "refuse"
  if (isStopping) return "wait"
  const left = waiting.filter(({ id }) => !answered.has(id))
  const steers = busy === "steer" && canSteer && prompt.said.length > 0 && !Model.isSlashCommand(prompt.said)
  // The agent continues with the answers; then it is the prompt's turn.
  if (answered.size + results.length > 0 && left.length === 0) return steers ? "steer" : "wait"
  // The person said something else instead: do not wait for what the application was to do.
  if (left.length > 0 && left.every(({ kind }) => kind === "page_tool")) return "interrupt"
  return steers ? "steer" : plans[busy]
}

/** What becomes of a prompt on a busy thread that does not go into the turn. */
const plans: Readonly<Record<BusyMode, SubmissionPlan>> = {
  reject: "refuse",
  queue: "wait",
  steer: "wait",
  interrupt: "interrupt"
}
