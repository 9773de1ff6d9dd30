/**
 * Two sessions that are the same except for their ids.
 *
 * Session ids, uuids, request ids, temporary folders and the like differ from run to run. A {@link Renamer}
 * compares what was recorded with what is said now, learns on the way which id stands for which (one to one:
 * two ids never become one), and can rewrite a recorded line with today's ids. Times, costs and token counts are
 * not compared. What is an id and what is not compared are tables.
 *
 * ```ts
 * const renamer = makeRenamer()
 * renamer.match(recordedHostLine, hostLine) // [] when they agree; their ids are then known
 * renamer.rewrite(recordedAgentLine)        // the line with the host's ids
 * ```
 */

import { type JsonPath, renderPath } from "../wire/internal/JsonPath.ts"
import { literals, unescapeOnce } from "../wire/internal/JsonText.ts"
import { isRecord } from "../wire/Json.ts"
import { parseJson } from "../wire/ReadJson.ts"

/** A place where two messages differ. `undefined` where one of them has nothing. */
export interface Difference {
  /** As JSONPath. */
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}

/**
 * How much must agree.
 * - `strict`: all but ids and what is not compared.
 * - `shape`: the same keys with values of the same type, the same {@link discriminators}; lists may differ in length.
 */
export type MatchMode = "strict" | "shape"

/** Compares lines and rewrites them. Lines come with or without their `\n`. */
export interface Renamer {
  /** The ids known so far. */
  readonly ids: IdBijection
  /** Where two lines differ. When they do not, their ids are kept: this is how a renamer learns. */
  readonly match: (expected: string, actual: string, mode?: MatchMode) => ReadonlyArray<Difference>
  /** Like {@link match}, but learns nothing: to look for the nearest line. */
  readonly compare: (expected: string, actual: string, mode?: MatchMode) => ReadonlyArray<Difference>
  /** The same, for JSON that has been parsed. */
  readonly matchValue: (expected: unknown, actual: unknown, mode?: MatchMode) => ReadonlyArray<Difference>
  readonly compareValue: (expected: unknown, actual: unknown, mode?: MatchMode) => ReadonlyArray<Difference>
  /** A recorded line with today's ids. Every byte outside a known id stays. */
  readonly rewrite: (line: string) => string
}

/** Ids of one side and the ids of the other that stand for them, one to one. */
export class IdBijection {
  readonly #there = new Map<string, string>()
  readonly #back = new Map<string, string>()

  /** Keeps a pair; false, and nothing kept, when one of the two belongs to another. */
  bind(expected: string, actual: string): boolean {
    const there = this.#there.get(expected)
    const back = this.#back.get(actual)
    if (there === undefined && back === undefined) {
      this.#there.set(expected, actual)
      this.#back.set(actual, expected)
      return true
    }
    return there === actual
  }

  /** What stands for a recorded id now. */
  get(expected: string): string | undefined {
    return this.#there.get(expected)
  }

  /** The recorded id that this one stands for. */
  origin(actual: string): string | undefined {
    return this.#back.get(actual)
  }

  /** All pairs, in the order they were learned. */
  entries(): IterableIterator<[string, string]> {
    return this.#there.entries()
  }

  /** How many there are. */
  get size(): number {
    return this.#there.size
  }
}

/** Keys whose strings are ids, whatever they look like. */
export const idKeys: ReadonlyArray<RegExp> = [
  /^id$/,
  /^uuids?$/i,
  /_ids?$/,
  /[a-z]Ids?$/,
  /_uuids?$/,
  /[a-z]Uuids?$/,
  /^cancelled$/
]

/** Keys that look like those of ids but are not: names that a host or the CLI gave on purpose. */
export const notIdKeys: ReadonlyArray<RegExp> = [/^callback_id$/, /^hookCallbackIds$/, /^model_?id$/i]

/** Keys of times, costs, durations and token counts: not compared, present or not. */
export const ignoredKeys: ReadonlyArray<RegExp> = [
  /_ms$/,
  /[a-z]Ms$/,
  /_usd$/i,
  /USD$/,
  /tokens?$/i,
  /Tokens?[A-Z]/,
  /^tokens_/,
  /_tokens_/,
  /^timestamp$/,
  /_at$/,
  /[a-z]At$/,
  /_time$/,
  /^mtime$/,
  /Time$/,
  /^duration/i,
  /[dD]uration(Seconds)?$/,
  /_seconds$/,
  /^percentage$/,
  /^squareFullness$/,
  /^gridRows$/,
  /^pid$/,
  /^(time_to_request|ttft)/,
  /^startup_/,
  /_phases?$/,
  /^progressToken$/
]

