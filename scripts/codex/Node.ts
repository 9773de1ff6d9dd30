/**
 * What a definition of the program means, in the words of `wire/Open.ts`.
 *
 * Rust's serde writes enumerations in three ways, and each has a word: strings (`known`), objects with a tag
 * (`variants`), and objects with one key, often among strings (`keyed`). All of them are open here.
 */
import { type JsonSchema, refName } from "./Bundle.ts"

/** A schema, read. */
export type Node =
  | { readonly kind: "unknown" | "string" | "number" | "boolean" | "null" }
  | { readonly kind: "literal"; readonly value: string }
  | { readonly kind: "known"; readonly values: ReadonlyArray<string> }
  | { readonly kind: "ref"; readonly name: string }
  | { readonly kind: "nullable"; readonly of: Node }
  | { readonly kind: "array"; readonly items: Node }
  | { readonly kind: "record"; readonly values: Node }
  | {
      readonly kind: "object"
      readonly fields: ReadonlyArray<Field>
      /** Keys that are not named are the business of whoever writes them. */
      readonly isExtensible?: boolean
    }
  | { readonly kind: "variants"; readonly tag: string; readonly members: ReadonlyArray<Variant> }
  | { readonly kind: "keyed"; readonly values: ReadonlyArray<string>; readonly fields: ReadonlyArray<Field> }
  | { readonly kind: "union"; readonly members: ReadonlyArray<Node> }

/** A field of an object. */
export interface Field {
  readonly name: string
  readonly node: Node
  readonly isOptional: boolean
  readonly description: string | undefined
}

/** A member of a tagged union, which gets a definition of its own. */
export interface Variant {
  readonly name: string
  readonly description: string | undefined
  readonly fields: ReadonlyArray<Field>
}

/** Reads the schema of a definition. */
export const readNode = (schema: JsonSchema | boolean, name: string): Node => {
  if (typeof schema === "boolean") return { kind: "unknown" }
  const ref = refName(schema)
  if (ref !== undefined) return { kind: "ref", name: ref }
  const [wrapped, ...others] = schema.allOf ?? []
  if (wrapped !== undefined && others.length === 0) return readNode(wrapped, name)
  const members = schema.oneOf ?? schema.anyOf
  if (members !== undefined) return readUnion(members, schema, name)
  if (schema.enum !== undefined) return { kind: "known", values: schema.enum }
  if (Array.isArray(schema.type)) return readTypes(schema, schema.type, name)
  switch (schema.type) {
    case undefined:
      return { kind: "unknown" }
    case "string":
    case "boolean":
    case "null":
    case "number":
      return { kind: schema.type }
    case "integer":
      return { kind: "number" }
    case "array":
      return { kind: "array", items: readNode(schema.items ?? true, name) }
    case "object":
      return readObject(schema, name)
    default:
      throw new Error(`${name}: the generator does not know the type ${String(schema.type)}`)
  }
}

const readTypes = (schema: JsonSchema, types: ReadonlyArray<string>, name: string): Node => {
  const [type, ...others] = types.filter((each) => each !== "null")
  if (type === undefined || others.length > 0)
    throw new Error(`${name}: the generator does not know the types ${types.join(", ")}`)
  const node = readNode({ ...schema, type }, name)
  return types.includes("null") ? { kind: "nullable", of: node } : node
}

const readObject = (schema: JsonSchema, name: string): Node => {
  if (schema.properties !== undefined)
    return { kind: "object", fields: fieldsOf(schema, name), isExtensible: schema.additionalProperties === true }
  // An object without properties is one that has none yet, unless it says that its keys are not its own.
  if (schema.additionalProperties === undefined || schema.additionalProperties === false)
    return { kind: "object", fields: [] }
  return { kind: "record", values: readNode(schema.additionalProperties, name) }
}

