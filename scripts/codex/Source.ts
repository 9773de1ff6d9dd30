/** Definitions and methods as TypeScript: a type that says what is there, and a schema that checks it. */
import type { Bundle, JsonSchema, Method, MethodKind } from "./Bundle.ts"
import { refName } from "./Bundle.ts"
import type { Definition } from "./Definitions.ts"
import type { Field, Node, Variant } from "./Node.ts"

/** A doc comment. */
export const docComment = (text: string): string => {
  const lines = text.replaceAll("*/", "*\\/").split("\n").flatMap(wrap)
  return lines.length === 1
    ? `/** ${lines[0]} */`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */`
}

const width = 112

const wrap = (line: string): ReadonlyArray<string> => {
  const lines: Array<string> = [""]
  for (const word of line.trim().split(/ +/)) {
    const last = lines.at(-1) ?? ""
    if (last !== "" && last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`
  }
  return lines
}

/** A definition with its tagged members. */
export const definitionText = ({ description, name, node, variants }: Definition): string =>
  [...variants.map((variant) => variantText(variant, name)), exportText(name, description, node)].join("\n\n")

const variantText = ({ description, fields, name }: Variant, union: string): string =>
  exportText(name, description ?? `A member of {@link ${union}}.`, { kind: "object", fields })

const exportText = (name: string, description: string, node: Node): string =>
  [
    docComment(description),
    node.kind === "object" && node.fields.length > 0
      ? `export interface ${name} ${typeText(node)}`
      : `export type ${name} = ${typeText(node)}`,
    `/** The schema of {@link ${name}}. */`,
    `export const ${name}: Schema.Codec<${name}> = ${schemaText(node, name)}`
  ].join("\n")

const keyText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const literals = (values: ReadonlyArray<string>, separator: string): string =>
  values.map((value) => JSON.stringify(value)).join(separator)

/** The type of a node. */
export const typeText = (node: Node): string => {
  switch (node.kind) {
    case "literal":
      return JSON.stringify(node.value)
    case "known":
      return `${literals(node.values, " | ")} | Unrecognized`
    case "ref":
      return node.name
    case "nullable":
      return `${typeText(node.of)} | null`
    case "array":
      return `ReadonlyArray<${typeText(node.items)}>`
    case "record":
      return `{ readonly [key: string]: ${typeText(node.values)} }`
    case "object":
      return node.fields.length === 0 ? "NoFields" : `{\n${node.fields.map(fieldType).join("\n")}\n}`
    case "variants":
      return [...node.members.map(({ name }) => name), `UnrecognizedVariant<${JSON.stringify(node.tag)}>`].join(" | ")
    case "keyed":
      return [
        ...node.values.map((value) => JSON.stringify(value)),
        ...(node.values.length > 0 ? ["Unrecognized"] : []),
        ...node.fields.map((field) => `{ ${fieldType({ ...field, description: undefined })} }`),
        `UnrecognizedKey<${literals(
          node.fields.map(({ name }) => name),
          " | "
        )}>`
      ].join(" | ")
    case "union":
      return node.members.map(typeText).join(" | ")
    default:
      return node.kind
  }
}

const fieldType = ({ description, isOptional, name, node }: Field): string =>
  `${description === undefined ? "" : `${docComment(description)}\n`}readonly ${keyText(name)}${isOptional ? "?" : ""}: ${typeText(node)}`

const scalars = {
  unknown: "Schema.Unknown",
  string: "Schema.String",
  number: "Schema.Finite",
  boolean: "Schema.Boolean",
  null: "Schema.Null"
} as const

