/**
 * The id of a control request, wherever it can still be found.
 *
 * The CLI waits for an answer to every request it makes, `can_use_tool` without any time limit. So one that does not
 * decode is answered, too, with an error; all that takes is its id.
 */
import { isRecord, parseJson } from "../wire/Json.ts"

/**
 * The id of a `control_request` that could not be read: from `raw` of an `Invalid` or `Unknown` outcome, be it the
 * parsed message or the line, even one that is cut off. Undefined for anything else: no other message wants an answer.
 */
export const requestIdIn = (raw: unknown): string | undefined => {
  if (typeof raw !== "string") return isRecord(raw) ? idOf(raw) : undefined
  const value = parseJson(raw)
  if (value === undefined) return idInText(raw)
  return isRecord(value) ? idOf(value) : undefined
}

const idOf = ({ request_id, type }: Record<string, unknown>): string | undefined => {
  if (type !== "control_request") return undefined
  return typeof request_id === "string" || typeof request_id === "number" ? String(request_id) : undefined
}

/** In a line that is not JSON: the first id in it, for that of the envelope comes before all that a request holds. */
const idInText = (line: string): string | undefined => {
  if (!isRequest.test(line)) return undefined
  const id = requestId.exec(line)?.groups?.["id"]
  return id === undefined ? undefined : unescaped(id)
}

const isRequest = /^\s*\{\s*"type"\s*:\s*"control_request"/
const requestId = /"request_id"\s*:\s*(?<id>"(?:[^"\\]|\\.)*")/

const unescaped = (literal: string): string | undefined => {
  const id = parseJson(literal)
  return typeof id === "string" ? id : undefined
}
