/**
 * Requests in, answers out: the gate, the routes, and how answers are written. For servers that exist already;
 * `HttpServer.ts` listens by itself.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { countRefusal, countRequest, countStream, noteRoute } from "../../observe/HttpMetrics.ts"
import { makeRefusalLog, type RefusalLog } from "../../observe/RefusalLog.ts"
import type { Sessions } from "../../session/Sessions.ts"
import { answerRun } from "../agui/AguiHttp.ts"
import type { ApprovalMode } from "../agui/AguiThread.ts"
import { encodingFor } from "../agui/EventEncoding.ts"
import { readRunRequest } from "../agui/RunRequest.ts"
import {
  type AgentInfo,
  answerConnect,
  answerEnvelope,
  answerInfo,
  answerStop,
  checkAgent,
  isEnvelope
} from "../copilotkit/CopilotKitHttp.ts"
import { managementRoutes } from "../management/Routes.ts"
import { type McpOptions, makeMcpRoutes } from "../mcp/McpHttp.ts"
import { type GateOptions, type GateVerdict, type Knock, knock } from "./Access.ts"
import type { Answer, FileAnswer } from "./Answer.ts"
import { defaultHttpLimits, type HttpLimits, hasBody, readJson } from "./HttpLimits.ts"
import { HttpRefusal, refuse } from "./HttpRefusal.ts"
import { tooManyHeaders } from "./RawRefusal.ts"
import { type Asked, type Mount, matchPath, type Route } from "./Route.ts"
import { type SseOptions, writeFrames, writeSse } from "./SseWriter.ts"

/** What a handler is told. */
export interface HandlerOptions {
  readonly gate: GateOptions
  readonly limits?: HttpLimits
  readonly sse?: SseOptions
  readonly agent?: AgentInfo
  /**
   * Where CopilotKit's routes are, such as `/copilotkit`. By default at the root, beside the plain AG-UI endpoint:
   * then a run posted to `/agent/:id/run` is CopilotKit's when it is in its dialect, 0.0, and plain otherwise.
   */
  readonly basePath?: string
  readonly mcp?: McpOptions
  /** How questions of the agent reach the people at AG-UI's clients. Default `deny`: they are not shown. */
  readonly approvals?: ApprovalMode
  /** Further routes, at the root. They come after the others. */
  readonly routes?: ReadonlyArray<Route>
  /** Files that a browser may load without the token, by their path, such as `/` and `/page.js`. */
  readonly page?: ReadonlyMap<string, FileAnswer>
}

/** Handles a request, in `node:http`, Express and the like. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void

const agentOf = ({ options, params }: Asked): Effect.Effect<void, HttpRefusal> =>
  checkAgent(options.agent ?? {}, params["agentId"] ?? "")

const approvalsOf = ({ approvals = "deny" }: HandlerOptions): ApprovalMode => approvals

const plainRoutes: ReadonlyArray<Route> = [
  {
    method: "POST",
    path: "/",
    answer: ({ body, options }, mount) =>
      Effect.gen(function* () {
        const posted = yield* body
        if (mount !== "plain" && isEnvelope(posted))
          return yield* answerEnvelope(options.agent ?? {}, posted, approvalsOf(options))
        return yield* answerRun(yield* readRunRequest(posted), "plain", approvalsOf(options))
      })
  },
  {
    method: "POST",
    path: "/agent/:agentId/run",
    answer: (asked, mount) =>
      Effect.gen(function* () {
        yield* agentOf(asked)
        const request = yield* readRunRequest(yield* asked.body)
        const face = mount === "shared" ? (request.dialect === "0.0" ? "copilotkit" : "plain") : mount
        return yield* answerRun(request, face, approvalsOf(asked.options))
      })
  }
]

const copilotKitRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/info", answer: ({ options }) => Effect.succeed(answerInfo(options.agent ?? {})) },
  {
    method: "POST",
    path: "/agent/:agentId/connect",
    answer: (asked) =>
      Effect.gen(function* () {
        yield* agentOf(asked)
        return yield* answerConnect(yield* readRunRequest(yield* asked.body), approvalsOf(asked.options))
      })
  },
  {
    method: "POST",
    path: "/agent/:agentId/stop/:threadId",
    answer: (asked) =>
      Effect.gen(function* () {
        yield* agentOf(asked)
        return yield* answerStop(asked.params["threadId"] ?? "", asked.hasBody ? yield* asked.body : undefined)
      })
  }
]

/** The routes that every handler has, by where they are. */
export const builtInRoutes: { readonly [M in Mount]: ReadonlyArray<Route> } = {
  plain: [...plainRoutes, ...managementRoutes],
  copilotkit: [...plainRoutes, ...copilotKitRoutes],
  shared: [...plainRoutes, ...copilotKitRoutes, ...managementRoutes]
}

/** A handler of requests. It ends what it is doing when its scope closes. */
export const makeHandler = (options: HandlerOptions): Effect.Effect<Handler, never, Sessions | Scope.Scope> =>
  Effect.gen(function* () {
    const refusals = yield* makeRefusalLog
    const run = yield* FiberSet.makeRuntime<Sessions>()
    const routes = [...(options.routes ?? []), ...(yield* makeMcpRoutes(options.mcp))]
    return (request, response) => {
      // An error of a connection that nobody listens to ends the process.
      request.on("error", () => request.destroy())
      response.on("error", () => response.destroy())
      const handling = handle({ ...options, routes }, refusals, request, response)
      run(Effect.ensuring(handling, countRequest(request, response)))
    }
  })