/** The schema of a node. Objects and unions with a name have it in the JSON Schema files. */
export const schemaText = (node: Node, name?: string): string => {
  const identifier = name === undefined ? "" : `${JSON.stringify(name)}, `
  switch (node.kind) {
    case "literal":
      return `Schema.Literal(${JSON.stringify(node.value)})`
    case "known":
      return `known(${literals(node.values, ", ")})`
    case "ref":
      return node.name
    case "nullable":
      return `Schema.NullOr(${schemaText(node.of)})`
    case "array":
      return `Schema.Array(${schemaText(node.items)})`
    case "record":
      return node.values.kind === "unknown" ? "JsonObject" : `Schema.Record(Schema.String, ${schemaText(node.values)})`
    case "object":
      return `${node.isExtensible === true ? "extensible" : "open"}(${identifier}{${node.fields.map(fieldSchema).join(", ")}})`
    case "variants":
      return `variants(${JSON.stringify(name ?? node.tag)}, ${JSON.stringify(node.tag)}, [${node.members.map((member) => member.name).join(", ")}])`
    case "keyed":
      return `keyed(${identifier}[${literals(node.values, ", ")}], {${node.fields.map(fieldSchema).join(", ")}})`
    case "union":
      return `Schema.Union([${node.members.map((member) => schemaText(member)).join(", ")}])`
    default:
      return scalars[node.kind]
  }
}

const fieldSchema = ({ isOptional, name, node }: Field): string =>
  `${keyText(name)}: ${isOptional ? `optional(${schemaText(node)})` : schemaText(node)}`

/** How the tables of methods are called, and what their rows are. */
export const tableNames: Readonly<
  Record<MethodKind, { readonly type: string; readonly value: string; readonly is: string }>
> = {
  clientRequests: { type: "ClientRequests", value: "clientRequests", is: "What a client asks" },
  clientNotifications: { type: "ClientNotifications", value: "clientNotifications", is: "What a client says" },
  serverNotifications: { type: "ServerNotifications", value: "serverNotifications", is: "What the server says" },
  serverRequests: { type: "ServerRequests", value: "serverRequests", is: "What the server asks" }
}

/** The table of a theme's methods of a kind. */
export const tableText = (theme: string, kind: MethodKind, methods: Bundle["methods"][MethodKind]): string => {
  const { is, type, value } = tableNames[kind]
  const name = `${theme.slice(0, 1).toLowerCase()}${theme.slice(1)}${type}`
  const about = `${is}: ${methods.map((method) => `\`${method.name}\``).join(", ")}.`
  return [
    docComment(about),
    `export interface ${theme}${type} {\n${methods.map(rowType).join("\n")}\n}`,
    `/** The rows of {@link ${theme}${type}}, a part of \`${value}\`. */`,
    `export const ${name}: ${theme}${type} = {\n${methods.map(rowValue).join(",\n")}\n}`
  ].join("\n")
}

const rowType = (method: Method): string => {
  const { params, result } = paramsText(method)
  const row = result === undefined ? `NotificationMethod<${params.type}>` : `RequestMethod<${params.type}, ${result}>`
  const docs = [method.description, method.isExperimental ? "Experimental." : undefined].filter(
    (text) => text !== undefined
  )
  return `${docs.length === 0 ? "" : `${docComment(docs.join("\n"))}\n`}readonly ${keyText(method.name)}: ${row}`
}

const rowValue = (method: Method): string => {
  const { params, result } = paramsText(method)
  const call =
    result === undefined
      ? `notification(${params.schema})`
      : `request(${params.schema}, ${result}${method.isExperimental ? ', "experimental"' : ""})`
  return `${keyText(method.name)}: ${call}`
}

const paramsText = ({ params, result }: Method) => ({ params: paramsNames(params), result })

const paramsNames = (params: JsonSchema | undefined): { readonly type: string; readonly schema: string } => {
  const [only, ...others] = (params?.anyOf?.map(refName) ?? [refName(params)]).filter((name) => name !== undefined)
  if (only === undefined) return { type: "NoParams", schema: "NoParams" }
  if (others.length > 0) throw new Error("Params of two definitions are not known to the generator.")
  return params?.anyOf === undefined
    ? { type: only, schema: only }
    : { type: `${only} | null`, schema: `Schema.NullOr(${only})` }
}
