/**
 * Finds what is on the wire but not in the schema: keys nobody named, values an
 * enumeration does not list, tagged members that came later, and what the schema names but
 * is missing or of another type.
 *
 * None of it is an error, and none of it is lost. It is how one learns, on the day
 * a CLI release comes out, what it changed.
 */

import type * as Schema from "effect/Schema"
import { checkOf } from "./internal/Check.ts"
import { each, type JsonPath, renderPath } from "./internal/JsonPath.ts"
import { mendValue } from "./internal/Mend.ts"
import { type Obj, type Shape, shapeOf, type Union } from "./internal/Shape.ts"
import { isRecord } from "./Json.ts"

/** Something on the wire that the schema does not name, or names otherwise. */
export interface Drift {
  /**
   * Where, as a JSON path. Array positions and record keys are `[*]`, because the finding is
   * about the schema, not about one element.
   */
  readonly path: string
  /** What was there; undefined when it is missing. */
  readonly example: unknown
  /** `odd-key`: the schema names it, but it is missing or of another type. */
  readonly code?: "odd-key"
  /** Of an odd key: what was expected, and what was there. */
  readonly problem?: string
}

/** What a value that should fit `schema` has beyond it, and then what does not fit. */
export const driftOf = (schema: Schema.Top, value: unknown): ReadonlyArray<Drift> => {
  const shape = shapeOf(schema.ast)
  const unnamed = walk(shape, value, [])
  return checkOf(shape)(value) ? unnamed : [...unnamed, ...oddIn(shape, value)]
}

const oddIn = (shape: Shape, value: unknown): ReadonlyArray<Drift> =>
  mendValue(shape, value).problems.map(({ found, message, pattern }) => ({
    path: renderPath(pattern),
    example: found,
    code: "odd-key",
    problem: message
  }))

const none: ReadonlyArray<Drift> = []

const walk = (shape: Shape, value: unknown, path: JsonPath): ReadonlyArray<Drift> => {
  switch (shape.kind) {
    case "any":
      return none
    case "scalar":
      return typeof value === "string" && shape.listed?.has(value) === false ? [found(path, value)] : none
    case "object":
      return isRecord(value) ? walkObject(shape, value, path) : none
    case "array": {
      if (!Array.isArray(value)) return none
      return value.flatMap((item, i) => {
        const itemShape = shape.prefix[i] ?? shape.items
        return itemShape === undefined ? none : walk(itemShape, item, [...path, each])
      })
    }
    case "union":
      return walkUnion(shape, value, path)
    case "refined":
      return walk(shape.base, value, path)
    case "lazy":
      return walk(shape.shape(), value, path)
  }
}

const walkObject = ({ fields, rest }: Obj, value: Record<string, unknown>, path: JsonPath): ReadonlyArray<Drift> => {
  const drifts: Array<Drift> = []
  for (const key of Object.keys(value)) {
    const field = fields.get(key)
    const shape = field?.shape ?? (typeof rest === "object" ? rest : undefined)
    if (shape === undefined) drifts.push(found([...path, key], value[key]))
    // Not as arguments: there may be more of them than a stack holds.
    else for (const drift of walk(shape, value[key], [...path, field === undefined ? each : key])) drifts.push(drift)
  }
  return drifts
}

/** Of the members that accept a value, the one that names most of it is the one that was meant. */
const walkUnion = (shape: Union, value: unknown, path: JsonPath): ReadonlyArray<Drift> => {
  const { arrays, scalar, tag, tagged, untagged } = shape
  if (Array.isArray(value)) return least(arrays, value, path)
  if (!isRecord(value)) return scalar === undefined ? none : walk(scalar, value, path)
  if (tag === undefined || tagged.size === 0) return least(untagged, value, path)
  const candidates = tagged.get(value[tag])
  if (candidates !== undefined) return least(candidates, value, path)
  // An object with a tag nobody lists is reported as its tag: its other keys are its own affair.
  return tag in value ? [found([...path, tag], value[tag])] : least(untagged, value, path)
}

const least = (candidates: ReadonlyArray<Shape>, value: unknown, path: JsonPath): ReadonlyArray<Drift> => {
  const accepting = candidates.filter((candidate) => checkOf(candidate)(value))
  const [first = none, ...others] = (accepting.length > 0 ? accepting : candidates).map((candidate) =>
    walk(candidate, value, path)
  )
  return others.reduce((best, drifts) => (drifts.length < best.length ? drifts : best), first)
}

const found = (path: JsonPath, example: unknown): Drift => ({ path: renderPath(path), example })
