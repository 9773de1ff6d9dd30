/**
 * The answer to a question, as the result that Codex waits for.
 *
 * An answer that does not fit its question allows nothing. Codex refuses in silence what it cannot read (§1), so each
 * method has its own words here.
 */
import type { Answer } from "../../model/Request.ts"
import { fieldsIn } from "../../wire/Fields.ts"
import type { JsonObject } from "../../wire/Open.ts"
import type { MessageOf, ResultOf } from "../Message.ts"
import { isToolApproval, subjectOf } from "./Question.ts"
import { rememberedBy } from "./Remember.ts"
import { dynamicToolResult } from "./ToolResult.ts"
import type { QuestionMethod, WireQuestion } from "./WireQuestion.ts"

/** What answers a question. */
export type QuestionResult = { readonly [M in QuestionMethod]: ResultOf<M> }[QuestionMethod]

/** What an answer comes to, for all questions that are about leave to do something. */
type Decision = "once" | "session" | "decline" | "cancel" | { readonly suggestion: unknown }

/** The result of the request that a question is. */
export const answerOf = (message: WireQuestion, answer: Answer): QuestionResult => {
  switch (message.method) {
    case "item/tool/call":
      return dynamicToolResult(answer)
    case "item/tool/requestUserInput":
      return chosen(message, answer)
    case "mcpServer/elicitation/request":
      return isToolApproval(message) ? toolApproval(message, answer) : filled(message, answer)
    case "item/permissions/requestApproval":
      return granted(message, decisionOf(message, answer))
    case "execCommandApproval":
    case "applyPatchApproval":
      return { decision: legacyDecision(nameOf(decisionOf(message, answer)), answer) }
    case "item/commandExecution/requestApproval": {
      const decision = decisionOf(message, answer)
      return typeof decision === "object"
        ? { decision: decision.suggestion as ResultOf<typeof message.method>["decision"] }
        : { decision: decisions[decision] }
    }
    case "item/fileChange/requestApproval":
      return { decision: decisions[nameOf(decisionOf(message, answer))] }
  }
}

const decisions = { once: "accept", session: "acceptForSession", decline: "decline", cancel: "cancel" } as const

const legacy = { once: "approved", session: "approved_for_session", cancel: "abort" } as const

/** Only the older requests can say why not. */
const legacyDecision = (decision: keyof typeof decisions, answer: Answer) =>
  decision === "decline"
    ? { denied: { rejection: answer.type === "deny" ? answer.reason : "The user declined this." } }
    : legacy[decision]

const nameOf = (decision: Decision): keyof typeof decisions => (typeof decision === "object" ? "once" : decision)

const decisionOf = (message: WireQuestion, answer: Answer): Decision => {
  switch (answer.type) {
    case "allow":
      // Codex runs what it asked about and nothing else: an input that somebody has changed cannot be run.
      if (answer.input !== undefined && !isUnchanged(message, answer.input)) return "decline"
      return rememberedBy(message, answer.remember ?? []) ?? "once"
    case "deny":
      return answer.interrupt === true ? "cancel" : "decline"
    case "dismissed":
      return "cancel"
    default:
      return "decline"
  }
}

/** Whether an input is what was asked about: a client may send back all that it was shown. */
const isUnchanged = (message: WireQuestion, input: JsonObject): boolean =>
  Object.entries(subjectOf(message).input).every(([key, value]) => JSON.stringify(input[key]) === JSON.stringify(value))

const granted = (
  { params }: MessageOf<"item/permissions/requestApproval">,
  decision: Decision
): ResultOf<"item/permissions/requestApproval"> => {
  const scope = decision === "session" ? "session" : "turn"
  return decision === "decline" || decision === "cancel"
    ? { permissions: {}, scope }
    : { permissions: params.permissions, scope }
}

/** Answers go by the ids of the questions; the model has them by their words. */
const chosen = (
  { params }: MessageOf<"item/tool/requestUserInput">,
  answer: Answer
): ResultOf<"item/tool/requestUserInput"> => ({
  answers:
    answer.type === "chosen"
      ? Object.fromEntries(
          params.questions.flatMap(({ id, question }) => {
            const given = answer.answers[question]
            return given === undefined ? [] : [[id, { answers: [given] }]]
          })
        )
      : {}
})

const toolApproval = (
  message: MessageOf<"mcpServer/elicitation/request">,
  answer: Answer
): ResultOf<"mcpServer/elicitation/request"> => {
  const decision = decisionOf(message, answer)
  if (decision === "decline" || decision === "cancel") return { action: decision, content: null, _meta: null }
  const lasting = typeof decision === "object" ? decision.suggestion : { persist: "session" }
  return { action: "accept", content: {}, _meta: decision === "once" ? null : lasting }
}

const filled = (
  { params }: MessageOf<"mcpServer/elicitation/request">,
  answer: Answer
): ResultOf<"mcpServer/elicitation/request"> => {
  switch (answer.type) {
    case "filled":
      return { action: "accept", content: fieldsIn(params)["mode"] === "url" ? null : answer.content, _meta: null }
    case "declined":
      return { action: "decline", content: null, _meta: null }
    // A refusal that no person made is not a decline: MCP has `cancel` for a form that nobody answered.
    default:
      return { action: "cancel", content: null, _meta: null }
  }
}
