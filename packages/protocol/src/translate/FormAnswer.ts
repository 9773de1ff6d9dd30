/**
 * The answer to an elicitation: a form of an MCP server, or a page it wants to be visited.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ElicitationResponse } from "../claude/ControlAsk.ts"
import type { MessageOf } from "../claude/Message.ts"
import { decodePayload } from "../wire/Codec.ts"
import { isObject } from "../wire/internal/Shape.ts"
import { type JsonObject, open } from "../wire/Open.ts"
import { orNull, type Reading, readDecision } from "./Decision.ts"

/** What MCP lets a form hold. */
const FormContent = Schema.Record(
  Schema.String,
  Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Array(Schema.String)])
)
type FormContent = typeof FormContent.Type

const FormAnswer = open({
  action: Schema.Literals(["accept", "decline", "cancel"]),
  content: orNull(FormContent)
})

/** The answer to an elicitation: `{action, content}`, the filled-in fields alone, or yes and no. */
export const readForm = (
  { request }: MessageOf<"control_request/elicitation">,
  payload: unknown
): Reading<ElicitationResponse> => {
  const accept = (content: FormContent): Reading<ElicitationResponse> => {
    const missing = requiredOf(request.requested_schema).filter((name) => !Object.hasOwn(content, name))
    if (missing.length > 0) return Result.fail(`expected content with ${missing.join(", ")}`)
    return Result.succeed({ action: "accept", ...(request.mode !== "url" && { content }) })
  }
  // A form may have a field called `action` or `approved`: its own fields come first.
  if (isFilledIn(request.requested_schema, payload)) {
    const content = decodePayload(FormContent, payload)
    return content._tag === "Known" ? accept(content.value) : Result.fail(content.error.message)
  }
  if (isObject(payload) && Object.hasOwn(payload, "action")) {
    const decoded = decodePayload(FormAnswer, payload)
    if (decoded._tag === "Invalid") return Result.fail(decoded.error.message)
    const { action, content } = decoded.value
    return action === "accept" ? accept(content ?? {}) : Result.succeed({ action })
  }
  return Result.flatMap(readDecision(payload), ({ allowed }) =>
    allowed ? accept({}) : Result.succeed({ action: "decline" as const })
  )
}

const isFilledIn = (schema: JsonObject | undefined, payload: unknown): boolean => {
  const fields = schema?.["properties"]
  if (!isObject(fields) || !isObject(payload)) return false
  const keys = Object.keys(payload)
  return keys.length > 0 && keys.every((key) => Object.hasOwn(fields, key))
}

const requiredOf = (schema: JsonObject | undefined): ReadonlyArray<string> => {
  const required = schema?.["required"]
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : []
}
