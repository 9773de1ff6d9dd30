/**
 * A sub-agent that a project defines: who it is, when it is called, and what it is told. It is one definition for every
 * runtime; each runtime keeps it in a file of its own kind (`Claude.ts`, `Codex.ts`).
 *
 * The checks are what the programs demand of their files, so that a definition that passes is one they load. Both
 * ignore a file that they cannot use, and say so only where nobody looks.
 */
import * as Schema from "effect/Schema"

/** Control characters that a text may not hold. Line feeds and tabs may be there; carriage returns become line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

const hasNoSurrogate = (text: string): boolean => !/\p{Surrogate}/u.test(text)

const text = Schema.String.check(
  Schema.isNonEmpty(),
  Schema.makeFilter((value) => value === value.trim(), { expected: "a text without white space at its ends" }),
  Schema.makeFilter((value) => !controls.test(value), { expected: "a text without control characters" }),
  Schema.makeFilter(hasNoSurrogate, { expected: "a text of whole characters" })
)

const line = text.check(Schema.makeFilter((value) => !/[\n\t\u2028\u2029]/.test(value), { expected: "one line" }))

/** Claude Code loads no agent whose name is longer. */
const maxNameLength = 256

/** What an agent is called by. Claude Code keeps `:` for plugins, and takes a name that begins with `-` for an option. */
export const AgentName = line.check(
  Schema.isMaxLength(maxNameLength),
  Schema.makeFilter((value) => !value.startsWith("-"), { expected: "a name that does not begin with -" }),
  Schema.makeFilter((value) => !value.normalize("NFKC").includes(":"), { expected: "a name without :" })
)

/** How long an agent thinks. Not every runtime knows every word: see {@link effortsOf}. */
export const Effort = Schema.Literals(["none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"])

/** How long an agent thinks. */
export type Effort = typeof Effort.Type

/** The runtimes that keep definitions in files. */
export type DefinitionRuntime = "claude" | "codex"

/** Which efforts each runtime knows: Claude Code 2.1.325 says so itself, Codex 0.166.0 offers them for its models. */
export const effortsOf: Readonly<Record<DefinitionRuntime, ReadonlyArray<Effort>>> = {
  claude: ["low", "medium", "high", "xhigh", "max"],
  codex: Effort.literals
}

/** A list of tools as Claude Code splits it: at commas and spaces, unless they are in parentheses. */
export const splitTools = (list: string): ReadonlyArray<string> => {
  const tools: Array<string> = []
  let tool = ""
  let isInside = false
  for (const character of list) {
    if (!isInside && (character === "," || character === " ")) {
      tools.push(tool.trim())
      tool = ""
      continue
    }
    if (character === "(" || character === ")") isInside = character === "("
    tool += character
  }
  return [...tools, tool.trim()].filter((name) => name !== "")
}

/** A tool by its name, or a part of what it does: `Read`, `Bash(git log:*)`. */
const Tool = line.check(
  Schema.makeFilter((value) => splitTools(value).join("\n") === value, { expected: "the name of one tool" }),
  Schema.makeFilter((value) => value !== "*", { expected: "the name of a tool; without `tools` it has all" })
)

/** One definition of a sub-agent. */
export const AgentDefinition = Schema.Struct({
  name: AgentName,
  /** When it is called: the model that calls it reads this. */
  description: text,
  /** What it is told before its task. */
  instructions: text,
  /** The model it runs on, by the names of each runtime. Without one: that of whoever calls it. */
  model: Schema.optionalKey(Schema.Struct({ claude: Schema.optionalKey(line), codex: Schema.optionalKey(line) })),
  effort: Schema.optionalKey(Effort),
  /** The only tools it has, by the names of Claude Code. Codex cannot withhold tools from one agent. */
  tools: Schema.optionalKey(Schema.Array(Tool))
}).annotate({ identifier: "AgentDefinition" })

/** One definition of a sub-agent. */
export type AgentDefinition = typeof AgentDefinition.Type

/** The folder of a project that each runtime reads definitions from, and how their files end. */
export const agentFolders: Readonly<Record<DefinitionRuntime, { readonly folder: string; readonly ending: string }>> = {
  claude: { folder: ".claude/agents", ending: ".md" },
  codex: { folder: ".codex/agents", ending: ".toml" }
}

/**
 * The file of an agent, from the folder of the project. The programs go by the name within; outside of letters, digits,
 * `-` and `_` characters are escaped as in addresses, so that no name leads elsewhere and no two share a file.
 */
export const agentPath = (runtime: DefinitionRuntime, name: string): string => {
  const { ending, folder } = agentFolders[runtime]
  const escaped = encodeURIComponent(name).replaceAll(
    /[.!~*'()]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `${folder}/${escaped}${ending}`
}
