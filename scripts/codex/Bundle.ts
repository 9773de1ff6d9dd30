/**
 * What `codex app-server generate-json-schema` prints, as one table of definitions and one of methods.
 *
 * The bundle has two drawers (`v2` and the rest), which are put together here: no name means two things.
 */
import {
  earlierMembers,
  legacyDefinitions,
  legacyRequests,
  misspelled,
  otherResults,
  unlistedNotifications
} from "./Unprinted.ts"

/** The part of JSON Schema (draft 7) that the program uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<string>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema | boolean
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: JsonSchema | boolean
}

/** The file of the program's schema that has everything. */
export const bundleFile = "codex_app_server_protocol.schemas.json"

/** A request or a notification. */
export interface Method {
  readonly name: string
  readonly description: string | undefined
  /** Undefined where the method has none. */
  readonly params: JsonSchema | undefined
  /** The definition of its result; undefined for a notification. */
  readonly result: string | undefined
  /** The program takes it only from clients that asked for the experimental API. */
  readonly isExperimental: boolean
}

/** The kinds of methods: who says them, and whether they are answered. */
export const methodKinds = ["clientRequests", "clientNotifications", "serverNotifications", "serverRequests"] as const

/** The kinds of methods. */
export type MethodKind = (typeof methodKinds)[number]

/** All that the program says and takes. */
export interface Bundle {
  readonly definitions: ReadonlyMap<string, JsonSchema>
  readonly methods: Readonly<Record<MethodKind, ReadonlyArray<Method>>>
}

const unions: Readonly<Record<MethodKind, string>> = {
  clientRequests: "ClientRequest",
  clientNotifications: "ClientNotification",
  serverNotifications: "ServerNotification",
  serverRequests: "ServerRequest"
}

/** Definitions of the envelope, which is JSON-RPC's and written by hand (`jsonrpc/Message.ts`). */
const isEnvelope = (name: string): boolean =>
  name.startsWith("JSONRPC") || name.startsWith("Nullable") || Object.values(unions).includes(name)

/** Reads the text of the whole schema; `stable` is that of the schema without the experimental methods. */
export const readBundle = (text: string, stable: string): Bundle => {
  const all = definitionsOf(text)
  const stableDefinitions = definitionsOf(stable)
  const definitions = new Map(
    [...all, ...Object.entries(legacyDefinitions)]
      .filter(([name]) => !isEnvelope(name))
      .map(([name, schema]) => [name, withEarlier(name, misspelled.includes(name) ? respelled(schema) : schema)])
  )
  const methodsOf = (kind: MethodKind): ReadonlyArray<Method> => {
    const stableNames = new Set(membersOf(stableDefinitions, kind).map(methodName))
    const printed = membersOf(all, kind).map((member) =>
      methodOf(member, kind, definitions, !stableNames.has(methodName(member)))
    )
    return [...printed, ...unprinted(kind)]
  }
  return {
    definitions,
    methods: {
      clientRequests: methodsOf("clientRequests"),
      clientNotifications: methodsOf("clientNotifications"),
      serverNotifications: methodsOf("serverNotifications"),
      serverRequests: methodsOf("serverRequests")
    }
  }
}

const definitionsOf = (text: string): ReadonlyMap<string, JsonSchema> => {
  const { definitions } = JSON.parse(text) as { readonly definitions: Readonly<Record<string, JsonSchema>> }
  const { v2, ...others } = definitions
  return new Map([...Object.entries(others), ...Object.entries(v2 as Readonly<Record<string, JsonSchema>>)])
}

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A union with the fields of its members in camel case. */
const respelled = (schema: JsonSchema): JsonSchema => {
  const member = (each: JsonSchema): JsonSchema => ({
    ...each,
    properties: Object.fromEntries(
      Object.entries(each.properties ?? {}).map(([name, value]) => [camelCase(name), value])
    ),
    required: (each.required ?? []).map(camelCase)
  })
  const { anyOf, oneOf } = schema
  return { ...schema, ...(anyOf && { anyOf: anyOf.map(member) }), ...(oneOf && { oneOf: oneOf.map(member) }) }
}

/** A definition with the members that earlier versions have besides, none of which is required. */
const withEarlier = (name: string, schema: JsonSchema): JsonSchema =>
  Object.hasOwn(earlierMembers, name)
    ? { ...schema, properties: { ...schema.properties, ...earlierMembers[name] } }
    : schema

const membersOf = (definitions: ReadonlyMap<string, JsonSchema>, kind: MethodKind): ReadonlyArray<JsonSchema> =>
  definitions.get(unions[kind])?.oneOf ?? []

const property = (schema: JsonSchema, name: string): JsonSchema | undefined => {
  const found = schema.properties?.[name]
  return typeof found === "object" ? found : undefined
}

const methodName = (member: JsonSchema): string => property(member, "method")?.enum?.[0] ?? ""

const methodOf = (
  member: JsonSchema,
  kind: MethodKind,
  definitions: ReadonlyMap<string, JsonSchema>,
  isExperimental: boolean
): Method => {
  const name = methodName(member)
  const params = property(member, "params")
  const isAnswered = kind === "clientRequests" || kind === "serverRequests"
  const result = isAnswered ? (otherResults[name] ?? refName(params)?.replace(/Params$/, "Response")) : undefined
  if (isAnswered && (result === undefined || !definitions.has(result)))
    throw new Error(`Nobody says what answers ${name}. Add its response to otherResults in scripts/codex/Unprinted.ts.`)
  return { name, description: member.description, params, result, isExperimental }
}

const unprinted = (kind: MethodKind): ReadonlyArray<Method> => {
  if (kind === "clientRequests")
    return Object.entries(legacyRequests).map(([name, [params, result]]) => ({
      name,
      description: undefined,
      params: { $ref: params },
      result,
      isExperimental: false
    }))
  if (kind !== "serverNotifications") return []
  return Object.entries(unlistedNotifications).map(([name, params]) => ({
    name,
    description: undefined,
    params: { $ref: params },
    result: undefined,
    isExperimental: false
  }))
}

/** The definition that a schema refers to; undefined where it does not. */
export const refName = (schema: JsonSchema | undefined): string | undefined => schema?.$ref?.split("/").at(-1)
