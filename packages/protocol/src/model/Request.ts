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

/** May a tool run, or is the plan good? */
export const PermissionRequest = Schema.Struct({
  ...asked,
  kind: Schema.Literals(["permission", "plan"]),
  ...call,
  /** What "always" would remember. Empty: it cannot be offered. */
  remember: Schema.Array(Rule),
  /** What else the runtime says about it, under its own names. */
  details: JsonObject
}).annotate({ identifier: "ModelPermissionRequest" })

/** May a tool run, or is the plan good? */
export type PermissionRequest = typeof PermissionRequest.Type

/** Which of some options? */
export const ChoiceRequest = Schema.Struct({
  ...asked,
  kind: Schema.Literal("choice"),
  ...call,
  choices: Schema.Array(Choice),
  details: JsonObject
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
   * Yes. `input` replaces the proposed one. `remember` names rules of the request, and more that a person chose: a
   * JSON pointer into its details.
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
