/**
 * A person's answer to an interrupt, as the `control_response` line Claude Code waits for.
 *
 * Applications answer in many shapes; the ones in use are read, with schemas. What is not understood allows
 * nothing: the tool is refused, and the model is told what was expected.
 */
import * as Result from "effect/Result"
import type { ResumeEntry } from "../agui/RunInput.ts"
import type { ControlSuccessResponse } from "../claude/Control.ts"
import type { ElicitationResponse } from "../claude/ControlAsk.ts"
import type { PermissionAllow, PermissionDeny } from "../claude/Permission.ts"
import { readChoices } from "./ChoiceAnswer.ts"
import { type Reading, readPermission, refusal } from "./Decision.ts"
import { readForm } from "./FormAnswer.ts"
import { choicesOf, isPermission, type PermissionQuestion, type Question } from "./Question.ts"

/** What a person decided. */
export type Verdict = "allow" | "deny" | "accept" | "decline" | "cancel"

/** The answer to one interrupt. */
export interface InterruptAnswer {
  readonly interruptId: string
  readonly verdict: Verdict
  /** Why the payload was not understood, when it was not. */
  readonly misunderstood?: string
  /** The line for the CLI. */
  readonly line: ControlSuccessResponse
}

/** What a caller may choose about answers. */
export interface AnswerOptions {
  /** Whether a tool that was neither allowed nor refused ends the turn. By default the model is told and goes on. */
  readonly interruptOnCancel?: boolean
}

type Response = PermissionAllow | PermissionDeny | ElicitationResponse

/** The answer that an entry of `resume` gives to a request. */
export const answerTo = (
  question: Question,
  { payload, status }: Pick<ResumeEntry, "status"> & { readonly payload?: unknown },
  options: AnswerOptions = {}
): InterruptAnswer => {
  const cancelled = dismissal(question, options)
  if (status === "cancelled") return answered(question, cancelled)
  const read = readPayload(question, payload)
  if (Result.isSuccess(read)) return answered(question, read.success)
  const why = `The user's answer was not understood, so nothing was allowed: ${read.failure}`
  // A form has no place for a reason, and nobody declined it.
  const response = isPermission(question) ? refusal({ reason: why }) : cancelled
  return { ...answered(question, response), misunderstood: read.failure }
}

const readPayload = (question: Question, payload: unknown): Reading<Response> => {
  const value = parsed(payload)
  if (!isPermission(question)) return readForm(question, value)
  const read = readTool(question, value)
  // Text that happens to be JSON may still be the answer to a question.
  return Result.isFailure(read) && value !== payload ? readTool(question, payload) : read
}

const readTool = (question: PermissionQuestion, payload: unknown): Reading<PermissionAllow | PermissionDeny> => {
  const choices = choicesOf(question)
  return choices === undefined ? readPermission(question, payload) : readChoices(question, choices, payload)
}

const dismissal = (question: Question, { interruptOnCancel = false }: AnswerOptions): Response =>
  isPermission(question)
    ? refusal({ reason: "The user dismissed the question without an answer.", interrupt: interruptOnCancel })
    : { action: "cancel" }

const answered = ({ request_id }: Question, response: Response): InterruptAnswer => ({
  interruptId: request_id,
  verdict: verdictOf(response),
  line: { type: "control_response", response: { subtype: "success", request_id, response } }
})

const verdictOf = (response: Response): Verdict => {
  if ("behavior" in response) return response.behavior
  return response.action === "accept" || response.action === "decline" ? response.action : "cancel"
}

/** Some applications answer with JSON in a string. */
const parsed = (payload: unknown): unknown =>
  typeof payload === "string" && /^\s*[{[]/.test(payload)
    ? Result.getOrElse(
        Result.try((): unknown => JSON.parse(payload)),
        () => payload
      )
    : payload
