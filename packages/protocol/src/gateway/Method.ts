/**
 * The methods: what each takes and what it is answered with. Names and shapes that are not said by the architecture that
 * this protocol is from are marked as ours in docs/gateway.md.
 */
import * as Schema from "effect/Schema"
import { Lane } from "../model/Event.ts"
import { Request } from "../model/Request.ts"
import { JsonObject, optional } from "../wire/Open.ts"
import { AgentBlock, SaidBlock, SaidContent, ToolResult } from "./Block.ts"
import { Effort } from "./Effort.ts"
import { GatewayUsage } from "./Event.ts"

const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotate({ description })

const text = (max: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(max))

const count = (max: number, least = 1) => Schema.Int.check(Schema.isBetween({ minimum: least, maximum: max }))

const time = (what: string) => described(Schema.String, `${what}: ISO 8601, in UTC.`)

/** A session, as lists have it. */
export const SessionRecord = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.NullOr(Schema.String),
  /** The agent's own id of the conversation; null until it is known. */
  ccSessionId: Schema.NullOr(Schema.String),
  status: Schema.Literals(["active", "archived"]),
  title: Schema.NullOr(Schema.String),
  summary: Schema.NullOr(Schema.String),
  lastActivity: time("When the last message was said"),
  createdAt: time("When it was made"),
  /** What it is doing. */
  activity: Schema.String,
  cwd: Schema.NullOr(Schema.String),
  /** It was begun elsewhere, such as in a terminal, and is continued as soon as a method names it. */
  found: optional(Schema.Boolean)
}).annotate({ identifier: "GatewaySessionRecord" })

/** A session, as lists have it. */
export type SessionRecord = typeof SessionRecord.Type

/** A folder that people work in. */
export const WorkspaceRecord = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  cwd: Schema.String,
  activeSessionId: Schema.NullOr(Schema.String),
  createdAt: time("When it was made")
}).annotate({ identifier: "GatewayWorkspace" })

/** A folder that people work in. */
export type WorkspaceRecord = typeof WorkspaceRecord.Type

/** What the agent of a session is started with. */
export const SessionConfig = Schema.Struct({
  model: Schema.NullOr(Schema.String),
  effort: Schema.NullOr(Schema.String),
  permissionMode: Schema.NullOr(Schema.String)
}).annotate({ identifier: "GatewaySessionConfig" })

/** What was said: a message of the history. */
export const HistoryMessage = Schema.Struct({
  id: Schema.String,
  role: Schema.Literals(["user", "assistant"]),
  /** The sub-agent that it is of, by the call that started it. */
  parent_tool_use_id: Schema.NullOr(Schema.String),
  content: Schema.Array(
    Schema.Union([
      AgentBlock,
      SaidBlock,
      Schema.Struct({ type: Schema.Literal("tool_result"), ...ToolResult.fields }),
      Schema.Struct({ type: Schema.Literal("task"), id: Schema.String, content: JsonObject })
    ])
  ),
  /** The agent was cut off. */
  aborted: optional(Schema.Boolean)
}).annotate({ identifier: "GatewayHistoryMessage" })

/** What was said: a message of the history. */
export type HistoryMessage = typeof HistoryMessage.Type

/** A question of the agent that nobody has answered. */
export const OpenQuestion = Schema.Struct({
  sessionId: Schema.String,
  parent_tool_use_id: Lane,
  request: Request,
  expiresAt: time("When it is refused unless somebody answers")
}).annotate({ identifier: "GatewayOpenQuestion" })

