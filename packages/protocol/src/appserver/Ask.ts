/**
 * What the agent asks, as requests of the server: leave for commands and for changes of files by their own methods, leave
 * for anything else by the form that Codex asks it with (docs/wire/codex.md, §3.24), choices, forms, tools of the client.
 */
import * as Schema from "effect/Schema"
import {
  AdditionalPermissionProfile,
  CommandExecutionApprovalDecision,
  NetworkApprovalContext
} from "../codex/generated/ItemRequest.ts"
import { McpElicitationPrimitiveSchema, type McpElicitationSchema } from "../codex/generated/McpElicitation.ts"
import type { Lane } from "../model/Event.ts"
import type { ChoiceRequest, FormRequest, PageToolRequest, PermissionRequest, Request } from "../model/Request.ts"
import { textIn } from "../wire/Fields.ts"
import { isRecord } from "../wire/Json.ts"
import type { JsonObject } from "../wire/Open.ts"
import { commandActionsOf, commandIn, factsOf, kindOf, shellCommandOf } from "./CallItem.ts"
import { type AppServerCursor, currentTurnId, type OpenCall } from "./Cursor.ts"
import { placeOf } from "./Draft.ts"
import type { Ask } from "./Message.ts"

/** Where a question is asked. */
interface Place {
  readonly cursor: AppServerCursor
  readonly threadId: string
  readonly turnId: string
  readonly at: number
}

/** A request as the client is asked it. */
export const askOf = (cursor: AppServerCursor, lane: Lane, request: Request, at: number): Ask => {
  const open = placeOf(cursor, lane)
  const threadId = open?.thread ?? cursor.threadId
  return asks[request.kind]({ cursor, threadId, turnId: open?.turn ?? currentTurnId(cursor), at }, request as never)
}

const permission = (place: Place, request: PermissionRequest): Ask => {
  const { cursor } = place
  const call = cursor.calls.get(request.call) ?? callOf(request)
  const kind = kindOf(factsOf(request.call, call, cursor.cwd, place.threadId))
  if (kind === "command") return command(place, request)
  return kind === "files" ? files(place, request) : leave(place, request)
}

/** What a call is of which nothing but the request speaks. */
const callOf = ({ input, tool }: PermissionRequest): OpenCall => ({
  lane: null,
  tool,
  action: "other",
  arguments: JSON.stringify(input),
  startedAt: undefined,
  denied: false,
  complete: false
})

const reasonOf = ({ description, reason }: PermissionRequest): string | null => reason ?? description ?? null

const command = ({ at, cursor, threadId, turnId }: Place, request: PermissionRequest): Ask => {
  const text = commandIn(request.input) ?? ""
  const amendments = (request.suggestions ?? []).flatMap(({ value }) => (isAmendment(value) ? [value] : []))
  const [amendment] = amendments
  const { additionalPermissions, networkApprovalContext } = request.input
  return {
    _tag: "Ask",
    request: request.id,
    method: "item/commandExecution/requestApproval",
    params: {
      kind: "command",
      threadId,
      turnId,
      itemId: request.call,
      startedAtMs: at,
      environmentId: "local",
      reason: reasonOf(request),
      command: shellCommandOf(text),
      cwd: textIn(request.input["cwd"]) ?? cursor.cwd,
      commandActions: commandActionsOf(text),
      ...(isPermissions(additionalPermissions) && { additionalPermissions }),
      ...(isNetworkContext(networkApprovalContext) && { networkApprovalContext }),
      ...(amendment !== undefined && {
        proposedExecpolicyAmendment: amendment.acceptWithExecpolicyAmendment.execpolicy_amendment
      }),
      // What Codex itself offers is passed on as it is: its clients know what each of them does.
      availableDecisions: offeredBy(request) ?? [
        "accept",
        ...(request.remember.length > 0 ? (["acceptForSession"] as const) : []),
        ...amendments,
        "decline",
        "cancel"
      ]
    }
  }
}

const areDecisions = Schema.is(Schema.NonEmptyArray(CommandExecutionApprovalDecision))

const offeredBy = ({
  details: { availableDecisions }
}: PermissionRequest): ReadonlyArray<CommandExecutionApprovalDecision> | undefined =>
  areDecisions(availableDecisions) ? availableDecisions : undefined

/** What a command is asked for besides, as Codex says it: its runtime has that in the input. */
const isPermissions = Schema.is(AdditionalPermissionProfile)
const isNetworkContext = Schema.is(NetworkApprovalContext)

