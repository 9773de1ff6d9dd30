/**
 * What the two processes tell each other, as schemas: the values of the port of sessions as JSON has them. What is
 * `undefined` is left out, and is `undefined` again where it is read.
 */
import * as Model from "@agentwire/protocol/model"
import * as Schema from "effect/Schema"
import { AgentOptions } from "../session/AgentOptions.ts"
import { Segment } from "../store/Checkpoint.ts"
import { WaitingPrompt } from "../store/StoredThread.ts"

const { optional } = Schema
// By the types that the model has for them: what schemas are made of is the model's own.
const SituationJson: Schema.Codec<Model.SituationJson> = Model.SituationJson
const TranscriptEntry: Schema.Codec<Model.TranscriptEntry> = Model.TranscriptEntry
const EntryPlace: Schema.Codec<Model.EntryPlace> = Model.EntryPlace
const Content: Schema.Codec<Model.Content> = Model.Content
const Answer: Schema.Codec<Model.Answer> = Model.Answer
const Request: Schema.Codec<Model.Request> = Model.Request
const Lane: Schema.Codec<Model.Lane> = Model.Lane
const text = Schema.String
const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

/** What a session is doing. */
export const Status = Schema.Literals(["starting", "connected", "active", "idle", "disconnected", "terminated"])

/** What may be chosen for one session. */
export const Choices = Schema.Struct({
  cwd: Schema.optionalKey(text),
  mode: Schema.optionalKey(text),
  agent: Schema.optionalKey(AgentOptions)
})

/** A place of the log, with what was open before its event. */
export const OpenAtJson = Schema.Struct({ seq: Schema.Natural, situation: SituationJson })

/** A session, as the other process comes to know it. */
export const Head = Schema.Struct({
  threadId: text,
  /** One for each time that the thread is opened, by any process. */
  instance: text,
  cwd: text,
  createdAt: Schema.Finite,
  openedAt: Schema.Finite,
  mode: optional(text),
  cutAt: optional(Schema.Finite),
  leftAt: optional(Schema.Finite),
  /** The number that the next event will have. */
  next: Schema.Natural,
  /** Where its log is read from; absent for who knows this instance. */
  from: optional(OpenAtJson)
})
/** A session, as the other process comes to know it. */
export type Head = typeof Head.Type

/** A session as a list shows it. */
export const Summary = Schema.Struct({
  threadId: text,
  status: Status,
  providerSessionId: optional(text),
  cwd: optional(text),
  mode: optional(text),
  title: optional(text),
  summary: optional(text),
  workspaceId: optional(text),
  archived: Schema.Boolean,
  adopted: Schema.Boolean,
  forkOf: optional(text),
  createdAt: Schema.Finite,
  usedAt: Schema.Finite
})

/** Which part of a list is wanted. */
export const ListQuery = Schema.Struct({
  workspaceId: optional(text),
  archived: optional(Schema.Boolean),
  before: optional(text),
  limit: optional(Schema.Finite),
  branch: optional(Schema.Natural),
  cwd: optional(text)
})

/** Where a conversation is to continue. */
export const Target = Schema.Union([
  Schema.Struct({ after: Schema.Array(text) }),
  Schema.Struct({ before: Schema.Array(text) }),
  Schema.Struct({ branch: Schema.Natural })
])

/** A point of a conversation. */
export const Point = Schema.Struct({
  from: Schema.NullOr(EntryPlace),
  after: Schema.NullOr(text),
  anchor: Schema.NullOr(text)
})

/** A branch of a thread. */
export const Branch = Schema.Struct({
  branch: Schema.Natural,
  current: Schema.Boolean,
  after: optional(Schema.Struct({ branch: Schema.Natural, entry: TranscriptEntry })),
  firstWords: optional(text),
  createdAt: Schema.Finite,
  messages: Schema.Natural
})

/** A conversation that can be adopted. */
export const Adoptable = Schema.Struct({
  kind: text,
  providerSessionId: text,
  cwd: text,
  createdAt: Schema.Finite,
  activeAt: Schema.Finite,
  writtenAt: Schema.Finite,
  model: Schema.optionalKey(text),
  version: Schema.optionalKey(text),
  title: Schema.optionalKey(text),
  titleBy: Schema.optionalKey(Schema.Literals(["prompt", "provider", "person"]))
})

/** What a person said. */
export const Said = Schema.Struct({ id: text, content: Content })

/** A tool of the application. */
export const PageTool = Schema.Struct({
  name: text,
  description: text,
  parameters: Schema.optionalKey(JsonObject)
})

