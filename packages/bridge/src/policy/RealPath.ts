/**
 * Where a path really leads, even when the end of it does not exist yet.
 *
 * The system's own `realpath` needs every part to exist, and a file that is about to be written does not. Here a
 * missing part stays as it is, and a link that points to nothing is followed all the same.
 */
import { lstat, readlink } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"

/** Linux gives up after this many. */
const maxLinks = 40

/** No system opens a longer path. */
const maxLength = 4096

/** How many paths are looked up for one decision. */
const maxPlaces = 128

/** What the disk said while one decision was made: nothing is asked twice, and not without end. */
export interface Disk {
  readonly target: (path: string) => Promise<Target>
  /** Whether letters in another case name the same file there. */
  readonly isCaseless: (path: string) => Promise<boolean>
  /** Whether there is a file and not a folder, so nothing can be below. */
  readonly isFile: (path: string) => Promise<boolean>
  /** The root of the repository of git that a folder is in; undefined: it is in none. */
  readonly repositoryOf: (folder: string) => Promise<string | undefined>
  /** Whether one more path may be looked up. */
  readonly mayLookUp: () => boolean
}

/** A disk that was not asked anything yet. */
export const makeDisk = (): Disk => {
  const targets = new Map<string, Promise<Target>>()
  const caseless = new Map<string, Promise<boolean>>()
  const files = new Map<string, Promise<boolean>>()
  const repositories = new Map<string, Promise<string | undefined>>()
  let places = 0
  const once = <A>(known: Map<string, Promise<A>>, path: string, ask: (path: string) => Promise<A>): Promise<A> => {
    const before = known.get(path)
    if (before !== undefined) return before
    const now = ask(path)
    known.set(path, now)
    return now
  }
  return {
    target: (path) => once(targets, path, askTarget),
    isCaseless: (path) => once(caseless, path, askCaseless),
    isFile: (path) => once(files, path, askFile),
    repositoryOf: (folder) => once(repositories, folder, askRepository),
    mayLookUp: () => ++places <= maxPlaces
  }
}

/** The path without links, or undefined when that cannot be determined (a loop, a folder that may not be read). */
export const realPath = async (path: string, disk = makeDisk()): Promise<string | undefined> => {
  let links = 0
  let real = "/"
  const ahead = path.split("/").reverse()
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    if (part === "" || part === ".") continue
    if (part === "..") {
      real = resolve(real, "..")
      continue
    }
    const next = join(real, part)
    const found = await disk.target(next)
    if (found._tag === "Unknown" || (found._tag === "Link" && ++links > maxLinks)) return undefined
    if (found._tag === "Plain") real = next
    else {
      if (found.to.startsWith("/")) real = "/"
      ahead.push(...found.to.split("/").reverse())
    }
  }
  return real
}

/** What a name is. */
export type Target =
  | { readonly _tag: "Plain" }
  | { readonly _tag: "Link"; readonly to: string }
  | { readonly _tag: "Unknown" }

const askTarget = async (path: string): Promise<Target> => {
  try {
    return (await lstat(path)).isSymbolicLink() ? { _tag: "Link", to: await readlink(path) } : { _tag: "Plain" }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    return code === "ENOENT" || code === "ENOTDIR" ? { _tag: "Plain" } : { _tag: "Unknown" }
  }
}

/**
 * The disk is asked for what exists of the path, spelled in the other case. Where there is nothing to spell
 * differently, the system's habit counts.
 */
const askCaseless = async (path: string): Promise<boolean> => {
  for (let at = path; at !== "/"; at = dirname(at)) {
    const name = at.slice(at.lastIndexOf("/") + 1)
    const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()
    const here = await identity(at)
    if (here === undefined || other === name) continue
    return (await identity(join(dirname(at), other))) === here
  }
  return process.platform === "darwin" || process.platform === "win32"
}

const askFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isFile(),
    () => false
  )

const askRepository = async (folder: string): Promise<string | undefined> => {
  for (let at = folder; ; at = dirname(at)) {
    if ((await identity(join(at, ".git"))) !== undefined) return at
    if (at === "/") return undefined
  }
}

const identity = (path: string): Promise<string | undefined> =>
  lstat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined
  )

/** A path with its leading `~` written out. Other users' homes are not known here. */
export const expandHome = (path: string): string =>
  path === "~" ? homedir() : path.startsWith("~/") ? join(homedir(), path.slice(2)) : path

/** Every place a path of a tool call may mean. */
export interface Place {
  /** Absolute, as it was written. */
  readonly written: string
  /** Without links. More than one where `..` behind a link is read in two ways; undefined: could not be determined. */
  readonly real: ReadonlyArray<string> | undefined
  /** Letters in another case name the same file. */
  readonly isCaseless?: true
}

/**
 * Looks a path up from a folder. Some programs take `..` off the text, others follow the links before it: both
 * readings count.
 */
export const placeFrom = async (cwd: string, path: string, disk = makeDisk()): Promise<Place> => {
  const expanded = expandHome(path)
  const written = resolve(cwd, expanded)
  // White space around it and other spellings of letters: programs do not agree on what they then open.
  // What is below /proc leads each process elsewhere.
  const isOwn = /^\/proc(\/|$)|^\/dev\/fd(\/|$)/.test(written)
  const isOdd = path === "" || path.includes("\0") || path.trim() !== path || path.normalize("NFC") !== path
  if (isOdd || isOwn || path.length > maxLength || !disk.mayLookUp()) return { written, real: undefined }
  const raw = expanded.startsWith("/") ? expanded : `${cwd}/${expanded}`
  const [lexical, physical] = [await realPath(written, disk), await realPath(raw, disk)]
  if (lexical === undefined || physical === undefined) return { written, real: undefined }
  const real = lexical === physical ? [lexical] : [lexical, physical]
  return (await disk.isCaseless(lexical)) ? { written, real, isCaseless: true } : { written, real }
}
