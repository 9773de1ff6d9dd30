/** What may be asked of all sessions: threads, their lists, and workspaces. */
import * as Model from "@agentwire/protocol/model"
import * as Schema from "effect/Schema"
import { AgentOptions } from "../session/AgentOptions.ts"
import { SessionRefused } from "../session/SessionRefused.ts"
import { Workspace } from "../store/StoredThread.ts"
import { before, method, nothing } from "./Method.ts"
import * as V from "./Values.ts"

const { optional } = Schema
const threadId = Schema.String
const thread = Schema.Struct({ threadId })

/** All sessions. */
export const sessionsMethods = {
  "sessions.open": method({
    what: "open a thread",
    params: Schema.Struct({ threadId, choices: optional(V.Choices), knows: optional(Schema.String) }),
    result: V.Head,
    failure: SessionRefused
  }),
  "sessions.create": method({
    what: "make a thread",
    params: Schema.Struct({ threadId, choices: V.Choices }),
    result: V.Head,
    failure: SessionRefused,
    once: true
  }),
  "sessions.find": method({
    what: "open a thread that there is",
    params: Schema.Struct({ threadId, knows: optional(Schema.String) }),
    result: Schema.Struct({ head: optional(V.Head) }),
    failure: SessionRefused
  }),
  "sessions.list": method({
    what: "list threads",
    params: nothing,
    result: Schema.Struct({ sessions: Schema.Array(V.Summary) }),
    failure: SessionRefused
  }),
  "sessions.page": method({
    what: "list threads in pages",
    params: V.ListQuery,
    result: Schema.Struct({ sessions: Schema.Array(V.Summary), before }),
    failure: SessionRefused
  }),
  "sessions.history": method({
    what: "read what was said in a thread",
    params: Schema.Struct({ threadId, query: V.ListQuery }),
    result: Schema.Struct({
      page: optional(
        Schema.Struct({ entries: Schema.Array(Model.TranscriptEntry), before, total: optional(Schema.Natural) })
      )
    }),
    failure: SessionRefused
  }),
  "sessions.branches": method({
    what: "list the branches of a thread",
    params: Schema.Struct({ threadId, query: V.ListQuery }),
    result: Schema.Struct({ page: optional(Schema.Struct({ branches: Schema.Array(V.Branch), before })) }),
    failure: SessionRefused
  }),
  "sessions.fork": method({
    what: "fork a thread",
    params: Schema.Struct({ from: threadId, threadId, target: optional(V.Target), title: optional(Schema.String) }),
    result: Schema.Struct({ head: optional(V.Head) }),
    failure: SessionRefused,
    once: true
  }),
  "sessions.summary": method({
    what: "show a thread as lists do",
    params: thread,
    result: Schema.Struct({ summary: optional(V.Summary) }),
    failure: SessionRefused
  }),
  "sessions.change": method({
    what: "give a thread a title, or archive it",
    params: Schema.Struct({
      threadId,
      change: Schema.Struct({
        title: optional(Schema.String),
        summary: optional(Schema.String),
        archived: optional(Schema.Boolean)
      })
    }),
    result: Schema.Struct({ summary: optional(V.Summary) }),
    failure: SessionRefused,
    once: true
  }),
  "sessions.adoptable": method({
    what: "list conversations that were begun elsewhere",
    params: V.ListQuery,
    result: Schema.Struct({ conversations: Schema.Array(V.Adoptable), before }),
    failure: SessionRefused
  }),
  "sessions.adopt": method({
    what: "continue conversations that were begun elsewhere",
    params: Schema.Struct({
      providerSessionId: Schema.String,
      threadId: optional(Schema.String),
      mode: optional(Schema.String),
      agent: optional(AgentOptions)
    }),
    result: V.Head,
    failure: SessionRefused,
    once: true
  }),
  "sessions.statuses": method({
    what: "count sessions by what they do",
    params: nothing,
    result: Schema.Struct({ statuses: Schema.Array(V.Status) })
  }),
  "sessions.remove": method({
    what: "remove a thread",
    params: thread,
    result: Schema.Struct({ removed: Schema.Boolean }),
    failure: SessionRefused,
    once: true
  }),

  "workspaces.list": method({
    what: "list workspaces",
    params: nothing,
    result: Schema.Struct({ workspaces: Schema.Array(Workspace) }),
    failure: SessionRefused
  }),
  "workspaces.get": method({
    what: "show a workspace",
    params: Schema.Struct({ id: Schema.String }),
    result: Schema.Struct({ workspace: optional(Workspace) }),
    failure: SessionRefused
  }),
  "workspaces.ofFolder": method({
    what: "make a workspace",
    params: Schema.Struct({ folder: Schema.String, name: optional(Schema.String) }),
    result: Schema.Struct({ workspace: Workspace }),
    failure: SessionRefused
  }),
  "workspaces.change": method({
    what: "change a workspace",
    params: Schema.Struct({
      id: Schema.String,
      change: Schema.Struct({ name: optional(Schema.String), activeThreadId: optional(Schema.NullOr(Schema.String)) })
    }),
    result: Schema.Struct({ workspace: optional(Workspace) }),
    failure: SessionRefused,
    once: true
  }),
  "workspaces.remove": method({
    what: "remove a workspace",
    params: Schema.Struct({ id: Schema.String }),
    result: Schema.Struct({ removed: Schema.Boolean }),
    failure: SessionRefused,
    once: true
  })
}
