/**
 * Finds the secrets of a text, however often it has been escaped, and says how much of a text is settled: how far
 * nothing that follows can change what was found.
 *
 * All of it takes time in proportion to the text: words are found in one pass, what rules look at is bounded or part
 * of a secret, and a text is unescaped a fixed number of times.
 */
import { notCutting, type Range, toEscaped, unescapeOnce } from "../../wire/internal/JsonText.ts"
import { accountUnder } from "./Account.ts"
import { valueUnder } from "./Assigned.ts"
import { begunLength, isKnownHere, type Known, type KnownForm, knownForms } from "./Known.ts"
import { type Needle, Needles } from "./Needles.ts"
import { applyRules, type Found, lastRank, ruleNeedles, ruleWords, type Secret, secretRules } from "./Pass.ts"

export { type Secret, type SecretRule, secretRules } from "./Pass.ts"

/** A pattern of somebody else's: what it finds in a text. */
export interface SecretPattern {
  /** As it was written. */
  readonly source: string
  /** Where it matches, in order, apart from each other. */
  readonly find: (text: string) => Iterable<Range>
}

/** What is looked for besides the {@link secretRules}. */
export interface SecretOptions extends Known {
  /** The user's home folder; also found in the CLI's encoded form, `-home-ada`. */
  readonly home?: string | undefined
  /** The user's name. One of under three letters, or that means nothing, such as `root`, is not looked for. */
  readonly user?: string | undefined
  /** Values that are secret, such as those of environment variables. Under four characters they are left out. */
  readonly values?: ReadonlyArray<string>
  /**
   * Further patterns; the whole match is the secret. A regular expression is run as it is: one that takes for ever
   * does so here, too.
   */
  readonly patterns?: ReadonlyArray<RegExp | SecretPattern>
}

/** Finds secrets. */
export interface Scanner {
  /** The kinds it looks for. */
  readonly kinds: ReadonlyArray<string>
  /** The secrets of a text, in order, apart from each other. */
  readonly find: (text: string) => ReadonlyArray<Secret>
  /** The secrets of a value, and all of it if its key says so. */
  readonly findUnder: (key: string, text: string) => ReadonlyArray<Secret>
  /** How much of a text's beginning is settled: no secret reaches over this point, whatever follows. */
  readonly settledLength: (text: string) => number
  /** Whether {@link settledLength} can be relied on: nobody knows how far added patterns reach. */
  readonly isExact: boolean
}

/** Any other character than those a token is made of; a backslash may escape one of them. */
const gap = /[^\w.~+/=%@:!$\\-]/

/** The words of rules that a gap may cut, such as `api key`. */
const wideWords = ruleWords.map(({ word }) => word.toLowerCase()).filter((word) => gap.test(word.slice(0, -1)))
const longestWideWord = Math.max(...wideWords.map((word) => word.length))

/** How often a text is unescaped: a JSON string in a JSON string in a tool result in a line, and some. */
const maxDepth = 6

/** What a pass over one view of a text found. */
interface Pass {
  readonly found: Array<Found>
  /** From where on what follows the text may change what was found. */
  readonly openFrom: number
}

/** A scanner for the default kinds and these. */
export const makeScanner = (options: SecretOptions = {}): Scanner => {
  const forms = knownForms(options)
  const formNeedles = new Needles(forms.map((form): Needle<KnownForm> => ({ word: form.text, value: form })))
  const wideForms = forms.filter(({ text }) => gap.test(text))
  const added = (options.patterns ?? []).map(finderOf)

  const scan = (text: string, spans?: Array<Range>): Pass => {
    const found: Array<Found> = []
    if (forms.length > 0)
      formNeedles.each(text, ({ value: form }, at) => {
        if (isKnownHere(form, text, at))
          found.push({ ...form, rule: "known value", start: at, end: at + form.text.length, from: at, rank: -1 })
      })
    const { openFrom } = applyRules(text, found, spans)
    for (const { find } of added)
      for (const { end, start } of find(text))
        if (start < end)
          found.push({ ...userPattern, secret: text.slice(start, end), start, end, from: start, rank: lastRank })
    return { found: withoutPlaceholders(text, found), openFrom }
  }

  // Escapes other than \u and \/ hide no character of a word, so a text without any has no secret, however it is
  // unescaped.
  const hints = forms.map(({ text }) => longestRun(text))
  const words: Pick<Needles<unknown>, "has"> = forms.length === 0
    ? ruleNeedles
    : new Needles<unknown>([
        ...ruleWords,
        ...hints.filter((word) => word.length >= 3).map((word) => ({ word, value: undefined }))
      ])
  const isAlwaysLookedAt = added.length > 0 || hints.some((word) => word.length < 3)
  const mayHave = (text: string, isEscaped: boolean): boolean =>
    isAlwaysLookedAt ||
    words.has(text) ||
    text.includes("@") ||
    (isEscaped && (text.includes("\\u") || text.includes("\\/")))

  const find = (text: string): ReadonlyArray<Secret> => {
    const isEscaped = text.includes("\\")
    if (!mayHave(text, isEscaped)) return none
    if (!isEscaped) return apart(scan(text).found, text)
    const views = viewsOf(text)
    let found: Array<Found> = []
    for (const [index, view] of views.entries()) {
      const here = scan(view).found
      // What is found where more is resolved is nearer to the truth: `\nada@…` is a new line and `ada@…`.
      const kept = index === 0 ? here : notCutting(view, here, isExactly)
      found = apart([...toEscaped(view, found), ...kept], view)
    }
    return found
  }

  return {
    kinds: [
      ...new Set([...forms.map(({ kind }) => kind), ...secretRules.map(({ kind }) => kind), "password", "cookie"]),
      ...(added.length > 0 ? ["pattern"] : [])
    ],
    find,
    findUnder: (key, text) => {
      const found = find(text)
      const whole = [...valueUnder(key, text), ...accountUnder(key, text)]
      if (whole.length === 0) return found
      const under = whole.map(
        ({ because = "has a telling name", end, kind = "secret", start }): Found => ({
          ...{ kind, rule: "named value", because, start, end, from: start, rank: lastRank },
          secret: text.slice(start, end)
        })
      )
      return apart([...found.map((one): Found => ({ ...one, from: one.start, rank: 0 })), ...under], text)
    },
    settledLength: (text) => {
      const end = lastGap(text, text.length)
      if (end === 0) return 0
      let spans: ReadonlyArray<Range> = []
      for (const view of viewsOf(text)) {
        const looks: Array<Range> = []
        const { found, openFrom } = scan(view, looks)
        const tail = view.slice(-longestWideWord).toLowerCase()
        const begun = [
          ...wideForms.map(({ text: form }) => view.length - begunLength(form, view)),
          ...wideWords.map((word) => view.length - begunLength(word, tail))
        ]
        const open = Math.min(openFrom, ...begun)
        const here = found.map((one): Range => ({ start: Math.min(one.from, one.start), end: one.end }))
        spans = joined([
          ...toEscaped(view, spans),
          ...here,
          ...looks,
          ...(open < view.length ? [{ start: open, end: view.length }] : [])
        ])
      }
      let at = end
      for (const span of spans.toReversed())
        if (span.start < at && (at < span.end || span.end === text.length)) at = lastGap(text, span.start)
      return at
    },
    isExact: added.length === 0
  }
}

