/**
 * Secrets that their names give away: `DB_PASSWORD=…`, `"api_key": "…"`, `password: …`, `--token …`,
 * `<password>…</password>`, `- name: API_KEY` over `value: …`, `x-api-key: …`, and the password that "is" something.
 */
import { column } from "./Columns.ts"
import { newLine } from "./Line.ts"
import { type Named, namedAs, nameWords } from "./Name.ts"
import { type Look, matchAt, nothing, notYet, type Rule, type Sighting } from "./Rule.ts"
import { isSecretValue, judged, type Writing } from "./Value.ts"

/** A name and what leads to its value is no longer than this. */
const leadLength = 200
const longestName = 64

const nameBefore = /[\w.-]{0,64}$/
const nameAfter = /[\w-]{0,64}/y

/** From a name to its value; the first that matches. */
const leads: ReadonlyArray<{ readonly pattern: RegExp; readonly how: Partial<Lead> }> = [
  {
    // `- name: X` over `value: y`, and the same in JSON and XML.
    pattern: new RegExp(
      `["']?[ \\t]{0,8}(?:,|${newLine}|[ \\t])[ \\t\\r\\n]{0,40}["']?value["']?[ \\t]{0,4}[:=][ \\t]{0,4}`,
      "iy"
    ),
    how: { isOwnLine: true }
  },
  // `<key>X</key><string>y</string>`, `<name>X</name><value>y</value>`.
  {
    pattern: new RegExp(`</(?:key|name)>(?:${newLine})?[ \\t]{0,40}<(?:string|value)>(?=[^<>\\s]{1,256}</)`, "iy"),
    how: { isOwnLine: true }
  },
  // The parts of a form, each with its name.
  { pattern: new RegExp(`["']${newLine}${newLine}[ \\t]{0,8}`, "y"), how: { isOwnLine: true } },
  // `password: str = "…"`, `let token: String = "…"`.
  { pattern: /\??[ \t]{0,4}:[ \t]{0,4}[&\w.<>[\]|']{1,40}[ \t]{0,4}=[ \t]{0,4}(?=["'`])/y, how: {} },
  // `["password"]=>` over `string(8) "…"`.
  { pattern: new RegExp(`["']\\]=>${newLine}[ \\t]{0,40}string\\(\\d{1,6}\\) (?=")`, "y"), how: {} },
  // A cell of a table, and the next.
  { pattern: /[ \t]{0,40}[|\u2502][ \t]{1,40}(?=\S)/y, how: { isTold: true } },
  {
    pattern: /["'`]?\]?\??[ \t]{0,20}(?:=>|:=|\?\?=|\|\|=|={1,3}|::?)[ \t]{0,20}(?:\r?\n[ \t]{0,60}(?=["']))?/y,
    how: {}
  },
  { pattern: /[ \t]{1,4}(?:(?:is|was|are)(?: now)?:?|=|:)[ \t]{1,4}/iy, how: { isTold: true } }
]
/** After the name of an option: the next word, or the next text of a list. */
const optionLead = /[ \t]{1,4}|["'`][ \t]{0,4},[ \t\r\n]{0,60}(?=["'`])/y
/** The text of an element, which may have attributes. */
const elementLead = /(?:[ \t][^<>]{0,120})?>(?=[^<>\s]{1,256}<\/)/y
/** `WITH PASSWORD '…'`, `PASSWORD('…')`. */
const sqlLead = /(?:[ \t]{1,4}|\()(?=')/y
/** `aws configure set aws_secret_access_key …`. */
const spaces = /[ \t]{1,4}(?=[^\s"'`:=,;(){}[\]<>|]{16})/y

interface Lead {
  /** Where the value begins, with its quote. */
  readonly end: number
  readonly isOwnLine: boolean
  readonly isAssigned: boolean
  readonly isOption: boolean
  /** In a sentence. */
  readonly isTold: boolean
  /** Nothing but a space is between the name and what may be its value. */
  readonly isSpaced: boolean
}

const noLead = { isAssigned: false, isOption: false, isOwnLine: false, isSpaced: false, isTold: false }

const leadFrom = (text: string, nameStart: number, nameEnd: number): Lead | undefined => {
  for (const { how, pattern } of leads) {
    const match = matchAt(pattern, text, nameEnd)
    if (match === null) continue
    const isTight = match[0] === "=" || match[0] === ":="
    return {
      ...noLead,
      end: nameEnd + match[0].length,
      isAssigned: isTight,
      isOwnLine: isTight || /[ \t]$/.test(match[0]),
      ...how
    }
  }
  const isOption = text.startsWith("-", nameStart)
  const match =
    matchAt(isOption ? optionLead : sqlLead, text, nameEnd) ?? (isOption ? null : matchAt(elementLead, text, nameEnd))
  if (match !== null) return { ...noLead, end: nameEnd + match[0].length, isAssigned: isOption, isOption }
  const space = matchAt(spaces, text, nameEnd)
  return space === null ? undefined : { ...noLead, end: nameEnd + space[0].length, isSpaced: true }
}

/** A value: where it is without its quotes, and how far was looked. */
const readValue = (
  text: string,
  lead: Lead,
  isEnvironment: boolean
): { start: number; end: number; isQuoted: boolean } => {
  const quote = text.charAt(lead.end)
  if (quote === '"' || quote === "'" || quote === "`") {
    let end = lead.end + 1
    while (end < text.length && text.charAt(end) !== quote && text.charAt(end) !== "\n")
      end += text.charAt(end) === "\\" ? 2 : 1
    return { start: lead.end + 1, end: Math.min(end, text.length), isQuoted: true }
  }
  if (isEnvironment) {
    const value = matchAt(unbroken, text, lead.end)?.[0] ?? ""
    return { start: lead.end, end: lead.end + value.replace(/[;,)\]}]{1,8}$/, "").length, isQuoted: false }
  }
  let end = lead.end + (matchAt(plain, text, lead.end)?.[0].length ?? 0)
  while (end < text.length && /[)\]}]/.test(text.charAt(end)) && matchAt(closing, text, end) === null)
    end += 1 + (matchAt(plain, text, end + 1)?.[0].length ?? 0)
  return { start: lead.end, end, isQuoted: false }
}

const unbroken = /[^\s"'`]*/y
const plain = /[^\s"'`,;&<>|)\]}]*/y
/** Brackets that close what is around a value, and are not part of it. */
const closing = /[)\]}]{1,8}(?=[\s,;."'`]|$)/y

const look = (text: string, at: number, word: string): Look => {
  const before = nameBefore.exec(text.slice(Math.max(0, at - longestName), at))?.[0] ?? ""
  const after = matchAt(nameAfter, text, at + word.length)?.[0] ?? ""
  const nameEnd = at + word.length + after.length
  const name = text.slice(at - before.length, nameEnd).replace(/^-+/, "")
  const open = notYet(at + leadLength)
  // The last of the words of a name speaks for all of it.
  const named = namedAs(name.slice(name.lastIndexOf(".") + 1)) ?? namedAs(name)
  if (named === undefined) return nothing(nameEnd)
  const lead = leadFrom(text, at - before.length, nameEnd)
  if (lead === undefined) return open
  return judge(text, lead, named, name, open)
}

/** `API key`, `access key`: a name of two words, in prose. */
const lookAtWords = (text: string, at: number, words: string): Look => {
  const lead = leadFrom(text, at, at + words.length)
  const open = notYet(at + leadLength)
  return lead === undefined || lead.isSpaced ? open : judge(text, lead, "secret", words, open)
}

/** After these words come a name and, behind a space or in the next quotes, its value. */
const settings = ["ENV ", "ARG ", "setenv ", "set -x ", "set -gx ", "set -Ux "]
const calls = ["define(", "etenv(", "utenv(", ".set(", ".append(", ".setdefault(", "etItem(", "eader(", "roperty("]
const settingName = /[ \t]{0,4}["'`]?([\w.-]{2,64})(?:["'`][ \t]{0,4},[ \t]{0,4}(?=["'`])|[ \t]{1,4}(?=[^\s=]))/y

const lookAtSetting = (text: string, at: number, word: string): Look => {
  const match = matchAt(settingName, text, at + word.length)
  const open = notYet(at + leadLength)
  const name = match?.[1] ?? ""
  const named = namedAs(name)
  if (match === null || named === undefined) return open
  const end = at + word.length + match[0].length
  const isQuoted = /["'`]/.test(text.charAt(end))
  const lead: Lead = { ...noLead, end, isAssigned: true, isOption: word.endsWith(" "), isOwnLine: true }
  return isQuoted || word.endsWith(" ") ? judge(text, lead, named, name, open) : open
}

const judge = (text: string, lead: Lead, named: Named, name: string, open: Look): Look => {
  if (named === "header") return lookAtHeader(text, lead, name)
  const isEnvironment = lead.isAssigned && !lead.isOption && name === name.toUpperCase()
  const { end, isQuoted, start } = readShort(text, lead, isEnvironment)
  const seen = seenBehind(text, end, isQuoted)
  const writing: Writing = {
    isQuoted,
    isAssigned: lead.isAssigned || lead.isSpaced,
    isOwnLine: lead.isOwnLine && !/^[A-Z][a-z]/.test(name) && /^[ \t\r]*(?:\n|$)/.test(text.slice(end, end + 16))
  }
  const value = text.slice(start, lead.isTold ? trimmed(text, start, end) : end)
  if (lead.isSpaced && !(/[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value)) && !isHex(value)) return open
  // More text may show that what was read was the type, and the value comes after it.
  const rejected: Look = { ...open, seen }
  if (lead.isTold && !(value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value))) return rejected
  if (!isSecretValue(named, value, writing)) return rejected
  const whole = readValue(text, lead, isEnvironment)
  const last = lead.isTold ? trimmed(text, start, whole.end) : whole.end
  return {
    seen: seenBehind(text, whole.end, isQuoted),
    secrets: [sighting(start, last, named === "password" ? "password" : "secret", name)]
  }
}