/** Keys whose values say what a message is: compared in every mode. */
export const discriminators: ReadonlySet<string> = new Set(["type", "subtype", "role", "behavior", "method"])

/**
 * What in a text is an id, by kind; a kind only stands for the same kind. `random` is what looks made up by a
 * machine: six or more letters and digits, some of each.
 */
export const idPatterns: Readonly<Record<string, string>> = {
  placeholder: "REDACTED_[a-z-]+_\\d+",
  uuid: "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
  prefixed: "(?:msg|toolu|srvtoolu|mcptoolu|req|file|container|task|session|cse)_[A-Za-z0-9]+",
  workflow: "wf_[0-9a-f]{8}-[0-9a-f]{3}",
  peer: "(?<=session is [\\w.]{1,60}-)[0-9a-z]+",
  named: "(?<=\\b(?:ID|agentId|agent_id|task_id|run_id|runId)(?:: ?|>))[A-Za-z0-9][\\w-]{5,}",
  bracketed: "(?<=\\[)[0-9a-f]{6}(?=\\])",
  dated: "(?<=-1\\d{12}-)[a-z0-9]{4,10}(?![A-Za-z0-9])",
  temporary: "(?<=[/-](?:tmp|T)[/-][\\w.]{1,60}-)[A-Za-z0-9]{6}(?![A-Za-z0-9])",
  process: "(?<=cc-socks/)\\d+|(?<=/tmp/claude-(?:\\d+/)?)\\d+(?=/)",
  port: "(?<=(?:127\\.0\\.0\\.1|localhost|\\[::1\\]):)\\d{2,5}",
  random: "(?<![A-Za-z0-9])(?=[A-Za-z]*\\d)(?=\\d*[A-Za-z])[A-Za-z0-9]{6,}"
}

/** What in a text is a time or a size: not compared. */
export const ignoredPatterns: Readonly<Record<string, string>> = {
  instant: "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z?",
  epoch: "(?<![A-Za-z0-9])1\\d{12}(?![A-Za-z0-9])",
  measure: "(?<=(?:duration_ms|total_tokens|subagent_tokens|tool_uses)\\W{1,4})\\d+"
}

const kinds = [...Object.entries(ignoredPatterns), ...Object.entries(idPatterns), ["word", "[A-Za-z0-9]+"] as const]

/** By the numbers of their groups: names would be an object for every word of a tape, and most of the time it takes. */
const token = new RegExp(kinds.map(([, pattern]) => `(${pattern})`).join("|"), "gu")

interface Token {
  readonly kind: string
  readonly text: string
}

/** The tokens of a text and what is between them: always one more of these. */
const tokenize = (text: string): { readonly tokens: ReadonlyArray<Token>; readonly between: ReadonlyArray<string> } => {
  const tokens: Array<Token> = []
  const between: Array<string> = []
  let from = 0
  token.lastIndex = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    let group = kinds.length
    while (group > 1 && match[group] === undefined) group--
    between.push(text.slice(from, match.index))
    tokens.push({ kind: kinds[group - 1]?.[0] ?? "word", text: match[0] })
    from = token.lastIndex
  }
  between.push(text.slice(from))
  return { tokens, between }
}

const someMatch = (patterns: ReadonlyArray<RegExp>, key: string): boolean =>
  patterns.some((pattern) => pattern.test(key))

const memo = (test: (key: string) => boolean): ((key: string) => boolean) => {
  const known = new Map<string, boolean>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = test(key)
    // Keys come from the wire: the memory is bounded whatever it sends.
    if (known.size < 10_000) known.set(key, value)
    return value
  }
}

/** Whether the strings under this key are ids. */
export const isIdKey: (key: string) => boolean = memo((key) => someMatch(idKeys, key) && !someMatch(notIdKeys, key))

/** Whether what is under this key is not compared. */
export const isIgnoredKey: (key: string) => boolean = memo((key) => someMatch(ignoredKeys, key))

/** The pairs one comparison would add: kept only when it finds no difference. */
class Trial {
  readonly differences: Array<Difference> = []
  readonly #ids: IdBijection
  readonly #mode: MatchMode
  #there = new Map<string, string>()
  #back = new Map<string, string>()

  constructor(ids: IdBijection, mode: MatchMode) {
    this.#ids = ids
    this.#mode = mode
  }