const fieldsOf = (schema: JsonSchema, name: string, isOptional = false): ReadonlyArray<Field> =>
  Object.entries(schema.properties ?? {}).map(([field, value]) => ({
    name: field,
    node: readNode(value, `${name}.${field}`),
    isOptional: isOptional || schema.required?.includes(field) !== true,
    description: typeof value === "object" ? value.description : undefined
  }))

const readUnion = (all: ReadonlyArray<JsonSchema>, schema: JsonSchema, name: string): Node => {
  const members = all.filter((member) => member.type !== "null" && !isCatchAll(member))
  const node = readMembers(members, schema, name)
  return all.some(({ type }) => type === "null") ? { kind: "nullable", of: node } : node
}

/** The program's own word for "or what came later" (`CodexErrorInfo`), which every union here has anyway. */
const isCatchAll = ({ properties, type }: JsonSchema): boolean =>
  Array.isArray(type) && type.includes("string") && type.includes("object") && properties === undefined

const readMembers = (members: ReadonlyArray<JsonSchema>, schema: JsonSchema, name: string): Node => {
  const [only] = members
  if (only !== undefined && members.length === 1 && schema.properties === undefined) return readNode(only, name)
  if (members.every(isEnum)) return { kind: "known", values: members.flatMap((member) => member.enum ?? []) }
  const tag = tagOf(members)
  if (tag !== undefined)
    return { kind: "variants", tag, members: members.map((each) => variantOf(each, tag, schema, name)) }
  // What every alternative has, and what only one of them has: `url` or `fileId`.
  if (schema.properties !== undefined) return { kind: "object", fields: merged(members, schema, name) }
  if (members.every((member) => isEnum(member) || isKeyed(member)))
    return {
      kind: "keyed",
      values: members.flatMap((member) => member.enum ?? []),
      fields: members
        .filter(isKeyed)
        .flatMap((member) =>
          fieldsOf(member, name).map((field) => ({ ...field, description: member.description ?? field.description }))
        )
    }
  return { kind: "union", members: members.map((member) => readNode(member, name)) }
}

const isEnum = (schema: JsonSchema): boolean => schema.enum !== undefined

const isKeyed = (schema: JsonSchema): boolean =>
  schema.additionalProperties === false &&
  schema.required?.length === 1 &&
  Object.keys(schema.properties ?? {}).length === 1

/** The field in which every member has one value of its own. */
const tagOf = (members: ReadonlyArray<JsonSchema>): string | undefined =>
  Object.keys(members[0]?.properties ?? {}).find((name) => {
    const values = members.map((member) => literalAt(member, name))
    return !values.includes(undefined) && new Set(values).size === members.length
  })

const literalAt = ({ properties, required }: JsonSchema, name: string): string | undefined => {
  const field = properties?.[name]
  return typeof field === "object" && field.enum?.length === 1 && required?.includes(name) ? field.enum[0] : undefined
}

const merged = (members: ReadonlyArray<JsonSchema>, schema: JsonSchema, name: string): ReadonlyArray<Field> => [
  ...fieldsOf(schema, name),
  ...members.flatMap((member) => fieldsOf(member, name, true))
]

const variantOf = (member: JsonSchema, tag: string, base: JsonSchema, union: string): Variant => {
  const value = literalAt(member, tag) ?? ""
  const name = isName(member.title) ? member.title : `${pascal(value)}${pascal(union)}`
  const own = member.anyOf === undefined ? fieldsOf(member, name) : merged(member.anyOf, member, name)
  const others = [...fieldsOf(base, name), ...own].filter((field) => field.name !== tag)
  const literal: Field = { name: tag, node: { kind: "literal", value }, isOptional: false, description: undefined }
  return { name, description: member.description, fields: [literal, ...others] }
}

const isName = (title: string | undefined): title is string => title !== undefined && /^[A-Z]\w*$/.test(title)

// `openai/form` and `openaiForm` are two: the slash stays visible.
const pascal = (text: string): string =>
  text
    .split("/")
    .map((part) => part.split(/\W|_/).map(capitalized).join(""))
    .join("_")

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
