/** The reference in the guide to the management API, made from its table. */
import type * as Schema from "effect/Schema"
import { api, type Endpoint } from "../packages/bridge/src/face/management/Api.ts"
import { type EndpointName, paths } from "../packages/bridge/src/face/management/Paths.ts"

const begin = "<!-- reference -->\n"
const end = "<!-- /reference -->\n"

/** The fields of an object, or of all objects of a union. */
const fieldsOf = (schema: Schema.Top | undefined): ReadonlyArray<string> => {
  if (schema === undefined) return []
  const { ast } = schema
  const objects = ast._tag === "Union" ? ast.types : [ast]
  const names = objects.flatMap((object) =>
    object._tag !== "Objects"
      ? []
      : object.propertySignatures.map(({ name, type }) => `\`${String(name)}\`${type.context?.isOptional ? "?" : ""}`)
  )
  return [...new Set(names)]
}

const row = (name: EndpointName): string => {
  const { body, query, refusals, summary }: Endpoint = api[name]
  const taken = [fieldsOf(body).join(", "), ...fieldsOf(query).map((field) => `query ${field}`)].filter(
    (text) => text !== ""
  )
  const codes = refusals.filter((code) => /^(AGENT|THREAD|START|NOTHING|FOLDER|SESSION_LIMIT)/.test(code))
  const all = codes.includes("AGENT_REFUSED")
    ? ["`AGENT_*`", ...codes.filter((code) => !code.startsWith("AGENT_")).map((code) => `\`${code}\``)]
    : codes.map((code) => `\`${code}\``)
  return `| \`${name}\` | \`${paths[name].replace("/api/sessions/:threadId", "…")}\` | ${taken.join("; ")} | ${summary} | ${all.join(", ")} |`
}

/** The guide with its reference as the table has it. */
export const withReference = (guide: string): string => {
  const [before = "", rest = ""] = guide.split(begin)
  const after = rest.split(end)[1] ?? ""
  const text = [
    "`…` is `/api/sessions/:threadId`. A `?` marks what may be left out. Besides the codes here, every request may be",
    "refused for its token, its shape, or a session that is not there.",
    "",
    "| call | request | takes | what it does | may be refused with |",
    "|---|---|---|---|---|",
    ...(Object.keys(paths) as ReadonlyArray<EndpointName>).map(row)
  ].join("\n")
  return `${before}${begin}${text}\n${end}${after}`
}
