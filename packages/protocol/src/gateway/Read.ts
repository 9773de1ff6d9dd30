/**
 * What a client sends, read: a frame, the params of a method that there is, an answer that fits its question; or why not,
 * with a stable code and in words. What was sent is never repeated, but for names.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { Answer, Request } from "../model/Request.ts"
import { isRecord } from "../wire/Json.ts"
import { readJson } from "../wire/ReadJson.ts"
import { readContent } from "./Block.ts"
import { RequestFrame } from "./Frame.ts"
import { type AnswerParam, type GatewayMethod, gatewayMethods, type ParamsOf } from "./Method.ts"

/** Why something cannot be read. */
export interface ReadRefusal {
  /** What the request is known by; empty where it has no id that could be repeated. */
  readonly id: string
  readonly code: "BAD_JSON" | "TOO_DEEP" | "TOO_MANY_VALUES" | "BAD_INPUT" | "UNKNOWN_METHOD"
  readonly message: string
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first thing that is wrong, and where. Values are not repeated: they may be a secret. */
const problemIn = ({ issue }: Schema.SchemaError): string => {
  const [first] = format(issue).issues
  const path = (first?.path ?? []).map((segment) => String(typeof segment === "object" ? segment.key : segment))
  const words = (first?.message ?? "not what is taken").replace(/, (?:got|actual|found) .*$/s, "")
  return `${path.length === 0 ? "it" : path.join(".")}: ${words}`
}

const codes = {
  EMPTY_LINE: "BAD_JSON",
  NOT_JSON: "BAD_JSON",
  TOO_DEEP: "TOO_DEEP",
  TOO_MANY_VALUES: "TOO_MANY_VALUES"
} as const

const isId = Schema.is(RequestFrame.fields.id)
const decodeFrame = Schema.decodeUnknownResult(RequestFrame)

/** Reads a frame of a client. */
export const readFrame = (text: string): Result.Result<RequestFrame, ReadRefusal> => {
  const read = readJson(text)
  if (!read.isRead)
    return Result.fail({ id: "", code: codes[read.code], message: "Send one JSON object in each message." })
  const { value } = read
  const id = isRecord(value) && isId(value["id"]) ? value["id"] : ""
  return Result.mapError(decodeFrame(value), (error) => ({
    id,
    code: "BAD_INPUT" as const,
    message: `This is no request, which is {"type": "req", "id": TEXT, "method": TEXT, "params": OBJECT}: ${problemIn(error)}.`
  }))
}

/** Whether there is a method of that name, extensions aside. */
export const isGatewayMethod = (method: string): method is GatewayMethod => Object.hasOwn(gatewayMethods, method)

/** Reads the params of a method. Those that are left out are an empty object. A key that nobody knows is refused. */
export const readParams = <M extends GatewayMethod>(
  method: M,
  params: unknown = {}
): Result.Result<ParamsOf<M>, Omit<ReadRefusal, "id">> => {
  const schema = gatewayMethods[method].params as unknown as Schema.Codec<ParamsOf<M>>
  // What is wrong is said before what nobody knows: it may explain the other.
  return Result.mapError(
    Result.flatMap(Schema.decodeUnknownResult(schema)(params), () =>
      Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })(params)
    ),
    (error) => ({ code: "BAD_INPUT", message: `The params of ${method} do not fit: ${problemIn(error)}.` })
  )
}

const fitting: { readonly [K in Request["kind"]]: ReadonlyArray<AnswerParam["type"]> } = {
  permission: ["allow", "deny", "dismissed"],
  plan: ["allow", "deny", "dismissed"],
  choice: ["chosen", "deny", "dismissed"],
  form: ["filled", "declined", "dismissed"],
  page_tool: ["result"]
}

/** Reads an answer to a question. */
export const readAnswer = (request: Request, answer: AnswerParam): Result.Result<Answer, Omit<ReadRefusal, "id">> => {
  const fits = fitting[request.kind]
  if (!fits.includes(answer.type))
    return Result.fail({
      code: "BAD_INPUT",
      message: `The answer does not fit the question, which is a ${request.kind}. It takes: ${fits.join(", ")}.`
    })
  switch (answer.type) {
    case "deny":
      return Result.succeed({
        type: "deny",
        reason: answer.reason ?? "The user does not want this.",
        ...(answer.interrupt !== undefined && { interrupt: answer.interrupt })
      })
    case "result":
      return Result.succeed({
        type: "result",
        content: readContent(answer.content),
        failed: answer.is_error ?? false
      })
    case "chosen": {
      const unanswered =
        request.kind === "choice"
          ? request.choices.find(({ question }) => answer.answers[question] === undefined)
          : undefined
      return unanswered === undefined
        ? Result.succeed(answer)
        : Result.fail({
            code: "BAD_INPUT",
            message: "The answer leaves a question out. `answers` has an entry for each, by the words of the question."
          })
    }
    default:
      return Result.succeed(answer)
  }
}