  keep(): void {
    for (const [expected, actual] of this.#there) this.#ids.bind(expected, actual)
  }

  values(expected: unknown, actual: unknown, key: string, path: JsonPath): void {
    if (isIgnoredKey(key)) return
    if (typeof expected === "string" && typeof actual === "string") {
      if (!this.#strings(expected, actual, key)) this.#differ(path, expected, actual)
    } else if (Array.isArray(expected) && Array.isArray(actual)) {
      this.#lists(expected, actual, key, path)
    } else if (isRecord(expected) && isRecord(actual)) {
      this.#objects(expected, actual, path)
    } else if (this.#mode === "shape" ? kindOf(expected) !== kindOf(actual) : expected !== actual) {
      this.#differ(path, expected, actual)
    }
  }

  #differ(path: JsonPath, expected: unknown, actual: unknown): void {
    this.differences.push({ path: renderPath(path), expected, actual })
  }

  #lists(expected: ReadonlyArray<unknown>, actual: ReadonlyArray<unknown>, key: string, path: JsonPath): void {
    const before = this.differences.length
    const length = (this.#mode === "shape" ? Math.min : Math.max)(expected.length, actual.length)
    for (let index = 0; index < length; index++) {
      if (index >= actual.length) this.#differ([...path, index], expected[index], undefined)
      else if (index >= expected.length) this.#differ([...path, index], undefined, actual[index])
      else this.values(expected[index], actual[index], key, [...path, index])
    }
    if (this.differences.length > before + 1 && [...expected, ...actual].every((item) => typeof item === "string"))
      this.#names(expected, actual, path, before)
  }

  /** For lists of names, reports which were added and removed, when that is shorter. */
  #names(expected: ReadonlyArray<unknown>, actual: ReadonlyArray<unknown>, path: JsonPath, before: number): void {
    const gone = expected.flatMap((item, index) => (actual.includes(item) ? [] : [{ item, index }]))
    const come = actual.flatMap((item, index) => (expected.includes(item) ? [] : [{ item, index }]))
    const count = gone.length + come.length
    if (count === 0 || count >= this.differences.length - before) return
    this.differences.length = before
    for (const { index, item } of gone) this.#differ([...path, index], item, undefined)
    for (const { index, item } of come) this.#differ([...path, index], undefined, item)
  }

  #objects(
    expected: Readonly<Record<string, unknown>>,
    actual: Readonly<Record<string, unknown>>,
    path: JsonPath
  ): void {
    const extra = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key) && !isIgnoredKey(key))
    for (const key of Object.keys(expected)) {
      if (isIgnoredKey(key)) continue
      if (Object.hasOwn(actual, key)) {
        this.values(expected[key], actual[key], key, [...path, key])
        continue
      }
      // A key can be an id or a path with one.
      const at = extra.findIndex((other) => this.#attempt(() => this.#tokens(key, other)))
      const other = extra[at]
      if (other === undefined) this.#differ([...path, key], expected[key], undefined)
      else {
        extra.splice(at, 1)
        this.values(expected[key], actual[other], key, [...path, key])
      }
    }
    for (const key of extra) this.#differ([...path, key], undefined, actual[key])
  }

  #strings(expected: string, actual: string, key: string): boolean {
    if (isIdKey(key)) return this.#bind(expected, actual) || this.#attempt(() => this.#tokens(expected, actual))
    if (expected === actual) return true
    if (this.#mode === "shape") return !discriminators.has(key)
    return (
      this.#attempt(() => this.#tokens(expected, actual)) ||
      this.#attempt(() => this.#redacted(expected, actual)) ||
      (key === "cwd" && this.#bind(expected, actual))
    )
  }

  #tokens(expected: string, actual: string): boolean {
    const left = tokenize(expected)
    const right = tokenize(actual)
    return (
      left.tokens.length === right.tokens.length &&
      left.between.every((text, index) => text === right.between[index]) &&
      left.tokens.every((one, index) => {
        const other = right.tokens[index]
        return other !== undefined && this.#pair(one, other)
      })
    )
  }

  #pair(one: Token, other: Token): boolean {
    if (this.#get(one.text) === other.text) return true
    if (Object.hasOwn(ignoredPatterns, one.kind)) return one.kind === other.kind
    if (one.text === other.text) return true
    // A word can be an id that its key revealed elsewhere; by now that is known, or it is not an id.
    return one.kind !== "word" && one.kind === other.kind && this.#bind(one.text, other.text)
  }

  /** A placeholder in what was recorded stands for whatever is there now, the same everywhere. */
  #redacted(expected: string, actual: string): boolean {
    const names = expected.match(placeholders)
    if (names === null) return false
    const around = expected.split(placeholders).map(quote)
    const found = new RegExp(`^${around.join("([\\s\\S]+?)")}$`).exec(actual)
    return found !== null && names.every((name, index) => this.#bind(name, found[index + 1] ?? ""))
  }

  #get(expected: string): string | undefined {
    return this.#there.get(expected) ?? this.#ids.get(expected)
  }

  #bind(expected: string, actual: string): boolean {
    const there = this.#get(expected)
    if (there !== undefined) return there === actual
    if (this.#back.has(actual) || this.#ids.origin(actual) !== undefined) return false
    this.#there.set(expected, actual)
    this.#back.set(actual, expected)
    return true
  }

  /** What it binds stays only when it succeeds. */
  #attempt(step: () => boolean): boolean {
    const there = new Map(this.#there)
    const back = new Map(this.#back)
    if (step()) return true
    this.#there = there
    this.#back = back
    return false
  }
}

