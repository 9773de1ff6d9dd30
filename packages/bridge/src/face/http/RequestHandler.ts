/**
 * Requests in, answers out: who gets in, then the route that a request is for, then its answer. Which routes there are
 * is not known here.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { othersFirst } from "../../eventloop/Turns.ts"
import { makeRefusalLog, type RefusalLog } from "../../log/RefusalLog.ts"
import { countRefusal, countRequest, noteRoute } from "../../observe/HttpMetrics.ts"
import type { Sessions } from "../../session/Sessions.ts"
import { Unreachable } from "../../session/Unreachable.ts"
import { type AccessOptions, type AccessRequest, type AccessVerdict, checkAccess } from "./Access.ts"
import type { Answer, FileAnswer } from "./Answer.ts"
import { writeAnswer, writeRefusal } from "./AnswerWriter.ts"
import { hasBody, isLarge, readJson } from "./Body.ts"
import { type BodyRoom, makeBodyRoom } from "./BodyRoom.ts"
import { noteEntry } from "./Entry.ts"
import { defaultHttpLimits, type HttpLimits } from "./HttpLimits.ts"
import { HttpRefusal, refuse } from "./HttpRefusal.ts"
import { tooManyHeaders } from "./RawRefusal.ts"
import { type Asked, type Mount, matchPath, type Route } from "./Route.ts"
import { unreachable } from "./SessionRefusal.ts"
import type { StreamOptions } from "./StreamWriter.ts"

/** How requests are handled, whatever they ask for. */
export interface RequestOptions {
  readonly access: AccessOptions
  readonly limits?: HttpLimits
  readonly sse?: StreamOptions
  /**
   * Where CopilotKit's routes are, such as `/copilotkit`. By default at the root, beside the plain AG-UI endpoint:
   * then a run posted to `/agent/:id/run` is CopilotKit's when it is in its dialect, 0.0, and plain otherwise.
   */
  readonly basePath?: string
  /** Files that a browser may load without the token, by their path, such as `/` and `/page.js`. */
  readonly page?: ReadonlyMap<string, FileAnswer>
}

/** The routes, by where they are. */
export type RouteTable<Options> = { readonly [M in Mount]: ReadonlyArray<Route<Options>> }

/** Handles a request, in `node:http`, Express and the like. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A handler of requests. It ends what it is doing when its scope closes. */
export const handleRequests = <Options extends RequestOptions>(
  options: Options,
  routes: RouteTable<Options>
): Effect.Effect<Handler, never, Sessions | Scope.Scope> =>
  Effect.gen(function* () {
    const refusals = yield* makeRefusalLog
    const room = yield* makeBodyRoom(options.limits)
    const run = yield* FiberSet.makeRuntime<Sessions>()
    return (request, response) => {
      // An error of a connection that nobody listens to ends the process.
      request.on("error", () => request.destroy())
      response.on("error", () => response.destroy())
      const handling = handle(options, routes, { refusals, room }, request, response)
      run(Effect.ensuring(handling, countRequest(request, response)))
    }
  })

/** What the requests of a handler share. */
interface Shared {
  readonly refusals: RefusalLog
  readonly room: BodyRoom
}

const handle = <Options extends RequestOptions>(
  options: Options,
  routes: RouteTable<Options>,
  { refusals, room }: Shared,
  request: IncomingMessage,
  response: ServerResponse
): Effect.Effect<void, never, Sessions> =>
  Effect.gen(function* () {
    const verdict = verdictOn(options, request)
    const { headers } = verdict
    if (verdict._tag === "Enter") noteEntry(request.socket)
    const file = pageFile(options, request)
    if (file !== undefined && (verdict._tag === "Enter" || isTokenMissing(verdict)))
      return yield* writeAnswer(request, response, file, headers, options.sse)
    if (verdict._tag === "Refused") {
      yield* noteRefusal(refusals, request, verdict.refusal)
      return writeRefusal(request, response, verdict.refusal, headers)
    }
    if (verdict._tag === "Preflight") {
      response.writeHead(204, headers)
      response.end()
      return
    }
    yield* route(options, routes, room, request).pipe(
      // What was read is told to everybody by now; telling it back is as much work again.
      Effect.tap(() => (isLarge(request) ? othersFirst : Effect.void)),
      Effect.flatMap((answer) => writeAnswer(request, response, answer, headers, options.sse)),
      Effect.catchDefect((defect) =>
        defect instanceof Unreachable ? Effect.fail(unreachable(defect)) : Effect.die(defect)
      ),
      Effect.catchTag("HttpRefusal", (refusal) =>
        Effect.andThen(
          noteRefusal(refusals, request, refusal),
          Effect.sync(() => writeRefusal(request, response, refusal, headers))
        )
      ),
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.andThen(countRefusal("INTERNAL"), Effect.logError("request failed", cause)),
          Effect.sync(() => {
            const refusal = refuse("INTERNAL", "Something broke inside the server; see its log.")
            if (response.headersSent) response.destroy()
            else writeRefusal(request, response, refusal, headers)
          })
        )
      ),
      Effect.onInterrupt(() => Effect.sync(() => (response.headersSent ? response.end() : response.destroy())))
    )
  })

