/** What a client asks, read: the params of a method that there is, or why they cannot be. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { errorCodes } from "../jsonrpc/Message.ts"
import type { Answer } from "../model/Request.ts"
import { type ParamsOf, type RequestMethod, requests } from "./Message.ts"

/** A request that can be answered. */
export type ReadRequest = {
  readonly [M in RequestMethod]: { readonly method: M; readonly params: ParamsOf<M> }
}[RequestMethod]

/** Why a request cannot be answered, as JSON-RPC 2.0 numbers it. */
export interface ReadRefusal {
  readonly code: number
  readonly message: string
}

const isMethod = (method: string): method is RequestMethod => Object.hasOwn(requests, method)

/** Reads a request. Params that are left out are an empty object. */
export const readRequest = (method: string, params: unknown): Result.Result<ReadRequest, ReadRefusal> => {
  if (!isMethod(method))
    return Result.fail({ code: errorCodes.methodNotFound, message: `There is no method ${JSON.stringify(method)}.` })
  const decoded = Schema.decodeUnknownResult(requests[method].params as Schema.Codec<unknown>)(params ?? {})
  return Result.isFailure(decoded)
    ? Result.fail({ code: errorCodes.invalidParams, message: `${method}: ${decoded.failure.message}` })
    : Result.succeed({ method, params: decoded.success } as ReadRequest)
}

/** What the answer to an approval means. */
export const readApproval = ({ approved }: ParamsOf<"approval/respond">): Answer =>
  approved ? { type: "allow" } : { type: "deny", reason: "The user does not want this." }
