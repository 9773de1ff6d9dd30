/** Why a file is no definition that can be read, and why a definition cannot be written: the place, and words. */
import * as Schema from "effect/Schema"
import type { DefinitionRuntime } from "./Definition.ts"

/** A file that is not read as a definition. */
export class AgentFileInvalid extends Schema.TaggedError<AgentFileInvalid>()("AgentFileInvalid", {
  code: Schema.Literals([
    /** Not TOML, not YAML, or of a kind that this reader does not know. */
    "AGENT_SYNTAX",
    /** Markdown that does not begin with front matter. */
    "AGENT_NO_FRONT_MATTER",
    /** A `---` within a value, where Claude Code takes the front matter to end. */
    "AGENT_FRONT_MATTER_CUT",
    /** What the program cannot do without is not there. */
    "AGENT_FIELD_MISSING",
    /** A value that the program ignores, or that no definition can hold. */
    "AGENT_FIELD_INVALID"
  ]),
  message: Schema.String,
  /** The line, from 1. */
  line: Schema.Int,
  /** The column in UTF-16 units, from 1. */
  column: Schema.Int,
  /** The key, where the failure is about one. */
  key: Schema.optionalKey(Schema.String)
}) {}

/** A definition that a runtime has no words for. */
export class AgentUnwritable extends Schema.TaggedError<AgentUnwritable>()("AgentUnwritable", {
  code: Schema.Literals(["AGENT_DEFINITION_INVALID", "AGENT_UNSAYABLE"]),
  message: Schema.String,
  /** The member of the definition, such as `tools` or `model.claude`. */
  member: Schema.String
}) {}

/** A place in a text. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** The place of an index in a text. */
export const placeAt = (text: string, index: number): Place => {
  const before = text.slice(0, index)
  const lineStart = before.lastIndexOf("\n") + 1
  return { line: before.split("\n").length, column: index - lineStart + 1 }
}

/** What a runtime has no words for, in words. */
export const unsayable = (runtime: DefinitionRuntime, member: string, why: string): AgentUnwritable =>
  new AgentUnwritable({
    code: "AGENT_UNSAYABLE",
    message: `The ${member} of this agent cannot be written for ${runtimeNames[runtime]}: ${why}`,
    member
  })

/** What the runtimes are called in messages. */
export const runtimeNames: Readonly<Record<DefinitionRuntime, string>> = { claude: "Claude Code", codex: "Codex" }
