/** The tables in the guide to the options of sessions, made from the schema and from what was measured. */
import * as Claude from "@agentwire/protocol/claude"
import * as Schema from "effect/Schema"
import { blockableEvents } from "../packages/bridge/src/runtime/claude/HookCallbacks.ts"
import { type AgentOptionName, agentOptionFields } from "../packages/bridge/src/session/AgentOptions.ts"

/** The guide has a table between each pair of marks. */
const tables: Readonly<Record<string, () => ReadonlyArray<string>>> = {
  options: () => [
    "| option | what it is | how the CLI is given it | what was seen | versions |",
    "|---|---|---|---|---|",
    ...(Object.keys(agentOptionFields) as ReadonlyArray<AgentOptionName>).map((name) => {
      const { how, seen, versions } = Claude.launchOptions[name]
      return `| \`${name}\` | ${descriptionOf(name)} | ${how} | ${seen} | ${knownTo(versions)} |`
    })
  ],
  events: () => [
    "| event | versions | a hook that fails can stop it |",
    "|---|---|---|",
    ...Object.entries(Claude.hookEventVersions).map(
      ([event, versions]) => `| \`${event}\` | ${knownTo(versions)} | ${stoppable(event)} |`
    )
  ]
}

const stoppable = (event: string): string => {
  if (!blockableEvents.some((each) => each === event)) return ""
  return event === "PreToolUse" ? "yes, and does so by default" : "yes"
}

interface Described {
  readonly description?: string
  readonly allOf?: ReadonlyArray<Described>
}

const properties = (
  Schema.toJsonSchemaDocument(Schema.Struct(agentOptionFields)).schema as {
    readonly properties: Readonly<Record<string, Described>>
  }
).properties

const descriptionOf = (name: AgentOptionName): string => {
  const { allOf = [], description } = properties[name] ?? {}
  const words = description ?? allOf.findLast((each) => each.description !== undefined)?.description
  if (words === undefined) throw new Error(`The option ${name} has no description.`)
  return words.replaceAll("|", "\\|")
}

const knownTo = (row: Claude.KnowledgeRow): string => {
  const tried = Object.keys(row).sort(Claude.compareVersions)
  const first = tried.find((version) => row[version] === "known")
  const before = tried.filter((version) => row[version] === "unknown").at(-1)
  return before === undefined ? "all" : `from ${first}; not ${before}`
}

/** The guide with its tables as they are. */
export const withOptionTables = (guide: string): string =>
  Object.entries(tables).reduce((text, [name, table]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->\n`]
    const [before, rest] = text.split(begin)
    const after = rest?.split(end)[1]
    if (before === undefined || after === undefined) throw new Error(`The guide has no place for the table of ${name}.`)
    return `${before}${begin}${table().join("\n")}\n${end}${after}`
  }, guide)
