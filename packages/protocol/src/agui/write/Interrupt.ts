/**
 * What an agent asks a person, as AG-UI has it: an interrupt that a run ends with, or a `CUSTOM` event for
 * applications that answer while the run continues. `agui/read` is the other half: what it reads is what is asked for
 * here.
 */
import type { Choice, ChoiceRequest, FormRequest, PermissionRequest, Question } from "../../model/Request.ts"
import type { JsonObject } from "../../wire/Open.ts"
import type { Interrupt } from "../Interrupt.ts"
import type { CustomEvent } from "../StateEvent.ts"
import { customNames } from "./CustomNames.ts"

/**
 * The interrupt of a request. Its id is the request's, its reason one of the three the specification names, and
 * `metadata.kind` says what to show.
 */
export const interruptOf = (request: Question): Interrupt => {
  switch (request.kind) {
    case "permission":
    case "plan":
      return {
        ...aboutCall(request, { remember: request.remember }),
        reason: "tool_call",
        responseSchema: approvalSchema(request)
      }
    case "choice":
      return { ...aboutCall(request), reason: "input_required", responseSchema: choicesSchema(request.choices) }
    case "form":
      return formInterrupt(request)
  }
}

/** The event that carries a request. `tag` names the sub-agent that asks. */
export const approvalEvent = (request: Question, tag: string | undefined): CustomEvent => ({
  type: "CUSTOM",
  ...(request.kind === "form"
    ? { name: customNames.formAsked, value: formValue(request) }
    : { name: customNames.callAsked, value: callValue(request) }),
  ...(tag !== undefined && { subagentRunId: tag })
})

const callValue = (request: PermissionRequest | ChoiceRequest): JsonObject => ({
  requestId: request.id,
  toolName: request.tool,
  toolInput: request.input,
  toolCallId: request.call,
  ...request.details,
  ...("remember" in request && { remember: request.remember })
})

const formValue = ({ details, id, message, schema, server }: FormRequest): JsonObject => ({
  requestId: id,
  mcp_server_name: server,
  message,
  ...present({ requested_schema: schema }),
  ...details
})

const aboutCall = (request: PermissionRequest | ChoiceRequest, more: JsonObject = {}) => {
  const { agent, blockedPath, call, description, id, input, kind, message, reason, suggestions, tool } = request
  const said = {
    description,
    suggestions: suggestions?.map(({ value }) => value),
    blockedPath,
    decisionReason: reason,
    agentId: agent
  }
  return { id, message, toolCallId: call, metadata: { kind, toolName: tool, input, ...present(said), ...more } }
}

/** The pattern the specification recommends for tools, with what an agent can do besides. */
const approvalSchema = ({ remember }: PermissionRequest): JsonObject => ({
  type: "object",
  properties: {
    approved: { type: "boolean" },
    reason: { type: "string", description: "Why not: the agent is told." },
    editedArgs: { type: "object", description: "The whole input to run the tool with, in place of the proposed one." },
    ...(remember.length > 0 && {
      always: {
        type: "boolean",
        description: `Do not ask again in this session for ${remember.map(({ label }) => label).join(", ")}.`
      }
    })
  },
  required: ["approved"]
})

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

const answerSchema = ({ header, multiple, options }: Choice): JsonObject => {
  const one = { type: "string", examples: options.map(({ label }) => label) }
  return { ...(multiple ? { type: "array", items: one } : one), ...present({ title: header }) }
}

const formInterrupt = ({ elicitation, id, message, mode, schema, server, title, url }: FormRequest): Interrupt => ({
  id,
  // A page to visit needs no input, only a word that it was visited.
  reason: url === undefined ? "input_required" : "confirmation",
  message,
  responseSchema: {
    type: "object",
    properties: {
      action: { enum: ["accept", "decline", "cancel"] },
      ...(url === undefined && { content: schema ?? { type: "object" } })
    },
    required: ["action"]
  },
  metadata: { kind: "form", server, ...present({ mode, url, elicitationId: elicitation, title }) }
})

const present = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
