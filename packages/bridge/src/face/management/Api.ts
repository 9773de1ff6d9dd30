/**
 * The management API as data: what each endpoint takes, answers and refuses. The server's routes, the OpenAPI
 * document, the typed client and the reference in the docs are made from this table, so they cannot disagree.
 *
 * Methods and paths are in `Paths.ts`, without schemas.
 */
import * as Schema from "effect/Schema"
import { metricsContentType } from "../../observe/Metrics.ts"
import type { RefusalCode } from "../http/HttpRefusal.ts"
import * as Bodies from "./Bodies.ts"
import type { EndpointName } from "./Paths.ts"
import * as Views from "./Views.ts"
import * as Wire from "./Wire.ts"

/** One JSON document. */
export interface JsonOutput<S extends Schema.Top = Schema.Top> {
  readonly _tag: "Json"
  readonly status: 200 | 201 | 202
  readonly schema: S
}

/** What the data of each kind of server-sent event is, by the name of the event. */
export type Frames = Readonly<Record<string, Schema.Top>>

/** Server-sent events. */
export interface StreamOutput {
  readonly _tag: "Stream"
  readonly frames: Frames
  /** What they are instead where the query says `lines`. */
  readonly framesWithLines?: Frames
}

/** A text. */
export interface TextOutput {
  readonly _tag: "Text"
  readonly contentType: string
}

/** An endpoint. */
export interface Endpoint {
  /** One line. */
  readonly summary: string
  /** What else there is to know. */
  readonly description?: string
  readonly query?: Schema.Struct<Schema.Struct.Fields>
  readonly body?: Schema.Top
  readonly output: JsonOutput | StreamOutput | TextOutput
  /** What it may refuse with, besides what every request may be refused with. */
  readonly refusals: ReadonlyArray<RefusalCode>
}

const json = <S extends Schema.Top>(schema: S, status: JsonOutput["status"] = 200): JsonOutput<S> => ({
  _tag: "Json",
  status,
  schema
})

const ofSession = ["BAD_THREAD_ID", "SESSION_NOT_FOUND", "THREAD_ELSEWHERE", "STORE_FAILED"] as const

/** What an agent may answer to a control request. */
const ofAgent = [
  ...ofSession,
  "START_FAILED",
  "AGENT_NOT_RUNNING",
  "AGENT_REFUSED",
  "AGENT_UNSUPPORTED",
  "AGENT_BAD_ANSWER",
  "AGENT_TIMEOUT"
] as const

/** What a request with a body may be refused with. */
export const ofBody = [
  "BAD_JSON",
  "TOO_DEEP",
  "BAD_INPUT",
  "BODY_TIMEOUT",
  "BODY_TOO_LARGE",
  "TOO_MANY_VALUES",
  "PART_TOO_LARGE",
  "TOO_MANY_BODIES",
  "UNSUPPORTED_MEDIA_TYPE"
] as const

/** What every request may be refused with. */
export const refusalsOfAll = [
  "BAD_REQUEST",
  "UNAUTHORIZED",
  "HOST_REFUSED",
  "ORIGIN_REFUSED",
  "LOOPBACK_ONLY",
  "INTERNAL"
] as const satisfies ReadonlyArray<RefusalCode>

const resuming =
  "Each event has an id. Send the last one as `Last-Event-ID` to continue after it, without loss and without repetition."

