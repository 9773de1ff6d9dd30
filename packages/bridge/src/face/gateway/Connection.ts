/**
 * A client of the gateway: its requests are handled as they come, several at once, and each is answered once, whatever it
 * is.
 */

import * as Gateway from "@agentwire/protocol/gateway"
import { isGatewayMethod, type ParamsOf, type ResponseFrame } from "@agentwire/protocol/gateway"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Sessions } from "../../session/Sessions.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import type { SocketChannel } from "../http/SocketChannel.ts"
import type { Call, Client, Handler, Shared } from "./Call.ts"
import { eventHandlers } from "./EventMethods.ts"
import type { GatewayMethodFailed } from "./Extensions.ts"
import { sessionHandlers } from "./SessionMethods.ts"
import { workspaceHandlers } from "./WorkspaceMethods.ts"

const handlers = { ...sessionHandlers, ...workspaceHandlers, ...eventHandlers }

const defaultMaxHandled = 32

type Failed = HttpRefusal | GatewayMethodFailed

const answerTo = <M extends Gateway.GatewayMethod>(
  method: M,
  params: unknown,
  call: Call
): Effect.Effect<unknown, Failed, Sessions> =>
  Effect.suspend(() => {
    const read = Gateway.readParams(method, params)
    if (Result.isFailure(read)) return Effect.fail(refuse("BAD_INPUT", read.failure.message))
    // The compiler cannot follow a method to its row of the table.
    return (handlers[method] as unknown as Handler<M>)(read.success as ParamsOf<M>, call)
  })

/** What a method gives, whoever has it. */
const called = (
  { method, params }: typeof Gateway.RequestFrame.Type,
  call: Call
): Effect.Effect<unknown, Failed, Sessions> =>
  Effect.suspend(() => {
    if (isGatewayMethod(method)) return answerTo(method, params, call)
    const { client, shared } = call
    const { extensions } = shared
    if (extensions?.methods().has(method) === true)
      return extensions.call(method, params ?? {}, { client: client.id, sessionId: client.current })
    return Effect.fail(
      refuse("UNKNOWN_METHOD", `There is no such method. There are: ${Object.keys(Gateway.gatewayMethods).join(", ")}.`)
    )
  })

const failed = (id: string, code: string, error: string, cause?: string): ResponseFrame => ({
  type: "res",
  id,
  ok: false,
  error,
  code,
  ...(cause !== undefined && { cause })
})

const refused = (id: string, failure: Failed): ResponseFrame => {
  if (failure._tag === "GatewayMethodFailed") return failed(id, failure.code, failure.message)
  const { cause, code, message } = failure.body.error
  return failed(id, code, message, cause)
}

/** The answer to a text, whatever it is. */
const answerOf = (text: string, call: Call): Effect.Effect<ResponseFrame, never, Sessions> =>
  Effect.suspend(() => {
    const read = Gateway.readFrame(text)
    if (Result.isFailure(read)) {
      const { code, id, message } = read.failure
      return Effect.succeed(failed(id, code, message))
    }
    const { id, method } = read.success
    return called(read.success, call).pipe(
      Effect.map((payload): ResponseFrame => ({ type: "res", id, ok: true, payload: payload ?? null })),
      Effect.catch((failure) => Effect.succeed(refused(id, failure))),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.as(
              Effect.annotateLogs(Effect.logError("A request of a client could not be handled.", cause), {
                method: Gateway.isGatewayMethod(method) ? method : "other"
              }),
              failed(id, "INTERNAL", "Something broke inside the server; see its log.")
            )
      )
    )
  })

/** Serves a client until it is gone. What it began goes on without it. */
export const serveClient = (
  channel: SocketChannel,
  client: Client,
  shared: Shared
): Effect.Effect<void, never, Sessions> => {
  const { maxHandled = defaultMaxHandled } = shared.options.limits ?? {}
  const call: Call = { client, shared }
  return Effect.acquireUseRelease(
    Effect.sync(() => shared.feeds.enter(client)),
    () =>
      channel.incoming.pipe(
        Stream.mapEffect(
          (text) =>
            Effect.gen(function* () {
              const answer = yield* answerOf(text, call)
              // A client that is gone hears nothing.
              yield* Effect.ignore(channel.send(JSON.stringify(answer)))
            }),
          { concurrency: maxHandled, unordered: true }
        ),
        Stream.runDrain
      ),
    () => shared.feeds.leave(client)
  )
}
