/**
 * A catalog is the list of a protocol's messages, ready to be looked up by their tag.
 *
 * Rows are named `type` or `type/subtype`. Where a type keeps its subtype is data: the
 * control protocol hides it in `request.subtype`, stream events in `event.type`.
 */
import type * as Schema from "effect/Schema"
import { type EssentialPaths, type Need, needOf } from "./Essentials.ts"
import { type Check, compileCheck } from "./internal/Check.ts"
import { isRecord } from "./Json.ts"

/** One message of a protocol. */
export interface Member {
  /** `type` or `type/subtype`. */
  readonly name: string
  readonly schema: Schema.Top
  /** Says whether a JSON value is such a message. */
  readonly check: Check
  /** What it cannot be read without; undefined when it must fit its schema. */
  readonly need: Need | undefined
}

/** Every message of a protocol. */
export interface Catalog {
  /** The messages by name. */
  readonly members: ReadonlyMap<string, Member>
  /** Finds the member a value says it is. */
  readonly find: (value: Record<string, unknown>, type: string) => Found
}

/** What a tag led to. */
export type Found =
  | { readonly _tag: "Member"; readonly member: Member }
  | { readonly _tag: "Unlisted"; readonly subtype: string | undefined; readonly path: ReadonlyArray<string> }
  | { readonly _tag: "NoSubtype"; readonly path: ReadonlyArray<string>; readonly value: unknown }

/** Where a type keeps its subtype: a key of the message, or a key of an object inside it. */
export type SubtypePath = readonly [string] | readonly [string, string]

/**
 * A message of a catalog. A protocol has some three hundred, and a session has thirty of them: what checks one is made
 * when the first of them comes.
 */
export const memberOf = (name: string, schema: Schema.Top, need: Need | undefined): Member => {
  const member: { -readonly [Key in keyof Member]: Member[Key] } = {
    name,
    schema,
    check: (value) => {
      member.check = compileCheck(schema)
      return member.check(value)
    },
    need
  }
  return member
}

type Row = Found | { readonly _tag: "Subtypes"; readonly path: SubtypePath; readonly found: Map<string, Found> }

/**
 * Builds a catalog from its rows, from where each type that has subtypes keeps them, and from what each message cannot
 * be read without. With `essentials`, a message that is not among them can be read whatever it lacks; without, every
 * message must fit its schema.
 */
export const makeCatalog = (
  schemas: Readonly<Record<string, Schema.Top>>,
  subtypeAt: Readonly<Record<string, SubtypePath>> = {},
  essentials?: Readonly<Record<string, EssentialPaths>>
): Catalog => {
  const members = new Map<string, Member>()
  const rows = new Map<string, Row>()
  for (const [type, path] of Object.entries(subtypeAt)) rows.set(type, { _tag: "Subtypes", path, found: new Map() })
  for (const [name, schema] of Object.entries(schemas)) {
    const need = essentials && needOf(essentials[name] ?? [])
    const member = memberOf(name, schema, need)
    const [type = name, subtype] = name.split("/")
    const row = rows.get(type)
    members.set(name, member)
    if (subtype === undefined) rows.set(type, { _tag: "Member", member })
    else if (row?._tag === "Subtypes") row.found.set(subtype, { _tag: "Member", member })
    else throw new Error(`${name} has a subtype, but nothing says where ${type} keeps it`)
  }
  return {
    members,
    find: (value, type) => {
      const row = rows.get(type)
      if (row === undefined) return unlisted
      if (row._tag !== "Subtypes") return row
      const subtype = at(value, row.path)
      if (typeof subtype !== "string") return { _tag: "NoSubtype", path: row.path, value: subtype }
      return row.found.get(subtype) ?? { _tag: "Unlisted", subtype, path: row.path }
    }
  }
}

const unlisted: Found = { _tag: "Unlisted", subtype: undefined, path: ["type"] }

const at = (value: Record<string, unknown>, [outer, inner]: SubtypePath): unknown => {
  const first = value[outer]
  if (inner === undefined) return first
  return isRecord(first) ? first[inner] : undefined
}
