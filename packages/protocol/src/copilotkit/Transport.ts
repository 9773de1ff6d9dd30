/**
 * CopilotKit's transport: how its pages (1.74, 1.75) reach a runtime. The events inside
 * the streams are AG-UI, in the 0.0 dialect (`agui/Dialect.ts`).
 *
 * There are two forms. REST has a route per method; the single endpoint takes everything
 * as an envelope `{method, params, body}` posted to one URL. A page that was told nothing
 * asks `GET /info`; any 2xx answer means REST, anything else makes it try the envelope
 * `{"method": "info"}` (docs/wire/ag-ui.md §4.1).
 */
import * as Schema from "effect/Schema"
import { AgentCapabilities } from "../agui/Capabilities.ts"
import { RunAgentInput00 } from "../agui/Event00.ts"
import { RunErrorEvent } from "../agui/RunEvent.ts"
import { RunAgentInput } from "../agui/RunInput.ts"
import { known, open, optional, variants } from "../wire/Open.ts"

// Runtime information

/** An agent as `/info` describes it. */
export const AgentDescription = open("CopilotKitAgentDescription", {
  name: Schema.String,
  description: Schema.String,
  /** The class that implements the agent. Shown by inspectors, otherwise unused. */
  className: Schema.String,
  capabilities: optional(AgentCapabilities)
})

/** An agent as `/info` describes it. */
export type AgentDescription = typeof AgentDescription.Type

/** Which of the thread routes the runtime serves. */
export const ThreadEndpoints = open("CopilotKitThreadEndpoints", {
  list: Schema.Boolean,
  inspect: Schema.Boolean,
  mutations: Schema.Boolean,
  realtimeMetadata: Schema.Boolean
})

/** Which of the thread routes the runtime serves. */
export type ThreadEndpoints = typeof ThreadEndpoints.Type

/** What a deployment is allowed to use. */
export const RuntimeEntitlement = open("CopilotKitRuntimeEntitlement", {
  active: Schema.Boolean,
  source: known("managedOrgSubscription", "selfHostedDeploymentLicense", "awsMarketplaceDeploymentLicense"),
  features: Schema.Record(Schema.String, Schema.Boolean),
  limits: Schema.Record(Schema.String, Schema.Finite),
  planCode: optional(Schema.String),
  entitlementSource: optional(Schema.String)
})

/** What a deployment is allowed to use. */
export type RuntimeEntitlement = typeof RuntimeEntitlement.Type

/** Why the entitlement is not known. */
export const RuntimeEntitlementError = open("CopilotKitRuntimeEntitlementError", {
  code: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
  requestId: optional(Schema.String),
  traceId: optional(Schema.String)
})

/** Why the entitlement is not known. */
export type RuntimeEntitlementError = typeof RuntimeEntitlementError.Type

/** The entitlement, or why it is not known. */
export const RuntimeEntitlements = variants("CopilotKitRuntimeEntitlements", "status", [
  open({ status: Schema.Literal("ready"), entitlement: RuntimeEntitlement }),
  open({ status: Schema.Literals(["degraded", "misconfigured", "unavailable"]), error: RuntimeEntitlementError })
])

/** The entitlement, or why it is not known. */
export type RuntimeEntitlements = typeof RuntimeEntitlements.Type

/**
 * What a runtime says about itself: the answer to `GET /info`. A page whose agent id is
 * not in `agents` throws and stays blank; the default id is `default` (§4.2).
 */
export const RuntimeInfo = open("CopilotKitRuntimeInfo", {
  version: Schema.String,
  /** By id. The only field pages read without looking whether it is there. */
  agents: Schema.Record(Schema.String, AgentDescription),
  audioFileTranscriptionEnabled: Schema.Boolean,
  /** The runtime always sends it; pages read its absence as `sse`. */
  mode: optional(known("sse", "intelligence")),
  /** With `mode: "intelligence"` only. */
  intelligence: optional(open({ wsUrl: Schema.String })),
  threadEndpoints: optional(ThreadEndpoints),
  /** What the single endpoint serves through `resource/request`. */
  singleRoute: optional(open({ resourceOperations: Schema.Boolean, threadEndpoints: ThreadEndpoints })),
  inspectorMetadata: optional(Schema.Boolean),
  inspectorLearning: optional(Schema.Boolean),
  /** Without it, suggestions cost a whole run of the agent on a thread of their own (§4.7). */
  suggestions: optional(Schema.Boolean),
  /** Older than `a2ui`, and sent along with it. */
  a2uiEnabled: optional(Schema.Boolean),
  /** Without `agents`, it holds for all. */
  a2ui: optional(open({ enabled: Schema.Boolean, agents: optional(Schema.Array(Schema.String)) })),
  openGenerativeUIEnabled: optional(Schema.Boolean),
  runtimeEntitlements: optional(RuntimeEntitlements),
  licenseStatus: optional(known("valid", "none", "expired", "expiring", "invalid", "unknown")),
  telemetryDisabled: optional(Schema.Boolean)
})

