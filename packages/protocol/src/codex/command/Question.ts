/**
 * What Codex asks and somebody outside has to answer, as a request of the model: may a command run, may files change, may
 * the sandbox be wider, which option, the forms of MCP servers, and the tools of the application.
 *
 * Only what makes the question is relied on; what else the server says is passed on in the details.
 */
import type { Choice, FormRequest, PermissionRequest, Request } from "../../model/Request.ts"
import { fieldsIn, listIn, textIn, textsIn } from "../../wire/Fields.ts"
import { isRecord } from "../../wire/Json.ts"
import type { JsonObject } from "../../wire/Open.ts"
import type { MessageOf } from "../Message.ts"
import { rulesOf, suggestionsOf } from "./Remember.ts"
import type { QuestionMethod, WireQuestion } from "./WireQuestion.ts"

/** What else is known about a question: its place in the conversation. */
export interface QuestionContext {
  /** The id of the request in the model. */
  readonly id: string
  /** The call that it is about, and what that was called with, as far as anybody has said. */
  readonly call?: { readonly id: string; readonly tool: string; readonly input: JsonObject | undefined } | undefined
}

/** What a question is about, whichever method asks it. */
export interface Subject {
  readonly thread: string
  readonly turn: string | undefined
  /** The item of the call; undefined for a form. */
  readonly item: string | undefined
  readonly tool: string
  readonly input: JsonObject
}

/** What a question is about. */
export const subjectOf = (message: WireQuestion): Subject => {
  const params = fieldsIn(message.params)
  const thread = textIn(params["threadId"]) ?? textIn(params["conversationId"]) ?? ""
  const item = textIn(params["itemId"]) ?? textIn(params["callId"])
  const turn = textIn(params["turnId"])
  const { input, tool } = subjects[message.method](params)
  return { thread, turn, item, tool, input }
}

