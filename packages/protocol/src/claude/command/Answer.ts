/**
 * The answer to a question, as the response that Claude Code waits for.
 *
 * An answer that does not fit its question allows nothing: the tool is refused, the form is cancelled.
 */
import type { Answer } from "../../model/Request.ts"
import { isRecord } from "../../wire/Json.ts"
import type { ElicitationResponse } from "../ControlAsk.ts"
import type { PermissionAllow, PermissionDeny } from "../Permission.ts"
import { type FormQuestion, isPage, isToolQuestion, type ToolQuestion, type WireQuestion } from "./Question.ts"
import { updatesOf } from "./Remember.ts"

/** What was decided, in a word. */
export type Verdict = "allow" | "deny" | "accept" | "decline" | "cancel"

const verdicts: Readonly<Record<Exclude<Answer["type"], "result">, Verdict>> = {
  allow: "allow",
  deny: "deny",
  chosen: "allow",
  filled: "accept",
  declined: "decline",
  dismissed: "cancel"
}

/** What an answer decides, in a word; undefined for the result of a tool, which decides nothing. */
export const verdictOf = ({ type }: Answer): Verdict | undefined => (type === "result" ? undefined : verdicts[type])

/** The response to a question. Put it into its envelope with `controlSuccess`. */
export const answerResponse = (
  message: WireQuestion,
  answer: Answer
): PermissionAllow | PermissionDeny | ElicitationResponse =>
  isToolQuestion(message) ? toolResponse(message, answer) : formResponse(message, answer)

const toolResponse = ({ request }: ToolQuestion, answer: Answer): PermissionAllow | PermissionDeny => {
  const input = isRecord(request.input) ? request.input : {}
  switch (answer.type) {
    case "allow": {
      const updatedPermissions = updatesOf(request, answer.remember ?? [])
      return {
        behavior: "allow",
        // Never absent: versions before 2.1.325 make a tool error of that (§5.32).
        updatedInput: answer.input ?? input,
        ...(updatedPermissions.length > 0 && { updatedPermissions })
      }
    }
    case "chosen":
      // AskUserQuestion reads the answers from its input (§5.34); any other tool would run with an input nobody saw.
      return request.tool_name === "AskUserQuestion"
        ? { behavior: "allow", updatedInput: { ...input, answers: answer.answers } }
        : refused(unfit)
    case "deny":
      return { ...refused(answer.reason), ...(answer.interrupt === true && { interrupt: true }) }
    case "declined":
      return refused("The user refused this.")
    case "dismissed":
      return refused("The user dismissed the question without an answer.")
    default:
      return refused(unfit)
  }
}

const unfit = "The answer does not fit the question, so nothing was allowed."

const refused = (message: string): PermissionDeny => ({ behavior: "deny", message })

const formResponse = ({ request }: FormQuestion, answer: Answer): ElicitationResponse => {
  switch (answer.type) {
    case "filled":
      return isPage(request) ? { action: "accept" } : { action: "accept", content: answer.content }
    case "declined":
      return { action: "decline" }
    // A refusal that no person made is not a decline: MCP has `cancel` for a form that nobody answered.
    default:
      return { action: "cancel" }
  }
}
