/**
 * Takes out of an event what client 1.0.0 takes out before it validates: members of tagged unions whose tag nobody lists.
 * In a list the element goes; in an optional field the field; in a required one what contains it.
 */

import type { Shape } from "../wire/internal/Shape.ts"
import { isRecord } from "../wire/Json.ts"

/** An event without what a client does not recognise. */
export interface Stripped {
  readonly value: unknown
  /** Where something was taken out, as JSON paths. */
  readonly removed: ReadonlyArray<string>
}

/** The value without unrecognised members of unions. It is the value itself where there are none. */
export const stripUnrecognized = (shape: Shape, value: unknown): Stripped => {
  const removed: Array<string> = []
  return { value: strip(shape, value, "$", removed), removed }
}

const gone = Symbol("an unrecognised member")

const strip = (shape: Shape, value: unknown, path: string, removed: Array<string>): unknown => {
  switch (shape.kind) {
    case "object": {
      if (!isRecord(value)) return value
      const result: Record<string, unknown> = {}
      for (const [key, inner] of Object.entries(value)) {
        const field = shape.fields.get(key)
        const mark = removed.length
        const kept = field === undefined ? inner : strip(field.shape, inner, `${path}.${key}`, removed)
        if (kept !== gone) {
          result[key] = kept
          continue
        }
        removed.length = mark
        if (field?.optional !== true) return gone
        removed.push(`${path}.${key}`)
      }
      return result
    }
    case "array": {
      const { items } = shape
      if (!Array.isArray(value) || items === undefined) return value
      return value.flatMap((item, i) => {
        const mark = removed.length
        const kept = strip(items, item, `${path}[${i}]`, removed)
        if (kept !== gone) return [kept]
        removed.length = mark
        removed.push(`${path}[${i}]`)
        return []
      })
    }
    case "union": {
      if (Array.isArray(value)) {
        const [array] = shape.arrays
        return array === undefined ? value : strip(array, value, path, removed)
      }
      if (!isRecord(value) || shape.tag === undefined || shape.tagged.size === 0) return value
      const [member] = shape.tagged.get(value[shape.tag]) ?? []
      return member === undefined ? gone : strip(member, value, path, removed)
    }
    case "refined":
      return strip(shape.base, value, path, removed)
    case "lazy":
      return strip(shape.shape(), value, path, removed)
    case "any":
    case "scalar":
      return value
  }
}
