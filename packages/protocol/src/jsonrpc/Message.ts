/**
 * JSON-RPC 2.0 as programs speak it, which is not quite as it is written: the key `jsonrpc` may be missing (codex never
 * sends it, and ignores it), id 0 is an id, both sides count in the same numbers, and a response may have `error: null`
 * beside its result. So a message is told by `method` first, and only then by its id.
 */
import { isRecord } from "../wire/Json.ts"

/** What a request is called by those who answer it. */
export type RequestId = string | number

/** A method to be answered. */
export interface Request {
  readonly id: RequestId
  readonly method: string
  readonly params?: unknown
}

/** A method that nobody answers. */
export interface Notification {
  readonly method: string
  readonly params?: unknown
}

/** The result of a request. */
export interface Response {
  readonly id: RequestId
  readonly result: unknown
}

/** Why a request failed. */
export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The failure of a request. Its id is null where the other side could not read which request it was. */
export interface Failure {
  readonly id: RequestId | null
  readonly error: ErrorObject
}

/** Any message. */
export type Message = Request | Notification | Response | Failure

/** Why a value is no message. */
export type MessageFault =
  /** Not an object. */
  | "NOT_OBJECT"
  /** An array: batches are not supported, and codex drops them, too. */
  | "BATCH"
  /** An id that is neither a string nor a whole number. */
  | "BAD_ID"
  /** Neither a method, nor a result, nor an error. */
  | "NO_KIND"

/** What a value turns out to be. */
export type Classified =
  | ({ readonly _tag: "Request" } & Request)
  | ({ readonly _tag: "Notification" } & Notification)
  | ({ readonly _tag: "Response" } & Response)
  | ({ readonly _tag: "Failure" } & Failure)
  | { readonly _tag: "Invalid"; readonly fault: MessageFault; readonly raw: unknown }

/** Whether a value can be an id. */
export const isRequestId = (value: unknown): value is RequestId =>
  typeof value === "string" || Number.isSafeInteger(value)

/** The codes that the specification gives a meaning. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603
} as const

/** Tells what a parsed value is. Never throws. */
export const classify = (value: unknown): Classified => {
  if (Array.isArray(value)) return { _tag: "Invalid", fault: "BATCH", raw: value }
  if (!isRecord(value)) return { _tag: "Invalid", fault: "NOT_OBJECT", raw: value }
  const { error, id, method, params, result } = value
  const invalid = (fault: MessageFault): Classified => ({ _tag: "Invalid", fault, raw: value })
  if (typeof method === "string") {
    const said = params === undefined ? { method } : { method, params }
    if (id === undefined) return { _tag: "Notification", ...said }
    return isRequestId(id) ? { _tag: "Request", id, ...said } : invalid("BAD_ID")
  }
  if (error !== undefined && error !== null) {
    const isKnown = isRequestId(id) || id === null
    return isKnown ? { _tag: "Failure", id, error: readError(error) } : invalid("BAD_ID")
  }
  if (!Object.hasOwn(value, "result")) return invalid("NO_KIND")
  return isRequestId(id) ? { _tag: "Response", id, result } : invalid("BAD_ID")
}

/** An error that is not written as it should be ends its request all the same. */
const readError = (error: unknown): ErrorObject => {
  const { code, data, message } = isRecord(error) ? error : {}
  const isWhole = typeof code === "number" && typeof message === "string"
  const read: ErrorObject = {
    code: typeof code === "number" ? code : errorCodes.internalError,
    message: typeof message === "string" ? message : typeof error === "string" ? error : "no message"
  }
  const rest = isWhole ? data : error
  return rest === undefined ? read : { ...read, data: rest }
}
