/**
 * From a request to what does its work: who may ask already, whether there is such a method, and whether its params fit.
 */
import { type ClientMethod, clientRequests, type ParamsOf } from "@agentwire/protocol/codex"
import type { Refusal, Request } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Sessions } from "../../session/Sessions.ts"
import type { Call, Client } from "./Call.ts"
import { handlers, olderMethods } from "./Methods.ts"
import { badParams, refusals } from "./Refusals.ts"

const isMethod = (method: string): method is ClientMethod => Object.hasOwn(clientRequests, method)

/** Handles a request, whatever it is. */
export const dispatch = (request: Request, call: Call): Effect.Effect<unknown, Refusal, Sessions> =>
  Effect.suspend(() => {
    const { method } = request
    const refused = refusalFor(method, call.client)
    if (refused !== undefined) return Effect.fail(refused)
    const older = Object.hasOwn(olderMethods, method) ? olderMethods[method] : undefined
    if (older !== undefined) return older(request.params, call)
    return isMethod(method)
      ? handled(method, request.params, call)
      : Effect.fail(refusals.unknownMethod(method, Object.keys(clientRequests)))
  })

const refusalFor = (method: string, { introduction }: Client): Refusal | undefined => {
  const known = introduction()
  if (method === "initialize") return known === undefined ? undefined : refusals.alreadyInitialized
  if (known === undefined) return refusals.notInitialized
  return isMethod(method) && clientRequests[method].isExperimental && !known.experimental
    ? refusals.experimental(method)
    : undefined
}

const handled = <M extends ClientMethod>(
  method: M,
  params: unknown,
  call: Call
): Effect.Effect<unknown, Refusal, Sessions> => {
  const handler = handlers[method]
  if (handler === undefined) return Effect.fail(refusals.unsupported(method))
  // What has no params may come without any (docs/wire/codex.md §3.3).
  const decoded = decoderOf(method)(params ?? null)
  return Result.isSuccess(decoded) ? handler(decoded.success, call) : Effect.fail(badParams(params, decoded.failure))
}

// The compiler cannot follow a method to its row of the table.
const decoderOf = <M extends ClientMethod>(method: M) =>
  Schema.decodeUnknownResult(clientRequests[method].params as Schema.Codec<ParamsOf<M>>)
