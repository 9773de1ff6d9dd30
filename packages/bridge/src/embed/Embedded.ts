/**
 * A handler inside somebody else's server: what that server does not see to is seen to here.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Handler } from "../HttpHandler.ts"
import { type HttpRefusal, refuse } from "../HttpRefusal.ts"
import { tooManyHeaders } from "../RawRefusal.ts"

/** What a handler is for at the moment: for requests, or why not. */
export type Availability =
  | { readonly _tag: "Serving"; readonly handler: Handler; readonly maxHeaders: number }
  | { readonly _tag: "Closed"; readonly message: string }

/** The handler, below a prefix that the server leaves in the paths. */
export const embedded =
  (prefix: string, now: () => Availability): Handler =>
  (request, response) => {
    const state = now()
    if (state._tag === "Closed") return answer(response, refuse("CLOSING", state.message))
    const refusal = hiddenHeaders(request, state.maxHeaders)
    if (refusal !== undefined) return answer(response, refusal)
    request.url = withoutPrefix(request.url ?? "", prefix)
    state.handler(request, response)
  }

const answer = (response: ServerResponse, { body, status }: HttpRefusal): void => {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    connection: "close"
  })
  response.end(JSON.stringify(body))
}

/**
 * A server leaves out the headers above its own limit, and goes on: 1,000 unless it was told otherwise. A request that
 * reaches it may have an `Origin` that nobody sees.
 */
const hiddenHeaders = (request: IncomingMessage, maxHeaders: number): HttpRefusal | undefined => {
  const { server }: Socket & { readonly server?: Partial<Server> } = request.socket
  return tooManyHeaders(request, Math.min(maxHeaders, (server?.maxHeadersCount || Number.POSITIVE_INFINITY) - 1))
}

/** `/agent/health` below `/agent` is `/health`. What is not below it stays, and is not found. */
const withoutPrefix = (url: string, prefix: string): string => {
  const rest = url.slice(prefix.length)
  if (!url.startsWith(prefix) || !/^(?:[/?]|$)/.test(rest)) return url
  return rest.startsWith("/") ? rest : `/${rest}`
}