/** The answer to a question. Which fits which kind of question is in docs/gateway.md. */
export const AnswerParam = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("allow"),
    input: optional(described(JsonObject, "The whole input of the tool, where it is to be another one.")),
    remember: optional(described(Schema.Array(Schema.String), "Ids of what the question offers to remember."))
  }),
  Schema.Struct({
    type: Schema.Literal("deny"),
    reason: optional(described(Schema.String, "What the model is told.")),
    interrupt: optional(described(Schema.Boolean, "End the turn, too."))
  }),
  Schema.Struct({
    type: Schema.Literal("chosen"),
    answers: described(Schema.Record(Schema.String, Schema.String), "What was chosen, by question.")
  }),
  Schema.Struct({ type: Schema.Literal("filled"), content: described(JsonObject, "The fields of the form.") }),
  Schema.Struct({ type: Schema.Literal("declined") }),
  Schema.Struct({ type: Schema.Literal("dismissed") }),
  Schema.Struct({
    type: Schema.Literal("result"),
    content: described(SaidContent, "What the tool of the application gave back."),
    is_error: optional(Schema.Boolean)
  })
]).annotate({ identifier: "GatewayAnswer" })

/** The answer to a question. */
export type AnswerParam = typeof AnswerParam.Type

/** A tool of the application. */
export const ApplicationTool = Schema.Struct({
  name: text(200),
  description: Schema.String,
  input_schema: optional(JsonObject)
}).annotate({ identifier: "GatewayApplicationTool" })

const session = described(
  text(256),
  "The session. Left out: the one that this connection has made, switched to or prompted last."
)
const sessionId = optional(session)
const workspaceId = described(text(256), "The workspace.")

const config = {
  model: optional(described(text(200), "The model.")),
  effort: optional(described(Effort, "How hard the model thinks.")),
  permissionMode: optional(described(text(100), "Such as `default` or `plan`, by the agent's own names."))
}

/** How far a reader has come in a session. */
export const Position = Schema.Struct({
  seq: described(Schema.Int.check(Schema.isGreaterThanOrEqualTo(-1)), "`seq` of the last event it had."),
  part: optional(described(Schema.Int, "`part` of that event, where it had one.")),
  epoch: optional(
    described(Schema.Finite, "`epoch` as `subscribe` answered it: numbers of a removed session are no use.")
  )
}).annotate({ identifier: "GatewayPosition" })

/** How far a reader has come in a session. */
export type Position = typeof Position.Type

const patterns = described(
  Schema.Array(text(200)).check(Schema.isMinLength(1), Schema.isMaxLength(100)),
  "Names of events, `session.*` for all that begin so, `*` for all. `session.event` is told to those only who name it."
)

const params = <const F extends Schema.Struct.Fields>(identifier: string, fields: F) =>
  Schema.Struct(fields).annotate({ identifier: `Gateway${identifier}Params` })

const answer = <const F extends Schema.Struct.Fields>(identifier: string, fields: F) =>
  Schema.Struct(fields).annotate({ identifier: `Gateway${identifier}Payload` })

