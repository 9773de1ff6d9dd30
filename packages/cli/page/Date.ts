/** Times in lists. */

/** The time of day of today, and the day of what is older. */
export const dateOf = (ms: number): string => {
  const date = new Date(ms)
  return date.toDateString() === new Date().toDateString()
    ? date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : date.toLocaleDateString()
}
