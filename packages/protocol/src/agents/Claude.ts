/**
 * Definitions as Claude Code keeps them: `.claude/agents/*.md`, Markdown with front matter, measured with 2.1.325
 * (docs/wire/claude-code.md, section 13).
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { extensible } from "../wire/Open.ts"
import { checkWritable } from "./Checked.ts"
import { type AgentDefinition, effortsOf, splitTools } from "./Definition.ts"
import { type AgentFileInvalid, type AgentUnwritable, unsayable } from "./Failure.ts"
import { readFrontMatter } from "./FrontMatter.ts"
import { type Fields, fieldFailure, finish, type ReadAgent, requiredText, textOf } from "./ReadFields.ts"

/** The front matter of `.claude/agents/*.md`: the keys that make a definition. The program has more, which stay. */
export const ClaudeAgentFrontMatter = extensible("ClaudeAgentFrontMatter", {
  name: Schema.String,
  description: Schema.String,
  model: Schema.optionalKey(Schema.String),
  effort: Schema.optionalKey(Schema.Union([Schema.Literals(effortsOf.claude), Schema.Int])),
  /** A list, or texts with commas. `*` is all; empty is none. */
  tools: Schema.optionalKey(Schema.Union([Schema.String, Schema.Null, Schema.Array(Schema.String)]))
})

/** The front matter of `.claude/agents/*.md`. */
export type ClaudeAgentFrontMatter = typeof ClaudeAgentFrontMatter.Type

/** A definition as the text of `.claude/agents/NAME.md`. */
export const toClaudeAgent = (definition: AgentDefinition): Result.Result<string, AgentUnwritable> =>
  Result.flatMap(checkWritable("claude", definition), (checked) => {
    // The program makes line feeds of what looks like an escape, also where YAML says that it is none.
    if (checked.description.includes("\\n"))
      return Result.fail(unsayable("claude", "description", "it reads a backslash before an n as a line feed."))
    const { description, effort, instructions, model, name, tools } = checked
    const lines = [
      `name: ${scalar(name)}`,
      `description: ${quoted(description)}`,
      ...(model?.claude === undefined ? [] : [`model: ${scalar(model.claude)}`]),
      ...(effort === undefined ? [] : [`effort: ${effort}`]),
      ...(tools === undefined ? [] : [`tools: [${tools.map(quoted).join(", ")}]`])
    ]
    return Result.succeed(`---\n${lines.join("\n")}\n---\n\n${instructions}\n`)
  })

/** Words that YAML, of whichever version, takes for something else than texts. */
const notTexts = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i

const scalar = (value: string): string =>
  /^[A-Za-z][A-Za-z0-9_-]*$/.test(value) && !value.includes("---") && !notTexts.test(value) ? value : quoted(value)

/** In double quotes, with no three hyphens in a row: the program would take the front matter to end there. */
const quoted = (value: string): string =>
  JSON.stringify(value)
    .replaceAll("---", "--\\x2d")
    .replaceAll(/[\u2028\u2029\ufeff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The keys that make a definition, and which member each becomes. */
const keys = { name: "name", description: "description", model: "model", effort: "effort", tools: "tools" }

/** The definition in the text of `.claude/agents/*.md`, as the program reads it. */
export const fromClaudeAgent = (text: string): Result.Result<ReadAgent, AgentFileInvalid> =>
  Result.gen(function* () {
    const fields = yield* readFrontMatter(text.replace(/^\ufeff/, "").replaceAll(/\r\n?/g, "\n"))
    const name = yield* requiredText(fields, "name")
    const description = yield* requiredText(fields, "description")
    const model = yield* textOf(fields, "model")
    return yield* finish(fields, keys, {
      name,
      description: description.replaceAll("\\n", "\n").trim(),
      instructions: yield* instructionsOf(fields),
      model: model === undefined || model === "" ? undefined : { claude: model },
      effort: yield* effortOf(fields),
      tools: yield* toolsOf(fields)
    })
  })

const instructionsOf = (fields: Fields & { readonly body: string }): Result.Result<string, AgentFileInvalid> => {
  const body = fields.body.trim()
  return body === ""
    ? Result.fail(fieldFailure(fields, "instructions", "there is nothing below the front matter."))
    : Result.succeed(body)
}

const effortOf = (fields: Fields): Result.Result<string | undefined, AgentFileInvalid> => {
  const effort = fields.values["effort"]
  if (effort === undefined || effortsOf.claude.some((known) => known === effort))
    return Result.succeed(effort === undefined ? undefined : String(effort))
  return Result.fail(fieldFailure(fields, "effort", `this has to be one of ${effortsOf.claude.join(", ")}.`))
}

const toolsOf = (fields: Fields): Result.Result<ReadonlyArray<string> | undefined, AgentFileInvalid> => {
  const tools = fields.values["tools"]
  if (tools === undefined) return Result.succeed(undefined)
  const lists = tools === null ? [] : Array.isArray(tools) ? tools : [tools]
  if (!lists.every((list) => typeof list === "string"))
    return Result.fail(fieldFailure(fields, "tools", "this has to be a list of names."))
  const names = lists.flatMap(splitTools)
  return Result.succeed(names.includes("*") ? undefined : names)
}
