/**
 * Reads fields that no answer depends on: one that is missing, null or of an unexpected type counts as absent.
 */
import { isRecord } from "./Json.ts"

/** A text; undefined when the value is not one. */
export const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** The texts of a list. */
export const textsIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : []

/** The entries of a list. */
export const listIn = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** An object's fields; none when the value is not an object. */
export const fieldsIn = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})
