/**
 * Globs for paths: `src/**`, `~/.ssh/**`, `/etc/*`.
 *
 * `**` stands for any number of folders, including none, `*` for any characters of one name, `?` for one. What comes
 * before the first of them is a place of its own, and is looked up like the path it is compared with.
 */
import { resolve } from "node:path"
import { type Match, matchItems, matchOf, matchText, type Step } from "./Match.ts"
import { expandHome, type Place, realPath } from "./RealPath.ts"

/** A pattern, seen from a working folder. */
export interface PathPattern {
  /** The folders before the first glob, as written. */
  readonly written: string
  /** The same without links; undefined: could not be determined. */
  readonly real: string | undefined
  readonly globs: ReadonlyArray<string>
}

const isGlob = (part: string): boolean => /[*?]/.test(part)

/** What is wrong with a pattern, in words; undefined: nothing. */
export const pathPatternProblem = (pattern: string): string | undefined => {
  if (/^~[^/]/.test(pattern)) return "Only your own home can be written as ~."
  const parts = pattern.split("/")
  const first = parts.findIndex(isGlob)
  return first >= 0 && parts.slice(first).includes("..") ? "A .. behind a * has no meaning." : undefined
}

/** Looks a pattern up. */
export const pathPatternFrom = async (cwd: string, pattern: string): Promise<PathPattern> => {
  const [base, globs] = split(pattern)
  const written = resolve(cwd, base)
  return { written, real: await realPath(written), globs }
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

/** How a pattern matches a place. To allow, every reading of the place must fit; to refuse, any. */
export const matchPlace = (pattern: PathPattern, place: Place, isStrict: boolean, isSearch: boolean): Match => {
  const { real, written } = pattern
  if (!isStrict)
    return matchOf(real !== undefined && place.real?.every((path) => matchPath(real, pattern.globs, path)) === true)
  const bases = real === undefined ? [written] : [written, real]
  const paths = [place.written, ...(place.real ?? [])]
  if (bases.some((base) => paths.some((path) => matchPath(base, pattern.globs, path)))) return "yes"
  if (real === undefined || place.real === undefined) return "maybe"
  return isSearch && bases.some((base) => paths.some((path) => mayMeetBelow(base, pattern.globs, path)))
    ? "maybe"
    : "no"
}

const partsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((part) => part !== "")

const matchPath = (base: string, globs: ReadonlyArray<string>, path: string): boolean => {
  const steps: ReadonlyArray<Step<string>> = [
    ...partsOf(base).map((part) => (item: string) => matchOf(item === part)),
    ...globs.map((glob) => (glob === "**" ? "many" : (item: string) => matchOf(matchText(glob, item))))
  ]
  return matchItems(steps, partsOf(path), { isMany: () => false, mayBeSkipped: () => false }) === "yes"
}

/** Whether something below a folder may be what a pattern is about. */
const mayMeetBelow = (base: string, globs: ReadonlyArray<string>, folder: string): boolean =>
  isWithin(folder, base) || (globs.length > 0 && isWithin(base, folder))

const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`)