/** Every endpoint. */
export const api = {
  "server.health": {
    summary: "How the server is doing",
    output: json(Views.Health),
    refusals: []
  },
  "server.metrics": {
    summary: "Numbers for Prometheus",
    output: { _tag: "Text", contentType: metricsContentType },
    refusals: []
  },
  "server.agents": {
    summary: "The kinds of agents of the bridge, the one of sessions that name none first, and what each can do",
    output: json(Views.Agents),
    refusals: []
  },
  "server.openapi": {
    summary: "This description, as OpenAPI 3.1",
    output: json(Schema.Record(Schema.String, Schema.Unknown)),
    refusals: []
  },
  "sessions.list": {
    summary: "The sessions, also those known from before a restart, a page at a time",
    description: "That with the newest message comes first.",
    query: Bodies.SessionsChoice,
    output: json(Views.SessionList),
    refusals: ["BAD_INPUT", "BAD_CURSOR", "STORE_FAILED"]
  },
  "sessions.adoptable": {
    summary: "The conversations that were begun elsewhere, such as in a terminal, and can be continued here",
    description: "Those in folders under the roots of the bridge that no session continues; the newest comes first.",
    query: Bodies.AdoptableChoice,
    output: json(Views.AdoptableList),
    refusals: ["BAD_INPUT", "BAD_CURSOR", "FOLDER_REFUSED", "TRANSCRIPT_FAILED", "STORE_FAILED"]
  },
  "sessions.adopt": {
    summary: "Make a session of a conversation that was begun elsewhere: with its history, and to be continued",
    description:
      "The agent's own record is read once. Close the conversation where it was begun: what is said there later does not " +
      "appear here.",
    body: Bodies.Adoption,
    output: json(Views.SessionView, 201),
    refusals: [
      ...ofBody,
      "BAD_THREAD_ID",
      "SESSION_NOT_FOUND",
      "THREAD_EXISTS",
      "FOLDER_REFUSED",
      "AGENT_UNSUPPORTED",
      "TRANSCRIPT_FAILED",
      "SESSION_LIMIT",
      "STORE_FAILED",
      "CLOSING"
    ]
  },
  "sessions.create": {
    summary: "Make a session",
    description:
      "The agent starts with the first message, or with `start`. `env`, `hooks`, `mcpConfig`, `extraArgs` and MCP " +
      "servers that are commands are refused unless the owner of the bridge allows them by name. What a version of the " +
      "agent does not know is said when it is started.",
    body: Bodies.NewSession,
    output: json(Views.SessionView, 201),
    refusals: [
      ...ofBody,
      "BAD_THREAD_ID",
      "THREAD_EXISTS",
      "FOLDER_REFUSED",
      "OPTION_REFUSED",
      "SESSION_LIMIT",
      "STORE_FAILED",
      "CLOSING"
    ]
  },
  "sessions.get": {
    summary: "All about a session",
    output: json(Views.SessionView),
    refusals: ofSession
  },
  "sessions.change": {
    summary: "Rename a session, say what it is about, archive it or take it back",
    description: "A title that a person gives stays, whatever the agent calls the conversation later.",
    body: Bodies.SessionChange,
    output: json(Views.SessionListed),
    refusals: [...ofSession, ...ofBody]
  },
  "sessions.remove": {
    summary: "End a session for good and forget its thread",
    output: json(Views.Removed),
    refusals: ofSession
  },
  "sessions.start": {
    summary: "Start the agent and wait until it is ready",
    description: "An agent that runs stays as it is.",
    output: json(Views.StatusView),
    refusals: [...ofSession, "START_FAILED"]
  },
  "sessions.disconnect": {
    summary: "End the agent's process; the next message starts it again",
    output: json(Views.StatusView),
    refusals: ofSession
  },
  "sessions.send": {
    summary: "Send a message: begin a run",
    description: "The answer comes at once; what the agent says is in the session's events.",
    body: Bodies.NewMessage,
    output: json(Views.RunAccepted, 202),
    refusals: [...ofSession, ...ofBody, "THREAD_BUSY"]
  },
  "sessions.steer": {
    summary: "Say something to the agent in the middle of its run, which goes on",
    description:
      "The answer comes at once. The agent hears the words when it can, between two calls of its model or of its tools, and " +
      "then they are in the conversation, once. Where the run ends before, they begin the next one, before all messages that " +
      "wait. They are kept from when they are accepted.",
    body: Bodies.Steer,
    output: json(Views.SteerAccepted, 202),
    refusals: [...ofSession, ...ofBody, "NOTHING_TO_STEER", "AGENT_UNSUPPORTED"]
  },
  "sessions.messages": {
    summary: "What was said in a session, a page at a time: the newest messages first",
    description:
      "Messages are whole: one with calls has all of them, and their results follow it. Nothing is started for it, and " +
      "another bridge may have the session.",
    query: Bodies.MessagesChoice,
    output: json(Views.MessagePage),
    refusals: ["BAD_THREAD_ID", "SESSION_NOT_FOUND", "BRANCH_NOT_FOUND", "BAD_INPUT", "BAD_CURSOR", "STORE_FAILED"]
  },
  "sessions.branches": {
    summary: "The branches of a session, a page at a time: the newest first",
    description:
      "A conversation that goes back continues on a branch of its own; what had followed stays on the branch before. " +
      "Nothing is started for it, and another bridge may have the session.",
    query: Bodies.BranchesChoice,
    output: json(Views.BranchList),
    refusals: ["BAD_THREAD_ID", "SESSION_NOT_FOUND", "BAD_INPUT", "BAD_CURSOR", "STORE_FAILED"]
  },
  "sessions.revert": {
    summary: "Go back to a message, or go on with another branch, and wait until the agent is there",
    description:
      "The run that is open is stopped first. What had followed stays readable, on its branch. Files are not put back: " +
      "`rewindFiles` does that. When the agent cannot go there, the conversation stays where it was.",
    body: Bodies.Revert,
    output: json(Views.Reverted),
    refusals: [
      ...ofSession,
      ...ofBody,
      "MESSAGE_NOT_FOUND",
      "BRANCH_NOT_FOUND",
      "BRANCH_UNAVAILABLE",
      "THREAD_BUSY",
      "START_FAILED"
    ]
  },
  "sessions.fork": {
    summary: "Make a session of another one: with its history up to a message, and to be continued by itself",
    description:
      "It has the folder, the mode, the options, the MCP servers and the shared state of the old one, which stays as it is " +
      "and may be in use. No agent is started: the first message does that, in a copy of the agent's own conversation. What " +
      "the agent has not said to the end is left out.",
    body: Bodies.Fork,
    output: json(Views.SessionView, 201),
    refusals: [
      ...ofBody,
      "BAD_THREAD_ID",
      "SESSION_NOT_FOUND",
      "MESSAGE_NOT_FOUND",
      "BRANCH_NOT_FOUND",
      "BRANCH_UNAVAILABLE",
      "THREAD_EXISTS",
      "FOLDER_REFUSED",
      "SESSION_LIMIT",
      "STORE_FAILED",
      "CLOSING"
    ]
  },
  "sessions.interrupt": {
    summary: "Stop the run that is open",
    body: Bodies.Interrupt,
    output: json(Views.Stopped),
    refusals: [...ofSession, ...ofBody]
  },
  "sessions.set": {
    summary: "Change the model, the permission mode or the effort of an agent that runs",
    description:
      "What is not named stays. It holds from the next call of the model on, and for later processes of the agent. " +
      "`settingsLater` of its capabilities says which of them it takes.",
    body: Bodies.NewSettings,
    output: json(Views.Done),
    refusals: [...ofAgent, ...ofBody]
  },
  "sessions.setModel": {
    summary: "Change the model",
    body: Bodies.SetModel,
    output: json(Views.Done),
    refusals: [...ofAgent, ...ofBody]
  },
  "sessions.setPermissionMode": {
    summary: "Change the permission mode",
    body: Bodies.SetPermissionMode,
    output: json(Views.Done),
    refusals: [...ofAgent, ...ofBody]
  },
  "sessions.setThinkingTokens": {
    summary: "Change how much the model may think",
    body: Bodies.SetThinkingTokens,
    output: json(Views.Done),
    refusals: [...ofAgent, ...ofBody]
  },
  "sessions.setEnvironment": {
    summary: "Set environment variables of the agent's process",
    description:
      "The agent does not say whether it took them: 2.1.37 takes all, 2.1.325 only some that it knows. They are gone " +
      "when the process ends. Refused unless the owner of the bridge allows `env`.",
    body: Bodies.SetEnvironment,
    output: json(Views.Done),
    refusals: [...ofSession, ...ofBody, "OPTION_REFUSED", "AGENT_NOT_RUNNING"]
  },
  "sessions.contextUsage": {
    summary: "What fills the context window",
    query: Bodies.ContextDetail,
    output: json(Wire.responseOf("get_context_usage")),
    refusals: [...ofAgent, "BAD_INPUT"]
  },
  "sessions.rewindFiles": {
    summary: "Put files back to where they were at a prompt",
    description: "Needs a session that was made with `checkpointing`. What a shell did is not put back.",
    body: Bodies.RewindFiles,
    output: json(Wire.responseOf("rewind_files")),
    refusals: [...ofAgent, ...ofBody, "MESSAGE_NOT_FOUND", "CHECKPOINTING_OFF"]
  },
  "sessions.events": {
    summary: "The events of a session, as they come",
    description:
      `${resuming} Without a number the stream begins with a \`snapshot\`; it comes, too, where events are not kept ` +
      "any more. `?from=0` asks for everything there is. With `?lines=true` each event comes with the number of the line " +
      "of the wire that it came from. `closed` is the last event: the session has ended.",
    query: Bodies.EventsChoice,
    output: {
      _tag: "Stream",
      frames: { message: Wire.Event, snapshot: Views.Snapshot, closed: Views.Closed },
      framesWithLines: { message: Views.EventOfLine, snapshot: Views.Snapshot, closed: Views.Closed }
    },
    refusals: [...ofSession, "BAD_INPUT"]
  },
  "sessions.wire": {
    summary: "The lines between a session and its agent, as they come",
    description:
      `${resuming} Without a number it begins with the oldest line kept. \`gap\` says that lines are missing. ` +
      "`closed` is the last event: the session has ended.",
    query: Bodies.From,
    output: { _tag: "Stream", frames: { message: Views.WireLine, gap: Views.WireGap, closed: Views.Closed } },
    refusals: [...ofSession, "BAD_INPUT"]
  },
  "sessions.tape": {
    summary: "The lines that are kept, as a tape",
    description: "For `agentwire tape`. Secrets are taken out unless `redact` is false.",
    query: Bodies.TapeChoice,
    output: { _tag: "Text", contentType: "application/x-ndjson" },
    refusals: [...ofSession, "BAD_INPUT"]
  },
  "workspaces.list": {
    summary: "The folders that people work in",
    output: json(Views.WorkspaceList),
    refusals: ["STORE_FAILED"]
  },
  "workspaces.open": {
    summary: "The workspace of a folder, made when there is none",
    description: "A session belongs to the workspace of its folder, which is made with it.",
    body: Bodies.WorkspaceOf,
    output: json(Views.WorkspaceView),
    refusals: [...ofBody, "FOLDER_REFUSED", "STORE_FAILED"]
  },
  "workspaces.get": {
    summary: "All about a workspace",
    output: json(Views.WorkspaceView),
    refusals: ["WORKSPACE_NOT_FOUND", "STORE_FAILED"]
  },
  "workspaces.change": {
    summary: "Rename a workspace, or choose its active session",
    body: Bodies.WorkspaceChange,
    output: json(Views.WorkspaceView),
    refusals: [...ofBody, "WORKSPACE_NOT_FOUND", "SESSION_NOT_FOUND", "STORE_FAILED"]
  },
  "workspaces.remove": {
    summary: "Forget a workspace",
    description: "Its sessions stay, and so do their files. The next session in the folder makes it again.",
    output: json(Views.Removed),
    refusals: ["WORKSPACE_NOT_FOUND", "STORE_FAILED"]
  },
  "approvals.list": {
    summary: "The questions that wait for an answer",
    output: json(Views.ApprovalList),
    refusals: ofSession
  },
  "approvals.answer": {
    summary: "Answer a question",
    description: "The first answer counts; a second one finds nothing pending.",
    body: Bodies.ApprovalAnswer,
    output: json(Views.Done),
    refusals: [...ofSession, ...ofBody, "NOTHING_PENDING"]
  },
  "tools.answer": {
    summary: "Give the result of a call of one of the application's tools",
    body: Bodies.ToolAnswer,
    output: json(Views.Done),
    refusals: [...ofSession, ...ofBody, "NOTHING_PENDING"]
  },
  "mcp.status": {
    summary: "How the MCP servers are doing",
    output: json(Wire.responseOf("mcp_status")),
    refusals: ofAgent
  },
  "mcp.setServers": {
    summary: "Replace the MCP servers that were added here",
    description:
      "Those that the session was made with are among them. They are remembered with the thread. Servers that are " +
      "commands are refused unless the owner of the bridge allows `mcpCommands`.",
    body: Bodies.SetMcpServers,
    output: json(Wire.responseOf("mcp_set_servers")),
    refusals: [...ofAgent, ...ofBody, "OPTION_REFUSED"]
  },
  "mcp.toggle": {
    summary: "Switch an MCP server on or off",
    body: Bodies.ToggleMcpServer,
    output: json(Views.Done),
    refusals: [...ofAgent, ...ofBody]
  },
  "mcp.reconnect": {
    summary: "Connect to an MCP server again",
    output: json(Views.Done),
    refusals: ofAgent
  },
  "mcp.message": {
    summary: "Send the agent a JSON-RPC message of an MCP server of the bridge",
    body: Bodies.McpMessage,
    output: json(Wire.responseOf("mcp_message")),
    refusals: [...ofAgent, ...ofBody]
  }
} as const satisfies { readonly [N in EndpointName]: Endpoint }

