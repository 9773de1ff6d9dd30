/**
 * What one process may ask of the other: one table for both of them. What a row says in words is what a gateway cannot do
 * whose runtime lacks it.
 *
 * Nothing here is of one face: these are the commands and the cursors of the port of sessions.
 */
import * as Model from "@agentwire/protocol/model"
import * as Schema from "effect/Schema"
import { LogFailed, LogGap } from "../log/BoundedLog.ts"
import { AgentOptions } from "../session/AgentOptions.ts"
import { AgentKind } from "../session/Capabilities.ts"
import { NativeFailed, StartFailed } from "../session/Runtime.ts"
import { NothingPending, SteerRefused, ThreadBusy, ToolCallFailed } from "../session/Session.ts"
import { SessionRefused } from "../session/SessionRefused.ts"
import { SettingFailed } from "../session/Settings.ts"
import { Workspace } from "../store/StoredThread.ts"
import { LookGone, SessionGone, SubmissionChanged } from "./LinkErrors.ts"
import * as V from "./Values.ts"

/** A method. */
export interface Method<P, R, E> {
  /** What whoever lacks it cannot do. */
  readonly what: string
  readonly params: Schema.Decoder<P>
  readonly result: Schema.Decoder<R>
  readonly failure: Schema.Codec<E, unknown>
  /** It is done once, however often it is asked: the answer may be lost, and the request repeated. */
  readonly once?: true
  /** It waits for an agent or for somebody, however long that takes. Whoever asks may take it back. */
  readonly waits?: true
}

const method = <P, R, E = never>(
  row: Omit<Method<P, R, E>, "failure"> & { readonly failure?: Schema.Codec<E, unknown> }
) => ({ failure: Schema.Never, ...row }) as Method<P, R, E>

const { optional } = Schema
const nothing = Schema.Struct({})
const threadId = Schema.String
const thread = Schema.Struct({ threadId })
const done = Schema.Struct({ next: optional(Schema.Natural) })
const before = optional(Schema.String)

const asked = { threadId: Schema.String, instance: Schema.String }
const session = Schema.Struct(asked)
const look = { ...asked, look: Schema.Natural, path: optional(V.Path) }
const looked = Schema.Union([LookGone, SessionGone, LogFailed])
const placed = Schema.Struct({ entries: Schema.Array(V.PlacedEntryJson) })
const span = optional(Schema.Struct({ from: Schema.Natural, until: Schema.Natural }))
const lookUp = Schema.Struct({ ...look, ids: Schema.Array(Schema.String), except: span })

/** The answer to a command of a session: with the number that the next event has now, so that whoever asked can wait for it. */
const settled = <A>(value: Schema.Codec<A, unknown>) => Schema.Struct({ value, next: Schema.Natural })

