/**
 * Lists everything that is wrong with a value, and makes a copy that can be read.
 *
 * Runs only after `Check` said no. What is wrong is left out of a copy, in which the structure holds: where the schema
 * has a list or an object there is one, even if it is empty; what may be null is null; an element that does not
 * fit its list is left out. Only a string, a number or a boolean that the schema promises may be absent, because any
 * value in its place would be made up. In a union the tag is followed, so the reader learns that
 * `content[0].text` should be a string, not that none of thirty members fit.
 */
import type { Need } from "../Essentials.ts"
import { isRecord } from "../Json.ts"
import { checkOf } from "./Check.ts"
import { each, type JsonPath } from "./JsonPath.ts"
import { mismatch, type Problem } from "./Problem.ts"
import type { Arr, Obj, Shape, Union } from "./Shape.ts"

/** A value as it can be read, and what was wrong with it. */
export interface Mended {
  /** Undefined when nothing of it can be read. */
  readonly value: unknown
  readonly problems: ReadonlyArray<Problem>
}

/** A place in the value: what is needed there, and the way to it. */
interface Place {
  readonly path: JsonPath
  /** The same with `[*]` for positions and for keys of records. */
  readonly pattern: JsonPath
  readonly need: Need | undefined
}

/** The readable part of a value that `Check` refused. */
export const mendValue = (shape: Shape, value: unknown, need?: Need): Mended =>
  mendAt(shape, value, { path: [], pattern: [], need })

const mendAt = (shape: Shape, value: unknown, place: Place): Mended => {
  if (checkOf(shape)(value)) return { value, problems: [] }
  switch (shape.kind) {
    case "any":
      return { value, problems: [] }
    case "scalar":
      return wrong(place, shape.expected, value)
    case "object":
      return isRecord(value) ? mendObject(shape, value, place) : wrong(place, "an object", value)
    case "array":
      return Array.isArray(value) ? mendArray(shape, value, place) : wrong(place, "an array", value)
    case "union":
      return mendUnion(shape, value, place)
    case "refined": {
      const base = mendAt(shape.base, value, place)
      return base.problems.length > 0 ? base : wrong(place, shape.expected, value)
    }
    case "lazy":
      return mendAt(shape.shape(), value, place)
  }
}

const wrong = (place: Place, expected: string, value: unknown): Mended => ({
  value: undefined,
  problems: [problemAt(place, mismatch(expected, value), value)]
})

const problemAt = ({ need, path, pattern }: Place, message: string, found: unknown): Problem => ({
  path,
  pattern,
  message,
  found,
  breaks: need?.essential === true
})

const within = ({ need, path, pattern }: Place, step: string | number, isNamed: boolean): Place => ({
  path: [...path, step],
  pattern: [...pattern, isNamed ? step : each],
  need: need?.below(step)
})

const mendObject = ({ fields, rest }: Obj, value: Record<string, unknown>, place: Place): Mended => {
  const problems: Array<Problem> = []
  const copy = { ...value }
  for (const [name, { optional, shape }] of fields) {
    const here = within(place, name, true)
    if (value[name] === undefined) {
      if (optional) continue
      problems.push(problemAt(here, `expected ${name}, but it is missing`, undefined))
      put(copy, name, emptyOf(shape))
      continue
    }
    const field = mendAt(shape, value[name], here)
    if (field.problems.length === 0) continue
    // Where nothing is left of what is essential, the message cannot be read, whatever it was that did not fit.
    const isLost = field.value === undefined && here.need?.essential === true
    for (const problem of field.problems) problems.push(isLost ? { ...problem, breaks: true } : problem)
    put(copy, name, field.value ?? (optional ? undefined : emptyOf(shape)))
  }
  if (typeof rest === "object")
    for (const key of Object.keys(value)) {
      if (fields.has(key)) continue
      const entry = mendAt(rest, value[key], within(place, key, false))
      if (entry.problems.length === 0) continue
      for (const problem of entry.problems) problems.push(problem)
      put(copy, key, entry.value)
    }
  return { value: copy, problems }
}

const put = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (value === undefined) delete object[key]
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

const mendArray = ({ items, prefix }: Arr, value: ReadonlyArray<unknown>, place: Place): Mended => {
  const problems: Array<Problem> = []
  const kept: Array<unknown> = []
  for (let index = 0; index < Math.max(value.length, prefix.length); index++) {
    const shape = prefix[index] ?? items
    if (shape === undefined) {
      problems.push(problemAt(place, `expected at most ${index} items, found ${value.length}`, value))
      break
    }
    const item = mendAt(shape, value[index], within(place, index, false))
    // Not as arguments: there may be more of them than a stack holds.
    for (const problem of item.problems) problems.push(problem)
    const isBroken = item.problems.some(({ breaks }) => breaks)
    if (item.value !== undefined && !isBroken) kept.push(item.value)
  }
  // A tuple has no element to spare.
  if (prefix.length > 0 && problems.length > 0) return { value: undefined, problems }
  const isBroken = kept.length === 0 && place.need?.essential === true
  return { value: kept, problems: isBroken ? problems : problems.map((problem) => ({ ...problem, breaks: false })) }
}

const mendUnion = (shape: Union, value: unknown, place: Place): Mended => {
  const { arrays, scalar, tag, tagged, untagged } = shape
  if (Array.isArray(value) || isRecord(value)) {
    // What all members have the same is no tag: a message of JSON-RPC without `jsonrpc` is still a message.
    const only = tagged.size === 1 && untagged.length === 0 ? [...tagged.values()][0] : undefined
    const meant = isRecord(value) && tag !== undefined ? (tagged.get(value[tag]) ?? only) : undefined
    const [first, ...others] = (meant ?? (isRecord(value) ? untagged : arrays)).map((candidate) =>
      mendAt(candidate, value, place)
    )
    if (first !== undefined)
      return others.reduce((best, other) => (other.problems.length < best.problems.length ? other : best), first)
    if (isRecord(value) && tag !== undefined) {
      const tags = [...tagged.keys()].map((literal) => JSON.stringify(literal)).join(", ")
      return wrong(within(place, tag, true), `one of ${tags}`, value[tag])
    }
  }
  const objects = tagged.size + untagged.length
  const expected = [scalar?.expected, arrays.length > 0 && "an array", objects > 0 && "an object"]
  return wrong(place, expected.filter((word) => typeof word === "string").join(" or "), value)
}

/** What stands for a value that is not there, where the schema has nothing optional. */
const emptyOf = (shape: Shape): unknown => {
  switch (shape.kind) {
    case "scalar":
      return shape.accepts(null) ? null : undefined
    case "array":
      return shape.prefix.length === 0 ? [] : undefined
    case "object": {
      const empty: Record<string, unknown> = {}
      for (const [name, field] of shape.fields) if (!field.optional) put(empty, name, emptyOf(field.shape))
      return empty
    }
    case "union":
      return shape.scalar?.accepts(null) === true ? null : undefined
    case "refined":
      return emptyOf(shape.base)
    default:
      return undefined
  }
}