type Amendment = Extract<CommandExecutionApprovalDecision, { readonly acceptWithExecpolicyAmendment: unknown }>

/** A suggestion that is a decision of Codex already. */
const isAmendment = (value: unknown): value is Amendment =>
  isRecord(value) &&
  isRecord(value["acceptWithExecpolicyAmendment"]) &&
  Array.isArray(value["acceptWithExecpolicyAmendment"]["execpolicy_amendment"]) &&
  value["acceptWithExecpolicyAmendment"]["execpolicy_amendment"].every((word) => typeof word === "string")

const files = ({ at, threadId, turnId }: Place, request: PermissionRequest): Ask => ({
  _tag: "Ask",
  request: request.id,
  method: "item/fileChange/requestApproval",
  params: {
    threadId,
    turnId,
    itemId: request.call,
    startedAtMs: at,
    reason: reasonOf(request),
    grantRoot: textIn(request.input["grantRoot"]) ?? null
  }
})

const mcpServer = /^mcp__(?<server>.+?)__/s

/** Who is said to ask for a tool that belongs to no server. */
const ownServer = "agent"

const leave = ({ threadId, turnId }: Place, request: PermissionRequest): Ask => ({
  _tag: "Ask",
  request: request.id,
  method: "mcpServer/elicitation/request",
  params: {
    threadId,
    turnId,
    serverName: mcpServer.exec(request.tool)?.groups?.["server"] ?? ownServer,
    mode: "form",
    _meta: {
      codex_approval_kind: "mcp_tool_call",
      persist: [
        ...(request.remember.length > 0 ? ["session"] : []),
        ...(request.suggestions?.some(({ value }) => isRecord(value) && value["persist"] === "always") === true
          ? ["always"]
          : [])
      ],
      tool_description: request.description ?? null,
      tool_params: request.input,
      tool_params_display: Object.entries(request.input).map(([name, value]) => ({ name, value, display_name: name }))
    },
    message: request.message,
    requestedSchema: { type: "object", properties: {} }
  }
})

/** The id of a choice in a question: choices have none of their own. */
export const choiceId = (index: number): string => String(index)

const choice = ({ threadId, turnId }: Place, request: ChoiceRequest): Ask => ({
  _tag: "Ask",
  request: request.id,
  method: "item/tool/requestUserInput",
  params: {
    threadId,
    turnId,
    itemId: request.call,
    questions: request.choices.map(({ header, options, question }, index) => ({
      id: choiceId(index),
      header: header ?? "",
      question,
      isOther: true,
      isSecret: false,
      options:
        options.length === 0
          ? null
          : options.map(({ description, label }) => ({ label, description: description ?? "" }))
    })),
    isBlocking: true,
    autoResolutionMs: null
  }
})

const isPrimitive = Schema.is(McpElicitationPrimitiveSchema)

/** The types of fields that Codex's clients know. */
const plainTypes: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "array"])

/** A form as Codex's clients can show it: of objects with plain fields. The fields that are not plain are texts. */
const schemaOf = (schema: JsonObject | undefined): McpElicitationSchema => {
  const { properties, required } = schema ?? {}
  const fields = Object.entries(isRecord(properties) ? properties : {}).map(([name, field]) => [name, plain(field)])
  const given = {
    type: "object",
    properties: Object.fromEntries(fields),
    ...(Array.isArray(required) && { required: required.filter((name) => typeof name === "string") })
  }
  return given as McpElicitationSchema
}

const plain = (field: unknown): McpElicitationPrimitiveSchema =>
  isRecord(field) && plainTypes.has(field["type"]) && isPrimitive(field) ? field : { type: "string" }

const form = ({ threadId, turnId }: Place, request: FormRequest): Ask => {
  const asked = { threadId, turnId, serverName: request.server, _meta: null, message: request.message }
  return {
    _tag: "Ask",
    request: request.id,
    method: "mcpServer/elicitation/request",
    params:
      request.url === undefined
        ? { ...asked, mode: "form", requestedSchema: schemaOf(request.schema) }
        : { ...asked, mode: "url", url: request.url, elicitationId: request.elicitation ?? request.id }
  }
}

const pageTool = ({ threadId, turnId }: Place, request: PageToolRequest): Ask => ({
  _tag: "Ask",
  request: request.id,
  method: "item/tool/call",
  params: { threadId, turnId, callId: request.call, namespace: null, tool: request.tool, arguments: request.input }
})

const asks: { readonly [K in Request["kind"]]: (place: Place, request: never) => Ask } = {
  permission,
  plan: leave,
  choice,
  form,
  page_tool: pageTool
}
