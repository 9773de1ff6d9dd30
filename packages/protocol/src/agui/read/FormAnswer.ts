/**
 * What a person fills in: a form of an MCP server, or only that they visited a page.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Answer, FormRequest } from "../../model/Request.ts"
import { decodePayload } from "../../wire/Codec.ts"
import { isRecord } from "../../wire/Json.ts"
import { type JsonObject, open } from "../../wire/Open.ts"
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

const refusals: Readonly<Record<"decline" | "cancel", Answer>> = {
  decline: { type: "declined" },
  cancel: { type: "dismissed" }
}

/** The answer to a form: `{action, content}`, the filled-in fields alone, or yes and no. */
export const readForm = ({ schema, url }: FormRequest, payload: unknown): Reading<Answer> => {
  const accept = (content: FormContent): Reading<Answer> => {
    const missing = requiredOf(schema).filter((name) => !Object.hasOwn(content, name))
    if (missing.length > 0) return Result.fail(`expected content with ${missing.join(", ")}`)
    return Result.succeed({ type: "filled", content: url === undefined ? content : {} })
  }
  // A form may have a field called `action` or `approved`: its own fields come first.
  if (isFilledIn(schema, payload)) {
    const content = decodePayload(FormContent, payload)
    return content._tag === "Known" ? accept(content.value) : Result.fail(content.error.message)
  }
  if (isRecord(payload) && Object.hasOwn(payload, "action")) {
    const decoded = decodePayload(FormAnswer, payload)
    if (decoded._tag === "Invalid") return Result.fail(decoded.error.message)
    const { action, content } = decoded.value
    return action === "accept" ? accept(content ?? {}) : Result.succeed(refusals[action])
  }
  return Result.flatMap(readDecision(payload), ({ allowed }) =>
    allowed ? accept({}) : Result.succeed(refusals.decline)
  )
}

const isFilledIn = (schema: JsonObject | undefined, payload: unknown): boolean => {
  const fields = schema?.["properties"]
  if (!isRecord(fields) || !isRecord(payload)) return false
  const keys = Object.keys(payload)
  return keys.length > 0 && keys.every((key) => Object.hasOwn(fields, key))
}

const requiredOf = (schema: JsonObject | undefined): ReadonlyArray<string> => {
  const required = schema?.["required"]
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : []
}
