/**
 * What a secret looks like: the kinds that are looked for by default, and how they are found in a text, however often
 * the text has been escaped.
 *
 * Every pattern keeps to the characters a secret is made of, so that a text can be cut at any other character
 * without cutting a secret in two; those few that reach further say so with `open`. Patterns look behind to where
 * a run of characters begins, so that a megabyte of base64 is read once.
 */
import { notCutting, type Range, toEscaped, unescapeOnce } from "../wire/internal/JsonText.ts"

/** A kind of secret that a pattern finds. */
export interface SecretKind {
  /** Stable: it is part of the placeholder and of a tape's header. */
  readonly kind: string
  /** What every text with such a secret contains, in letters, digits, `-`, `_` and `@`: most texts do not. */
  readonly hint: string
  readonly pattern: RegExp
  /** Matches the end of a text in which a secret of this kind may have begun that reaches over a gap. */
  readonly open?: RegExp
}

/** The kinds that patterns find, most particular first. */
export const secretKinds: ReadonlyArray<SecretKind> = [
  {
    kind: "private-key",
    hint: "PRIVATE KEY",
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?:(?:[\w+/=\s:,.]|-(?!----END )){0,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|[A-Za-z0-9+/=\s]{0,20000})/g,
    open: /-----BEGIN(?: [A-Z0-9 ]{0,50}|[A-Z0-9 ]{0,40} PRIVATE KEY-----(?:(?!-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)[\s\S]){0,21000})$/
  },
  { kind: "jwt", hint: "eyJ", pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g },
  {
    kind: "api-key",
    hint: "sk-|k_live_|k_test_|AIza",
    pattern:
      /(?<![A-Za-z0-9])(?:sk-ant-[\w-]{8,}|sk-(?=[A-Za-z_-]{0,40}\d)[\w-]{20,}|[sr]k_(?:live|test)_\w{10,}|AIza[\w-]{35})/g
  },
  {
    kind: "github-token",
    hint: "gh[pousr]_|github_pat_",
    pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g
  },
  {
    kind: "aws-key",
    hint: "AKIA|ASIA|ABIA|ACCA",
    pattern: /(?<![A-Za-z0-9])A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g
  },
  {
    kind: "slack-token",
    hint: "xox|slack",
    pattern: /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}|(?<=hooks\.slack\.com\/services\/)[\w/]{10,}/g
  },
  {
    kind: "bearer",
    hint: "bearer|authorization",
    pattern:
      /(?<=\bbearer\s{1,4})(?=[\w.~+/=-]*\d)(?!REDACTED_)[\w.~+/=-]{8,}|(?<=\bauthorization\s?[:=]\s{0,4}(?:(?:basic|bearer|token)\s{1,4})?)(?!REDACTED_|(?:basic|bearer|token)\s)[\w.~+/=-]{8,}/gi,
    open: /\b(?:bearer|authorization\s?(?:[:=]\s{0,4}(?:(?:basic|bearer|token)\s{0,4})?)?)\s{0,4}$/i
  },
  {
    kind: "email",
    hint: "@",
    pattern:
      /(?<![\w.%+-])[\w.%+-]+@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}?\.[A-Za-z]{2,24}(?![\w-]|\.[A-Za-z0-9])/g
  }
]

/** Keys, of headers and of JSON, whose whole value is a secret. */
export const secretKey =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:\w+[_-])*(?:api[_-]?key|auth[_-]token|access[_-]token|refresh[_-]token|client[_-]secret|password))$/i

/** What is looked for besides the {@link secretKinds}. */
export interface SecretOptions {
  /** The user's home folder; also found in the CLI's encoded form, `-home-ada`. */
  readonly home?: string | undefined
  /** The user's name. One of under three letters, or that means nothing, such as `root`, is not looked for. */
  readonly user?: string | undefined
  /** Values that are secret, such as those of environment variables. Under four characters they are left out. */
  readonly values?: ReadonlyArray<string>
  /** Further patterns; the whole match is the secret. */
  readonly patterns?: ReadonlyArray<RegExp>
}

/** A secret that was found, and where. */
export interface Secret extends Range {
  readonly kind: string
  /** What it is when every escape is resolved: equal for equal secrets. */
  readonly secret: string
}

/** Finds secrets. */
export interface Scanner {
  /** The kinds it looks for. */
  readonly kinds: ReadonlyArray<string>
  /** The secrets of a text, in order, apart from each other. */
  readonly find: (text: string) => ReadonlyArray<Secret>
  /** The whole value of a key as a secret, if its key says so. */
  readonly findUnder: (key: string, text: string) => ReadonlyArray<Secret>
  /** How much of a text's beginning is settled: no secret reaches over this point, whatever follows. */
  readonly settledLength: (text: string) => number
  /** Whether {@link settledLength} can be relied on: nobody knows how far added patterns reach. */
  readonly isExact: boolean
}

/** Any other character than those a secret is made of; a backslash may escape one of them. */
const gap = /[^\w.~+/=%@\\-]/

/** How often a text is unescaped: a JSON string in a JSON string in a tool result in a line, and some. */
const maxDepth = 6

const commonNames = new Set(["root", "user", "node", "admin", "ubuntu", "runner", "claude", "agent", "home", "test"])

interface LiteralForm {
  readonly kind: string
  readonly secret: string
  readonly text: string
  readonly pattern: RegExp
}

const quote = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&")

const utf8 = new TextEncoder()

/** A text as its bytes, one character each: how it is found in a line that is not UTF-8. */
const asBytes = (text: string): string => Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join("")

// `%2Fhome%2Fada`: the F is not part of a word.
const wordBegins = "(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))"
const wordEnds = "(?![A-Za-z0-9])"

