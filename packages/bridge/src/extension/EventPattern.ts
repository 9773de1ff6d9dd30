/**
 * Patterns of the names of events: `*` stands for anything, dots included, so `session.*` is all that happens to sessions.
 */

/** The longest pattern. */
const maxLength = 200

/** Whether a name fits; undefined when the pattern is none. Takes a time that grows with the name and the pattern only. */
export const eventPattern = (pattern: string): ((name: string) => boolean) | undefined => {
  if (!/^[A-Za-z0-9_.*-]+$/.test(pattern) || pattern.length > maxLength) return undefined
  const [first = "", ...later] = pattern.split("*")
  if (later.length === 0) return (name) => name === pattern
  const last = later.pop() ?? ""
  return (name) => {
    if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
    const end = name.length - last.length
    let at = first.length
    for (const piece of later) {
      const found = name.indexOf(piece, at)
      if (found === -1 || found + piece.length > end) return false
      at = found + piece.length
    }
    return true
  }
}