/** The methods by their names. */
export const gatewayMethods = {
  "session.prompt": {
    summary: "Say something to the agent. Its answer comes as events.",
    params: params("SessionPrompt", {
      sessionId: optional(
        described(text(256), "The session. Left out: that of this connection, or a new one where it has none.")
      ),
      content: described(
        Schema.Union([text(10_000_000), Schema.Array(SaidBlock).check(Schema.isMinLength(1))]),
        "Text, or content blocks: text, images, documents."
      ),
      source: optional(described(text(1000), "Where the prompt is from, for an extension that sends the answer back.")),
      context: optional(described(text(1_000_000), "What the application wants the agent to know besides.")),
      tools: optional(
        described(
          Schema.Array(ApplicationTool),
          "Tools of the application, in addition to those it has brought before."
        )
      ),
      steer: optional(described(Schema.Boolean, "Say it into the turn that is open, where the agent hears that."))
    }),
    payload: answer("SessionPrompt", {
      status: Schema.Literal("ok"),
      sessionId: Schema.String,
      source: Schema.NullOr(Schema.String),
      /** `turn_start` of its turn has the same. */
      promptId: Schema.String,
      /** `user_message` has the same. */
      messageId: Schema.String,
      /** The number of the first entry that may result from it. */
      seq: Schema.Natural,
      /** It was said into the turn that is open. */
      steered: optional(Schema.Boolean)
    })
  },
  "session.history": {
    summary: "What was said, the newest page first. The messages of a page are in order.",
    params: params("SessionHistory", {
      sessionId,
      limit: optional(described(count(1000), "How many messages, about. Default 50.")),
      offset: optional(described(count(1_000_000, 0), "How many of the newest to leave out. Default 0.")),
      before: optional(described(text(1000), "What the page before said: faster than `offset`.")),
      branch: optional(described(Schema.Natural, "Those of another branch of the conversation."))
    }),
    payload: answer("SessionHistory", {
      messages: Schema.Array(HistoryMessage),
      /** How many there are; absent on a page that was asked for by `before`. */
      total: optional(Schema.Natural),
      hasMore: Schema.Boolean,
      offset: Schema.Natural,
      /** What the newest turn spent; null where there was none, where the session is not open, and on later pages. */
      usage: Schema.NullOr(GatewayUsage),
      before: optional(Schema.String)
    })
  },
  "session.create": {
    summary: "Make a session. Its agent starts with the first prompt.",
    params: params("SessionCreate", {
      sessionId: optional(described(text(256), "What it is to be called. Made up when it is left out.")),
      workspaceId: optional(workspaceId),
      cwd: optional(
        described(text(4096), "The folder the agent works in: an absolute path under a root of the bridge.")
      ),
      title: optional(text(200)),
      runtime: optional(described(text(50), "Which kind of agent.")),
      mode: optional(described(text(100), "What the session is for, to the policy.")),
      ...config,
      options: optional(described(JsonObject, "Further options of a session: docs/session-options.md."))
    }),
    payload: answer("SessionCreate", { session: SessionRecord })
  },
  "session.switch": {
    summary: "Go to a session: it is the active one of its workspace, and that of this connection.",
    params: params("SessionSwitch", { sessionId: session }),
    payload: answer("SessionSwitch", { session: SessionRecord })
  },
  "session.list": {
    summary: "The sessions, that with the newest message first.",
    params: params("SessionList", {
      workspaceId: optional(
        described(text(256), "Only those of this workspace, with those that were begun elsewhere.")
      ),
      archived: optional(described(Schema.Boolean, "Only those that are archived, or only the others.")),
      limit: optional(described(count(1000), "How many. Default 100.")),
      before: optional(described(text(1000), "What the answer before said."))
    }),
    payload: answer("SessionList", {
      sessions: Schema.Array(SessionRecord),
      hasMore: Schema.Boolean,
      before: optional(Schema.String)
    })
  },
  "session.info": {
    summary: "What a session is doing. Without a session: what the gateway is.",
    params: params("SessionInfo", { sessionId }),
    payload: answer("SessionInfo", {
      sessionId: Schema.NullOr(Schema.String),
      isActive: Schema.Boolean,
      isProcessRunning: Schema.Boolean,
      session: optional(SessionRecord),
      sessionConfig: optional(SessionConfig),
      workspaceId: optional(Schema.String),
      workspaceName: optional(Schema.String),
      /** What the agent is called. */
      agent: Schema.String,
      /** How many questions wait for an answer. */
      questions: Schema.Natural,
      /** The number that the next entry of its log will have. */
      next: Schema.Natural
    })
  },
  "session.interrupt": {
    summary: "Stop the turn. Its stop events come at once, and nothing of it after them.",
    params: params("SessionInterrupt", { sessionId }),
    payload: answer("SessionInterrupt", {
      status: Schema.Literal("interrupted"),
      /** Whether there was anything to stop. */
      stopped: Schema.Boolean
    })
  },
  "session.reset": {
    summary: "Begin anew: a session like it, in the same workspace. What was said stays in the old one.",
    params: params("SessionReset", { sessionId }),
    payload: answer("SessionReset", {
      status: Schema.Literal("reset"),
      session: SessionRecord,
      previousSessionId: Schema.String
    })
  },
  "session.get": {
    summary: "A session.",
    params: params("SessionGet", { sessionId }),
    payload: answer("SessionGet", { session: SessionRecord })
  },
  "session.config": {
    summary: "Change what a session is, or ask what it is. Holds from now on.",
    params: params("SessionConfig", {
      sessionId,
      ...config,
      title: optional(text(200)),
      summary: optional(described(Schema.String.check(Schema.isMaxLength(10_000)), "What it is about.")),
      archived: optional(described(Schema.Boolean, "Whether it is put away."))
    }),
    payload: answer("SessionConfig", {
      status: Schema.Literal("ok"),
      sessionId: Schema.String,
      sessionConfig: SessionConfig
    })
  },
  "session.questions": {
    summary: "What the agent has asked and nobody answered.",
    params: params("SessionQuestions", { sessionId }),
    payload: answer("SessionQuestions", { questions: Schema.Array(OpenQuestion) })
  },
  "session.answer": {
    summary: "Answer a question, or give the result of a tool of the application.",
    params: params("SessionAnswer", { sessionId, requestId: text(1000), answer: AnswerParam }),
    payload: answer("SessionAnswer", { status: Schema.Literal("ok"), requestId: Schema.String })
  },
  "workspace.list": {
    summary: "The folders that people work in.",
    params: params("WorkspaceList", {}),
    payload: answer("WorkspaceList", { workspaces: Schema.Array(WorkspaceRecord) })
  },
  "workspace.get": {
    summary: "A workspace.",
    params: params("WorkspaceGet", { workspaceId }),
    payload: answer("WorkspaceGet", { workspace: WorkspaceRecord })
  },
  "workspace.getOrCreate": {
    summary: "The workspace of a folder, with the sessions that exist there, wherever they were begun.",
    params: params("WorkspaceGetOrCreate", {
      cwd: described(text(4096), "An absolute path under a root of the bridge."),
      name: optional(described(text(200), "What it is called if it is made now."))
    }),
    payload: answer("WorkspaceGetOrCreate", {
      workspace: WorkspaceRecord,
      created: Schema.Boolean,
      sessions: Schema.Array(SessionRecord)
    })
  },
  subscribe: {
    summary: "Be told events from now on, or from where a connection before had come to.",
    params: params("Subscribe", {
      events: patterns,
      sessionIds: optional(
        described(Schema.Array(text(256)).check(Schema.isMaxLength(1000)), "Only the events of these sessions.")
      ),
      after: optional(described(Schema.Record(Schema.String, Position), "How far a reader has come, by session."))
    }),
    payload: answer("Subscribe", {
      subscribed: Schema.Array(Schema.String),
      /** The sessions that were named, except those of `after` that no longer exist. */
      sessions: optional(
        Schema.Record(
          Schema.String,
          Schema.Struct({
            /** What its numbers are from: `after` takes it. */
            epoch: Schema.Finite,
            /** The number that the next entry of its log will have. */
            next: Schema.Natural,
            /** It goes on after what the reader had. False: from now on, read `session.history`. */
            resumed: Schema.Boolean
          })
        )
      )
    })
  },
  unsubscribe: {
    summary: "Be told them no more.",
    params: params("Unsubscribe", { events: patterns }),
    payload: answer("Unsubscribe", { unsubscribed: Schema.Array(Schema.String) })
  }
} as const

/** The name of a method. */
export type GatewayMethod = keyof typeof gatewayMethods

/** What a method takes. */
export type ParamsOf<M extends GatewayMethod> = (typeof gatewayMethods)[M]["params"]["Type"]

/** What a method is answered with. */
export type ResultOf<M extends GatewayMethod> = (typeof gatewayMethods)[M]["payload"]["Type"]

/** What `GET /health` says of the gateway besides what it says of the bridge. */
export const GatewayHealthReport = Schema.Struct({
  /** How many are connected. */
  clients: Schema.Natural,
  extensions: Schema.Record(Schema.String, Schema.Struct({ ok: Schema.Boolean, details: optional(JsonObject) }))
}).annotate({ identifier: "GatewayHealth" })