/** The verdict on a request whose headers are all there. */
const verdictOn = ({ access, limits, page }: RequestOptions, request: IncomingMessage): AccessVerdict => {
  const refusal = tooManyHeaders(request, { ...defaultHttpLimits, ...limits }.maxHeaders)
  return refusal === undefined
    ? checkAccess({ ...access, ownPages: page !== undefined }, accessRequestOf(request))
    : { _tag: "Refused", headers: {}, refusal }
}

/** The page has no secrets: whoever opens it gives it the token, and that lets its requests in. */
const pageFile = ({ page }: RequestOptions, { method, url = "" }: IncomingMessage): FileAnswer | undefined =>
  method === "GET" ? page?.get(url.split("?")[0] ?? "") : undefined

const isTokenMissing = (verdict: AccessVerdict): boolean =>
  verdict._tag === "Refused" && verdict.refusal.code === "UNAUTHORIZED"

/** What a request says about itself to those who decide whether it gets in. */
export const accessRequestOf = ({ headers, headersDistinct, method = "", socket }: IncomingMessage): AccessRequest => ({
  method,
  hosts: headersDistinct.host ?? [],
  origin: headers.origin,
  authorizations: headersDistinct["authorization"] ?? [],
  preflightMethod: headers["access-control-request-method"],
  privateNetwork: headers["access-control-request-private-network"] === "true",
  localAddress: socket.localAddress,
  localPort: socket.localPort
})

const route = <Options extends RequestOptions>(
  options: Options,
  routes: RouteTable<Options>,
  room: BodyRoom,
  request: IncomingMessage
): Effect.Effect<Answer, HttpRefusal, Sessions> =>
  Effect.suspend(() => {
    const place = placeOf(request.url ?? "", options.basePath ?? "")
    if (place === undefined) return Effect.fail(refuse("BAD_REQUEST", "The path cannot be read."))
    const found = routes[place.mount].flatMap((route) => {
      const params = matchPath(route.path, place.segments)
      return params === undefined ? [] : [{ route, params }]
    })
    if (found.length === 0) return Effect.fail(refuse("NOT_FOUND", "There is nothing here. Runs are posted to /."))
    const match = found.find(({ route }) => route.method === request.method)
    if (match === undefined) {
      const allow = found.map(({ route }) => route.method).join(", ")
      return Effect.fail(new HttpRefusal({ code: "METHOD_NOT_ALLOWED", message: `Use ${allow} here.`, allow }))
    }
    const asked: Asked<Options> = {
      params: match.params,
      query: new URLSearchParams(request.url?.split("?")[1] ?? ""),
      headers: request.headers,
      body: readJson(request, options.limits),
      hasBody: hasBody(request),
      options
    }
    noteRoute(request, match.route.path)
    return room(request, match.route.answer(asked, place.mount))
  })

/** The decoded segments of a path, and whose routes are there; undefined when the path cannot be read. */
const placeOf = (
  url: string,
  basePath: string
): { readonly mount: Mount; readonly segments: ReadonlyArray<string> } | undefined => {
  if (!url.startsWith("/")) return undefined
  const segments = segmentsOf(url.split("?")[0] ?? "")
  const base = segmentsOf(basePath)
  if (segments === undefined || base === undefined) return undefined
  if (base.length === 0) return { mount: "shared", segments }
  return base.every((segment, index) => segments[index] === segment)
    ? { mount: "copilotkit", segments: segments.slice(base.length) }
    : { mount: "plain", segments }
}

const segmentsOf = (path: string): ReadonlyArray<string> | undefined => {
  try {
    return path
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeURIComponent)
  } catch (cause) {
    if (cause instanceof URIError) return undefined
    throw cause
  }
}

/** Neither the address nor a header is logged: secrets end up there. */
const noteRefusal = (
  refusals: RefusalLog,
  { method }: IncomingMessage,
  { code, status }: HttpRefusal
): Effect.Effect<void> => Effect.andThen(countRefusal(code), refusals({ code, status, method }))