/** Sixteen bytes or more, in hexadecimal or as a UUID. */
const isHex = (value: string): boolean => /^(?:[0-9a-f]{32,}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i.test(value)

/** Whether quotes end, brackets close and the line ends is seen behind a value. */
const seenBehind = (text: string, end: number, isQuoted: boolean): number =>
  end + 1 + (isQuoted ? 0 : (matchAt(behind, text, end)?.[0].length ?? 0))

const behind = /[)\]}]{0,8}[ \t\r]{0,16}<?/y

/** A value that is rejected is read as far as it is judged, and no further. */
const readShort = (text: string, lead: Lead, isEnvironment: boolean) =>
  readValue(text.length > lead.end + judged + 2 ? text.slice(0, lead.end + judged + 2) : text, lead, isEnvironment)

const trimmed = (text: string, start: number, end: number): number => {
  let last = end
  while (last > start && /[.!?:)]/.test(text.charAt(last - 1))) last--
  return last
}

const sighting = (start: number, end: number, kind: string, name: string): Sighting => ({
  start,
  end,
  kind,
  because: `is the value of ${shownName(name)}`
})

/** A name may be anything: of an odd one only the word that counts is shown. */
const shownName = (name: string): string => {
  const known = nameWords.filter((word) => name.toLowerCase().includes(word))
  return /^[A-Za-z]+(?:[._-]?[A-Za-z]+){0,5}$/.test(name) && name.length <= 40
    ? name
    : `a name with ${known[0] ?? "a secret"}`
}

