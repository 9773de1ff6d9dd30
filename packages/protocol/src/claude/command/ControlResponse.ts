/**
 * The line that answers a control request: the same envelope for every subtype, in both directions.
 */
import type { ControlErrorResponse, ControlSuccessResponse } from "../Control.ts"
import type { RequestId } from "../RequestId.ts"

/** An answer to a request whose id is as it came. One that is a text fits the schema of the line. */
export interface AnswerLine<Body extends { readonly request_id: string }, Id extends RequestId> {
  readonly type: "control_response"
  readonly response: Omit<Body, "request_id"> & { readonly request_id: Id }
}

/** The line that says a request succeeded. */
export const controlSuccess = <Id extends RequestId = string>(
  requestId: Id,
  response: object
): AnswerLine<ControlSuccessResponse["response"], Id> => ({
  type: "control_response",
  response: { subtype: "success", request_id: requestId, response }
})

/** The line that says a request failed, and why. */
export const controlError = <Id extends RequestId = string>(
  requestId: Id,
  error: string
): AnswerLine<ControlErrorResponse["response"], Id> => ({
  type: "control_response",
  response: { subtype: "error", request_id: requestId, error }
})