/** The methods. */
export const methods = {
  status: method({ what: "say how the runtime is", params: nothing, result: V.LinkStatus }),
  report: method({ what: "tell the runtime how it is", params: V.GatewayReport, result: nothing }),
  news: method({
    what: "hear of sessions that others open, and of titles",
    params: Schema.Struct({ after: optional(Schema.Natural) }),
    result: Schema.Struct({
      news: Schema.Array(V.NewsJson),
      next: Schema.Natural,
      open: optional(Schema.Array(threadId))
    })
  }),

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
  }),

  "session.state": method({
    what: "show what a session is doing",
    params: session,
    result: Schema.Struct({
      status: V.Status,
      agent: AgentKind,
      options: AgentOptions,
      title: optional(Schema.String),
      providerSessionId: optional(Schema.String),
      facts: Schema.Record(Schema.String, Schema.Unknown)
    }),
    failure: SessionGone
  }),
  "session.asked": method({
    what: "show what an agent asks",
    params: session,
    result: Schema.Struct({ waiting: Schema.Array(V.WaitingRequestJson), next: Schema.Natural }),
    failure: SessionGone
  }),
  "session.tools": method({
    what: "list the tools of an application",
    params: session,
    result: Schema.Struct({ tools: Schema.Array(V.PageTool) }),
    failure: SessionGone
  }),
  "session.prompts": method({
    what: "know the prompts that wait for their turn",
    params: session,
    result: Schema.Struct({ prompts: Schema.Array(V.PromptJson) }),
    failure: SessionGone
  }),
  "session.waiting": method({
    what: "read what a submission is read against",
    params: session,
    result: V.WaitingJson,
    failure: SessionGone
  }),
  "session.submit": method({
    what: "submit prompts and answers",
    params: Schema.Struct({ ...asked, version: Schema.String, submission: V.SubmissionJson }),
    result: settled(V.AcceptedJson),
    failure: Schema.Union([SessionGone, SubmissionChanged, ThreadBusy, LogFailed]),
    once: true
  }),
  "session.steer": method({
    what: "say something in the middle of a turn",
    params: Schema.Struct({ ...asked, words: V.SteeringJson }),
    result: settled(Schema.Struct({ at: Schema.Natural, turn: Schema.Natural })),
    failure: Schema.Union([SessionGone, SteerRefused, LogFailed]),
    once: true
  }),
  "session.goBack": method({
    what: "go back in a conversation",
    params: Schema.Struct({ ...asked, target: V.Target }),
    result: settled(Schema.Struct({ point: V.Point, branch: Schema.Natural })),
    failure: Schema.Union([SessionGone, ThreadBusy, StartFailed, SessionRefused, LogFailed]),
    once: true,
    waits: true
  }),
  "session.stop": method({
    what: "stop a turn",
    params: Schema.Struct({ ...asked, ticket: optional(Schema.String) }),
    result: settled(Schema.Boolean),
    failure: SessionGone,
    once: true
  }),
  "session.answer": method({
    what: "answer what an agent asks",
    params: Schema.Struct({ ...asked, id: Schema.String, answer: Model.Answer }),
    result: done,
    failure: Schema.Union([SessionGone, NothingPending, LogFailed]),
    once: true
  }),
  "session.rename": method({
    what: "call a session something",
    params: Schema.Struct({ ...asked, title: Schema.String }),
    result: done,
    failure: Schema.Union([SessionGone, LogFailed]),
    once: true
  }),
  "session.callTool": method({
    what: "call tools of an application",
    params: Schema.Struct({
      ...asked,
      name: Schema.String,
      input: Schema.Record(Schema.String, Schema.Unknown)
    }),
    result: settled(Schema.Struct({ type: Schema.Literal("result"), content: Model.Content, failed: Schema.Boolean })),
    failure: Schema.Union([SessionGone, ToolCallFailed]),
    once: true,
    waits: true
  }),
  "session.start": method({
    what: "start an agent",
    params: session,
    result: done,
    failure: Schema.Union([SessionGone, StartFailed]),
    waits: true
  }),
  "session.set": method({
    what: "set the model, the permission mode or the effort of an agent",
    params: Schema.Struct({ ...asked, settings: V.SettingsJson }),
    result: done,
    failure: Schema.Union([SessionGone, SettingFailed, StartFailed]),
    once: true,
    waits: true
  }),
  "session.nativeRequest": method({
    what: "ask an agent what only its kind knows",
    params: Schema.Struct({
      ...asked,
      method: Schema.String,
      body: Schema.Record(Schema.String, Schema.Unknown)
    }),
    result: settled(optional(Schema.Unknown)),
    failure: Schema.Union([SessionGone, NativeFailed]),
    once: true,
    waits: true
  }),
  "session.nativeSend": method({
    what: "send an agent a message as it is",
    params: Schema.Struct({ ...asked, message: Schema.Record(Schema.String, Schema.Unknown) }),
    result: done,
    failure: Schema.Union([SessionGone, StartFailed]),
    once: true
  }),
  "session.disconnect": method({
    what: "end the process of an agent",
    params: session,
    result: done,
    failure: SessionGone,
    once: true,
    waits: true
  }),

  "log.take": method({
    what: "read the log of a session",
    params: Schema.Struct({
      ...asked,
      from: Schema.Natural,
      /** How many at most. */
      limit: optional(Schema.Natural),
      /** Whether what was open before the first is told, too. */
      situation: optional(Schema.Boolean)
    }),
    result: V.EventsJson,
    failure: Schema.Union([SessionGone, LogGap, LogFailed])
  }),
  "log.settled": method({
    what: "wait until all is kept",
    params: session,
    result: done,
    failure: Schema.Union([SessionGone, LogFailed])
  }),
  "log.turnBefore": method({
    what: "find the beginning of a turn",
    params: Schema.Struct({ ...asked, seq: Schema.Natural }),
    result: V.OpenAtJson,
    failure: Schema.Union([SessionGone, LogGap, LogFailed])
  }),
  "look.open": method({
    what: "look at a transcript",
    params: session,
    result: Schema.Struct({
      look: Schema.Natural,
      seq: Schema.Natural,
      situation: Model.SituationJson,
      path: V.Path,
      nextPosition: Schema.Natural
    }),
    failure: Schema.Union([SessionGone, LogFailed])
  }),
  "look.page": method({
    what: "look at a page of a transcript",
    params: Schema.Struct({
      ...look,
      before: optional(Schema.Natural),
      maxEntries: optional(Schema.Natural),
      maxBytes: optional(Schema.Natural)
    }),
    result: Schema.Struct({ entries: Schema.Array(V.PlacedEntryJson), more: Schema.Boolean }),
    failure: looked
  }),
  "look.count": method({
    what: "count the entries of a transcript",
    params: Schema.Struct({ ...look, messages: Schema.Boolean }),
    result: Schema.Struct({ count: Schema.Natural }),
    failure: looked
  }),
  "look.find": method({ what: "look entries up", params: lookUp, result: placed, failure: looked }),
  "look.parts": method({ what: "look messages up", params: lookUp, result: placed, failure: looked }),
  "look.close": method({ what: "end a look", params: Schema.Struct(look), result: nothing }),
  "wire.take": method({
    what: "read the lines between a session and its agent",
    params: Schema.Struct({ ...asked, from: Schema.Natural }),
    result: Schema.Struct({ lines: Schema.Array(V.WireLineJson), ended: optional(Schema.Literal(true)) }),
    failure: Schema.Union([SessionGone, LogGap])
  }),
  "wire.place": method({
    what: "know which lines are kept",
    params: session,
    result: Schema.Struct({ oldest: Schema.Natural, next: Schema.Natural }),
    failure: SessionGone
  })
}

/** The methods, by name. */
export type Methods = typeof methods
/** The name of a method. */
export type MethodName = keyof Methods
/** What a method is asked with. */
export type ParamsOf<M extends MethodName> = Methods[M] extends Method<infer P, infer _R, infer _E> ? P : never
/** What a method answers. */
export type ResultOf<M extends MethodName> = Methods[M] extends Method<infer _P, infer R, infer _E> ? R : never
/** Why a method refuses. */
export type FailureOf<M extends MethodName> = Methods[M] extends Method<infer _P, infer _R, infer E> ? E : never

/** The row of a method, whatever it takes. */
export const rowOf = <M extends MethodName>(name: M): Method<ParamsOf<M>, ResultOf<M>, FailureOf<M>> =>
  methods[name] as unknown as Method<ParamsOf<M>, ResultOf<M>, FailureOf<M>>

/** Whether there is a method of a name. */
export const isMethod = (name: string): name is MethodName => Object.hasOwn(methods, name)

/** What each method of this version does, in words, by name: what the two processes tell each other when they meet. */
export const features: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(methods).map(([name, { what }]) => [name, what])
)
