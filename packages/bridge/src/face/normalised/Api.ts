/**
 * The routes of normalised events as data: what each takes, answers and refuses. `Routes.ts` serves them, and the OpenAPI
 * document describes them.
 */
import * as Model from "@agentwire/protocol/model"
import { NormalisedEvent } from "@agentwire/protocol/normalised"
import * as Schema from "effect/Schema"
import { agentOptionFields } from "../../session/AgentOptions.ts"
import type { RefusalCode } from "../http/HttpRefusal.ts"
import type { Route } from "../http/Route.ts"

const optional = Schema.optionalKey

const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotate({ description })

/** A text of at most so many characters, and at least one. */
const text = (max: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(max))

// Named, because the types of the protocol's open objects cannot be written down outside of it.
const Part: Schema.Codec<Model.Part> = Model.Part
const Event: Schema.Codec<NormalisedEvent> = NormalisedEvent

/** A session to make. */
export const NewChat = Schema.Struct({
  session_id: optional(described(text(256), "The name of the session. One is made up when it is left out.")),
  runtime: optional(
    described(
      text(100),
      "Which kind of agent it is, such as `claude` or `codex`: by its kind, its name or the first word of that. The one of the bridge when it is left out."
    )
  ),
  params: optional(
    Schema.Struct({
      workingDir: optional(
        described(text(4096), "The folder the agent works in: an absolute path under a root of the bridge.")
      ),
      mode: optional(described(text(100), "What the session is for, to the policy.")),
      ...agentOptionFields
    })
  )
}).annotate({ identifier: "NewChat" })

/** A session. */
export const Chat = Schema.Struct({
  id: Schema.String,
  session_id: Schema.String,
  runtime: described(Schema.String, "What people call the agent."),
  provider_session_id: optional(described(Schema.String, "The agent's own id of the conversation, once it is known.")),
  resumed: optional(described(Schema.Boolean, "It was there before, or continues a conversation of the agent."))
}).annotate({ identifier: "Chat" })

/** A prompt. */
export const ChatMessage = Schema.Struct({
  message: described(
    Schema.Union([text(10_000_000), Schema.Array(Part)]),
    "What the person says: text, or parts of several kinds."
  ),
  node_context: optional(
    described(Schema.Unknown, "What the application wants the agent to know besides: a text, or anything as JSON.")
  ),
  steer: optional(
    described(
      Schema.Boolean,
      "Where the agent works, say it in the turn that is open, which goes on. Without it, a session that works refuses a message."
    )
  )
}).annotate({ identifier: "ChatMessage" })

/** A prompt that was accepted. */
export const ChatAccepted = Schema.Struct({
  session_id: Schema.String,
  run_id: Schema.String,
  message_id: Schema.String,
  from: described(Schema.Natural, "Where the events of the turn begin: `?from=` of the events."),
  steered: optional(
    described(
      Schema.Literal(true),
      "It goes into the turn that is open. It has one of its own only when it comes too late for that."
    )
  )
}).annotate({ identifier: "ChatAccepted" })

/** Whether there was something to stop. */
export const ChatStopped = Schema.Struct({ stopped: Schema.Boolean }).annotate({ identifier: "ChatStopped" })

/** A session to continue. */
export const ChatResume = Schema.Struct({
  provider_session_id: optional(
    described(text(256), "The agent's own id of a conversation that was begun elsewhere: a session is made of it.")
  )
}).annotate({ identifier: "ChatResume" })

/** A session that was put away. */
export const ChatArchived = Schema.Struct({ archived: Schema.Boolean }).annotate({ identifier: "ChatArchived" })

/** Where to begin. */
export const ChatEventsChoice = Schema.Struct({
  from: optional(described(Schema.Natural, "The number to begin at. Without one, and without an id, everything comes."))
})

/** A route of normalised events. */
export interface NormalisedEndpoint extends Pick<Route, "method" | "path"> {
  readonly summary: string
  readonly description?: string
  readonly query?: Schema.Struct<Schema.Struct.Fields>
  readonly body?: Schema.Top
  /** The status, and the document; `events`: server-sent events, each under the name of its type. */
  readonly answer: readonly [status: 200 | 201 | 202, schema: Schema.Top] | "events"
  /** What it may refuse with, besides what every request with a body may be refused with. */
  readonly refusals: ReadonlyArray<RefusalCode>
}

const ofSession = ["BAD_THREAD_ID", "SESSION_NOT_FOUND", "THREAD_ELSEWHERE", "STORE_FAILED"] as const

/** Every route. */
export const normalisedApi = {
  create: {
    method: "POST",
    path: "/sessions",
    summary: "Make a session that is read as normalised events",
    description:
      "It is a session as every other, and has all routes of the management API. The agent starts with the first message. " +
      "Options that are not harmless are refused unless the owner of the bridge allows them by name.",
    body: NewChat,
    answer: [201, Chat],
    refusals: [
      "BAD_THREAD_ID",
      "AGENT_NOT_FOUND",
      "THREAD_EXISTS",
      "FOLDER_REFUSED",
      "OPTION_REFUSED",
      "SESSION_LIMIT",
      "STORE_FAILED",
      "CLOSING"
    ]
  },
  message: {
    method: "POST",
    path: "/sessions/:threadId/message",
    summary: "Send a message: begin a turn",
    description: "The answer comes at once; what the agent says is in the session's events.",
    body: ChatMessage,
    answer: [202, ChatAccepted],
    refusals: [...ofSession, "THREAD_BUSY"]
  },
  stop: {
    method: "POST",
    path: "/sessions/:threadId/stop",
    summary: "Stop the turn that is open",
    answer: [200, ChatStopped],
    refusals: ofSession
  },
  resume: {
    method: "POST",
    path: "/sessions/:threadId/resume",
    summary: "Continue a session: start its agent and wait until it is ready",
    description:
      "With `provider_session_id`, where there is no such session yet: one is made of a conversation that was begun " +
      "elsewhere. A session that was put away is taken back.",
    body: ChatResume,
    answer: [200, Chat],
    refusals: [
      ...ofSession,
      "THREAD_EXISTS",
      "FOLDER_REFUSED",
      "AGENT_UNSUPPORTED",
      "TRANSCRIPT_FAILED",
      "START_FAILED",
      "SESSION_LIMIT",
      "CLOSING"
    ]
  },
  archive: {
    method: "DELETE",
    path: "/sessions/:threadId",
    summary: "Put a session away: stop its turn and end its agent",
    description:
      "What was said stays, and `resume` takes it back. To forget a session for good, use `DELETE /api/sessions/:threadId`.",
    answer: [200, ChatArchived],
    refusals: ofSession
  },
  events: {
    method: "GET",
    path: "/sessions/:threadId/events",
    summary: "The normalised events of a session, as they come",
    description:
      "Each event has an id. Send the last one as `Last-Event-ID` to continue after it, without loss and without " +
      "repetition. Comments keep the connection alive while nothing happens.",
    query: ChatEventsChoice,
    answer: "events",
    refusals: [...ofSession, "BAD_INPUT"]
  }
} as const satisfies Readonly<Record<string, NormalisedEndpoint>>

/** What the data of the server-sent events is, whatever they are called. */
export const normalisedFrames = { message: Event } as const

/** The name of a route. */
export type NormalisedName = keyof typeof normalisedApi
