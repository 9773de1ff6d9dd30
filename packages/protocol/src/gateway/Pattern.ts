/**
 * Which events a client wants, by patterns of their names: a name, the beginning of names with `.*`, or `*` for all.
 */

/**
 * Events that say again what others say, in the model's own words. Patterns with a star do not mean them: whoever wants
 * them names them.
 */
export const namedOnly: ReadonlySet<string> = new Set(["session.event"])

/** Whether a pattern means an event. */
export const matchesEvent = (pattern: string, event: string): boolean =>
  pattern === event ||
  (!namedOnly.has(event) && (pattern === "*" || (pattern.endsWith(".*") && event.startsWith(pattern.slice(0, -1)))))

/** Whether a text is a pattern. */
export const isPattern = (text: string): boolean => /^(?:\*|[\w-]+(?:\.[\w-]+)*(?:\.\*)?)$/.test(text)
