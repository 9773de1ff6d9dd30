/**
 * One comparison of two messages: where they differ, and which ids would then stand for which. The ids are kept only when
 * nothing differs.
 *
 * Whoever wrote the messages decides how many ids, keys and differences there are, so every step costs what it is about
 * and no more: taking back what an attempt has bound, looking for a key that has another name, saying where it differs.
 */
import { type JsonPath, renderPath } from "../wire/internal/JsonPath.ts"
import { isRecord } from "../wire/Json.ts"
import type { IdBijection } from "./IdBijection.ts"
import { discriminators, isIdKey, isIgnoredKey } from "./IdKeys.ts"
import { idPatterns, ignoredPatterns, type Token, tokenize } from "./IdText.ts"
import { OtherKeys } from "./OtherKeys.ts"

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

/** The most differences that are told of one message. */
export const maxDifferences = 1000

/** How much of a path is told: the keys of a stranger may be as long as a message, and nest two thousand levels. */
const maxSteps = 100
const maxKey = 200

const shownPath = (path: JsonPath): string => {
  const steps = path.length > maxSteps ? [...path.slice(0, maxSteps / 2), "…", ...path.slice(-maxSteps / 2)] : path
  return renderPath(
    steps.map((step) => (typeof step === "string" && step.length > maxKey ? `${step.slice(0, maxKey)}…` : step))
  )
}

/** The pairs one comparison would add: kept only when it finds no difference. */
export class Trial {
  readonly differences: Array<Difference> = []
  readonly #ids: IdBijection
  readonly #mode: MatchMode
  readonly #there = new Map<string, string>()
  readonly #back = new Set<string>()
  /** What was bound, in order: an attempt that fails takes back what came since. */
  readonly #bound: Array<readonly [expected: string, actual: string]> = []
  /** Where we are. */
  readonly #path: Array<string | number> = []

  constructor(ids: IdBijection, mode: MatchMode) {
    this.#ids = ids
    this.#mode = mode
  }

  keep(): void {
    for (const [expected, actual] of this.#there) this.#ids.bind(expected, actual)
  }

  values(expected: unknown, actual: unknown, key = ""): void {
    if (isIgnoredKey(key)) return
    if (typeof expected === "string" && typeof actual === "string") {
      if (!this.#strings(expected, actual, key)) this.#differ(expected, actual)
    } else if (Array.isArray(expected) && Array.isArray(actual)) {
      this.#lists(expected, actual, key)
    } else if (isRecord(expected) && isRecord(actual)) {
      this.#objects(expected, actual)
    } else if (this.#mode === "shape" ? kindOf(expected) !== kindOf(actual) : expected !== actual) {
      this.#differ(expected, actual)
    }
  }

  #differ(expected: unknown, actual: unknown): void {
    if (this.differences.length < maxDifferences)
      this.differences.push({ path: shownPath(this.#path), expected, actual })
  }

  /** Does something one step further in. */
  #within(step: string | number, work: () => void): void {
    this.#path.push(step)
    work()
    this.#path.pop()
  }

  #lists(expected: ReadonlyArray<unknown>, actual: ReadonlyArray<unknown>, key: string): void {
    const before = this.differences.length
    const length = (this.#mode === "shape" ? Math.min : Math.max)(expected.length, actual.length)
    for (let index = 0; index < length; index++) {
      // No closure around what is within: a message may nest two thousand levels, and each would be two more calls.
      this.#path.push(index)
      if (index >= actual.length) this.#differ(expected[index], undefined)
      else if (index >= expected.length) this.#differ(undefined, actual[index])
      else this.values(expected[index], actual[index], key)
      this.#path.pop()
    }
    if (this.differences.length > before + 1 && expected.every(isString) && actual.every(isString))
      this.#names(expected, actual, before)
  }

  /** For lists of names, reports which were added and removed, when that is shorter. */
  #names(expected: ReadonlyArray<string>, actual: ReadonlyArray<string>, before: number): void {
    const [here, there] = [new Set(expected), new Set(actual)]
    const gone = expected.flatMap((item, index) => (there.has(item) ? [] : [{ item, index }]))
    const come = actual.flatMap((item, index) => (here.has(item) ? [] : [{ item, index }]))
    const count = gone.length + come.length
    if (count === 0 || count >= this.differences.length - before) return
    this.differences.length = before
    for (const { index, item } of gone) this.#within(index, () => this.#differ(item, undefined))
    for (const { index, item } of come) this.#within(index, () => this.#differ(undefined, item))
  }

  #objects(expected: Readonly<Record<string, unknown>>, actual: Readonly<Record<string, unknown>>): void {
    const extra = new OtherKeys(
      Object.keys(actual).filter((key) => !Object.hasOwn(expected, key) && !isIgnoredKey(key))
    )
    for (const key of Object.keys(expected)) {
      if (isIgnoredKey(key)) continue
      // A key can be an id or a path with one.
      const other = Object.hasOwn(actual, key)
        ? key
        : extra.take(this.#renamed(key), (candidate) => this.#attempt(() => this.#tokens(key, candidate)))
      this.#path.push(key)
      if (other === undefined) this.#differ(expected[key], undefined)
      else this.values(expected[key], actual[other], key)
      this.#path.pop()
    }
    for (const key of extra.left()) this.#within(key, () => this.#differ(undefined, actual[key]))
  }

  /** A recorded text with the ids of now, as far as they are known. */
  #renamed(text: string): string {
    const { between, tokens } = tokenize(text)
    return between
      .map((part, index) => part + (this.#get(tokens[index]?.text ?? "") ?? tokens[index]?.text ?? ""))
      .join("")
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
    const found = between(expected.split(placeholders), actual)
    return found !== undefined && names.every((name, index) => this.#bind(name, found[index] ?? ""))
  }

  #get(expected: string): string | undefined {
    return this.#there.get(expected) ?? this.#ids.get(expected)
  }

  #bind(expected: string, actual: string): boolean {
    const there = this.#get(expected)
    if (there !== undefined) return there === actual
    if (this.#back.has(actual) || this.#ids.origin(actual) !== undefined) return false
    this.#there.set(expected, actual)
    this.#back.add(actual)
    this.#bound.push([expected, actual])
    return true
  }

  /** What it binds stays only when it succeeds. */
  #attempt(step: () => boolean): boolean {
    const before = this.#bound.length
    if (step()) return true
    for (const [expected, actual] of this.#bound.splice(before)) {
      this.#there.delete(expected)
      this.#back.delete(actual)
    }
    return false
  }
}

const placeholders = new RegExp(idPatterns["placeholder"] ?? "", "g")

const isString = (value: unknown): value is string => typeof value === "string"

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "list" : typeof value === "object" ? "object" : typeof value

/**
 * What a text has between these parts, at least a character each: the first part is its beginning, the last its end.
 * Whichever parts are found first leave the most for those after them, so nothing has to be tried twice.
 */
const between = (parts: ReadonlyArray<string>, text: string): ReadonlyArray<string> | undefined => {
  const [first = "", last = ""] = [parts[0], parts.at(-1)]
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined
  const found: Array<string> = []
  let from = first.length
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from + 1)
    if (at < 0) return undefined
    found.push(text.slice(from, at))
    from = at + part.length
  }
  const end = text.length - last.length
  return from < end ? [...found, text.slice(from, end)] : undefined
}