const none: ReadonlyArray<Secret> = []

const userPattern = { kind: "pattern", rule: "given pattern", because: "matches a pattern that was given" } as const

// In `C:\\Users\\nora` there is no new line: what is known to the letter is one even where it cuts an escape.
const isExactly = ({ rank }: Found): boolean => rank === -1

const finderOf = (pattern: RegExp | SecretPattern): SecretPattern => {
  if (!(pattern instanceof RegExp)) return pattern
  const global = new RegExp(pattern, `${pattern.flags.replace(/[gy]/g, "")}g`)
  return {
    source: pattern.source,
    find: (text) =>
      Array.from(text.matchAll(global), ({ 0: { length }, index }) => ({ start: index, end: index + length }))
  }
}

const longestRun = (text: string): string =>
  (text.match(/[A-Za-z0-9]+/g) ?? [""]).reduce((a, b) => (b.length > a.length ? b : a))

/** The point after the last gap before `end`. */
const lastGap = (text: string, end: number): number => {
  let at = end
  while (at > 0 && !gap.test(text.charAt(at - 1))) at--
  return at
}

/** A text and what it says when its escapes are resolved, again and again; the most resolved first. */
const viewsOf = (text: string): ReadonlyArray<string> => {
  const views = [text]
  for (let view = text; views.length < maxDepth && view.includes("\\"); ) {
    const next = unescapeOnce(view)
    if (next === view) break
    views.unshift(next)
    view = next
  }
  return views
}

const placeholder = /REDACTED_[a-z-]+_\d+/g

/** What is a placeholder already, in part or whole, is not replaced again. */
const withoutPlaceholders = (text: string, found: Array<Found>): Array<Found> => {
  if (found.length === 0 || !text.includes("REDACTED_")) return found
  const done = [...text.matchAll(placeholder)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length
  }))
  const sorted = found.toSorted(byPlace)
  let next = 0
  return sorted.filter(({ end, start }) => {
    while ((done[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    return (done[next]?.start ?? Number.POSITIVE_INFINITY) >= end
  })
}

const byPlace = (a: Range, b: Range): number => a.start - b.start || b.end - a.end

/** Ranges in order, those that overlap or touch as one. */
const joined = (ranges: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const result: Array<Range> = []
  for (const next of ranges.toSorted(byPlace)) {
    const last = result.at(-1)
    if (last === undefined || next.start > last.end) result.push(next)
    else if (next.end > last.end) result[result.length - 1] = { start: last.start, end: next.end }
  }
  return result
}

/** Of secrets that overlap one is left, over all of their ranges; of equal ones that of the most particular rule. */
const apart = (found: Array<Found>, text: string): Array<Found> => {
  if (found.length < 2) return found
  const result: Array<Found> = []
  for (const next of found.toSorted((a, b) => byPlace(a, b) || a.rank - b.rank)) {
    const last = result.at(-1)
    if (last === undefined || next.start >= last.end) result.push(next)
    else if (next.end > last.end)
      result[result.length - 1] = { ...last, end: next.end, secret: text.slice(last.start, next.end) }
  }
  return result
}

/** The secrets of a text: those of the default kinds, and these. */
export const findSecrets = (text: string, options?: SecretOptions): ReadonlyArray<Secret> =>
  makeScanner(options).find(text)
