/**
 * A handler inside somebody else's server, for as long as there is a bridge behind it.
 */
import type { ServerResponse } from "node:http"
import { type HttpRefusal, refuse } from "../face/http/HttpRefusal.ts"
import type { Handler } from "../server/HttpHandler.ts"

/** Whether requests are served at the moment, and if not, why. */
export type Availability =
  | { readonly _tag: "Serving"; readonly handler: Handler }
  | { readonly _tag: "Closed"; readonly message: string }

/** The handler, below a prefix that the server leaves in the paths. */
export const mountedHandler =
  (prefix: string, now: () => Availability): Handler =>
  (request, response) => {
    const state = now()
    if (state._tag === "Closed") return answer(response, refuse("CLOSING", state.message))
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

/** `/agent/health` below `/agent` is `/health`. What is not below it stays, and is not found. */
const withoutPrefix = (url: string, prefix: string): string => {
  const rest = url.slice(prefix.length)
  if (!url.startsWith(prefix) || !/^(?:[/?]|$)/.test(rest)) return url
  return rest.startsWith("/") ? rest : `/${rest}`
}
