/**
 * Reads what no answer hangs on: a field that is missing, null or of another type than it was is as good as absent.
 */
import { isObject } from "../../wire/internal/Shape.ts"

/** A text; undefined when it is none. */
export const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** The texts of a list. */
export const textsIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : []

/** The entries of a list. */
export const listIn = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** An object's fields; none when it is no object. */
export const fieldsIn = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

/** Who a message is from: the call that started its sub-agent, or null for the main thread. */
export const speakerOf = ({ parent_tool_use_id: parent }: { readonly parent_tool_use_id?: unknown }): string | null =>
  typeof parent === "string" ? parent : null
