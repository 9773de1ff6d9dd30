/**
 * What the management API answers. What comes from the agent itself (`init`, `greeting`, MCP status, context usage)
 * is as the agent said it.
 */
import * as Schema from "effect/Schema"
import { AgentOptions } from "../../session/AgentOptions.ts"
import { AgentKind } from "../../session/Capabilities.ts"
import * as Wire from "./Wire.ts"

const optional = Schema.optionalKey

const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotate({ description })

/** What a session is doing. */
export const Status = Schema.Literals([
  "starting",
  "connected",
  "active",
  "idle",
  "disconnected",
  "terminated"
]).annotate({ identifier: "SessionStatus" })

const time = (what: string) => described(Schema.Finite, `${what}, in milliseconds since 1970.`)
const number = Schema.Int

/** What the record of a session says, whether it is open or not. */
const record = {
  summary: optional(described(Schema.String, "What it is about, where somebody has said so.")),
  workspaceId: optional(described(Schema.String, "The workspace of its folder.")),
  archived: Schema.Boolean,
  adopted: optional(described(Schema.Boolean, "It was begun elsewhere, such as in a terminal, and continued here.")),
  forkOf: optional(described(Schema.String, "The thread that it was made of, where it is a fork.")),
  createdAt: time("When it was made"),
  usedAt: time("When the last message was said in it")
} as const

/** A session in a list. */
export const SessionListed = Schema.Struct({
  threadId: Schema.String,
  status: Status,
  title: optional(
    described(Schema.String, "What a person has called it, else the agent, else how the first prompt begins.")
  ),
  providerSessionId: optional(described(Schema.String, "The agent's id of the conversation, once it is known.")),
  cwd: optional(Schema.String),
  mode: optional(Schema.String),
  ...record
}).annotate({ identifier: "SessionListed" })

const before = (what: string) =>
  described(Schema.String, `Send it as \`before\` for ${what}. Left out where there are none.`)

/** Sessions, that with the newest message first. */
export const SessionList = Schema.Struct({
  sessions: Schema.Array(SessionListed),
  hasMore: Schema.Boolean,
  before: optional(before("the sessions after these in the list"))
}).annotate({ identifier: "SessionList" })

/** What was said in a session: a page of it. */
export const MessagePage = Schema.Struct({
  messages: described(Schema.Array(Wire.Message), "In order; the newest is the last."),
  hasMore: described(Schema.Boolean, "Whether there are older ones."),
  before: optional(before("the messages before these")),
  total: optional(described(number, "How many messages there are in all. Only the newest page says so."))
}).annotate({ identifier: "MessagePage" })

/** A branch of a session. */
export const BranchView = Schema.Struct({
  branch: described(number, "Its number; 0 is what the session began with."),
  current: described(Schema.Boolean, "Whether the conversation is on it."),
  after: optional(
    described(
      Schema.Struct({ branch: number, messageId: Schema.String }),
      "The message after which it continues, and the branch of that. Left out where it begins with nothing."
    )
  ),
  firstWords: optional(described(Schema.String, "How the first prompt on it begins.")),
  messages: described(number, "How many messages were said on it."),
  createdAt: time("When it began")
}).annotate({ identifier: "Branch" })

/** The branches of a session, the newest first. */
export const BranchList = Schema.Struct({
  branches: Schema.Array(BranchView),
  hasMore: Schema.Boolean,
  before: optional(before("the branches before these"))
}).annotate({ identifier: "BranchList" })

/** Where a conversation has gone back to. */
export const Reverted = Schema.Struct({
  branch: described(number, "The branch that the conversation is on now."),
  messageId: optional(
    described(
      Schema.String,
      "The last message that stays; left out where there is none. A prompt that never reached the agent does not stay: send it again."
    )
  )
}).annotate({ identifier: "Reverted" })

/** A conversation that was begun elsewhere, such as in a terminal. */
export const Adoptable = Schema.Struct({
  kind: described(
    Schema.String,
    "The kind of agent that kept it and goes on with it: the option `runtime` of its session."
  ),
  providerSessionId: described(Schema.String, "The agent's id of it."),
  cwd: described(Schema.String, "The folder it was begun in."),
  title: optional(described(Schema.String, "What a person has called it, else the agent, else how it begins.")),
  model: optional(described(Schema.String, "The model that answered last.")),
  version: optional(described(Schema.String, "The version of the agent that wrote to it last.")),
  createdAt: time("When it was begun"),
  usedAt: time("When the last message was said in it")
}).annotate({ identifier: "Adoptable" })

