/** One pass over a text with all rules: what they find, how far they looked, and what more text could change. */
import type { Range } from "../../wire/internal/JsonText.ts"
import { accountRules } from "./Account.ts"
import { assignedRules } from "./Assigned.ts"
import { type Needle, Needles } from "./Needles.ts"
import { placeRules } from "./Places.ts"
import { matchAt, type Rule } from "./Rule.ts"
import { tokenRules } from "./Tokens.ts"

/** What is to be known about a rule: its name, the kind of its secrets, and what gives them away. */
export type SecretRule = Pick<Rule, "rule" | "kind" | "because">

/** A secret that was found, and where. */
export interface Secret extends Range {
  readonly kind: string
  /** The rule by which it was found. */
  readonly rule: string
  /** What gave it away, in words that do not give it away again. */
  readonly because: string
  /** What it is when every escape is resolved: equal for equal secrets. */
  readonly secret: string
}

/** A secret of one view of a text. */
export interface Found extends Secret {
  /** Where what gives it away begins. */
  readonly from: number
  /** The place of its rule in the table: of two rules that find the same the first is right. */
  readonly rank: number
}

const email: SecretRule = { rule: "e-mail address", kind: "email", because: "is an e-mail address" }

/** The rules with words, most particular first. */
export const wordRules: ReadonlyArray<Rule> = [...tokenRules, ...placeRules, ...assignedRules, ...accountRules]

/** The rules by which secrets are found that nobody named, most particular first. */
export const secretRules: ReadonlyArray<SecretRule> = [...wordRules, email]

/** The rank of what is found by no rule of the table. */
export const lastRank = secretRules.length

interface Ranked {
  readonly rule: Rule
  readonly rank: number
}

/** The words of the rules. */
export const ruleWords: ReadonlyArray<Needle<Ranked>> = wordRules.flatMap((rule, rank) =>
  rule.words.map((word): Needle<Ranked> => ({ word, ignoreCase: rule.ignoreCase ?? false, value: { rule, rank } }))
)

/** What finds the words of the rules. */
export const ruleNeedles = new Needles(ruleWords)

/** What came of a pass. */
export interface Applied {
  /** From where on what follows the text may change what was found. */
  readonly openFrom: number
  /** How many characters the rules looked at, all together. */
  readonly looked: number
}

/** Adds what the rules find, and the ranges over which they looked to find it or to find nothing. */
export const applyRules = (text: string, found: Array<Found>, spans?: Array<Range>): Applied => {
  let openFrom = text.length
  let looked = text.length
  const doneBy: Array<number> = []
  ruleNeedles.each(text, ({ value: { rank, rule }, word }, at) => {
    if (at < (doneBy[rank] ?? 0)) return
    const { done = 0, reach = 0, secrets, seen, since = at } = rule.look(text, at, word)
    const far = Math.max(seen, reach)
    looked += Math.max(word.length, Math.min(far, text.length) - since)
    if (rule.isWide === true) {
      if (far > text.length) openFrom = Math.min(openFrom, since)
      if (seen > at) spans?.push({ start: since, end: Math.min(seen, text.length) })
    }
    if (done > 0) doneBy[rank] = done
    for (const { because = rule.because, end, from = at, kind = rule.kind, start } of secrets) {
      if (start >= end) continue
      found.push({ kind, rule: rule.rule, because, secret: text.slice(start, end), start, end, from, rank })
      doneBy[rank] = Math.max(doneBy[rank] ?? 0, end)
    }
  })
  findEmails(text, found)
  return { openFrom, looked }
}

const domain = /@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}?\.[A-Za-z]{2,24}(?![\w-]|\.[A-Za-z0-9])/y
/** As long as the part before the `@` may be, and one more. */
const localPart = /(?:^|[^\w.%+-])([\w.%+-]{1,64})$/

const findEmails = (text: string, found: Array<Found>): void => {
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const local = localPart.exec(text.slice(Math.max(0, at - 65), at))?.[1]
    const match = local === undefined ? null : matchAt(domain, text, at)
    if (local === undefined || match === null) continue
    const [start, end] = [at - local.length, at + match[0].length]
    found.push({ ...email, secret: text.slice(start, end), start, end, from: start, rank: lastRank - 1 })
  }
}
