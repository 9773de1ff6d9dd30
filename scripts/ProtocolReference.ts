/**
 * The reference of the protocols: every message with its direction, the versions it was recorded on and its fields,
 * from the JSON Schema files, the doc comments of the schemas, and the tapes of the real CLIs.
 */
import { readdirSync, readFileSync } from "node:fs"
import { loadTape, tapes } from "../packages/fixtures/src/index.ts"
import { decodeLine } from "../packages/protocol/src/claude/index.ts"
import { Claude, Tape } from "../packages/protocol/src/index.ts"
import { jsonSchemaFiles } from "./JsonSchema.ts"

interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema | false
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: JsonSchema | boolean
}

interface Document extends JsonSchema {
  readonly $defs: Readonly<Record<string, JsonSchema>>
}

const documentOf = (file: string): Document => JSON.parse(jsonSchemaFiles()[file] ?? "{}") as Document

/** The doc comments of a folder's schemas, by the name of the schema. */
const commentsOf = (folder: string): ReadonlyMap<string, string> => {
  const comments = new Map<string, string>()
  const url = new URL(`../packages/protocol/src/${folder}/`, import.meta.url)
  for (const file of readdirSync(url).filter((name) => name.endsWith(".ts"))) {
    const source = readFileSync(new URL(file, url), "utf8")
    for (const [, comment = "", body = ""] of source.matchAll(
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const \w+[^=]*=([\s\S]{0,80})/g
    )) {
      const name = /"(\w+)"/.exec(body)?.[1]
      if (name !== undefined && !comments.has(name)) comments.set(name, plain(comment))
    }
  }
  return comments
}

const plain = (comment: string): string =>
  comment
    .replace(/^\s*\* ?/gm, "")
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .replace(/\s+/g, " ")
    .trim()

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)
const anchor = (name: string): string => name.toLowerCase()
const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``

/** How many values of an enumeration are shown. */
const maxValues = 8

/** A type in a few words, with links to what has a section of its own. */
const typeOf = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return `[${nameOf(schema.$ref)}](#${anchor(nameOf(schema.$ref))})`
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined) {
    const shown = schema.enum.slice(0, maxValues).map((value) => code(JSON.stringify(value)))
    return [...shown, ...(schema.enum.length > maxValues ? ["…"] : [])].join(", ")
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(" or ")
  if (schema.allOf !== undefined) return [...new Set(schema.allOf.map(typeOf))].join(" and ")
  if (Array.isArray(schema.type)) return schema.type.join(" or ")
  if (schema.type === "array") return `list of ${schema.items ? typeOf(schema.items) : "anything"}`
  if (schema.type === "object" && schema.properties !== undefined)
    return `object: ${Object.keys(schema.properties).map(code).join(", ")}`
  return typeof schema.type === "string" ? schema.type : "anything"
}

const fieldsOf = ({ properties = {}, required = [] }: JsonSchema): ReadonlyArray<string> =>
  Object.entries(properties).length === 0
    ? []
    : [
        "| field | | type |",
        "|---|---|---|",
        ...Object.entries(properties).map(
          ([name, schema]) => `| ${code(name)} | ${required.includes(name) ? "always" : ""} | ${typeOf(schema)} |`
        )
      ]

const sectionOf = (name: string, schema: JsonSchema, comments: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const fields = fieldsOf(schema)
  // The envelope of a control request is what is in it.
  const comment = comments.get(name) ?? comments.get(name.replace(/ControlRequest$/, "Request")) ?? ""
  return [`### ${name}`, "", comment, "", ...(fields.length > 0 ? fields : [`Is: ${typeOf(schema)}.`]), ""]
}

/** Who said a message, and on which versions. */
interface Seen {
  readonly agent: ReadonlySet<string>
  readonly host: ReadonlySet<string>
}

/** Reads all tapes. */
const seenOnTapes = (): ReadonlyMap<string, Seen> => {
  const seen = new Map<string, { readonly agent: Set<string>; readonly host: Set<string> }>()
  for (const entry of tapes) {
    for (const { from, line } of Tape.tapeLines(loadTape(entry).frames)) {
      const decoded = line._tag === "Text" ? decodeLine(line.text) : undefined
      if (decoded?._tag !== "Known") continue
      const found = seen.get(decoded.name) ?? { agent: new Set<string>(), host: new Set<string>() }
      found[from].add(entry.version)
      seen.set(decoded.name, found)
    }
  }
  return seen
}

