/**
 * All faces behind one address: their routes in one table. For servers that exist already; `HttpServer.ts` listens by
 * itself.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { answerRun } from "../face/agui/AguiHttp.ts"
import type { ApprovalMode } from "../face/agui/AguiThread.ts"
import type { EventAnswer } from "../face/agui/EventAnswer.ts"
import { type EventOptions, streamOf } from "../face/agui/EventWriter.ts"
import { readRunRequest } from "../face/agui/RunRequest.ts"
import {
  type AgentInfo,
  answerConnect,
  answerEnvelope,
  answerInfo,
  answerStop,
  checkAgent,
  isEnvelope
} from "../face/copilotkit/CopilotKitHttp.ts"
import { type ExtensionRouteOptions, extensionRoutes } from "../face/extension/Routes.ts"
import type { Answer } from "../face/http/Answer.ts"
import type { HttpRefusal } from "../face/http/HttpRefusal.ts"
import { type Handler, handleRequests, type RequestOptions, type RouteTable } from "../face/http/RequestHandler.ts"
import type { Asked, Mount, Route } from "../face/http/Route.ts"
import { managementRoutes } from "../face/management/Routes.ts"
import type { GatewayHealth, RuntimeHealth } from "../face/management/Views.ts"
import { type McpOptions, makeMcpRoutes } from "../face/mcp/McpHttp.ts"
import { normalisedRoutes } from "../face/normalised/Routes.ts"
import type { SessionOptionName } from "../session/OptionRules.ts"
import type { Sessions } from "../session/Sessions.ts"

export type { Handler } from "../face/http/RequestHandler.ts"

/** The options of a handler. */
export interface HandlerOptions extends RequestOptions, ExtensionRouteOptions {
  readonly sse?: EventOptions
  readonly agent?: AgentInfo
  readonly mcp?: McpOptions
  /** How questions of the agent reach the people at AG-UI's clients. Default `deny`: they are not shown. */
  readonly approvals?: ApprovalMode
  /**
   * What callers may choose about the sessions they begin, by name: in a run's `forwardedProps` nothing else, in the
   * management API besides what is harmless. Default none.
   */
  readonly sessionOptions?: ReadonlyArray<SessionOptionName>
  /** How the gateway beside this is: `GET /health` says it, too. */
  readonly gatewayHealth?: Effect.Effect<GatewayHealth>
  /** How the process is that has the sessions, where that is another one: `GET /health` says it, too. */
  readonly runtimeHealth?: Effect.Effect<RuntimeHealth>
  /** Further routes, at the root. They come after the others. */
  readonly routes?: ReadonlyArray<Route<HandlerOptions>>
}

/** A route that may answer with events of AG-UI. */
interface EventRoute extends Pick<Route, "method" | "path"> {
  readonly answer: (
    asked: Asked<HandlerOptions>,
    mount: Mount
  ) => Effect.Effect<EventAnswer | Answer, HttpRefusal, Sessions>
}

/** The same route, whose events are written as the handler was told. */
const withEvents = ({ answer, ...place }: EventRoute): Route<HandlerOptions> => ({
  ...place,
  answer: (asked, mount) =>
    Effect.map(answer(asked, mount), (given) => (given._tag === "Events" ? streamOf(given, asked.options.sse) : given))
})

const agentOf = ({ options, params }: Asked<HandlerOptions>): Effect.Effect<void, HttpRefusal> =>
  checkAgent(options.agent ?? {}, params["agentId"] ?? "")

const approvalsOf = ({ approvals = "deny" }: HandlerOptions): ApprovalMode => approvals

const plainRoutes: ReadonlyArray<EventRoute> = [
  {
    method: "POST",
    path: "/",
    answer: ({ body, options }, mount) =>
      Effect.gen(function* () {
        const posted = yield* body
        if (mount !== "plain" && isEnvelope(posted))
          return yield* answerEnvelope(options.agent ?? {}, posted, approvalsOf(options), options)
        return yield* answerRun(yield* readRunRequest(posted), "plain", approvalsOf(options), options)
      })
  },
  {
    method: "POST",
    path: "/agent/:agentId/run",
    answer: (asked, mount) =>
      Effect.gen(function* () {
        yield* agentOf(asked)
        const request = yield* readRunRequest(yield* asked.body)
        const client = mount === "shared" ? (request.dialect === "0.0" ? "copilotkit" : "plain") : mount
        return yield* answerRun(request, client, approvalsOf(asked.options), asked.options)
      })
  }
]

const copilotKitRoutes: ReadonlyArray<EventRoute> = [
  { method: "GET", path: "/info", answer: ({ options }) => answerInfo(options.agent ?? {}) },
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
export const builtInRoutes: RouteTable<HandlerOptions> = {
  plain: [...plainRoutes.map(withEvents), ...managementRoutes, ...normalisedRoutes, ...extensionRoutes],
  copilotkit: [...plainRoutes, ...copilotKitRoutes].map(withEvents),
  shared: [
    ...[...plainRoutes, ...copilotKitRoutes].map(withEvents),
    ...managementRoutes,
    ...normalisedRoutes,
    ...extensionRoutes
  ]
}

/** A handler of requests. It ends what it is doing when its scope closes. */
export const makeHandler = (options: HandlerOptions): Effect.Effect<Handler, never, Sessions | Scope.Scope> =>
  Effect.gen(function* () {
    const { copilotkit, plain, shared } = builtInRoutes
    const further = [...(options.routes ?? []), ...(yield* makeMcpRoutes(options.mcp))]
    return yield* handleRequests(options, {
      plain: [...plain, ...further],
      copilotkit,
      shared: [...shared, ...further]
    })
  })
