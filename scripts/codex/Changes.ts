/** What changed between two versions of the program, a line each: methods first, then what they carry. */
import { type Bundle, type Method, methodKinds } from "./Bundle.ts"
import { type Definition, definitionsOf } from "./Definitions.ts"
import type { Field, Node } from "./Node.ts"
import { typeText } from "./Source.ts"

/** The changes from one schema to another. None where they say the same. */
export const changesBetween = (before: Bundle, after: Bundle): ReadonlyArray<string> => [
  ...methodKinds.flatMap((kind) =>
    compare(named(before.methods[kind]), named(after.methods[kind]), methodChange(kind))
  ),
  ...compare(definitionsOf(before), definitionsOf(after), definitionChange)
]

const named = (methods: ReadonlyArray<Method>): ReadonlyMap<string, Method> =>
  new Map(methods.map((method) => [method.name, method]))

type Change<T> = (name: string, before: T | undefined, after: T | undefined) => ReadonlyArray<string>

const compare = <T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>, change: Change<T>) =>
  [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .flatMap((name) => change(name, before.get(name), after.get(name)))

const methodChange =
  (kind: string): Change<Method> =>
  (name, before, after) => {
    if (before === undefined) return [`+ ${kind} ${name}${after?.isExperimental ? " (experimental)" : ""}`]
    if (after === undefined) return [`- ${kind} ${name}`]
    if (before.isExperimental === after.isExperimental) return []
    return [`~ ${kind} ${name} is ${after.isExperimental ? "experimental" : "stable"} now`]
  }

const definitionChange: Change<Definition> = (name, before, after) => {
  if (before === undefined) return [`+ ${name}`]
  if (after === undefined) return [`- ${name}`]
  return nodeChange(name, before.node, after.node)
}

const nodeChange = (name: string, before: Node, after: Node): ReadonlyArray<string> => {
  if (before.kind === "object" && after.kind === "object")
    return compare(byName(before.fields), byName(after.fields), (field, from, to) =>
      fieldChange(`${name}.${field}`, from, to)
    )
  if (before.kind === "known" && after.kind === "known") return valueChanges(name, before.values, after.values)
  if (before.kind === "keyed" && after.kind === "keyed")
    return [
      ...valueChanges(name, before.values, after.values),
      ...compare(byName(before.fields), byName(after.fields), (field, from, to) =>
        fieldChange(`${name}.${field}`, from, to)
      )
    ]
  if (before.kind === "variants" && after.kind === "variants")
    return compare(byName(before.members), byName(after.members), (member, from, to) => {
      if (from === undefined) return [`+ ${name} ${member}`]
      if (to === undefined) return [`- ${name} ${member}`]
      return nodeChange(member, { kind: "object", fields: from.fields }, { kind: "object", fields: to.fields })
    })
  return sayDifference(name, before, after)
}

const valueChanges = (
  name: string,
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>
): ReadonlyArray<string> =>
  compare(asMap(before), asMap(after), (value, from, to) =>
    from === to ? [] : [`${from === undefined ? "+" : "-"} ${name} ${JSON.stringify(value)}`]
  )

const fieldChange = (name: string, before: Field | undefined, after: Field | undefined): ReadonlyArray<string> => {
  if (before === undefined) return [`+ ${name}${after?.isOptional ? "?" : ""}`]
  if (after === undefined) return [`- ${name}`]
  const need =
    before.isOptional === after.isOptional ? [] : [`~ ${name} is ${after.isOptional ? "optional" : "required"} now`]
  return [...need, ...sayDifference(name, before.node, after.node)]
}

const sayDifference = (name: string, before: Node, after: Node): ReadonlyArray<string> => {
  const [from, to] = [before, after].map((node) =>
    typeText(node)
      .replaceAll(/\/\*\*.*?\*\//gs, "")
      .replaceAll(/\s+/g, " ")
  )
  return from === to ? [] : [`~ ${name}: ${from} → ${to}`]
}

const byName = <T extends { readonly name: string }>(values: ReadonlyArray<T>): ReadonlyMap<string, T> =>
  new Map(values.map((value) => [value.name, value]))

const asMap = (values: ReadonlyArray<string>): ReadonlyMap<string, true> =>
  new Map(values.map((value) => [value, true]))
