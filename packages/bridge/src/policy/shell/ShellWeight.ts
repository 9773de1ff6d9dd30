/**
 * What it costs to read a shell text. The parser's time grows with the number of commands and words, and with the length
 * for each bracket that may be open, so a text of both kinds in plenty could keep everybody waiting.
 */

/** Longer texts are not looked at. */
export const maxLength = 65_536

/** How many marks all texts of a reading may have, those within others as well. */
export const maxMarks = 4000

/** What the brackets of one text may cost. */
const maxBracketWork = 400_000

/** Whatever divides or changes words. */
const marks = /[^\w\s.]|\s+/g

/** What may be open until the end of the text. */
const brackets = /[({[`]|<</g

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** The number of marks in a text; undefined: it is too heavy to be read at all. */
export const marksOf = (text: string): number | undefined => {
  if (text.length > maxLength || count(text, brackets) * text.length > maxBracketWork) return undefined
  const found = count(text, marks)
  return found > maxMarks ? undefined : found
}
