/**
 * The OpenAPI 3.1 document of all routes, made from the tables.
 *
 * Server-sent events have no schema in OpenAPI 3.1: what the data of each event is can be found in `x-events`, by the
 * name of the event. `x-events-with-lines` says what it is where the query has `lines=true`.
 */
import { decodePayload } from "@agentwire/protocol/codec"
import * as Schema from "effect/Schema"
import { type RefusalCode, refusalStatus } from "../http/HttpRefusal.ts"
import { api, type Endpoint, type Frames, refusalsOfAll } from "./Api.ts"
import { type OtherRoute, otherRoutes } from "./OtherRoutes.ts"
import { type EndpointName, paths } from "./Paths.ts"
import * as Views from "./Views.ts"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }
type JsonObject = { readonly [key: string]: Json }

/** A route as the document describes it. */
type Described = Omit<OtherRoute, "isPublic"> & Pick<Endpoint, "query"> & { readonly isPublic?: boolean }

const described: ReadonlyArray<Described> = [
  ...(Object.keys(paths) as ReadonlyArray<EndpointName>).map((name): Described => {
    const [method, path = ""] = paths[name].split(" ")
    const endpoint: Endpoint = api[name]
    return { name, method: method as Described["method"], path, ...endpoint }
  }),
  ...otherRoutes
]

const params: Readonly<Record<string, string>> = {
  threadId: "The thread, percent-encoded.",
  workspaceId: "The id of the workspace.",
  providerSessionId: "The agent's id of the conversation.",
  requestId: "The id of the question.",
  toolCallId: "The id of the call.",
  serverName: "The name of the MCP server, percent-encoded.",
  agentId: "The id of the agent, which `/info` tells.",
  extension: "The id of the extension.",
  method: "The name of the method.",
  page: "What follows the id of the extension. It may have slashes."
}

/** Collects the schemas that others refer to. */
class Components {
  readonly schemas: Record<string, Json> = {}

  /** A schema as the document has it. Bodies refuse the keys they do not name. */
  of(schema: Schema.Top, onExcessProperty: "error" | "ignore" = "ignore"): Json {
    const { definitions, schema: top } = Schema.toJsonSchemaDocument(schema, { onExcessProperty })
    for (const [name, definition] of Object.entries(definitions)) this.schemas[name] ??= tidy(definition as Json)
    return tidy(top as Json)
  }
}

const openObject = JSON.stringify([{ type: "object", additionalProperties: {} }])

/** Points references at the components, and leaves out that an object is open, which it is anyway. */
const tidy = (json: Json): Json => {
  if (Array.isArray(json)) return json.map(tidy)
  if (typeof json !== "object" || json === null) return json
  return Object.fromEntries(
    Object.entries(json)
      .filter(([key, value]) => !(key === "allOf" && JSON.stringify(value) === openObject))
      .map(([key, value]) => [
        key,
        key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", "#/components/schemas/") : tidy(value)
      ])
  )
}

const content = (type: string, schema: Json, more: JsonObject = {}): JsonObject => ({
  content: { [type.split(";")[0] ?? type]: { schema, ...more } }
})

const framesOf = (frames: Frames, components: Components): JsonObject =>
  Object.fromEntries(Object.entries(frames).map(([name, schema]) => [name, components.of(schema)]))

const success = ({ output }: Described, components: Components): JsonObject => {
  switch (output._tag) {
    case "Json":
      return {
        [output.status]: {
          description: "Done.",
          ...content("application/json", components.of(output.schema))
        }
      }
    case "Text":
      return { 200: { description: "Done.", ...content(output.contentType, { type: "string" }) } }
    case "Stream": {
      const { frames, framesWithLines } = output
      const events = {
        "x-events": framesOf(frames, components),
        ...(framesWithLines !== undefined && { "x-events-with-lines": framesOf(framesWithLines, components) })
      }
      return {
        200: { description: "Events.", ...content("text/event-stream", { type: "string" }, events) }
      }
    }
  }
}

const failures = (codes: ReadonlyArray<RefusalCode>): JsonObject => {
  const byStatus = new Map<number, Array<RefusalCode>>()
  for (const code of new Set(codes))
    byStatus.set(refusalStatus[code], [...(byStatus.get(refusalStatus[code]) ?? []), code])
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: codes.join(", "),
          ...content("application/json", {
            allOf: [
              { $ref: "#/components/schemas/Refusal" },
              { properties: { error: { properties: { code: { enum: codes } } } } }
            ]
          })
        }
      ])
  )
}

const queryParameters = ({ query }: Described, components: Components): ReadonlyArray<Json> =>
  Object.entries(query?.fields ?? {}).map(([name, field]) => {
    const { description = "", ...schema } = components.of(field as Schema.Top) as JsonObject
    return { name, in: "query", required: false, description, schema }
  })

const lastEventId: Json = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The id of the last event that was read, to continue after it.",
  schema: { type: "string" }
}

/** A body may be left out where an empty one would do. */
const requestBody = (body: Schema.Top, components: Components): JsonObject => ({
  required: decodePayload(body as Schema.Codec<unknown>, {})._tag === "Invalid",
  ...content("application/json", components.of(body, "error"))
})

const operation = (route: Described, components: Components): JsonObject => {
  const { body, description, isPublic, name, output, path, refusals, summary } = route
  const names = path.split("/").filter((segment) => segment.startsWith(":"))
  const parameters = [
    ...names.map((segment) => {
      const name = segment.slice(1)
      return { name, in: "path", required: true, description: params[name] ?? "", schema: { type: "string" } }
    }),
    ...queryParameters(route, components),
    ...(output._tag === "Stream" && route.query !== undefined ? [lastEventId] : [])
  ]
  const codes: ReadonlyArray<RefusalCode> = isPublic === true ? refusals : [...refusals, ...refusalsOfAll]
  return {
    operationId: name,
    tags: [name.split(".")[0] ?? name],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: requestBody(body, components) }),
    ...(isPublic === true && { security: [] }),
    responses: { ...success(route, components), ...failures(codes) }
  }
}

const build = (): JsonObject => {
  const components = new Components()
  components.of(Views.Refusal)
  const byPath: Record<string, Record<string, Json>> = {}
  for (const route of described) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}")
    byPath[path] = { ...byPath[path], [route.method.toLowerCase()]: operation(route, components) }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "agentwire bridge",
      version: "1.0.0",
      description: "A coding agent behind AG-UI, CopilotKit's routes, MCP and a management API.",
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [{ url: "http://127.0.0.1:3210" }],
    security: [{ token: [] }],
    paths: byPath,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
    }
  }
}

let built: JsonObject | undefined

/** The document. Built once, when it is first asked for. */
export const openApi = (): { readonly [key: string]: unknown } => {
  built ??= build()
  return built
}
