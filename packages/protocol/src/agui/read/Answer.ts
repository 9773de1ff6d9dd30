/**
 * A person's answer to an interrupt, as the model has it.
 *
 * Applications answer in many shapes; the ones in use are read, with schemas. What is not understood allows
 * nothing: the tool is refused, and the agent is told what was expected.
 */
import * as Result from "effect/Result"
import type { Answer, Question } from "../../model/Request.ts"
import { parseJson } from "../../wire/ReadJson.ts"
import type { ResumeEntry } from "../RunInput.ts"
import { readChoices } from "./ChoiceAnswer.ts"
import { type Reading, readPermission, refusal } from "./Decision.ts"
import { readForm } from "./FormAnswer.ts"

/** What an answer says. */
export interface ReadAnswer {
  readonly answer: Answer
  /** Why the payload was not understood, when it was not. */
  readonly misunderstood?: string
}

/** What an entry of `resume` answers to a request. */
export const readAnswer = (
  request: Question,
  { payload, status }: Pick<ResumeEntry, "status"> & { readonly payload?: unknown }
): ReadAnswer => {
  if (status === "cancelled") return { answer: { type: "dismissed" } }
  const read = readPayload(request, payload)
  if (Result.isSuccess(read)) return { answer: read.success }
  const reason = `The user's answer was not understood, so nothing was allowed: ${read.failure}`
  // A form has no room for a reason, and nobody declined it.
  const answer: Answer = request.kind === "form" ? { type: "dismissed" } : refusal({ reason })
  return { answer, misunderstood: read.failure }
}

const readPayload = (request: Question, payload: unknown): Reading<Answer> => {
  const value = parsed(payload)
  const read = readValue(request, value)
  // Text that happens to be JSON may still be the answer to a question.
  return Result.isFailure(read) && value !== payload && request.kind !== "form" ? readValue(request, payload) : read
}

const readValue = (request: Question, payload: unknown): Reading<Answer> => {
  switch (request.kind) {
    case "permission":
    case "plan":
      return readPermission(request, payload)
    case "choice":
      return readChoices(request, payload)
    case "form":
      return readForm(request, payload)
  }
}

/** Some applications answer with JSON in a string. */
const parsed = (payload: unknown): unknown =>
  typeof payload === "string" && /^\s*[{[]/.test(payload) ? (parseJson(payload) ?? payload) : payload
