/**
 * The envelopes of the control protocol: requests and answers travel in both directions on the same
 * stream as everything else, told apart by `request_id`, which whoever asks makes up.
 */
import * as Schema from "effect/Schema"
import { type Open, open, optional } from "../wire/Open.ts"
import { type ControlExchange, ControlRequestBody, controlRequests } from "./ControlRequest.ts"

const envelope = <S extends Schema.Top>(request: S) => ({
  type: Schema.Literal("control_request"),
  request_id: Schema.String,
  request
})

/** The envelope of each request in a table of exchanges. */
export type Envelopes<T extends Readonly<Record<string, ControlExchange>>> = {
  readonly [Subtype in keyof T]: Open<ReturnType<typeof envelope<T[Subtype]["request"]>>>
}

const envelopes = <T extends Readonly<Record<string, ControlExchange>>>(exchanges: T): Envelopes<T> =>
  Object.fromEntries(
    Object.entries(exchanges).map(([subtype, { request }]) => [
      subtype,
      open(`${pascalCase(subtype)}ControlRequest`, envelope(request))
    ])
  ) as Envelopes<T>

const pascalCase = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const anyRequest = open("ControlRequest", envelope(ControlRequestBody))
type AnyRequest = typeof anyRequest

/** The schema of {@link ControlRequest}, under a name: written out wherever it is used, it would be megabytes. */
export interface ControlRequestSchema extends AnyRequest {}

/** A request of any subtype. Use {@link controlRequestMessages} when the subtype is known. */
export const ControlRequest: ControlRequestSchema = anyRequest
/** A request of any subtype. */
export type ControlRequest = typeof ControlRequest.Type

/** The whole `control_request` line, by subtype. */
export const controlRequestMessages: Envelopes<typeof controlRequests> = envelopes(controlRequests)

/** The whole `control_request` line of a subtype: `ControlRequestMessage<"interrupt">`. */
export type ControlRequestMessage<S extends keyof typeof controlRequestMessages> =
  (typeof controlRequestMessages)[S]["Type"]

// What the CLI still waits for: sent with the answer to a second `initialize`, so that a host that comes
// back can answer. Up to 2.1.120 that answer is an error, so errors carry them too (§2).
const pending = {
  pending_permission_requests: optional(Schema.Array(ControlRequest)),
  pending_user_dialog_requests: optional(Schema.Array(ControlRequest)),
  pending_elicitation_requests: optional(Schema.Array(ControlRequest))
}

/**
 * A request that succeeded. What `response` holds depends on the subtype of the request with this
 * `request_id`: look it up there and decode it with `controlRequests[subtype].response`. It may be absent.
 */
export const ControlSuccess = open("ControlSuccess", {
  subtype: Schema.Literal("success"),
  request_id: Schema.String,
  response: optional(Schema.Unknown),
  ...pending
})
/** A request that succeeded. */
export type ControlSuccess = typeof ControlSuccess.Type

/** A request that failed. `error_code` is 2.1.325's: `unsupported_request`, `bypass_not_launched` … */
export const ControlError = open("ControlError", {
  subtype: Schema.Literal("error"),
  request_id: Schema.String,
  error: Schema.String,
  error_code: optional(Schema.String),
  ...pending
})
/** A request that failed. */
export type ControlError = typeof ControlError.Type

/** The line that says a request succeeded. */
export const ControlSuccessResponse = open("ControlSuccessResponse", {
  type: Schema.Literal("control_response"),
  response: ControlSuccess
})
/** The line that says a request succeeded. */
export type ControlSuccessResponse = typeof ControlSuccessResponse.Type

/** The line that says a request failed. */
export const ControlErrorResponse = open("ControlErrorResponse", {
  type: Schema.Literal("control_response"),
  response: ControlError
})
/** The line that says a request failed. */
export type ControlErrorResponse = typeof ControlErrorResponse.Type

/** The `control_response` line, by the subtype of its `response`. */
export const controlResponses = { success: ControlSuccessResponse, error: ControlErrorResponse } as const

/**
 * The `control_response` line. With `--replay-user-messages` the CLI echoes the host's own (§5.25), so
 * one may come whose `request_id` the host never made.
 */
export const ControlResponse = Schema.Union([ControlSuccessResponse, ControlErrorResponse]).annotate({
  identifier: "ControlResponse"
})
/** The `control_response` line. */
export type ControlResponse = typeof ControlResponse.Type

/** Takes a request back: the CLI does so when an interrupt makes a permission moot (§5.38). No answer is wanted. */
export const ControlCancelRequest = open("ControlCancelRequest", {
  type: Schema.Literal("control_cancel_request"),
  request_id: Schema.String
})
/** Takes a request back. */
export type ControlCancelRequest = typeof ControlCancelRequest.Type
