/**
 * The tools that the application offers: as one list, as MCP lists them, and which of their calls wait.
 */
import type * as Model from "@agentwire/protocol/model"
import { isRecord } from "@agentwire/protocol/wire"

/**
 * The tools of a thread after a client brought some: a later definition wins, in the place of the earlier one. Names
 * that differ only in what tool names cannot have (`a.b`, `a_b`) are one tool, because models refuse two of the same name.
 * When nothing is new, the array is the same one as before.
 */
export const mergeTools = (
  known: ReadonlyArray<Model.PageTool>,
  fresh: ReadonlyArray<Model.PageTool>
): ReadonlyArray<Model.PageTool> => {
  const merged = uniqueTools([...known, ...fresh])
  return JSON.stringify(known) === JSON.stringify(merged) ? known : merged
}

/** Each tool once: the last of those with one name. */
const uniqueTools = (tools: ReadonlyArray<Model.PageTool>): ReadonlyArray<Model.PageTool> => [
  ...new Map(tools.map((tool) => [plainToolName(tool.name), tool])).values()
]

/** A name with nothing but letters, digits, `_` and `-`. */
export const plainToolName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_")

/** The calls of the application's tools that have no result yet. */
export const openPageCalls = ({ items, requests }: Model.Situation): ReadonlyArray<string> => [
  ...[...items].filter(([, { item }]) => item.kind === "call" && item.action === "page_tool").map(([id]) => id),
  ...[...requests.values()].flatMap(({ request }) => (request.kind === "page_tool" ? [request.call] : []))
]

/** Tools of the application as MCP lists them. */
export const toolList = (tools: ReadonlyArray<Model.PageTool>): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  uniqueTools(tools).map(({ description, name, parameters }) => ({
    name,
    description,
    inputSchema: inputSchema(parameters)
  }))

/**
 * A tool's parameters as MCP wants them. One tool whose schema an MCP client does not accept may cost the whole list,
 * so whatever it rejects is left out: it wants `type: "object"`, objects as properties (JSON Schema also has `true`
 * and `false`), and a list of names as `required`.
 */
const inputSchema = (parameters: unknown): Readonly<Record<string, unknown>> => {
  if (!isRecord(parameters) || (parameters["type"] !== undefined && parameters["type"] !== "object"))
    return { type: "object", properties: {} }
  const { properties, required, type: _, ...rest } = parameters
  return {
    type: "object",
    ...rest,
    properties: isRecord(properties)
      ? Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schemaObject(schema)]))
      : {},
    ...(Array.isArray(required) && required.every((name) => typeof name === "string") && { required })
  }
}

const schemaObject = (schema: unknown): unknown => {
  if (schema === false) return { not: {} }
  return isRecord(schema) ? schema : {}
}