/** What a runtime says about itself. */
export type RuntimeInfo = typeof RuntimeInfo.Type

// Requests and answers

/**
 * The body of a run or a connect, in either dialect. To answer a bad one precisely, decode
 * it with `dialects[dialectOf(body)].RunAgentInput` instead.
 */
export const RunBody = Schema.Union([RunAgentInput, RunAgentInput00])

/** The body of a run or a connect, in either dialect. */
export type RunBody = typeof RunBody.Type

/**
 * The body of a stop, which may also be missing. Stop does not close the run's stream: the
 * page keeps rendering until the server ends it (§0 item 7). CopilotKit's own runtime
 * refuses other keys and a blank `runId`.
 */
export const StopRequest = open("CopilotKitStopRequest", {
  /** Stops only this run; absent, whatever runs on the thread. */
  runId: optional(Schema.String)
})

/** The body of a stop. */
export type StopRequest = typeof StopRequest.Type

/** The answer to a stop, always with status 200. Pages do not read it. */
export const StopResponse = Schema.Union([
  open({ stopped: Schema.Literal(true), interrupt: RunErrorEvent }),
  open({ stopped: Schema.Literal(false), message: Schema.String })
]).annotate({ identifier: "CopilotKitStopResponse" })

/** The answer to a stop. */
export type StopResponse = typeof StopResponse.Type

/** Audio inside an envelope. The REST route takes it as the field `audio` of a multipart form, or as this. */
export const TranscribeRequest = open("CopilotKitTranscribeRequest", {
  /** Base64, with or without a `data:` prefix. */
  audio: Schema.String,
  mimeType: Schema.String,
  filename: optional(Schema.String)
})

/** Audio inside an envelope. */
export type TranscribeRequest = typeof TranscribeRequest.Type

/** The answer to a transcription. */
export const TranscribeResponse = open("CopilotKitTranscribeResponse", {
  text: Schema.String,
  size: Schema.Finite,
  type: Schema.String
})

/** The answer to a transcription. */
export type TranscribeResponse = typeof TranscribeResponse.Type

/** The body of an error answer. */
export const ErrorResponse = open("CopilotKitErrorResponse", {
  error: Schema.String,
  message: optional(Schema.String),
  code: optional(Schema.String)
})

/** The body of an error answer. */
export type ErrorResponse = typeof ErrorResponse.Type

// The single endpoint

const agentId = { agentId: Schema.String }

/**
 * Everything that can be posted to the single endpoint, by method. The runtime refuses
 * blank params (400), a content type other than JSON (415) and methods it does not know
 * (400). A REST runtime that gets an envelope answers 404.
 */
export const envelopes = {
  info: open("CopilotKitInfoEnvelope", { method: Schema.Literal("info") }),
  "agent/run": open("CopilotKitRunEnvelope", {
    method: Schema.Literal("agent/run"),
    params: open(agentId),
    body: RunBody
  }),
  "agent/connect": open("CopilotKitConnectEnvelope", {
    method: Schema.Literal("agent/connect"),
    params: open(agentId),
    body: RunBody
  }),
  "agent/suggest": open("CopilotKitSuggestEnvelope", {
    method: Schema.Literal("agent/suggest"),
    params: open(agentId),
    body: RunBody
  }),
  "agent/stop": open("CopilotKitStopEnvelope", {
    method: Schema.Literal("agent/stop"),
    params: open({ ...agentId, threadId: Schema.String }),
    body: optional(StopRequest)
  }),
  transcribe: open("CopilotKitTranscribeEnvelope", {
    method: Schema.Literal("transcribe"),
    body: TranscribeRequest
  }),
  "resource/request": open("CopilotKitResourceEnvelope", {
    method: Schema.Literal("resource/request"),
    params: open({
      /** With its query, relative to the runtime: it begins with one `/`. Threads, memories and `/annotate` only. */
      path: Schema.String,
      httpMethod: Schema.String
    }),
    body: optional(Schema.Unknown)
  }),
  "inspector/metadata": open("CopilotKitInspectorMetadataEnvelope", {
    method: Schema.Literal("inspector/metadata")
  }),
  "inspector/learning": open("CopilotKitInspectorLearningEnvelope", {
    method: Schema.Literal("inspector/learning"),
    params: optional(
      open({
        agentId: optional(Schema.String),
        skillsPage: optional(Schema.Union([Schema.String, Schema.Finite])),
        insightsPage: optional(Schema.Union([Schema.String, Schema.Finite]))
      })
    )
  })
}

