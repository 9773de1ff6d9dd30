/** What a JSON value is, to those who did not decode it. */

/** An object that is neither null nor an array: what JSON calls an object. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
