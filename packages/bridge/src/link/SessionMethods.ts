/** What may be asked of one session: what it is doing, and every command. */
import * as Model from "@agentwire/protocol/model"
import * as Schema from "effect/Schema"
import { LogFailed } from "../log/BoundedLog.ts"
import { AgentOptions } from "../session/AgentOptions.ts"
import { AgentKind } from "../session/Capabilities.ts"
import { NativeFailed, StartFailed } from "../session/Runtime.ts"
import { NothingPending, SteerRefused, ThreadBusy, ToolCallFailed } from "../session/Session.ts"
import { SessionRefused } from "../session/SessionRefused.ts"
import { SettingFailed } from "../session/Settings.ts"
import { SessionGone, SubmissionChanged } from "./LinkErrors.ts"
import { asked, done, method, session, settled } from "./Method.ts"
import * as V from "./Values.ts"

const { optional } = Schema

/** One session. */
export const sessionMethods = {
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
  })
}
