/**
 * Globs for paths: `src/**`, `~/.ssh/**`, `/etc/*`.
 *
 * `**` stands for any number of folders, including none, `*` for any characters of one name, `?` for one. What comes
 * before the first of them is a place of its own, and is looked up like the path it is compared with.
 */
import { resolve } from "node:path"
import { betterMatch, type Match, matchItems, matchOf, matchText, type Step } from "./Match.ts"
import { type Disk, expandHome, type Place, realPath } from "./RealPath.ts"

/** A pattern, seen from a working folder. */
export interface PathPattern {
  /** The folders before the first glob, as written. */
  readonly written: string
  /** The same without links; undefined: could not be determined. */
  readonly real: string | undefined
  readonly globs: ReadonlyArray<string>
  /** The steps to where it really is, and for each way to spell names those to where it may be. */
  readonly steps: {
    readonly real: Steps
    readonly composed: ReadonlyArray<Steps>
    readonly caseless: ReadonlyArray<Steps>
  }
}

type Steps = ReadonlyArray<Step<Item>>

const isGlob = (part: string): boolean => /[*?]/.test(part)

/** What is wrong with a pattern, in words; undefined: nothing. */
export const pathPatternProblem = (pattern: string): string | undefined => {
  if (/^~[^/]/.test(pattern)) return "Only your own home can be written as ~."
  const parts = pattern.split("/")
  const first = parts.findIndex(isGlob)
  return first >= 0 && parts.slice(first).includes("..") ? "A .. behind a * has no meaning." : undefined
}

/** Looks a pattern up. */
export const pathPatternFrom = async (cwd: string, pattern: string, disk?: Disk): Promise<PathPattern> => {
  const [base, globs] = split(pattern)
  const written = resolve(cwd, base)
  const real = await realPath(written, disk)
  const bases = [...new Set([written, real ?? written])]
  const steps = {
    real: stepsOf(real ?? written, globs),
    composed: bases.map((each) => stepsOf(composed(each), globs.map(composed))),
    caseless: bases.map((each) => stepsOf(foldCase(each), globs.map(foldCase)))
  }
  return { written, real, globs, steps }
}

const split = (pattern: string): readonly [string, ReadonlyArray<string>] => {
  const parts = expandHome(pattern).split("/")
  const first = parts.findIndex(isGlob)
  if (first < 0) return [parts.join("/"), []]
  const base = parts.slice(0, first).join("/")
  return [base === "" && first > 0 ? "/" : base, parts.slice(first).filter((part) => part !== "")]
}

/** The folder at which a glob begins to search. */
export const globFolder = (glob: string): string => split(glob)[0]

/** A shell's glob as the folder at which it begins, and the names below. */
export const shellGlob = (glob: string): readonly [string, ReadonlyArray<string>] => {
  const parts = glob.split("/")
  const first = parts.findIndex((part) => /[*?[]/.test(part))
  if (first < 0) return [glob, []]
  const base = parts.slice(0, first).join("/")
  return [base === "" ? (first > 0 ? "/" : ".") : base, parts.slice(first).filter((part) => part !== "")]
}

/** What a call does with a place. */
export interface Reach {
  /** To allow, every reading of the place must fit; to refuse, any. */
  readonly isStrict: boolean
  /** Everything below is meant, too. */
  readonly isSearch: boolean
  /** Names below the place in which `*` and the like stand for any characters: the shell will look which there are. */
  readonly globs?: ReadonlyArray<string>
}

/** How a pattern matches a place. */
export const matchPlace = ({ globs, real, steps }: PathPattern, place: Place, reach: Reach): Match => {
  const found = reach.globs ?? []
  if (!reach.isStrict) {
    const isSure = real !== undefined && (found.length === 0 || globs.at(-1) === "**")
    return matchOf(isSure && place.real?.every((path) => matchPath(steps.real, itemsOf(path)) === "yes") === true)
  }
  const spell = place.isCaseless === true ? foldCase : composed
  const ways = place.isCaseless === true ? steps.caseless : steps.composed
  const below = found.map((name) => ({ name: spell(name), isGlob: true }))
  const paths = [...new Set([place.written, ...(place.real ?? [])])].map((path) => [...itemsOf(spell(path)), ...below])
  const met = (items: ReadonlyArray<Item>): Match => ways.map((way) => matchPath(way, items)).reduce(betterMatch, "no")
  const matched = paths.map(met).reduce(betterMatch, "no")
  if (matched !== "no") return matched
  if (real === undefined || place.real === undefined) return "maybe"
  return reach.isSearch && paths.some((items) => met([...items, anything]) !== "no") ? "maybe" : "no"
}

/** Letters with their accents in one, as most disks and keyboards write them. */
const composed = (text: string): string => text.normalize("NFC")

/** The same text for all spellings that a disk without cases takes for one name. Some leave signs without width out. */
const foldCase = (text: string): string =>
  composed(
    text
      .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "")
      .toUpperCase()
      .toLowerCase()
  )

const partsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((part) => part !== "")

/** One part of a path. */
interface Item {
  readonly name: string
  /** The shell will look which names it stands for. */
  readonly isGlob: boolean
}

/** Any names, also none. */
const anything: Item = { name: "**", isGlob: true }

const itemsOf = (path: string): ReadonlyArray<Item> => partsOf(path).map((name) => ({ name, isGlob: false }))

const stepsOf = (base: string, globs: ReadonlyArray<string>): Steps => [
  ...partsOf(base).map((part) => (item: Item) => (item.isGlob ? matchItem(part, item) : matchOf(item.name === part))),
  ...globs.map((glob): Step<Item> => (glob === "**" ? "many" : (item) => matchItem(glob, item)))
]

const parts = { isMany: (item: Item) => item.isGlob && item.name === "**", mayBeSkipped: () => false }

const matchPath = (steps: Steps, items: ReadonlyArray<Item>): Match => matchItems(steps, items, parts)

/** A name that is a glob itself may become what another glob fits. */
const matchItem = (glob: string, item: Item): Match =>
  !item.isGlob ? matchOf(matchText(glob, item.name)) : globsMeet(glob, item.name) ? "maybe" : "no"

/**
 * Whether some name fits both globs. The shell's own leave names with a dot in front out, unless the dot is written;
 * a lone `*` counts as everything, as the shell can be told to mean that.
 */
export const globsMeet = (glob: string, shellGlob: string): boolean => {
  if (/^\*+$/.test(shellGlob)) return true
  if (glob.startsWith(".") && !shellGlob.startsWith(".")) return false
  // A bracket stands for one sign, whatever is in it.
  const [a, b] = [[...glob], [...shellGlob.replace(/\[[^\]]*\]/g, "?")]]
  let reached = new Set([0])
  const pass = (from: Set<number>): Set<number> => {
    for (const at of from) if (b[at] === "*") from.add(at + 1)
    return from
  }
  reached = pass(reached)
  for (const sign of a) {
    const next = new Set<number>()
    for (const at of reached) {
      if (sign === "*") for (let to = at; to <= b.length; to++) next.add(to)
      else if (b[at] === "*") next.add(at)
      else if (b[at] === sign || b[at] === "?" || (sign === "?" && b[at] !== undefined)) next.add(at + 1)
    }
    reached = pass(next)
  }
  return reached.has(b.length)
}
