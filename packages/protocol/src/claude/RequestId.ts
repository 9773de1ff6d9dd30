/**
 * The id of a control request, wherever it can still be found.
 *
 * The CLI waits for an answer to every request it makes, `can_use_tool` without any time limit. So one that does not
 * decode is answered, too, with an error; all that takes is its id. Every id that was recorded is a text. One that is a
 * number is given back as it came, for that is what the CLI waits for; here ids are compared as texts.
 */
import { isRecord } from "../wire/Json.ts"
import { parseJson } from "../wire/ReadJson.ts"

/** The id of a control request, as it came. */
export type RequestId = string | number

/**
 * The id of a `control_request` that could not be read: from `raw` of an `Invalid` or `Unknown` outcome, be it the
 * parsed message or the line, even one that is cut off. Undefined for anything else: no other message wants an answer.
 */
export const requestIdIn = (raw: unknown): RequestId | undefined => {
  if (typeof raw !== "string") return isRecord(raw) ? idOf(raw) : undefined
  const value = parseJson(raw)
  if (value === undefined) return idInText(raw)
  return isRecord(value) ? idOf(value) : undefined
}

/** Which request a `control_cancel_request` takes back, as a text; undefined when it does not say. */
export const withdrawnIdIn = (message: unknown): string | undefined => {
  const id = isRecord(message) ? message["request_id"] : undefined
  return isId(id) ? String(id) : undefined
}

const isId = (id: unknown): id is RequestId => typeof id === "string" || typeof id === "number"

const idOf = ({ request_id: id, type }: Record<string, unknown>): RequestId | undefined =>
  type === "control_request" && isId(id) ? id : undefined

/** In a line that is not JSON: the first id in it, for that of the envelope comes before all that a request holds. */
const idInText = (line: string): RequestId | undefined => {
  const literal = isRequest.test(line) ? requestId.exec(line)?.groups?.["id"] : undefined
  const id = literal === undefined ? undefined : parseJson(literal)
  return isId(id) ? id : undefined
}

const isRequest = /^\s*\{\s*"type"\s*:\s*"control_request"/
// A number that the line ends with may have been cut.
const requestId = /"request_id"\s*:\s*(?<id>"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*(?=\s*[,}]))/
