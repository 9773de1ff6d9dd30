/** What can be said about JSON values that were not decoded. */

/** An object that is neither null nor an array: what JSON calls an object. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether arrays and objects in a value nest deeper than a number of levels. */
export const nestsDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  for (const key in value) if (nestsDeeper((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}
