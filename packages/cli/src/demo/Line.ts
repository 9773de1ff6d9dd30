/** A line of the wire as JSON, and what is at a place in it. */

import type { Json, JsonObject } from "@agentwire/fixtures"
import { isRecord } from "@agentwire/protocol/wire"

/** What a line of JSON holds; an empty object where that is none. */
export const parseLine = (line: string): JsonObject => {
  const value: Json = JSON.parse(line)
  return isRecord(value) ? value : {}
}

/** What is at a path; undefined where there is no such place. */
export const valueAt = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof key === "number"
        ? Array.isArray(inner)
          ? inner[key]
          : undefined
        : isRecord(inner) && Object.hasOwn(inner, key)
          ? inner[key]
          : undefined,
    value
  )

/** The text at a path, or none. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string => {
  const found = valueAt(value, ...path)
  return typeof found === "string" ? found : ""
}
