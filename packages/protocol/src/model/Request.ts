/**
 * What an agent asks of somebody outside, and the answers.
 *
 * A request opens once and closes once. Every face shows the same one; the first answer wins.
 */
import * as Schema from "effect/Schema"
import { JsonObject, optional } from "../wire/Open.ts"
import { Content } from "./Content.ts"

/** Something that "always" would remember, for this session. */
export const Rule = Schema.Struct({
  /** Names it in an answer. */
  id: Schema.String,
  /** For people: `Bash(touch:*)`. */
  label: Schema.String
}).annotate({ identifier: "ModelRule" })

/** Something that "always" would remember, for this session. */
export type Rule = typeof Rule.Type

/** Something else that a person may choose to have remembered, word for word as the runtime suggests it. */
export const Suggestion = Schema.Struct({
  /** Names it in an answer. */
  id: Schema.String,
  /** What the runtime suggests, in its own words: for people who read them, and to tell it from the others. */
  value: Schema.Unknown
}).annotate({ identifier: "ModelSuggestion" })

/** Something else that a person may choose to have remembered. */
export type Suggestion = typeof Suggestion.Type

/** A question with options. Any text is an answer, too. */
export const Choice = Schema.Struct({
  question: Schema.String,
  header: optional(Schema.String),
  multiple: Schema.Boolean,
  options: Schema.Array(Schema.Struct({ label: Schema.String, description: optional(Schema.String) }))
}).annotate({ identifier: "ModelChoice" })

/** A question with options. */
export type Choice = typeof Choice.Type

/** The tool call that a request is about. */
const call = {
  /** The item of the call. */
  call: Schema.String,
  /** The tool, by the name that people know. */
  tool: Schema.String,
  input: JsonObject
}

const asked = {
  id: Schema.String,
  /** In words, for people. */
  message: Schema.String
}

/** What a runtime may say about a call that it asks for. */
const about = {
  /** What the call would do, in the agent's words: it need not be true. */
  description: optional(Schema.String),
  /** The path that may not be touched without asking. */
  blockedPath: optional(Schema.String),
  /** Why it is asked. */
  reason: optional(Schema.String),
  /** The sub-agent that makes the call, by the runtime's id. */
  agent: optional(Schema.String),
  /** What else a person may choose to have remembered; absent where nothing may be. */
  suggestions: optional(Schema.Array(Suggestion)),
  /** What the runtime says about it, under its own names: to be shown and passed on, never read. */
  details: JsonObject
}

/** May a tool run, or is the plan good? */
export const PermissionRequest = Schema.Struct({
  ...asked,
  kind: Schema.Literals(["permission", "plan"]),
  ...call,
  /** What "always" would remember. Empty: it cannot be offered. */
  remember: Schema.Array(Rule),
  ...about
}).annotate({ identifier: "ModelPermissionRequest" })

/** May a tool run, or is the plan good? */
export type PermissionRequest = typeof PermissionRequest.Type

/** Which of some options? */
export const ChoiceRequest = Schema.Struct({
  ...asked,
  kind: Schema.Literal("choice"),
  ...call,
  choices: Schema.Array(Choice),
  ...about
}).annotate({ identifier: "ModelChoiceRequest" })

/** Which of some options? */
export type ChoiceRequest = typeof ChoiceRequest.Type

/** A form to fill in, or a page to visit. */
export const FormRequest = Schema.Struct({
  ...asked,
  kind: Schema.Literal("form"),
  /** Who asks: an MCP server. */
  server: Schema.String,
  /** Where the person has to go; then there is nothing to fill in. */
  url: optional(Schema.String),
  /** The JSON Schema of what to fill in. */
  schema: optional(JsonObject),
  /** What the server calls the way it asks: `form`, `url`. */
  mode: optional(Schema.String),
  /** The server's id of what it asks. */
  elicitation: optional(Schema.String),
  title: optional(Schema.String),
  /** What the runtime says about it, under its own names: to be shown and passed on, never read. */
  details: JsonObject
}).annotate({ identifier: "ModelFormRequest" })

/** A form to fill in, or a page to visit. */
export type FormRequest = typeof FormRequest.Type

/** A tool of the application is to run; its result is the answer. */
export const PageToolRequest = Schema.Struct({
  ...asked,
  kind: Schema.Literal("page_tool"),
  ...call
}).annotate({ identifier: "ModelPageToolRequest" })

/** A tool of the application is to run. */
export type PageToolRequest = typeof PageToolRequest.Type

/** What an agent asks. */
export const Request = Schema.Union([PermissionRequest, ChoiceRequest, FormRequest, PageToolRequest]).annotate({
  identifier: "ModelRequest"
})

/** What an agent asks. */
export type Request = typeof Request.Type

/** A request that a person answers, not a program. */
export type Question = Exclude<Request, PageToolRequest>

/** The answer to a request. What fits which kind is checked by whoever reads it from a client. */
export const Answer = Schema.Union([
  /**
   * Yes. `input` replaces the proposed one. `remember` names rules of the request, and suggestions that a person
   * chose, by their ids.
   */
  Schema.Struct({
    type: Schema.Literal("allow"),
    input: optional(JsonObject),
    remember: optional(Schema.Array(Schema.String))
  }),
  /** No, and why: the agent is told. `interrupt` ends the turn. */
  Schema.Struct({ type: Schema.Literal("deny"), reason: Schema.String, interrupt: optional(Schema.Boolean) }),
  /** What was chosen, by question. */
  Schema.Struct({ type: Schema.Literal("chosen"), answers: Schema.Record(Schema.String, Schema.String) }),
  /** What was filled in. */
  Schema.Struct({ type: Schema.Literal("filled"), content: JsonObject }),
  /** A form that the person would not fill in. */
  Schema.Struct({ type: Schema.Literal("declined") }),
  /** The question was dismissed without an answer. */
  Schema.Struct({ type: Schema.Literal("dismissed") }),
  /** What a tool of the application gave back. */
  Schema.Struct({ type: Schema.Literal("result"), content: Content, failed: Schema.Boolean })
]).annotate({ identifier: "ModelAnswer" })

/** The answer to a request. */
export type Answer = typeof Answer.Type

/** Why a request is closed: somebody answered, the agent took it back, nobody answered in time, or the agent is gone. */
export const Closing = Schema.Literals(["answered", "withdrawn", "expired", "abandoned", "ended"])

/** Why a request is closed. */
export type Closing = typeof Closing.Type