/** Conversations that were begun elsewhere, and that no session continues. */
export const AdoptableList = Schema.Struct({
  conversations: Schema.Array(Adoptable),
  hasMore: Schema.Boolean,
  before: optional(before("the conversations after these in the list"))
}).annotate({ identifier: "AdoptableList" })

/** A folder that people work in. */
export const WorkspaceView = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  folder: Schema.String,
  activeThreadId: optional(
    described(Schema.String, "The session in use: that which was made last, unless somebody has chosen another.")
  ),
  createdAt: time("When it was made")
}).annotate({ identifier: "Workspace" })

/** The workspaces, the oldest first. */
export const WorkspaceList = Schema.Struct({ workspaces: Schema.Array(WorkspaceView) }).annotate({
  identifier: "WorkspaceList"
})

/** All about a session. */
export const SessionView = Schema.Struct({
  threadId: Schema.String,
  status: Status,
  cwd: Schema.String,
  mode: optional(Schema.String),
  title: optional(
    described(Schema.String, "What a person has called it, else the agent, else how the first prompt begins.")
  ),
  providerSessionId: optional(described(Schema.String, "The agent's id of the conversation, once it is known.")),
  ...record,
  options: described(
    AgentOptions,
    "What was chosen for the session, when it was made and later. Values of variables and headers, arguments and further flags are not shown."
  ),
  agent: described(
    AgentKind,
    "The agent of the session, and what it can do. Before it is started nobody knows its version: what only newer ones can do is then said to be possible."
  ),
  openedAt: time("When the session was opened"),
  events: described(Schema.Struct({ next: number }), "The number the next event will have."),
  wire: described(
    Schema.Struct({ oldest: number, next: number }),
    "The numbers of the oldest line kept and of the next."
  ),
  approvals: described(number, "How many requests of the agent wait for an answer."),
  tools: described(Schema.Array(Wire.Tool), "The tools of the application, as its runs brought them."),
  init: optional(Wire.Init),
  greeting: optional(Wire.Greeting)
}).annotate({ identifier: "SessionView" })

/** What a session is doing now. */
export const StatusView = Schema.Struct({ status: Status }).annotate({ identifier: "StatusView" })

/** The thread is forgotten. */
export const Removed = Schema.Struct({ removed: Schema.Literal(true) }).annotate({ identifier: "Removed" })

/** A run that was accepted. */
export const RunAccepted = Schema.Struct({
  runId: Schema.String,
  messageId: described(Schema.String, "The id of the prompt in the conversation."),
  from: described(
    number,
    "Read the events from this number on; the run is among them, until its RUN_FINISHED or RUN_ERROR."
  ),
  steered: optional(
    described(
      Schema.Literal(true),
      "The bridge is started with `busy: steer`, and a run is open: the message goes into that run, and has one of its own " +
        "only when it comes too late."
    )
  )
}).annotate({ identifier: "RunAccepted" })

/** The kinds of agents of a bridge. */
export const Agents = Schema.Struct({ agents: Schema.Array(AgentKind) }).annotate({ identifier: "Agents" })

/** Words that were accepted for the run that is open. */
export const SteerAccepted = Schema.Struct({
  openRunId: described(Schema.String, "The run that they are for."),
  runId: described(
    Schema.String,
    "Their own name: what `interrupt` takes, and the run that they begin when they come too late for the one that is open."
  ),
  messageId: described(Schema.String, "The id of the words in the conversation, once the agent has heard them."),
  from: described(number, "Read the events from this number on.")
}).annotate({ identifier: "SteerAccepted" })

/** Whether there was a run to stop. */
export const Stopped = Schema.Struct({ stopped: Schema.Boolean }).annotate({ identifier: "Stopped" })