const literalForms = ({ home, user, values = [] }: SecretOptions): ReadonlyArray<LiteralForm> => {
  const forms: Array<LiteralForm> = []
  const add = (kind: string, secret: string, texts: ReadonlyArray<string>, before: string, after: string) => {
    for (const text of new Set(texts.flatMap((form) => [form, asBytes(form)])))
      forms.push({ kind, secret, text, pattern: new RegExp(`${before}${quote(text)}${after}`, "g") })
  }
  for (const value of [...values].sort((a, b) => b.length - a.length))
    if (value.length >= 4) add("env", value, [value], "", "")
  // The root stays, so that an absolute path stays one.
  const folder = home?.replace(/^(?:[A-Za-z]:)?[\\/]/, "").replace(/[\\/]+$/, "") ?? ""
  if (folder !== "")
    add(
      "home",
      folder,
      [folder, folder.replace(/\\/g, "/"), folder.replace(/[^A-Za-z0-9]/g, "-"), encodeURIComponent(folder)],
      wordBegins,
      wordEnds
    )
  if (user !== undefined && user.length >= 3 && !commonNames.has(user.toLowerCase()))
    add("user", user, [user], wordBegins, wordEnds)
  return forms
}

const placeholder = /REDACTED_[a-z-]+_\d+/g

/** A scanner for the default kinds and these. */
export const makeScanner = (options: SecretOptions = {}): Scanner => {
  const forms = literalForms(options)
  const added = (options.patterns ?? []).map((pattern) => new RegExp(pattern, `${pattern.flags.replace(/[gy]/g, "")}g`))
  const wide = forms.filter(({ text }) => gap.test(text))
  const opens = secretKinds.flatMap(({ open }) => open ?? [])
  const reach = Math.max(64, ...wide.map(({ text }) => text.length)) * 6

  // Escapes other than \u hide no letter, so a text without any hint has no secret, however it is unescaped.
  const words = forms.map(({ text }) =>
    (text.match(/[A-Za-z0-9]+/g) ?? [""]).reduce((a, b) => (b.length > a.length ? b : a))
  )
  const hints = new RegExp([...secretKinds.map(({ hint }) => hint), "\\\\u"].join("|"), "i")
  const mayHave = (text: string): boolean =>
    added.length > 0 || hints.test(text) || words.some((word) => text.includes(word))

  const scan = (text: string): Array<Secret> => {
    const found: Array<Secret> = []
    const add = (kind: string, pattern: RegExp, secret?: string) => {
      for (const { 0: whole, index } of text.matchAll(pattern))
        if (whole !== "") found.push({ kind, secret: secret ?? whole, start: index, end: index + whole.length })
    }
    for (const { kind, pattern, secret } of forms) add(kind, pattern, secret)
    for (const { kind, pattern } of secretKinds) add(kind, pattern)
    for (const pattern of added) add("pattern", pattern)
    if (found.length === 0) return found
    const done = [...text.matchAll(placeholder)].map(({ 0: whole, index }) => ({
      start: index,
      end: index + whole.length
    }))
    return found.filter((one) => !done.some((other) => overlap(one, other)))
  }

  const find = (text: string): ReadonlyArray<Secret> => {
    if (!mayHave(text)) return []
    const views = viewsOf(text)
    let found: Array<Secret> = []
    for (const [index, view] of views.entries()) {
      const here = scan(view)
      // What is found where more is resolved is nearer to the truth: `\nada@…` is a new line and `ada@…`.
      const kept = index === 0 ? here : notCutting(view, here, isExactly)
      found = apart([...toEscaped(view, found), ...kept], view)
    }
    return found
  }

  // In `C:\\Users\\nora` there is no new line: what is known to the letter is one even where it cuts an escape.
  const exactly = new Set(forms.map(({ kind }) => kind))
  const isExactly = ({ kind }: Secret) => exactly.has(kind)

  const isOpen = (text: string): boolean =>
    viewsOf(text.slice(-reach)).some(
      (view) =>
        opens.some((open) => open.test(view)) ||
        wide.some(({ text: form }) => {
          for (let length = Math.min(form.length - 1, view.length); length > 0; length--)
            if (view.endsWith(form.slice(0, length))) return true
          return false
        })
    )

  return {
    kinds: [
      ...new Set([...forms.map(({ kind }) => kind), ...secretKinds.map(({ kind }) => kind)]),
      ...(added.length > 0 ? ["pattern"] : [])
    ],
    find,
    findUnder: (key, text) => {
      const found = find(text)
      if (found.length > 0 || !secretKey.test(key) || text.length < 8 || text.includes("REDACTED_")) return found
      const start = /^(?:basic|bearer|token)\s+/i.exec(text)?.[0].length ?? 0
      return [{ kind: "bearer", secret: text.slice(start), start, end: text.length }]
    },
    settledLength: (text) => {
      let at = lastGap(text, text.length)
      while (at > 0) {
        const before = text.slice(0, at)
        const begins = opens.map((open) => before.slice(-22_000).search(open)).filter((index) => index !== -1)
        if (begins.length > 0) at = lastGap(text, Math.max(0, at - 22_000) + Math.min(...begins))
        else if (isOpen(before)) at = lastGap(text, at - 1)
        else break
      }
      return at
    },
    isExact: added.length === 0
  }
}

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

const overlap = (one: Range, other: Range): boolean => one.start < other.end && other.start < one.end

/** Of secrets that overlap one is left, over all of their ranges; of equal ones the first. */
const apart = (found: ReadonlyArray<Secret>, text: string): Array<Secret> => {
  const sorted = [...found].sort((a, b) => a.start - b.start || b.end - a.end)
  const result: Array<Secret> = []
  for (const next of sorted) {
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
