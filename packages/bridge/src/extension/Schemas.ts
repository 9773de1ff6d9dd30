/**
 * What extensions say, as schemas: nothing of theirs is believed before it has been checked.
 */
import * as Model from "@agentwire/protocol/model"
import * as Schema from "effect/Schema"

const optional = Schema.optionalKey
const text = (max: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(max))
const names = (pattern: RegExp) => Schema.Array(Schema.String.check(Schema.isPattern(pattern)))

/** Names that are others' already. */
const reserved = "session|workspace|extension|extensions|subscribe|unsubscribe|call"

/** What an extension says about itself when it is loaded. */
export const Manifest = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(new RegExp(`^(?!(?:${reserved})$)[a-z][a-z0-9-]{0,63}$`))),
  name: text(200),
  methods: names(/^[a-z][a-z0-9-]*\.[A-Za-z0-9_.-]{1,100}$/),
  events: names(/^[a-z][a-z0-9-]*\.[A-Za-z0-9_.-]{1,100}$/),
  sourceRoutes: names(/^[a-z0-9][a-z0-9_-]{0,63}$/),
  pages: optional(text(4096)),
  handlesPages: Schema.Boolean,
  handlesSources: Schema.Boolean
}).annotate({ identifier: "ExtensionManifest" })

/** What an extension says about itself when it is loaded. */
export type Manifest = typeof Manifest.Type

const Part: Schema.Codec<Model.Content> = Model.Content

/** The name of a prompt, or of a document: it is the name of a file, too. */
export const Key = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/))

/** A prompt that an extension gives to a session. */
export const PromptRequest = Schema.Struct({
  content: Part,
  threadId: optional(text(256)),
  source: optional(Schema.String.check(Schema.isPattern(/^[a-z0-9][a-z0-9_-]{0,63}(?:\/[^\p{Cc}]{0,400})?$/u))),
  id: optional(Key),
  cwd: optional(text(4096)),
  mode: optional(text(100)),
  agent: optional(Schema.Record(Schema.String, Schema.Unknown))
})

/** A prompt that an extension gives to a session. */
export type PromptRequest = typeof PromptRequest.Type

/** How an extension says it is. */
export const Said = Schema.Struct({
  ok: Schema.Boolean,
  details: optional(Schema.Record(Schema.String, Schema.Unknown))
}).annotate({ identifier: "ExtensionSaid" })

/** A web page of an extension. */
export const Page = Schema.Struct({
  status: optional(Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 }))),
  headers: optional(Schema.Record(Schema.String, Schema.String)),
  text: optional(Schema.String),
  json: optional(Schema.Unknown)
})

/** A web page of an extension. */
export type Page = typeof Page.Type

/** Its methods in words of the log: what became of them so far. */
const count = Schema.Natural

/** What went wrong, and was dropped, so far. */
export const Counters = Schema.Struct({
  calls: count,
  failures: count,
  timeouts: count,
  eventsDropped: count,
  emitsRefused: count,
  logsDropped: count,
  restarts: count,
  owed: count,
  undelivered: count
}).annotate({ identifier: "ExtensionCounters" })

/** How an extension is, as the bridge sees it and as it says itself. */
export const Health = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  status: Schema.Literals(["starting", "running", "restarting", "failed", "stopped"]),
  /** It runs, says that it is well, and its newest call did not fail. */
  ok: Schema.Boolean,
  methods: Schema.Array(Schema.String),
  events: Schema.Array(Schema.String),
  sourceRoutes: Schema.Array(Schema.String),
  pages: Schema.Boolean,
  counters: Counters,
  details: optional(Schema.Record(Schema.String, Schema.Unknown)),
  lastError: optional(Schema.Struct({ code: Schema.String, message: Schema.String, at: Schema.Finite }))
}).annotate({ identifier: "ExtensionHealth" })

/** How an extension is, as the bridge sees it and as it says itself. */
export type Health = typeof Health.Type