const handle = (
  options: HandlerOptions,
  refusals: RefusalLog,
  request: IncomingMessage,
  response: ServerResponse
): Effect.Effect<void, never, Sessions> =>
  Effect.gen(function* () {
    const verdict = verdictOn(options, request)
    const { headers } = verdict
    const file = pageFile(options, request)
    if (file !== undefined && (verdict._tag === "Enter" || isTokenMissing(verdict)))
      return yield* write(request, response, file, headers, options.sse)
    if (verdict._tag === "Refused") {
      yield* noteRefusal(refusals, request, verdict.refusal)
      return writeRefusal(request, response, verdict.refusal, headers)
    }
    if (verdict._tag === "Preflight") {
      response.writeHead(204, headers)
      response.end()
      return
    }
    yield* route(options, request).pipe(
      Effect.flatMap((answer) => write(request, response, answer, headers, options.sse)),
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

/** The gate's verdict, on a request whose headers are all there. */
const verdictOn = ({ gate, limits, page }: HandlerOptions, request: IncomingMessage): GateVerdict => {
  const refusal = tooManyHeaders(request, { ...defaultHttpLimits, ...limits }.maxHeaders)
  return refusal === undefined
    ? knock({ ...gate, ownPages: page !== undefined }, knockOf(request))
    : { _tag: "Refused", headers: {}, refusal }
}

/** The page has no secrets: the one who opened it gives it the token, and its requests are let in by that. */
const pageFile = ({ page }: HandlerOptions, { method, url = "" }: IncomingMessage): FileAnswer | undefined =>
  method === "GET" ? page?.get(url.split("?")[0] ?? "") : undefined

const isTokenMissing = (verdict: GateVerdict): boolean =>
  verdict._tag === "Refused" && verdict.refusal.code === "UNAUTHORIZED"

const knockOf = ({ headers, headersDistinct, method = "", socket }: IncomingMessage): Knock => ({
  method,
  hosts: headersDistinct.host ?? [],
  origin: headers.origin,
  authorization: headers.authorization,
  preflightMethod: headers["access-control-request-method"],
  privateNetwork: headers["access-control-request-private-network"] === "true",
  localAddress: socket.localAddress,
  localPort: socket.localPort
})

const route = (options: HandlerOptions, request: IncomingMessage): Effect.Effect<Answer, HttpRefusal, Sessions> =>
  Effect.suspend(() => {
    const place = placeOf(request.url ?? "", options.basePath ?? "")
    if (place === undefined) return Effect.fail(refuse("BAD_REQUEST", "The path cannot be read."))
    const further = place.mount === "copilotkit" ? [] : (options.routes ?? [])
    const found = [...builtInRoutes[place.mount], ...further].flatMap((route) => {
      const params = matchPath(route.path, place.segments)
      return params === undefined ? [] : [{ route, params }]
    })
    if (found.length === 0) return Effect.fail(refuse("NOT_FOUND", "There is nothing here. Runs are posted to /."))
    const match = found.find(({ route }) => route.method === request.method)
    if (match === undefined) {
      const allow = found.map(({ route }) => route.method).join(", ")
      return Effect.fail(new HttpRefusal({ code: "METHOD_NOT_ALLOWED", message: `Use ${allow} here.`, allow }))
    }
    const asked: Asked = {
      params: match.params,
      query: new URLSearchParams(request.url?.split("?")[1] ?? ""),
      headers: request.headers,
      body: readJson(request, options.limits),
      hasBody: hasBody(request),
      options
    }
    noteRoute(request, match.route.path)
    return match.route.answer(asked, place.mount)
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

const write = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  headers: Readonly<Record<string, string>>,
  sse: SseOptions | undefined
): Effect.Effect<void> => {
  switch (answer._tag) {
    case "Json":
      return Effect.sync(() => writeJson(response, answer.status ?? 200, answer.body, headers))
    case "File":
      return Effect.sync(() => {
        response.writeHead(200, {
          "content-type": answer.contentType,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          ...headers,
          ...answer.headers
        })
        response.end(answer.body)
      })
    case "Frames":
      return Effect.asVoid(countStream(writeFrames(response, answer.frames, headers, sse)))
    case "Own":
      return Effect.andThen(
        Effect.sync(() => {
          for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
        }),
        answer.write(request, response)
      )
    case "Events":
      return Effect.flatMap(
        countStream(writeSse(response, answer, headers, sse, encodingFor(request.headers.accept, sse?.protobuf))),
        (end) => (end === "gone" ? answer.whenGone : Effect.void)
      )
  }
}

/** Neither the address nor a header is told: secrets end up there. */
const noteRefusal = (
  refusals: RefusalLog,
  { method }: IncomingMessage,
  { code, status }: HttpRefusal
): Effect.Effect<void> => Effect.andThen(countRefusal(code), refusals({ code, status, method }))

const writeRefusal = (
  request: IncomingMessage,
  response: ServerResponse,
  refusal: HttpRefusal,
  headers: Readonly<Record<string, string>>
): void => {
  if (response.destroyed) return
  const more: Record<string, string> = { ...headers }
  if (refusal.code === "UNAUTHORIZED") more["www-authenticate"] = "Bearer"
  if (refusal.allow !== undefined) more["allow"] = refusal.allow
  // What is left of a body nobody reads would be taken for the next request.
  if (!request.complete || refusal.code === "HEADERS_TOO_LARGE") more["connection"] = "close"
  writeJson(response, refusal.status, refusal.body, more)
}

const writeJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>
): void => {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers
  })
  response.end(JSON.stringify(body))
}
