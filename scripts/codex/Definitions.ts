/** The definitions of a bundle, read: each with what it says, what it refers to and what it is for. */
import { type Bundle, type Method, type MethodKind, methodKinds, refName } from "./Bundle.ts"
import { type Node, readNode, type Variant } from "./Node.ts"

/** A definition, which becomes a type and a schema. */
export interface Definition {
  readonly name: string
  readonly node: Node
  /** A sentence or more: the program's own where it has one. */
  readonly description: string
  /** The tagged members it has, which are definitions, too, and come before it. */
  readonly variants: ReadonlyArray<Variant>
  /** The definitions that it refers to. */
  readonly refs: ReadonlySet<string>
}

/** The definitions that methods reach, by name. What no method reaches is not on the wire. */
export const definitionsOf = (bundle: Bundle): ReadonlyMap<string, Definition> => {
  const reached = new Map<string, Node>()
  const reach = (name: string): void => {
    const schema = bundle.definitions.get(name)
    if (schema === undefined) throw new Error(`The schema refers to ${name} and does not define it.`)
    if (reached.has(name)) return
    const node = readNode(schema, name)
    reached.set(name, node)
    for (const ref of refsIn(node)) reach(ref)
  }
  for (const method of methodKinds.flatMap((kind) => bundle.methods[kind]))
    for (const name of namesOf(method)) reach(name)
  const users = usersOf(reached, bundle)
  return new Map(
    [...reached].map(([name, node]) => [
      name,
      {
        name,
        node,
        description: bundle.definitions.get(name)?.description ?? `${(users.get(name) ?? []).join(", ")}.`,
        variants: variantsIn(node),
        refs: refsIn(node)
      }
    ])
  )
}

/** The definitions that a method names: its params and its result. */
export const namesOf = ({ params, result }: Method): ReadonlyArray<string> => {
  const named = params?.anyOf?.map(refName) ?? [refName(params)]
  return [...named, result].filter((name) => name !== undefined)
}

const children = (node: Node): ReadonlyArray<Node> => {
  switch (node.kind) {
    case "nullable":
      return [node.of]
    case "array":
      return [node.items]
    case "record":
      return [node.values]
    case "object":
    case "keyed":
      return node.fields.map((field) => field.node)
    case "variants":
      return node.members.flatMap(({ fields }) => fields.map((field) => field.node))
    case "union":
      return node.members
    default:
      return []
  }
}

const refsIn = (node: Node): ReadonlySet<string> =>
  new Set(node.kind === "ref" ? [node.name] : children(node).flatMap((child) => [...refsIn(child)]))

const variantsIn = (node: Node): ReadonlyArray<Variant> => [
  ...children(node).flatMap(variantsIn),
  ...(node.kind === "variants" ? node.members : [])
]

const says: Readonly<Record<MethodKind, string>> = {
  clientRequests: "What `%` takes",
  clientNotifications: "What `%` says",
  serverNotifications: "What `%` says",
  serverRequests: "What `%` asks"
}

/** What each definition is for, in words. */
const usersOf = (reached: ReadonlyMap<string, Node>, bundle: Bundle): ReadonlyMap<string, ReadonlyArray<string>> => {
  const users = new Map<string, Array<string>>()
  const use = (name: string, words: string): void => void users.set(name, [...(users.get(name) ?? []), words])
  for (const kind of methodKinds)
    for (const method of bundle.methods[kind])
      for (const name of namesOf(method))
        use(name, name === method.result ? `How \`${method.name}\` is answered` : says[kind].replace("%", method.name))
  const parts = new Map<string, Array<string>>()
  for (const [name, node] of reached) for (const ref of refsIn(node)) parts.set(ref, [...(parts.get(ref) ?? []), name])
  for (const [name, owners] of parts) {
    if (users.has(name)) continue
    const named = owners.slice(0, 3).map((owner) => `{@link ${owner}}`)
    use(name, `Part of ${named.join(", ")}${owners.length > 3 ? " and others" : ""}`)
  }
  return users
}
