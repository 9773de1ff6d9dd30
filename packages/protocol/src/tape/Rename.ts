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
import { literals, unescapeOnce } from "../wire/internal/JsonText.ts"
import { parseJson } from "../wire/ReadJson.ts"
import { IdBijection } from "./IdBijection.ts"
import { isIdKey } from "./IdKeys.ts"
import { type Difference, type MatchMode, Trial } from "./Trial.ts"

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

/** A line as it is compared: as JSON where it is JSON, else as text. */
const read = (line: string): unknown => {
  const value = parseJson(line)
  return value === undefined ? line.replace(/\r?\n$/, "") : value
}

/** A renamer that knows no ids yet, or these. */
export const makeRenamer = (ids: IdBijection = new IdBijection()): Renamer => {
  const compareValue = (expected: unknown, actual: unknown, mode: MatchMode = "strict", keep = false) => {
    const trial = new Trial(ids, mode)
    trial.values(expected, actual)
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
