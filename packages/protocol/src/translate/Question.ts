/**
 * What Claude Code asks and a person has to answer, as an AG-UI interrupt: may a tool run, is the plan good, which
 * option, and the forms of MCP servers. `Answer.ts` is the other half: what it takes is what the interrupt asks for.
 */
import * as Schema from "effect/Schema"
import type { Interrupt } from "../agui/Interrupt.ts"
import type { MessageOf } from "../claude/Message.ts"
import { decodePayload } from "../wire/Codec.ts"
import { type JsonObject, open, optional } from "../wire/Open.ts"

/** A request of the CLI that may become an interrupt. */
export type Question = PermissionQuestion | MessageOf<"control_request/elicitation">

/** A request that asks about a tool call. */
export type PermissionQuestion = MessageOf<"control_request/can_use_tool">

/** What is asked: may a tool run, is the plan good, which option, or what a form asks. */
export type QuestionKind = "permission" | "plan" | "choice" | "form"

/** One question of AskUserQuestion. */
export const Choice = open("AskUserQuestionChoice", {
  question: Schema.String,
  header: optional(Schema.String),
  multiSelect: optional(Schema.Boolean),
  options: optional(Schema.Array(open({ label: Schema.String, description: optional(Schema.String) })))
})

/** One question of AskUserQuestion. */
export type Choice = typeof Choice.Type

const ChoiceInput = open({ questions: Schema.Array(Choice).check(Schema.isMinLength(1)) })

/** The questions of AskUserQuestion; undefined for other tools, and for input nobody could answer. */
export const choicesOf = ({ request }: PermissionQuestion): ReadonlyArray<Choice> | undefined => {
  if (request.tool_name !== "AskUserQuestion") return undefined
  const decoded = decodePayload(ChoiceInput, request.input)
  return decoded._tag === "Known" ? decoded.value.questions : undefined
}

/** Whether a request is about a tool call. */
export const isPermission = (question: Question): question is PermissionQuestion =>
  question.request.subtype === "can_use_tool"

/** What a request asks. */
export const questionKind = (question: Question): QuestionKind => {
  if (!isPermission(question)) return "form"
  if (choicesOf(question) !== undefined) return "choice"
  return question.request.tool_name === "ExitPlanMode" ? "plan" : "permission"
}

/**
 * The interrupt for a request. Its id is the request's, its reason one of the three the specification names, and
 * `metadata.kind` says what to show.
 */
export const interruptOf = (question: Question): Interrupt =>
  isPermission(question) ? toolInterrupt(question) : formInterrupt(question)

const toolInterrupt = (question: PermissionQuestion): Interrupt => {
  const { request, request_id: id } = question
  const choices = choicesOf(question)
  return {
    id,
    reason: choices === undefined ? "tool_call" : "input_required",
    message: toolMessage(question, choices),
    toolCallId: request.tool_use_id,
    responseSchema: choices === undefined ? approvalSchema(question) : choicesSchema(choices),
    metadata: {
      kind: questionKind(question),
      toolName: request.tool_name,
      input: request.input,
      ...present({
        description: request.description,
        suggestions: request.permission_suggestions,
        blockedPath: request.blocked_path,
        decisionReason: request.decision_reason,
        agentId: request.agent_id
      })
    }
  }
}

const toolMessage = (question: PermissionQuestion, choices: ReadonlyArray<Choice> | undefined): string => {
  const { description, display_name, title, tool_name } = question.request
  if (choices !== undefined) return choices.map((choice) => choice.question).join("\n")
  if (title !== undefined) return title
  if (questionKind(question) === "plan") return "Claude has made a plan. May it begin?"
  const detail = detailOf(question.request.input) ?? description
  return `May Claude use ${display_name ?? tool_name}?${detail === undefined ? "" : `\n${detail}`}`
}

// In the order in which they tell most. The model's own description comes last: it need not be true.
const telling = ["command", "file_path", "notebook_path", "path", "url", "query", "skill"]

const detailOf = (input: JsonObject): string | undefined => {
  const [detail] = telling.map((key) => input[key]).filter((value) => typeof value === "string" && value !== "")
  if (typeof detail !== "string") return undefined
  return detail.length <= 500 ? detail : `${detail.slice(0, 500)}…`
}

/** The pattern the specification recommends for tools, with what Claude Code can do besides. */
const approvalSchema = ({ request }: PermissionQuestion): JsonObject => ({
  type: "object",
  properties: {
    approved: { type: "boolean" },
    reason: { type: "string", description: "Why not: the agent is told." },
    editedArgs: { type: "object", description: "The whole input to run the tool with, in place of the proposed one." },
    ...(offersAlways(request) && {
      always: { type: "boolean", description: "Apply the suggested rules, so that this is not asked again." }
    })
  },
  required: ["approved"]
})

/** Whether there are rules to accept that would keep the CLI from asking again. */
export const offersAlways = (request: PermissionQuestion["request"]): boolean =>
  (request.permission_suggestions ?? []).length > 0 && request.suppress_always_allow_rule !== true

const choicesSchema = (choices: ReadonlyArray<Choice>): JsonObject => ({
  type: "object",
  properties: {
    answers: {
      type: "object",
      description: "An answer for each question. The options are suggestions: any text is an answer.",
      properties: Object.fromEntries(choices.map((choice) => [choice.question, answerSchema(choice)])),
      required: choices.map(({ question }) => question),
      additionalProperties: false
    }
  },
  required: ["answers"]
})

const answerSchema = ({ header, multiSelect, options = [] }: Choice): JsonObject => {
  const one = { type: "string", examples: options.map(({ label }) => label) }
  return { ...(multiSelect === true ? { type: "array", items: one } : one), ...present({ title: header }) }
}

const formInterrupt = ({ request, request_id: id }: MessageOf<"control_request/elicitation">): Interrupt => ({
  id,
  // A page to visit needs no input, only a word that it was visited.
  reason: request.mode === "url" ? "confirmation" : "input_required",
  message: request.mode === "url" && request.url !== undefined ? `${request.message}\n${request.url}` : request.message,
  responseSchema: {
    type: "object",
    properties: {
      action: { enum: ["accept", "decline", "cancel"] },
      ...(request.mode === "url" ? {} : { content: request.requested_schema ?? { type: "object" } })
    },
    required: ["action"]
  },
  metadata: {
    kind: "form",
    server: request.mcp_server_name,
    ...present({ mode: request.mode, url: request.url, elicitationId: request.elicitation_id, title: request.title })
  }
})

const present = (fields: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
