/**
 * Definitions as Codex keeps them: `.codex/agents/*.toml`, measured with 0.166.0 (docs/wire/codex.md, section 6). They
 * are read in projects that the user trusts. A key that Codex does not know makes it ignore the whole file.
 */
import * as Toml from "effect/encoding/Toml"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { extensible } from "../wire/Open.ts"
import { checkWritable } from "./Checked.ts"
import { type AgentDefinition, Effort } from "./Definition.ts"
import { AgentFileInvalid, type AgentUnwritable, type Place, placeAt, unsayable } from "./Failure.ts"
import { finish, type ReadAgent, requiredText, textOf } from "./ReadFields.ts"

/** `.codex/agents/*.toml`: the keys that make a definition. The program has more, which stay. */
export const CodexAgentFile = extensible("CodexAgentFile", {
  name: Schema.String,
  description: Schema.String,
  developer_instructions: Schema.String,
  model: Schema.optionalKey(Schema.String),
  model_reasoning_effort: Schema.optionalKey(Effort)
})

/** `.codex/agents/*.toml`. */
export type CodexAgentFile = typeof CodexAgentFile.Type

/** What may be left out of a file for Codex, because it has no words for it. */
export interface CodexAgentOptions {
  /** Write the agent without its list of tools: under Codex it has those of whoever calls it. */
  readonly withoutTools?: boolean
}

/** A definition as the text of `.codex/agents/NAME.toml`. Fails where it withholds tools, unless that is left out. */
export const toCodexAgent = (
  definition: AgentDefinition,
  options: CodexAgentOptions = {}
): Result.Result<string, AgentUnwritable> =>
  Result.flatMap(checkWritable("codex", definition), (checked) => {
    const { description, effort, instructions, model, name, tools } = checked
    if (tools !== undefined && options.withoutTools !== true)
      return Result.fail(unsayable("codex", "tools", "it cannot withhold tools from one agent."))
    const lines = [
      `name = ${quoted(name)}`,
      `description = ${quoted(description)}`,
      ...(model?.codex === undefined ? [] : [`model = ${quoted(model.codex)}`]),
      ...(effort === undefined ? [] : [`model_reasoning_effort = ${quoted(effort)}`]),
      `developer_instructions = """\n${multiLine(instructions)}\n"""`
    ]
    return Result.succeed(`${lines.join("\n")}\n`)
  })

/** A definition has no control characters besides those that JSON escapes as TOML does. */
const quoted = (value: string): string => JSON.stringify(value)

const multiLine = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll('"""', '""\\"')

/** The keys that make a definition, and which member each becomes. */
const keys = {
  name: "name",
  description: "description",
  developer_instructions: "instructions",
  model: "model",
  model_reasoning_effort: "effort"
}

/** The definition in the text of `.codex/agents/*.toml`. White space at the ends of the instructions is left out. */
export const fromCodexAgent = (text: string): Result.Result<ReadAgent, AgentFileInvalid> =>
  Result.gen(function* () {
    const file = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n")
    const values = yield* Result.mapError(Toml.parse(file), ({ message }) => syntaxFailure(message))
    const fields = { values: { ...values }, placeOf: (key: string) => placeOfKey(file, key) }
    const model = yield* textOf(fields, "model")
    return yield* finish(fields, keys, {
      name: yield* requiredText(fields, "name"),
      description: yield* requiredText(fields, "description"),
      instructions: yield* requiredText(fields, "developer_instructions"),
      model: model === undefined ? undefined : { codex: model },
      effort: yield* textOf(fields, "model_reasoning_effort")
    })
  })

const syntaxFailure = (message: string): AgentFileInvalid => {
  const [, line = "1", column = "1"] = /at line (\d+), column (\d+)$/.exec(message) ?? []
  return new AgentFileInvalid({ code: "AGENT_SYNTAX", message, line: Number(line), column: Number(column) })
}

const placeOfKey = (file: string, key: string): Place => {
  const entry = new RegExp(`^[ \\t]*["']?${key}["']?[ \\t]*=[ \\t]*`, "m").exec(file)
  return entry === null ? { line: 1, column: 1 } : placeAt(file, entry.index + entry[0].length)
}