/** A request of the agent that waits for an answer: a question, or a tool of the application that is to run. */
export const Approval = Schema.Struct({
  requestId: Schema.String,
  kind: described(Schema.Literals(["permission", "plan", "choice", "form", "page_tool"]), "What is asked."),
  message: described(Schema.String, "The question in words."),
  toolCallId: optional(described(Schema.String, "The call that it is about.")),
  toolName: optional(described(Schema.String, "The tool that is to run.")),
  request: described(
    Wire.Request,
    "All about it: the tool and its input, what `always` would remember, choices, or the form."
  ),
  expiresAt: time("When it is answered with a refusal")
}).annotate({ identifier: "Approval" })

/** The questions that wait. */
export const ApprovalList = Schema.Struct({ approvals: Schema.Array(Approval) }).annotate({
  identifier: "ApprovalList"
})

/** Done. */
export const Done = Schema.Struct({ ok: Schema.Literal(true) }).annotate({ identifier: "Done" })

/** The conversation in place of events that are not kept. */
export const Snapshot = Schema.Struct({
  messages: described(Schema.Array(Wire.Message), "The newest that fit into 8 MB."),
  before: optional(before("the messages before these, at `sessions.messages`")),
  state: Schema.Unknown,
  next: described(number, "The number of the first event that is not in it.")
}).annotate({ identifier: "Snapshot" })

/** The session was closed: the stream ends. */
export const Closed = Schema.Struct({
  error: optional(
    described(
      Schema.Struct({ code: described(Schema.String, "Stable: see docs/errors.md."), message: Schema.String }),
      "Why it ended before its time: what happens could not be kept any more."
    )
  )
}).annotate({ identifier: "Closed" })

/** An event with the line of the wire that it came from. */
export const EventOfLine = Schema.Struct({
  event: Wire.Event,
  line: optional(described(number, "The `seq` of that line. Left out where the event came from none."))
}).annotate({ identifier: "EventOfLine" })

/** A line of the wire. */
export const WireLine = Schema.Struct({
  seq: number,
  at: time("When it was sent or came"),
  from: Schema.Literals(["agent", "host"]),
  line: described(Schema.String, "The line as JSON."),
  events: described(number, "The number that the next event had when the line came."),
  odd: optional(
    described(
      Schema.String,
      "The name of the message, where a key of it is missing or of another type that nothing said depends on."
    )
  )
}).annotate({ identifier: "WireLine" })

/** Lines that are not kept any more. */
export const WireGap = Schema.Struct({
  wanted: number,
  oldest: described(number, "The stream continues with this one.")
}).annotate({ identifier: "WireGap" })

const gatewayHealth = {
  clients: described(number, "How many clients of the gateway are connected."),
  extensions: described(
    Schema.Record(
      Schema.String,
      Schema.Struct({ ok: Schema.Boolean, details: optional(Schema.Record(Schema.String, Schema.Unknown)) })
    ),
    "How each extension is."
  )
}

/** How the gateway is. */
export type GatewayHealth = Schema.Struct.Type<typeof gatewayHealth>

/** How the process is that has the sessions, where that is another one. */
export const RuntimeHealth = Schema.Struct({
  reachable: Schema.Boolean,
  program: described(Schema.String, "The program and its version, as it said last."),
  since: optional(described(number, "Since when it cannot be reached, in milliseconds since 1970.")),
  why: optional(described(Schema.String, "Why it cannot be reached."))
}).annotate({ identifier: "RuntimeHealth" })
/** How the process is that has the sessions. */
export type RuntimeHealth = typeof RuntimeHealth.Type

/** How the server is doing. Where it has a gateway: how that is, too. */
export const Health = Schema.Struct({
  status: described(
    Schema.Literals(["ok", "degraded"]),
    "`degraded`: the process that has the sessions cannot be reached now, and requests are refused until it is."
  ),
  version: Schema.String,
  sessions: described(Schema.Record(Schema.String, number), "How many sessions have a place here, by status."),
  clients: optional(gatewayHealth.clients),
  extensions: optional(gatewayHealth.extensions),
  runtime: optional(RuntimeHealth)
}).annotate({ identifier: "Health" })

/** A refusal. */
export const Refusal = Schema.Struct({
  error: Schema.Struct({
    code: described(Schema.String, "Stable: see docs/errors.md."),
    message: Schema.String,
    cause: optional(described(Schema.String, "The stable code of what went wrong below, where there is one."))
  })
}).annotate({ identifier: "Refusal" })