/** The method of an envelope. */
export type EnvelopeMethod = keyof typeof envelopes

/** Anything posted to the single endpoint. */
export const Envelope = variants("CopilotKitEnvelope", "method", Object.values(envelopes))

/** Anything posted to the single endpoint. */
export type Envelope = typeof Envelope.Type

// REST

/** One route of the REST form. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  /** Relative to the runtime's URL. Segments led by `:` are parameters, percent-encoded. */
  readonly path: string
  /** The same in the single-endpoint form; null where there is none. */
  readonly envelope: EnvelopeMethod | null
  /**
   * What a success answers: one JSON document, a stream, or nothing (204). In `intelligence` mode run and connect answer
   * JSON, because the events go over a WebSocket.
   */
  readonly response: "json" | "sse" | "empty"
  /** Whether a plain chat page asks for it. The others belong to threads, memory, audio and inspectors. */
  readonly chat: boolean
}

/**
 * The REST routes of runtime 1.75.0. It matches them at the end of the path, so a runtime
 * mounted anywhere finds them; a known path with another method answers 405.
 */
export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "/info", envelope: "info", response: "json", chat: true },
  { method: "POST", path: "/agent/:agentId/run", envelope: "agent/run", response: "sse", chat: true },
  { method: "POST", path: "/agent/:agentId/connect", envelope: "agent/connect", response: "sse", chat: true },
  { method: "POST", path: "/agent/:agentId/stop/:threadId", envelope: "agent/stop", response: "json", chat: true },
  { method: "POST", path: "/agent/:agentId/suggest", envelope: "agent/suggest", response: "sse", chat: false },
  { method: "POST", path: "/transcribe", envelope: "transcribe", response: "json", chat: false },
  { method: "GET", path: "/threads", envelope: "resource/request", response: "json", chat: false },
  { method: "POST", path: "/threads/subscribe", envelope: "resource/request", response: "json", chat: false },
  { method: "POST", path: "/threads/clear", envelope: "resource/request", response: "empty", chat: false },
  { method: "PATCH", path: "/threads/:threadId", envelope: "resource/request", response: "json", chat: false },
  { method: "DELETE", path: "/threads/:threadId", envelope: "resource/request", response: "json", chat: false },
  { method: "POST", path: "/threads/:threadId/archive", envelope: "resource/request", response: "json", chat: false },
  { method: "GET", path: "/threads/:threadId/messages", envelope: "resource/request", response: "json", chat: false },
  { method: "GET", path: "/threads/:threadId/events", envelope: "resource/request", response: "json", chat: false },
  { method: "GET", path: "/threads/:threadId/state", envelope: "resource/request", response: "json", chat: false },
  { method: "GET", path: "/memories", envelope: "resource/request", response: "json", chat: false },
  { method: "POST", path: "/memories", envelope: "resource/request", response: "json", chat: false },
  { method: "POST", path: "/memories/recall", envelope: "resource/request", response: "json", chat: false },
  { method: "POST", path: "/memories/subscribe", envelope: "resource/request", response: "json", chat: false },
  { method: "PATCH", path: "/memories/:memoryId", envelope: "resource/request", response: "json", chat: false },
  { method: "DELETE", path: "/memories/:memoryId", envelope: "resource/request", response: "empty", chat: false },
  { method: "POST", path: "/annotate", envelope: "resource/request", response: "json", chat: false },
  { method: "GET", path: "/inspector-metadata", envelope: "inspector/metadata", response: "json", chat: false },
  { method: "GET", path: "/inspector-learning", envelope: "inspector/learning", response: "json", chat: false },
  { method: "GET", path: "/cpk-debug-events", envelope: null, response: "sse", chat: false }
]
