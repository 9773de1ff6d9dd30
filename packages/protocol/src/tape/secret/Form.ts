/** How a token is found that is known by its form: what it begins with, and a pattern for its rest. */
import { begins, matchAt, nothing, type Rule } from "./Rule.ts"

/** A row: how a token begins, and what follows. */
export interface Form {
  readonly rule: string
  readonly words: ReadonlyArray<string>
  /** What follows the word. */
  readonly rest: string
  /** What is before the word, and how long that is at most. */
  readonly before?: readonly [pattern: string, length: number]
  /** Whether a `-` or `_` before it makes it part of something else. */
  readonly isApart?: boolean
  /**
   * Every such token has a digit this soon after where its word begins. Where there is none, the pattern need not be
   * tried: it would be, at every third character of a text that is made of such words.
   */
  readonly digitWithin?: number
}

/**
 * A beginning of this length is one wherever it stands. A tape has deltas one by one: of `2` and `sk-ant-…` the second
 * is a key by itself, though the two together are no word that begins with it.
 */
const particular = 6

/** The rules for tokens of a kind, by their forms. */
export const ofKind = (kind: string, forms: ReadonlyArray<Form>): ReadonlyArray<Rule> =>
  forms.map(({ before, digitWithin, isApart = false, rest, rule, words }) => {
    const after = new RegExp(rest, "y")
    const lead = before === undefined ? undefined : new RegExp(`(?:${before[0]})$`)
    return {
      rule: rule.replace(/^an? /, ""),
      kind,
      because: `has the form of ${rule}`,
      words,
      look: (text, at, word) => {
        const mayStart = (start: number): boolean =>
          !(isApart && /[_-]/.test(text.charAt(start - 1))) && (word.length >= particular || begins(text, start))
        if (lead === undefined && !mayStart(at)) return nothing(at)
        const digit = digitWithin === undefined ? at : nextDigit(text, at)
        if (digit > at + (digitWithin ?? 0)) return { ...nothing(at), done: digit - (digitWithin ?? 0) }
        const match = matchAt(after, text, at + word.length)
        if (match === null) return nothing(at)
        const start = lead === undefined ? at : startBefore(text, at, lead, before?.[1] ?? 0)
        if (start === undefined || !mayStart(start)) return nothing(at)
        const whole = at + word.length + match[0].length
        const end = whole + (matchAt(encodedRest, text, whole)?.[0].length ?? 0)
        return { seen: end, secrets: [{ start, end, from: start }] }
      }
    }
  })

/** So far is looked for a digit at once. */
const farthest = 1000

/** Where the next digit is, or where it was not looked for any more. */
const nextDigit = (text: string, from: number): number => {
  const to = Math.min(text.length, from + farthest)
  let at = from
  while (at < to && !isDigit(text.charCodeAt(at))) at++
  return at
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** In an address `/`, `+`, `=` and others are encoded. */
const encodedRest = /(?:%[2357][0-9A-F][\w.~-]*)*/iy

/** Up to a colour code, whose `m` is no part of what follows. */
const lastColour = /^(?:.*\W)?\d{1,3}m(?=\w)/s

const startBefore = (text: string, at: number, lead: RegExp, length: number): number | undefined => {
  const near = Math.max(0, at - length)
  const from = near + (lastColour.exec(text.slice(near, at))?.[0].length ?? 0)
  const match = lead.exec(text.slice(from, at))
  return match === null ? undefined : from + match.index
}