/** Every endpoint. */
export type Api = typeof api

/** What the body of an endpoint is; undefined where it takes none. */
export type BodyOf<N extends EndpointName> = Api[N] extends { readonly body: infer S extends Schema.Top }
  ? S["Type"]
  : undefined

/** What may be in the query of an endpoint. */
export type QueryOf<N extends EndpointName> = Api[N] extends { readonly query: infer S extends Schema.Top }
  ? S["Type"]
  : Record<never, never>

/** What an endpoint answers: the document, the text, or one frame of the stream. */
export type OutputOf<N extends EndpointName> =
  Api[N]["output"] extends JsonOutput<infer S>
    ? S["Type"]
    : Api[N]["output"] extends { readonly frames: infer F extends Frames }
      ? FrameOf<F>
      : string

/** One frame of the events of a session. `Lines`: whether each event comes with the line that it came from. */
export type EventFrame<Lines extends boolean> = Lines extends true
  ? FrameOf<Api["sessions.events"]["output"]["framesWithLines"]>
  : OutputOf<"sessions.events">

/** One frame of a stream. */
export type FrameOf<F extends Frames> = {
  readonly [K in keyof F & string]: {
    readonly event: K
    /** What to send as `Last-Event-ID` to continue after this one. */
    readonly id: string
    /** Its number, which `id` begins with. */
    readonly seq: number
    readonly data: F[K]["Type"]
  }
}[keyof F & string]