/** What one request of a client asks for. */
export const SubmissionJson = Schema.Struct({
  ticket: text,
  answers: Schema.Array(Schema.Struct({ id: text, answer: Answer })),
  results: Schema.Array(Schema.Struct({ toolCallId: text, answer: Answer })),
  tools: Schema.Array(PageTool),
  prompt: Schema.optionalKey(
    Schema.Struct({ type: Schema.Literal("prompt"), said: Schema.Array(Said), aside: Schema.optionalKey(text) })
  ),
  branch: Schema.optionalKey(Point),
  state: Schema.optionalKey(Schema.Struct({ state: optional(Schema.Unknown) }))
})

/** What waits for somebody. `version` is another one when any of it is. */
export const WaitingJson = Schema.Struct({
  version: text,
  requests: Schema.Array(Request),
  pageCalls: Schema.Array(text),
  inTurn: Schema.Boolean,
  state: optional(Schema.Unknown),
  branch: Schema.Natural,
  /** The number that the next event will have. */
  next: Schema.Natural
})

/** A request that was asked and waits for its answer. */
export const WaitingRequestJson = Schema.Struct({ request: Request, lane: Lane, expiresAt: Schema.Finite })

/** A submission that was accepted. */
export const AcceptedJson = Schema.Struct({
  at: Schema.Natural,
  situation: SituationJson,
  begins: Schema.Literals(["now", "with_turn", "with_words"])
})

/** Words of a person for the turn that is open. */
export const SteeringJson = Schema.Struct({
  ticket: text,
  said: Schema.Array(Said),
  aside: Schema.optionalKey(text),
  turn: Schema.optionalKey(Schema.Natural)
})

/** Events in order: those of `chunk` begin with the number that was asked for. */
export const EventsJson = Schema.Struct({
  /** See `store/EventChunk.ts`. */
  chunk: Schema.Array(Schema.Unknown),
  /** Which of them came from a line of the wire: how many events after the first, and the number of the line. */
  lines: Schema.Array(Schema.Tuple([Schema.Natural, Schema.Natural])),
  /** What was open before the first, where that was asked. */
  situation: optional(SituationJson),
  /** No more will come. */
  ended: optional(Schema.Literal(true))
})

/** An entry of the transcript in its place. */
export const PlacedEntryJson = Schema.Struct({
  position: Schema.Natural,
  branch: Schema.Natural,
  entry: TranscriptEntry
})

/** A path through the branches. */
export const Path = Schema.Array(Segment)

/** A line between the session and its agent. */
export const WireLineJson = Schema.Struct({
  seq: Schema.Natural,
  at: Schema.Finite,
  from: Schema.Literals(["agent", "host"]),
  line: text,
  events: Schema.Natural,
  odd: Schema.optionalKey(text)
})

/** A prompt that waits for its turn. */
export const PromptJson = WaitingPrompt

/** A setting of an agent. */
export const SettingsJson = Schema.Struct({
  model: Schema.optionalKey(Schema.NullOr(text)),
  permissionMode: Schema.optionalKey(text),
  effort: Schema.optionalKey(Schema.Literals(["low", "medium", "high", "xhigh", "max"]))
})

/** A thread was given a title. */
export const TitledJson = Schema.Struct({
  threadId: text,
  title: text,
  titleBy: Schema.Literals(["prompt", "provider", "person"])
})

/** What happens to sessions: one was opened, or a thread was given a title. */
export const NewsJson = Schema.Union([
  Schema.Struct({ type: Schema.Literal("opened"), threadId: text }),
  Schema.Struct({ type: Schema.Literal("titled"), titled: TitledJson })
])
/** What happens to sessions. */
export type NewsJson = typeof NewsJson.Type

/** A gateway, as it tells of itself. */
export const GatewayReport = Schema.Struct({
  url: optional(text),
  clients: Schema.Natural,
  memory: Schema.Natural,
  extensions: Schema.Natural
})
/** A gateway, as it tells of itself. */
export type GatewayReport = typeof GatewayReport.Type

/** How the runtime is, and who is attached to it. */
export const LinkStatus = Schema.Struct({
  runtime: Schema.Struct({
    program: text,
    link: Schema.Natural,
    pid: Schema.Natural,
    startedAt: Schema.Finite,
    memory: Schema.Natural,
    agent: text,
    cwd: text,
    draining: Schema.Boolean
  }),
  gateways: Schema.Array(
    Schema.Struct({
      program: text,
      link: Schema.Natural,
      pid: Schema.Natural,
      attachedAt: Schema.Finite,
      report: optional(GatewayReport)
    })
  ),
  sessions: Schema.Struct({
    /** How many threads are kept. */
    open: Schema.Natural,
    byStatus: Schema.Record(text, Schema.Natural),
    /** How many questions wait for a person or for the application. */
    questions: Schema.Natural
  })
})
/** How the runtime is, and who is attached to it. */
export type LinkStatus = typeof LinkStatus.Type
