/** Texts that are JSON, or may be. */

/** Text cut to a length, with its end marked. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}…`

/** JSON that is written out; what is no JSON stays as it is. */
export const pretty = (text: string): string => {
  const value = parsed(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}

/** The value of a JSON text; undefined when it is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}
