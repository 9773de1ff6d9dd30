/**
 * The line that answers a control request: the same envelope for every subtype, in both directions.
 */
import type { ControlErrorResponse, ControlSuccessResponse } from "../Control.ts"

/** The line that says a request succeeded. */
export const controlSuccess = (requestId: string, response: object): ControlSuccessResponse => ({
  type: "control_response",
  response: { subtype: "success", request_id: requestId, response }
})

/** The line that says a request failed, and why. */
export const controlError = (requestId: string, error: string): ControlErrorResponse => ({
  type: "control_response",
  response: { subtype: "error", request_id: requestId, error }
})
