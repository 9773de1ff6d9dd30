/**
 * What Claude Code asks and a person has to answer, as a request of the model: may a tool run, is the plan good, which
 * option, and the forms of MCP servers.
 *
 * Only what makes the question is relied on. A release may drop or retype anything else; it is passed on in the
 * details, and has its name in the model where it still is of its known type.
 */
import type { Choice, FormRequest, PermissionRequest, Question } from "../../model/Request.ts"
import { isRecord } from "../../wire/Json.ts"
import type { JsonObject } from "../../wire/Open.ts"
import type { MessageOf } from "../Message.ts"
import { rulesOf, suggestionsOf } from "./Remember.ts"

/** A line that asks about a tool call. */
export type ToolQuestion = MessageOf<"control_request/can_use_tool">

/** A line in which an MCP server asks the person something. */
export type FormQuestion = MessageOf<"control_request/elicitation">

/** A line that a person has to answer. */
export type WireQuestion = ToolQuestion | FormQuestion

/** Whether a line asks about a tool call. */
export const isToolQuestion = (message: WireQuestion): message is ToolQuestion =>
  message.request.subtype === "can_use_tool"

/** The request of a line. `toolName` gives the name by which people know a tool. */
export const requestOf = (message: WireQuestion, toolName: (cliName: string) => string = (name) => name): Question =>
  isToolQuestion(message) ? toolRequest(message, toolName) : formRequest(message)

const toolRequest = (message: ToolQuestion, toolName: (cliName: string) => string): Question => {
  const { input: given, subtype: _, tool_name, tool_use_id, ...details } = message.request
  const input: JsonObject = isRecord(given) ? given : {}
  const tool = toolName(tool_name)
  const asked = { id: message.request_id, call: tool_use_id, tool, input, ...aboutCall(message), details }
  const choices = tool_name === "AskUserQuestion" ? choicesOf(input) : undefined
  if (choices !== undefined)
    return { ...asked, kind: "choice", message: choices.map(({ question }) => question).join("\n"), choices }
  const kind = tool_name === "ExitPlanMode" ? "plan" : "permission"
  const remember = rulesOf(message.request, toolName)
  return { ...asked, kind, message: textOf(details, "title") ?? wording(kind, tool, input, details), remember }
}

const aboutCall = ({ request }: ToolQuestion): Pick<PermissionRequest, AboutCall> => {
  const suggestions = suggestionsOf(request)
  return { ...named(request, callNames), ...(suggestions !== undefined && { suggestions }) }
}

type AboutCall = "description" | "suggestions" | "blockedPath" | "reason" | "agent"

const callNames = {
  description: "description",
  blockedPath: "blocked_path",
  reason: "decision_reason",
  agent: "agent_id"
} as const

const formNames = { mode: "mode", elicitation: "elicitation_id", title: "title" } as const

const wording = (kind: "permission" | "plan", tool: string, input: JsonObject, details: JsonObject): string => {
  if (kind === "plan") return "Claude has made a plan. May it begin?"
  const detail = detailOf(input) ?? textOf(details, "description")
  return `May Claude use ${textOf(details, "display_name") ?? tool}?${detail === undefined ? "" : `\n${detail}`}`
}

// The most telling first. The model's own description comes last: it need not be true.
const telling = ["command", "file_path", "notebook_path", "path", "url", "query", "skill"]

const detailOf = (input: JsonObject): string | undefined => {
  const [detail] = telling.map((key) => input[key]).filter((value) => typeof value === "string" && value !== "")
  if (typeof detail !== "string") return undefined
  return detail.length <= 500 ? detail : `${detail.slice(0, 500)}…`
}

/** The questions of AskUserQuestion; undefined for input that nobody could answer. */
const choicesOf = ({ questions }: JsonObject): ReadonlyArray<Choice> | undefined => {
  const choices = Array.isArray(questions) ? questions.map(choiceOf) : []
  return choices.length > 0 && choices.every((choice) => choice !== undefined) ? choices : undefined
}

const choiceOf = (given: unknown): Choice | undefined => {
  if (!isRecord(given) || typeof given["question"] !== "string") return undefined
  const options: ReadonlyArray<unknown> = Array.isArray(given["options"]) ? given["options"] : []
  return {
    question: given["question"],
    ...named(given, { header: "header" }),
    multiple: given["multiSelect"] === true,
    options: options.flatMap((option) =>
      isRecord(option) && typeof option["label"] === "string"
        ? [{ label: option["label"], ...named(option, { description: "description" }) }]
        : []
    )
  }
}

const formRequest = ({ request, request_id: id }: FormQuestion): FormRequest => {
  const { mcp_server_name, requested_schema, subtype: _, ...details } = request
  const server = typeof mcp_server_name === "string" ? mcp_server_name : "An MCP server"
  const schema = isRecord(requested_schema) ? { schema: requested_schema } : {}
  const words = textOf(details, "message") ?? textOf(details, "description") ?? `${server} asks for something.`
  const url = isPage(request) ? textOf(details, "url") : undefined
  const more = { ...schema, ...named(request, formNames), details }
  return url === undefined
    ? { id, kind: "form", message: words, server, ...more }
    : { id, kind: "form", message: `${words}\n${url}`, server, url, ...more }
}

/** Whether a form is a page to visit: there is nothing to fill in. Without a mode, what is there decides. */
export const isPage = ({ mode, requested_schema, url }: FormQuestion["request"]): boolean =>
  typeof mode === "string" ? mode === "url" : typeof url === "string" && !isRecord(requested_schema)

const textOf = (values: JsonObject, key: string): string | undefined => {
  const value = values[key]
  return typeof value === "string" ? value : undefined
}

/** The texts among some values, by other names. */
const named = <K extends string>(
  values: JsonObject,
  names: Readonly<Record<K, string>>
): { readonly [P in K]?: string } =>
  Object.fromEntries(
    Object.entries<string>(names).flatMap(([name, key]) => {
      const text = textOf(values, key)
      return text === undefined ? [] : [[name, text]]
    })
  ) as { readonly [P in K]?: string }
