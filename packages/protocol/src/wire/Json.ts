/** What can be said about JSON values that were not decoded. */

/** An object that is neither null nor an array: what JSON calls an object. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value of a JSON text; undefined, which JSON cannot express, when the text is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether arrays and objects in a value nest deeper than a number of levels. */
export const nestsDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  for (const key in value) if (nestsDeeper((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}
