/**
 * Where a path really leads, even when the end of it does not exist yet.
 *
 * The system's own `realpath` needs every part to exist, and a file that is about to be written does not. Here a
 * missing part stays as it is, and a link that points to nothing is followed all the same.
 */
import { lstat, readlink } from "node:fs/promises"
import { homedir } from "node:os"
import { join, resolve } from "node:path"

/** Linux gives up after this many. */
const maxLinks = 40

/** The path without links, or undefined when that cannot be determined (a loop, a folder that may not be read). */
export const realPath = async (path: string): Promise<string | undefined> => {
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
    const found = await target(next)
    if (found._tag === "Unknown" || (found._tag === "Link" && ++links > maxLinks)) return undefined
    if (found._tag === "Plain") real = next
    else {
      if (found.to.startsWith("/")) real = "/"
      ahead.push(...found.to.split("/").reverse())
    }
  }
  return real
}

type Target = { readonly _tag: "Plain" } | { readonly _tag: "Link"; readonly to: string } | { readonly _tag: "Unknown" }

const target = async (path: string): Promise<Target> => {
  try {
    return (await lstat(path)).isSymbolicLink() ? { _tag: "Link", to: await readlink(path) } : { _tag: "Plain" }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    return code === "ENOENT" || code === "ENOTDIR" ? { _tag: "Plain" } : { _tag: "Unknown" }
  }
}

/** A path with its leading `~` written out. Other users' homes are not known here. */
export const expandHome = (path: string): string =>
  path === "~" ? homedir() : path.startsWith("~/") ? join(homedir(), path.slice(2)) : path

/** Every place a path of a tool call may mean. */
export interface Place {
  /** Absolute, as it was written. */
  readonly written: string
  /** Without links. More than one where `..` behind a link is read in two ways; undefined: could not be determined. */
  readonly real: ReadonlyArray<string> | undefined
}

/**
 * Looks a path up from a folder. Some programs take `..` off the text, others follow the links before it: both
 * readings count.
 */
export const placeFrom = async (cwd: string, path: string): Promise<Place> => {
  const expanded = expandHome(path)
  const written = resolve(cwd, expanded)
  // White space around it and other spellings of letters: programs do not agree on what they then open.
  if (path === "" || path.includes("\0") || path.trim() !== path || path.normalize("NFC") !== path)
    return { written, real: undefined }
  const raw = expanded.startsWith("/") ? expanded : `${cwd}/${expanded}`
  const [lexical, physical] = [await realPath(written), await realPath(raw)]
  if (lexical === undefined || physical === undefined) return { written, real: undefined }
  return { written, real: lexical === physical ? [lexical] : [lexical, physical] }
}
