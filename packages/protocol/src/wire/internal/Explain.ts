/**
 * Says what is wrong with a value, and where, in words a person can act on.
 *
 * Runs only after `Check` said no. In a union it follows the tag, so the reader learns that
 * `content[0].text` should be a string, not that none of thirty members fit.
 */
import { checkOf } from "./Check.ts"
import type { JsonPath } from "./JsonPath.ts"
import { isObject, type Obj, type Shape, type Union } from "./Shape.ts"

/** One thing that is wrong. */
export interface Problem {
  readonly path: JsonPath
  readonly message: string
}

/** The first thing that is wrong with a value that `Check` refused. */
export const explain = (shape: Shape, value: unknown): Problem =>
  problemOf(shape, value, []) ?? { path: [], message: "does not fit its schema" }

const problemOf = (shape: Shape, value: unknown, path: JsonPath): Problem | undefined => {
  if (checkOf(shape)(value)) return undefined
  switch (shape.kind) {
    case "any":
      return undefined
    case "scalar":
      return mismatch(path, shape.expected, value)
    case "object":
      return isObject(value) ? explainObject(shape, value, path) : mismatch(path, "an object", value)
    case "array": {
      if (!Array.isArray(value)) return mismatch(path, "an array", value)
      for (let i = 0; i < Math.max(value.length, shape.prefix.length); i++) {
        const item = shape.prefix[i] ?? shape.items
        if (item === undefined) return { path, message: `expected at most ${i} items, found ${value.length}` }
        const problem = problemOf(item, value[i], [...path, i])
        if (problem !== undefined) return problem
      }
      return undefined
    }
    case "union":
      return explainUnion(shape, value, path)
    case "refined":
      return problemOf(shape.base, value, path) ?? mismatch(path, shape.expected, value)
    case "lazy":
      return problemOf(shape.shape(), value, path)
  }
}

const explainObject = ({ fields, rest }: Obj, value: Record<string, unknown>, path: JsonPath) => {
  for (const [name, field] of fields) {
    if (value[name] === undefined) {
      if (!field.optional) return { path: [...path, name], message: `expected ${name}, but it is missing` }
      continue
    }
    const problem = problemOf(field.shape, value[name], [...path, name])
    if (problem !== undefined) return problem
  }
  if (typeof rest !== "object") return undefined
  for (const key of Object.keys(value)) {
    const problem = fields.has(key) ? undefined : problemOf(rest, value[key], [...path, key])
    if (problem !== undefined) return problem
  }
  return undefined
}

const explainUnion = (shape: Union, value: unknown, path: JsonPath): Problem => {
  const { arrays, scalar, tag, tagged, untagged } = shape
  if (Array.isArray(value) || isObject(value)) {
    const meant = isObject(value) && tag !== undefined ? tagged.get(value[tag]) : undefined
    for (const candidate of meant ?? (isObject(value) ? untagged : arrays)) {
      const problem = problemOf(candidate, value, path)
      if (problem !== undefined) return problem
    }
    if (isObject(value) && tag !== undefined) {
      const tags = [...tagged.keys()].map((literal) => JSON.stringify(literal)).join(", ")
      return mismatch([...path, tag], `one of ${tags}`, value[tag])
    }
  }
  const objects = tagged.size + untagged.length
  const expected = [scalar?.expected, arrays.length > 0 && "an array", objects > 0 && "an object"]
  return mismatch(path, expected.filter((word) => typeof word === "string").join(" or "), value)
}

/** The problem of a value that is something else than was expected. */
export const mismatch = (path: JsonPath, expected: string, value: unknown): Problem => ({
  path,
  message:
    value === undefined ? `expected ${expected}, but it is missing` : `expected ${expected}, found ${describe(value)}`
})

const describe = (value: unknown): string => {
  if (Array.isArray(value)) return "an array"
  if (isObject(value)) return "an object"
  const text = JSON.stringify(value) ?? String(value)
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return typeof value === "string" ? `the string ${shown}` : typeof value === "number" ? `the number ${shown}` : shown
}
