/**
 * A rule: how one sort of secret is found where one of its words is.
 *
 * A rule says how far it looked. That keeps two promises: a text may be cut where no rule looked over the cut, and
 * what all rules looked at together grows as the text does.
 */
import type { Range } from "../../wire/internal/JsonText.ts"

/** What a rule found out at a word. */
export interface Look {
  /** The end of what was looked at: beyond it the text may say anything, and before it the text must not be cut. */
  readonly seen: number
  /** How far more text could make a secret of what is none yet, if that is further. */
  readonly reach?: number
  /** Where what was looked at begins, if before the word. */
  readonly since?: number
  readonly secrets: ReadonlyArray<Sighting>
  /** Up to where the rule need not look again, if that is further than the last secret. */
  readonly done?: number
}

/** A secret, as a rule sees it. */
export interface Sighting extends Range {
  /** Where what gives it away begins, if before the word. */
  readonly from?: number
  /** What gives it away, where a rule knows better than its row. */
  readonly because?: string
  readonly kind?: string
}

/** A row of the tables. */
export interface Rule {
  /** Stable: the name an explanation gives it. */
  readonly rule: string
  /** Stable: part of the placeholder and of a tape's header. */
  readonly kind: string
  /** What gives such a secret away, in words. */
  readonly because: string
  /** One of these is in every such secret or before it: three characters or more, none of which JSON escapes. */
  readonly words: ReadonlyArray<string>
  /** Whether the words, which are in lower case, are found in any case. */
  readonly ignoreCase?: boolean
  /** Whether it looks over characters that no token is made of, such as spaces and colons. */
  readonly isWide?: boolean
  readonly look: (text: string, at: number, word: string) => Look
}

/** Nothing was found, and this far was looked: had the text ended before, something might have been. */
export const nothing = (seen: number): Look => ({ seen, secrets: [] })

/** Nothing was found, nor would be in less of the text: what is missing must come before this point. */
export const notYet = (reach: number): Look => ({ seen: 0, reach, secrets: [] })

const alphanumeric = /[A-Za-z0-9]/
const encodedBefore = /(?:%[0-9A-Fa-f]{2}|(?:^|\W)\d{1,3}m)$/

/** Whether something may begin here: after another character than a letter or digit, `%20`, or a colour code. */
export const begins = (text: string, at: number): boolean =>
  at === 0 || !alphanumeric.test(text.charAt(at - 1)) || encodedBefore.test(text.slice(Math.max(0, at - 5), at))

/** A match of a sticky pattern at this place. */
export const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}
