/**
 * The routes beside the management API, for the OpenAPI document: AG-UI, CopilotKit's, normalised events, extensions, MCP and the page. What they
 * take and answer is their own protocols' business; here is where they are and what travels.
 */
import * as Agui from "@agentwire/protocol/agui"
import * as CopilotKit from "@agentwire/protocol/copilotkit"
import * as Schema from "effect/Schema"
import { type ExtensionEndpoint, extensionApi } from "../extension/Api.ts"
import type { RefusalCode } from "../http/HttpRefusal.ts"
import type { Route } from "../http/Route.ts"
import { type NormalisedEndpoint, normalisedApi, normalisedFrames } from "../normalised/Api.ts"
import { type JsonOutput, ofBody, type StreamOutput, type TextOutput } from "./Api.ts"
import * as Wire from "./Wire.ts"

/** A route beside the management API. */
export interface OtherRoute extends Pick<Route, "method" | "path"> {
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly query?: Schema.Struct<Schema.Struct.Fields>
  readonly body?: Schema.Top
  readonly output: JsonOutput | StreamOutput | TextOutput
  readonly refusals: ReadonlyArray<RefusalCode>
  /** Whether a browser may load it without the token. */
  readonly isPublic?: boolean
}

const events: StreamOutput = { _tag: "Stream", frames: { message: Wire.Event } }
const json = (schema: Schema.Top): JsonOutput => ({ _tag: "Json", status: 200, schema })
const anything = Schema.Unknown

const ofRun = [
  ...ofBody,
  "TOO_MUCH_NEW",
  "BAD_THREAD_ID",
  "OPTION_REFUSED",
  "FOLDER_REFUSED",
  "THREAD_BUSY",
  "THREAD_EXISTS",
  "THREAD_ELSEWHERE",
  "SESSION_LIMIT",
  "STORE_FAILED",
  "CLOSING"
] as const

/** The routes of normalised events. */
const normalised = Object.entries<NormalisedEndpoint>(normalisedApi).map(
  ([name, { answer, refusals, ...endpoint }]): OtherRoute => ({
    ...endpoint,
    name: `normalised.${name}`,
    output:
      answer === "events"
        ? { _tag: "Stream", frames: normalisedFrames }
        : { _tag: "Json", status: answer[0], schema: answer[1] },
    refusals: endpoint.body === undefined ? refusals : [...ofBody, ...refusals]
  })
)

/** The routes of extensions. What a page is, is the extension's business. */
const extensions = Object.entries<ExtensionEndpoint>(extensionApi).map(
  ([name, { answer, path, refusals, ...endpoint }]): OtherRoute => ({
    ...endpoint,
    path: path.replace("*", ":"),
    name: `extensions.${name}`,
    output: answer === "page" ? { _tag: "Text", contentType: "*/*" } : json(answer),
    refusals: endpoint.body === undefined ? refusals : [...ofBody, ...refusals]
  })
)

const closing = "Closing the connection stops the run."

/** Every route beside the management API. */
export const otherRoutes: ReadonlyArray<OtherRoute> = [
  {
    name: "agui.run",
    method: "POST",
    path: "/",
    summary: "Run the agent (AG-UI), or an envelope of CopilotKit's single endpoint",
    description: `The answer is the events of the run. ${closing}`,
    body: Schema.Union([Agui.RunAgentInput, CopilotKit.Envelope]),
    output: events,
    refusals: [...ofRun, "AGENT_NOT_FOUND", "NOT_SERVED"]
  },
  {
    name: "copilotkit.run",
    method: "POST",
    path: "/agent/:agentId/run",
    summary: "Run the agent, as CopilotKit's REST transport does",
    description: "A run in the dialect of CopilotKit continues when the connection closes; a plain one is stopped.",
    body: Agui.RunAgentInput,
    output: events,
    refusals: [...ofRun, "AGENT_NOT_FOUND"]
  },
  {
    name: "copilotkit.info",
    method: "GET",
    path: "/info",
    summary: "What the runtime is",
    output: json(CopilotKit.RuntimeInfo),
    refusals: []
  },
  {
    name: "copilotkit.connect",
    method: "POST",
    path: "/agent/:agentId/connect",
    summary: "Join a thread: what was said, and the run that is open",
    body: Agui.RunAgentInput,
    output: events,
    refusals: [...ofBody, "AGENT_NOT_FOUND"]
  },
  {
    name: "copilotkit.stop",
    method: "POST",
    path: "/agent/:agentId/stop/:threadId",
    summary: "Stop the run of a thread",
    body: CopilotKit.StopRequest,
    output: json(CopilotKit.StopResponse),
    refusals: [...ofBody, "AGENT_NOT_FOUND", "THREAD_ELSEWHERE", "STORE_FAILED"]
  },
  ...normalised,
  ...extensions,
  ...(["POST", "GET", "DELETE"] as const).map(
    (method): OtherRoute => ({
      name: `mcp.${method.toLowerCase()}`,
      method,
      path: "/mcp/:threadId",
      summary: "The application's tools as an MCP server (Streamable HTTP)",
      description: "The protocol is MCP's; use an MCP client.",
      ...(method === "POST" && { body: anything }),
      output: json(anything),
      refusals: ["SESSION_NOT_FOUND", "THREAD_ELSEWHERE", "BAD_INPUT", "MCP_NOT_INSTALLED", "STORE_FAILED"]
    })
  ),
  {
    name: "page",
    method: "GET",
    path: "/",
    summary: "The page, where one is served",
    description: "Its other files are beside it.",
    output: { _tag: "Text", contentType: "text/html; charset=utf-8" },
    refusals: ["METHOD_NOT_ALLOWED"],
    isPublic: true
  }
]