const placeholders = new RegExp(idPatterns["placeholder"] ?? "", "g")

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "list" : typeof value === "object" ? "object" : typeof value

/** A line as it is compared: as JSON where it is JSON, else as text. */
const read = (line: string): unknown => {
  const value = parseJson(line)
  return value === undefined ? line.replace(/\r?\n$/, "") : value
}

/** A renamer that knows no ids yet, or these. */
export const makeRenamer = (ids: IdBijection = new IdBijection()): Renamer => {
  const compareValue = (expected: unknown, actual: unknown, mode: MatchMode = "strict", keep = false) => {
    const trial = new Trial(ids, mode)
    trial.values(expected, actual, "", [])
    if (keep && trial.differences.length === 0) trial.keep()
    return trial.differences
  }
  return {
    ids,
    match: (expected, actual, mode) => compareValue(read(expected), read(actual), mode, true),
    compare: (expected, actual, mode) => compareValue(read(expected), read(actual), mode),
    matchValue: (expected, actual, mode) => compareValue(expected, actual, mode, true),
    compareValue: (expected, actual, mode) => compareValue(expected, actual, mode),
    rewrite: (line) => rewrite(line, ids)
  }
}

/** Under an id's key the whole string is looked up; elsewhere only what cannot be mistaken for a word. */
const rewrite = (line: string, ids: IdBijection): string => {
  if (ids.size === 0) return line
  if (!/^\s*[{[]/.test(line)) return rewriteText(line, ids)
  let result = ""
  let at = 0
  for (const { end, isKey, path, start } of literals(line)) {
    const written = line.slice(start, end)
    const key = path.findLast((name) => name !== "") ?? ""
    const known = !isKey && (isIdKey(key) || key === "cwd") ? ids.get(unescapeOnce(written)) : undefined
    result += line.slice(at, start)
    result += known === undefined ? rewriteText(written, ids) : JSON.stringify(known).slice(1, -1)
    at = end
  }
  return result + line.slice(at)
}

const rewriteText = (text: string, ids: IdBijection): string => {
  const changed = changedIds(ids)
  return changed === undefined ? text : text.replace(changed, (id) => JSON.stringify(ids.get(id) ?? id).slice(1, -1))
}

const compiled = new WeakMap<IdBijection, { readonly size: number; readonly pattern: RegExp | undefined }>()

/** Finds the ids that have changed and are too long to be mistaken for a word. */
const changedIds = (ids: IdBijection): RegExp | undefined => {
  const known = compiled.get(ids)
  if (known?.size === ids.size) return known.pattern
  const changed = [...ids.entries()].flatMap(([id, now]) => (id !== now && id.length >= 6 ? [quote(id)] : []))
  const longestFirst = changed.sort((a, b) => b.length - a.length).join("|")
  const pattern =
    changed.length === 0 ? undefined : new RegExp(`(?<![A-Za-z0-9])(?:${longestFirst})(?![A-Za-z0-9])`, "g")
  compiled.set(ids, { size: ids.size, pattern })
  return pattern
}

const quote = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&")

/** What is left of a message without its ids, times and sizes, as text: equal for messages that may match. */
export const signatureOf = (value: unknown, key = ""): string => {
  if (typeof value === "string") return isIdKey(key) ? "<id>" : JSON.stringify(anonymous(value))
  if (Array.isArray(value)) return `[${value.map((item) => signatureOf(item, key)).join()}]`
  if (!isRecord(value)) return String(value)
  const members = Object.keys(value)
    .filter((name) => !isIgnoredKey(name))
    .map((name) => `${JSON.stringify(anonymous(name))}:${signatureOf(value[name], name)}`)
  return `{${members.sort().join()}}`
}

const anonymous = (text: string): string => {
  const { between, tokens } = tokenize(text)
  return between.map((part, index) => part + nameOf(tokens[index])).join("")
}

const nameOf = (one: Token | undefined): string =>
  one === undefined ? "" : one.kind === "word" ? one.text : `<${one.kind}>`