const scheme =
  /(?:basic|bearer|token|apikey|api-key|negotiate|ntlm|digest|hawk|oauth|aws4-hmac-sha256|sharedaccesssignature|sharedkey|flyv1|key|bot|dsn)[ \t]{1,4}/iy
/** One that nobody here knows of: `SSWS …`, `GenieKey …`. */
const otherScheme = /[A-Za-z][\w-]{1,30}[ \t]{1,4}(?=[\w.~+/=:-]{16})(?=[A-Za-z_.~+/=:-]{0,40}\d)/y
const several = /^(?:digest|hawk|oauth|aws4|shared)/i
const cookieName = /^(?:set-)?cookie$/i
const attributes = /^(?:path|domain|expires|max-age|samesite|version|priority)$/i

/** `Authorization: Bearer …`, `Cookie: a=…; b=…`, `x-api-key: …`, with the end of the line or of the quotes. */
const lookAtHeader = (text: string, lead: Lead, name: string): Look => {
  if (lead.isTold) return nothing(lead.end + 1)
  const quote = /["'`]/.test(text.charAt(lead.end)) ? text.charAt(lead.end) : ""
  const from = lead.end + quote.length
  const isCookie = cookieName.test(name)
  const scheming =
    matchAt(scheme, text, from) ?? (/authorization$/i.test(name) ? matchAt(otherScheme, text, from) : null)
  const start = from + (scheming?.[0].length ?? 0)
  const isLong = isCookie || several.test(scheming?.[0] ?? "")
  const stops = isCookie ? /[\r\n"'`]/ : isLong ? /[\r\n'`]/ : /[\s"'`,;<>)\]}]/
  const isEnd = (char: string) => (quote === "" ? stops.test(char) : char === quote || char === "\n")
  const readTo = (limit: number): number => {
    let end = start
    while (end < limit && !isEnd(text.charAt(end))) end += text.charAt(end) === "\\" && isLong ? 2 : 1
    return Math.min(end, limit)
  }
  const short = readTo(Math.min(text.length, start + judged + 2))
  const value = text.slice(start, short)
  if (isCookie && value.includes("=")) {
    const end = readTo(text.length)
    return { seen: end + 1, secrets: cookiesOf(text.slice(start, end), start), done: end }
  }
  const writing: Writing = { isQuoted: quote !== "", isAssigned: false, isOwnLine: true }
  const isFound = isSecretValue("header", value, writing) && (scheming !== null || quote !== "" || isPlainHeader(value))
  if (!isFound) return { ...nothing(Math.max(short + 1, lead.end + 40)), reach: lead.end + 120 }
  const end = readTo(text.length)
  // What was taken for the credentials may turn out to be the scheme before them.
  const reach = scheming === null ? lead.end + 120 : 0
  return { seen: end + 1, reach, secrets: [sighting(start, end, kindOf(name), name)] }
}

const isPlainHeader = (value: string): boolean => /\d/.test(value) || /[a-z][A-Z]/.test(value) || value.length >= 20

/** What a header's secret is called. */
const kindOf = (name: string): string =>
  /authorization$/i.test(name) ? "bearer" : cookieName.test(name) ? "cookie" : "secret"

/** The values of cookies; which are there, and what is known about them, stays. */
const cookiesOf = (value: string, at: number): ReadonlyArray<Sighting> => {
  const found: Array<Sighting> = []
  let start = at
  for (const part of value.split(";")) {
    const equals = part.indexOf("=")
    const content = part.slice(equals + 1).trimEnd()
    if (
      equals !== -1 &&
      content.length >= 4 &&
      !attributes.test(part.slice(0, equals).trim()) &&
      !content.includes("REDACTED_")
    )
      found.push({
        start: start + equals + 1,
        end: start + equals + 1 + content.length,
        kind: "cookie",
        because: "is the value of a cookie"
      })
    start += part.length + 1
  }
  return found
}

const none: ReadonlyArray<Sighting> = []

/** The whole of a value that stands under this name in JSON, or follows it in a list. */
export const valueUnder = (name: string, value: string): ReadonlyArray<Sighting> => {
  const option = name.startsWith("-") ? name.replace(/^-+/, "") : name
  const named = namedAs(option)
  if (named === undefined || value.length > 20_000) return none
  const writing: Writing = { isQuoted: true, isAssigned: name !== option, isOwnLine: false }
  if (named !== "header")
    return isSecretValue(named, value, writing)
      ? [sighting(0, value.length, named === "password" ? "password" : "secret", option)]
      : []
  if (cookieName.test(option) && /^[\w!#$%&'*+.^`|~-]{1,60}=/.test(value)) return cookiesOf(value, 0)
  const start = matchAt(scheme, value, 0)?.[0].length ?? 0
  return isSecretValue(named, value.slice(start), writing)
    ? [sighting(start, value.length, kindOf(option), option)]
    : []
}

/** The rule for values with telling names. */
export const assignedRules: ReadonlyArray<Rule> = [
  {
    rule: "named value",
    kind: "secret",
    because: "has a telling name",
    words: nameWords,
    ignoreCase: true,
    isWide: true,
    look
  },
  {
    rule: "value named in two words",
    kind: "secret",
    because: "has a telling name",
    words: ["api", "access", "secret", "auth", "license", "licence", "encryption", "signing", "account"].map(
      (word) => `${word} key`
    ),
    ignoreCase: true,
    isWide: true,
    look: lookAtWords
  },
  {
    rule: "value that is set",
    kind: "secret",
    because: "has a telling name",
    words: [...settings, ...calls],
    isWide: true,
    look: lookAtSetting
  },
  {
    rule: "column",
    kind: "secret",
    because: "is in a column with a telling name",
    words: nameWords,
    ignoreCase: true,
    isWide: true,
    look: column
  }
]
