/** About how much something is, without writing it: a text of megabytes is looked at as little as a short one. */

/** About how many characters a value has as JSON. */
export const weightOf = (value: unknown): number => {
  if (typeof value === "string") return value.length + 2
  if (typeof value !== "object" || value === null) return 5
  let weight = 1
  if (Array.isArray(value)) for (const item of value) weight += weightOf(item) + 1
  else for (const [key, item] of Object.entries(value)) weight += key.length + 4 + weightOf(item)
  return weight
}
