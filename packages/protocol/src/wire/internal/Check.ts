/**
 * Says whether a value has the shape of a schema, looking at it where it is.
 *
 * The schemas of this package never transform, so decoding asks a question instead of
 * building an answer: the parsed JSON object *is* the message. Effect's decoder copies
 * every object, which costs 3 to 5 times what `JSON.parse` costs; this costs a fraction of
 * it, and a property test holds that both accept the same JSON.
 */
import type * as Schema from "effect/Schema"
import { type Arr, type Obj, type Shape, shapeOf, type Union } from "./Shape.ts"

/** Says yes or no to a JSON value. */
export type Check = (value: unknown) => boolean

/** The predicate of a schema. */
export const compileCheck = (schema: Schema.Top): Check => checkOf(shapeOf(schema.ast))

const checks = new WeakMap<Shape, Check>()

/** The predicate of a shape, built once. */
export const checkOf = (shape: Shape): Check => {
  let check = checks.get(shape)
  if (check === undefined) {
    check = build(shape)
    checks.set(shape, check)
  }
  return check
}

const build = (shape: Shape): Check => {
  switch (shape.kind) {
    case "any":
      return () => true
    case "scalar":
      return shape.accepts
    case "object":
      return objectCheck(shape)
    case "array":
      return arrayCheck(shape)
    case "union":
      return unionCheck(shape)
    case "refined": {
      const base = checkOf(shape.base)
      return (value) => base(value) && shape.accepts(value)
    }
    case "lazy":
      return (value) => checkOf(shape.shape())(value)
  }
}

// Walks the keys that are there instead of the names that could be: most optional fields of
// a message are absent, and asking V8 for an absent key costs several times a Map lookup.
const objectCheck = ({ fields, rest }: Obj): Check => {
  const fieldChecks = new Map<string, FieldCheck>()
  let required = 0
  for (const [name, field] of fields) {
    fieldChecks.set(name, { check: checkOf(field.shape), counts: field.optional ? 0 : 1 })
    if (!field.optional) required++
  }
  const restCheck = typeof rest === "object" ? checkOf(rest) : undefined
  // One writer writes the keys of a message in one order: where a key was last time it mostly is again.
  const lastKeys: Array<string> = []
  const lastFields: Array<FieldCheck | undefined> = []
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false
    let seen = 0
    let position = 0
    for (const key in value) {
      let field: FieldCheck | undefined
      if (lastKeys[position] === key) field = lastFields[position]
      else {
        field = fieldChecks.get(key)
        if (position < maxRemembered) {
          lastKeys[position] = key
          lastFields[position] = field
        }
      }
      position++
      if (field !== undefined) {
        if (!field.check((value as Record<string, unknown>)[key])) return false
        seen += field.counts
      } else if (restCheck !== undefined && !restCheck((value as Record<string, unknown>)[key])) return false
    }
    return seen === required
  }
}

const maxRemembered = 64

interface FieldCheck {
  readonly check: Check
  readonly counts: 0 | 1
}

const arrayCheck = ({ items, prefix }: Arr): Check => {
  const prefixChecks = prefix.map(checkOf)
  const itemCheck = items && checkOf(items)
  return (value) => {
    if (!Array.isArray(value) || value.length < prefixChecks.length) return false
    for (let i = 0; i < value.length; i++) {
      const check = prefixChecks[i] ?? itemCheck
      if (check === undefined || !check(value[i])) return false
    }
    return true
  }
}

const unionCheck = ({ arrays, scalar, tag, tagged, untagged }: Union): Check => {
  const scalarCheck = scalar?.accepts ?? (() => false)
  const arrayChecks = arrays.map(checkOf)
  const taggedChecks = new Map([...tagged].map(([literal, shapes]) => [literal, shapes.map(checkOf)]))
  const untaggedChecks = untagged.map(checkOf)
  const none: ReadonlyArray<Check> = []
  return (value) => {
    if (typeof value !== "object" || value === null) return scalarCheck(value)
    if (Array.isArray(value)) return some(arrayChecks, value)
    const candidates = tag === undefined ? none : (taggedChecks.get((value as Record<string, unknown>)[tag]) ?? none)
    return some(candidates, value) || some(untaggedChecks, value)
  }
}

const some = (candidates: ReadonlyArray<Check>, value: unknown): boolean => {
  for (let i = 0; i < candidates.length; i++) if ((candidates[i] as Check)(value)) return true
  return false
}