const versions = (set: ReadonlySet<string>): string => [...set].sort(Claude.compareVersions).join(", ")

const directionOf = (seen: Seen | undefined): string => {
  if (seen === undefined) return "never recorded"
  return [
    ...(seen.agent.size > 0 ? [`CLI to host: ${versions(seen.agent)}`] : []),
    ...(seen.host.size > 0 ? [`host to CLI: ${versions(seen.host)}`] : [])
  ].join("; ")
}

const head = (title: string, about: string): ReadonlyArray<string> => [
  `# ${title}`,
  "",
  "<!-- Written by `npm run reference`. -->",
  "",
  about,
  ""
]

const partsOf = (
  { $defs, anyOf = [] }: Document,
  comments: ReadonlyMap<string, string>
): { readonly roots: ReadonlyArray<string>; readonly parts: ReadonlyArray<string> } => {
  const roots = [...new Set(anyOf.flatMap(({ $ref }) => ($ref === undefined ? [] : [nameOf($ref)])))]
  const rest = Object.keys($defs).filter((name) => !roots.includes(name))
  const section = (name: string) => sectionOf(name, $defs[name] ?? {}, comments)
  return { roots: roots.flatMap(section), parts: rest.flatMap(section) }
}

const claudeCode = (): string => {
  const document = documentOf("claude-code.json")
  const comments = commentsOf("claude")
  const seen = seenOnTapes()
  const rows = Object.entries(Claude.messages).map(([name], index) => {
    const ref = nameOf(document.anyOf?.[index]?.$ref ?? "")
    return `| ${code(name)} | [${ref}](#${anchor(ref)}) | ${directionOf(seen.get(name))} |`
  })
  const requests = Object.entries(Claude.controlRequests).map(
    ([subtype, { from }]) =>
      `| ${code(subtype)} | ${from} | ${Claude.measuredVersions
        .map((version) => `${version}: ${Claude.answers(subtype, version)}`)
        .join(", ")} |`
  )
  const { parts, roots } = partsOf(document, comments)
  return [
    ...head(
      "Claude Code's protocol",
      "Every message of the wire in both directions, as the schemas of `@agentwire/protocol` have it. The versions are those on whose tapes it was recorded; a message that was never recorded is known from the SDK's types or the program. Fields that are not marked were missing at least once, or on one version. What a version does with them is in [wire/claude-code.md](../wire/claude-code.md)."
    ),
    "## Messages",
    "",
    "| name | schema | recorded |",
    "|---|---|---|",
    ...rows,
    "",
    "## Control requests",
    "",
    "Who asks, and what versions of the CLI do with a request of the host. `unknown` means that nobody tried.",
    "",
    "| subtype | from | answers |",
    "|---|---|---|",
    ...requests,
    "",
    "## The messages, field by field",
    "",
    ...roots,
    "## Their parts",
    "",
    ...parts
  ].join("\n")
}

const plainReference = (file: string, folder: string, title: string, about: string): string => {
  const { parts, roots } = partsOf(documentOf(file), commentsOf(folder))
  return [...head(title, about), ...roots, ...(roots.length > 0 ? ["## Their parts", ""] : []), ...parts].join("\n")
}

/** The text of every file of the reference, by name. */
export const protocolReference = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({
      "claude-code.md": claudeCode(),
      "ag-ui.md": plainReference(
        "ag-ui.json",
        "agui",
        "AG-UI's events",
        "The events of AG-UI 1.0, from the server to its client, and what a client sends. What clients of 0.0 take is in [wire/ag-ui.md](../wire/ag-ui.md)."
      ),
      "copilotkit.md": plainReference(
        "copilotkit.json",
        "copilotkit",
        "CopilotKit's transport",
        "The envelopes of the single endpoint, from the page to the server, and the answers that are not events."
      )
    }).map(([name, text]) => [name, `${text.replace(/\n{3,}/g, "\n\n").trimEnd()}\n`])
  )
