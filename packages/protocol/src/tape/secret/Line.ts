/**
 * How lines begin that something was written before: a diff, a quotation, the numbers of `cat -n`, of the CLI and of
 * `grep -n`, the time and the program of a log.
 */
export const beforeLine =
  "[ \\t]{0,8}(?:\\d{4}-\\d\\d-\\d\\dT\\S{1,30} [\\w.-]{1,40}(?:\\[\\d{1,7}\\])?: |[+>|-][ \\t]?|\\d{1,6}[\\t\\u2192:|][ \\t]?|[^\\s:]{1,80}:\\d{1,6}[:-])?"

/** The end of a line, and what is written before the next: a part of a pattern. */
export const newLine = `\\r?\\n${beforeLine}`