const picked = (params: JsonObject, keys: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(
    keys.flatMap((key) => (params[key] === undefined || params[key] === null ? [] : [[key, params[key]]]))
  )

const subjects: Readonly<
  Record<QuestionMethod, (params: JsonObject) => { readonly tool: string; readonly input: JsonObject }>
> = {
  "item/commandExecution/requestApproval": (params) => ({
    tool: "commandExecution",
    input: picked(params, ["command", "cwd"])
  }),
  "item/fileChange/requestApproval": () => ({ tool: "fileChange", input: {} }),
  "item/permissions/requestApproval": (params) => ({
    tool: "requestPermissions",
    input: picked(params, ["permissions", "cwd", "reason"])
  }),
  "item/tool/requestUserInput": (params) => ({ tool: "requestUserInput", input: picked(params, ["questions"]) }),
  "mcpServer/elicitation/request": (params) => ({
    tool: `mcp__${textIn(params["serverName"]) ?? ""}`,
    input: fieldsIn(fieldsIn(params["_meta"])["tool_params"])
  }),
  "item/tool/call": ({ arguments: given, tool }) => ({
    tool: textIn(tool) ?? "",
    input: isRecord(given) ? given : given === undefined || given === null ? {} : { value: given }
  }),
  execCommandApproval: (params) => ({ tool: "execCommandApproval", input: picked(params, ["command", "cwd"]) }),
  applyPatchApproval: (params) => ({
    tool: "applyPatchApproval",
    input: picked(params, ["fileChanges", "grantRoot"])
  })
}

/** The request of a line. */
export const requestOf = (message: WireQuestion, context: QuestionContext): Request => {
  const subject = subjectOf(message)
  switch (message.method) {
    case "item/tool/call":
      return {
        id: context.id,
        kind: "page_tool",
        message: `The application's tool ${subject.tool} is to run.`,
        call: message.params.callId,
        tool: context.call?.tool ?? subject.tool,
        input: subject.input
      }
    case "item/tool/requestUserInput":
      return choiceRequest(message, subject, context)
    case "mcpServer/elicitation/request":
      return isToolApproval(message) ? permissionRequest(message, subject, context) : formRequest(message, context)
    default:
      return permissionRequest(message, subject, context)
  }
}

/** MCP servers' tools are approved by way of a form that Codex fills in itself (§3.24). */
export const isToolApproval = (message: MessageOf<"mcpServer/elicitation/request">): boolean =>
  fieldsIn(fieldsIn(message.params)["_meta"])["codex_approval_kind"] === "mcp_tool_call"

const permissionRequest = (message: WireQuestion, subject: Subject, context: QuestionContext): PermissionRequest => {
  const details = detailsOf(message)
  const tool = context.call?.tool ?? subject.tool
  const input = { ...(context.call?.input ?? {}), ...subject.input, ...extraInput(message) }
  const suggestions = suggestionsOf(message)
  const reason = textIn(details["reason"])
  return {
    id: context.id,
    kind: "permission",
    message: wording(message, tool, input),
    call: context.call?.id ?? subject.item ?? context.id,
    tool,
    input,
    remember: rulesOf(message, tool, input),
    ...(reason !== undefined && { reason }),
    ...(suggestions.length > 0 && { suggestions }),
    details
  }
}

/** What is asked for besides what the call was made with. A policy has to see it, so it is part of the input. */
const extraInput = (message: WireQuestion): JsonObject =>
  message.method === "item/commandExecution/requestApproval" || message.method === "item/fileChange/requestApproval"
    ? picked(fieldsIn(message.params), ["networkApprovalContext", "additionalPermissions", "grantRoot"])
    : {}

/** The params without what has a place of its own. */
const detailsOf = (message: WireQuestion): JsonObject => {
  const {
    conversationId: _c,
    itemId: _i,
    startedAtMs: _s,
    threadId: _t,
    turnId: _u,
    ...details
  } = fieldsIn(message.params)
  return details
}

const wording = (message: WireQuestion, tool: string, input: JsonObject): string => {
  switch (message.method) {
    case "item/commandExecution/requestApproval": {
      const host = textIn(fieldsIn(message.params.networkApprovalContext)["host"])
      if (host !== undefined) return `May Codex reach ${host}?${detail(commandOf(input))}`
      return `May Codex run a command?${detail(commandOf(input))}`
    }
    case "execCommandApproval":
      return `May Codex run a command?${detail(commandOf(input))}`
    case "item/fileChange/requestApproval":
    case "applyPatchApproval": {
      const paths = [
        ...listIn(input["changes"]).flatMap((change) => textsIn([fieldsIn(change)["path"]])),
        ...Object.keys(fieldsIn(input["fileChanges"]))
      ]
      return `May Codex change files?${detail(paths.join("\n"))}`
    }
    case "item/permissions/requestApproval":
      return `May Codex have more permissions?${detail(textIn(input["reason"]))}`
    default:
      return textIn(fieldsIn(message.params)["message"]) ?? `May Codex use ${tool}?`
  }
}

const commandOf = ({ command }: JsonObject): string =>
  textIn(command) ?? (Array.isArray(command) ? textsIn(command).join(" ") : "")

const maxDetail = 500

const detail = (text: string | undefined): string => {
  if (text === undefined || text === "") return ""
  return `\n${text.length <= maxDetail ? text : `${text.slice(0, maxDetail)}…`}`
}

const choiceRequest = (
  message: MessageOf<"item/tool/requestUserInput">,
  subject: Subject,
  { call, id }: QuestionContext
): Request => {
  const choices = message.params.questions.map(choiceOf)
  return {
    id,
    kind: "choice",
    message: choices.map(({ question }) => question).join("\n"),
    call: call?.id ?? message.params.itemId,
    tool: call?.tool ?? subject.tool,
    input: subject.input,
    choices,
    details: detailsOf(message)
  }
}

const choiceOf = (given: MessageOf<"item/tool/requestUserInput">["params"]["questions"][number]): Choice => {
  const header = textIn(given.header)
  return {
    question: given.question,
    ...(header !== undefined && { header }),
    multiple: false,
    options: listIn(given.options).flatMap((option) => {
      const { description, label } = fieldsIn(option)
      if (typeof label !== "string") return []
      return [{ label, ...(typeof description === "string" && { description }) }]
    })
  }
}

const formRequest = (message: MessageOf<"mcpServer/elicitation/request">, { id }: QuestionContext): FormRequest => {
  const params = fieldsIn(message.params)
  const server = textIn(params["serverName"]) ?? "An MCP server"
  const words = textIn(params["message"]) ?? textIn(params["description"]) ?? `${server} asks for something.`
  const url = params["mode"] === "url" ? textIn(params["url"]) : undefined
  const named = {
    mode: textIn(params["mode"]),
    elicitation: textIn(params["elicitationId"]),
    title: textIn(params["title"])
  }
  const schema = params["requestedSchema"]
  return {
    id,
    kind: "form",
    message: url === undefined ? words : `${words}\n${url}`,
    server,
    ...(url !== undefined && { url }),
    ...(isRecord(schema) && { schema }),
    ...(named.mode !== undefined && { mode: named.mode }),
    ...(named.elicitation !== undefined && { elicitation: named.elicitation }),
    ...(named.title !== undefined && { title: named.title }),
    details: detailsOf(message)
  }
}
